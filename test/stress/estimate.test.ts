// How true the told times are: before a run, from a preview and from an earlier run, and at each tenth of it and of a second one with
// another value, which computes all anew. Figures by hand, on a quiet machine:
//   UV_THREADPOOL_SIZE=6 SLIDES=/path/a.svs:/path/b.tif RECIPES=he-nuclei ETA_RECORD=/tmp/eta.jsonl \
//     npx vitest run --config test/stress/vitest.config.ts estimate
import { appendFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import type { RunEstimate, RunStatus, RunTimeline } from '../../app/contract'
import { defaultRecipe } from '../../main/engine'
import { realEngine, sample } from '../main/realEngine'

/** A path, or PATH@X,Y,WIDTH,HEIGHT for a part of a slide that is too large for all of it. */
const slides = (process.env['SLIDES'] ?? sample).split(':')
const recipes = (process.env['RECIPES'] ?? 'he-nuclei,iwpp-nuclei,max-tree-nuclei,cell-detection').split(',')
const record = process.env['ETA_RECORD']
const tenths = [1, 2, 3, 4, 5, 6, 7, 8, 9]
/** Above this a time that was told is of no use; what the machine does besides is in it. */
const useless = 3

const percent = (off: number | null): string => (off === null ? '–' : `${off > 0 ? '+' : ''}${Math.round(100 * off)}`)

async function told(path: string, recipeId: string): Promise<(number | null)[]> {
  const [file, box] = path.split('@')
  const settingsDir = await mkdtemp(join(tmpdir(), 'estimate-'))
  // A new one each time: nothing is learnt or kept.
  const engine = realEngine(settingsDir)
  try {
    const slide = await engine.invoke('slide:open', { path: file! })
    const mpp = slide.mppX === null ? { mpp: 0.25 } : {}
    const { slideId, widthPx, heightPx } = slide
    const [x, y, width, height] = box?.split(',').map(Number) ?? [0, 0, widthPx, heightPx]
    const part = { x: x!, y: y!, width: width!, height: height! }
    const spec = (await engine.invoke('recipe:list', undefined)).find(({ id }) => id === recipeId)!
    const recipe = defaultRecipe(spec)
    const [stage, values] = Object.entries(recipe.params).find(([, each]) => 'minArea' in each)!
    const second = { ...recipe, params: { ...recipe.params, [stage]: { ...values, minArea: Number(values['minArea']) + 1 } } }
    const of = { slideId, recipe, ...mpp }
    const region = box === undefined ? ('whole' as const) : part
    const estimate = (): Promise<RunEstimate> => engine.invoke('run:estimate', { ...of, region })
    const statuses: RunStatus[] = []
    const run = async (purpose: 'run' | 'preview', where: typeof part | 'whole', asked = recipe): Promise<RunStatus> => {
      let stop = (): void => undefined
      const ended = new Promise<RunStatus>((resolve) => {
        stop = engine.onEvent((event) => {
          if (event.type === 'run:progress' && purpose === 'run') statuses.push(event.status)
          if (event.type === 'run:end') resolve(event.status)
        })
      })
      await engine.invoke('run:start', { ...of, recipe: asked, region: where, purpose })
      return ended.finally(() => stop())
    }
    const first = await estimate()
    // The middle, as it is looked at before it is run.
    const side = Math.min(1200, part.width, part.height)
    const middle = { x: part.x + Math.floor((part.width - side) / 2), y: part.y + Math.floor((part.height - side) / 2) }
    if (process.env['ETA_PREVIEW'] !== '0') await run('preview', { ...middle, width: side, height: side })
    const previewed = await estimate()
    const status = await run('run', region)
    expect(status.state).toBe('done')
    const took = status.elapsedMs
    const next = await estimate()
    const offsOf = (tookMs: number): (number | null)[] =>
      tenths.map((tenth) => {
        const at = statuses.findLast(({ elapsedMs }) => elapsedMs <= (tenth / 10) * tookMs)
        // Of all that it took, as a person compares: "so long from its start".
        return at?.etaMs == null ? null : (at.elapsedMs + at.etaMs) / tookMs - 1
      })
    const offs = offsOf(took)
    const off = ({ ms, basis }: RunEstimate): string => `${percent(ms === null ? null : ms / took - 1)} (${basis})`
    console.log(
      `| ${basename(path)} | ${recipeId} | ${(took / 1000).toFixed(1)} | ${off(first)} | ${off(previewed)} |`,
      `${offs.map(percent).join(' | ')} | ${off(next)} |`,
    )
    if (record !== undefined) {
      const timeline: RunTimeline = await engine.invoke('run:timeline', { runId: status.runId })
      const points = statuses.map(({ elapsedMs, etaMs, tilesDone, ground }) => ({ elapsedMs, etaMs, tilesDone, ground }))
      appendFileSync(record, `${JSON.stringify({ path, recipeId, took, grid: status.grid, points, timeline })}\n`)
    }
    statuses.length = 0
    const { elapsedMs: tookAgain } = await run('run', region, second)
    const offsAgain = offsOf(tookAgain)
    console.log(
      `| … again | | ${(tookAgain / 1000).toFixed(1)} | | ${percent(next.ms === null ? null : next.ms / tookAgain - 1)} |`,
      `${offsAgain.map(percent).join(' | ')} | |`,
    )
    offs.push(...offsAgain)
    return [...[first, previewed, next].map(({ ms }) => (ms === null ? null : ms / took - 1)), ...offs]
  } finally {
    await engine.close()
    await rm(settingsDir, { recursive: true, force: true })
  }
}

it('before and during runs', async () => {
  console.log(
    '| slide | recipe | took s | at first | after a preview | at 10 % | 20 | 30 | 40 | 50 | 60 | 70 | 80 | 90 | for the next |',
  )
  const all: (number | null)[] = []
  for (const path of slides) for (const recipe of recipes) all.push(...(await told(path, recipe)))
  const wrong = all.filter((off) => off !== null && (off + 1 > useless || off + 1 < 1 / useless))
  expect(wrong).toEqual([])
})
