// How true the told times are: before a run, from a preview and from an earlier run, and while it goes on. Figures by hand, on a quiet machine:
//   UV_THREADPOOL_SIZE=6 SLIDE=/path/to/slide.tif npx vitest run --config test/stress/vitest.config.ts estimate
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import type { RunEstimate, RunStatus } from '../../app/contract'
import { createEngine, defaultRecipe } from '../../main/engine'

const assetsDir = fileURLToPath(new URL('../../assets', import.meta.url))
const path = process.env['SLIDE'] ?? join(assetsDir, 'samples', 'CMU-1-Small-Region.svs')
const specs = ['he-nuclei', 'iwpp-nuclei', 'max-tree-nuclei', 'cell-detection']
/** Above this a time that was told is of no use; what the machine does besides is in it. */
const useless = 3

it('before and during runs of the whole slide', async () => {
  const settingsDir = await mkdtemp(join(tmpdir(), 'estimate-'))
  const engine = createEngine({ settingsDir, assetsDir, shell: 'cli', dialogs: false, version: '0', log: () => undefined })
  const slide = await engine.invoke('slide:open', { path })
  const mpp = slide.mppX === null ? { mpp: 0.25 } : {}
  const { slideId, widthPx, heightPx } = slide
  const all = await engine.invoke('recipe:list', undefined)
  const told: RunStatus[] = []
  let over: (status: RunStatus) => void = () => undefined
  engine.onEvent((event) => {
    if (event.type === 'run:progress') told.push(event.status)
    if (event.type === 'run:end') over(event.status)
  })
  const ratios: number[] = []
  const ratio = (expected: number | null, took: number): string => {
    if (expected === null) return '–'
    ratios.push(expected / took)
    return (expected / took).toFixed(2)
  }
  for (const spec of all.filter(({ id }) => specs.includes(id))) {
    const recipe = defaultRecipe(spec)
    const of = { slideId, recipe, ...mpp }
    const estimate = (): Promise<RunEstimate> => engine.invoke('run:estimate', { ...of, region: 'whole' })
    const run = async (purpose: 'run' | 'preview', region: { x: number; y: number; width: number; height: number } | 'whole') => {
      const ended = new Promise<RunStatus>((resolve) => (over = resolve))
      await engine.invoke('run:start', { ...of, region, purpose })
      return ended
    }
    const first = await estimate()
    // The middle of the slide, as it is looked at before it is run.
    const side = Math.min(1200, widthPx, heightPx)
    await run('preview', { x: Math.floor((widthPx - side) / 2), y: Math.floor((heightPx - side) / 2), width: side, height: side })
    const previewed = await estimate()
    told.length = 0
    const status = await run('run', 'whole')
    expect(status.state).toBe('done')
    const took = status.elapsedMs
    const measured = await estimate()
    const during = [0.1, 0.25, 0.5, 0.75].map((share) => {
      const at = told.find(({ runId, elapsedMs, etaMs }) => runId === status.runId && elapsedMs >= share * took && etaMs !== null)
      return at ? `${Math.round((100 * at.elapsedMs) / took)} %: ${ratio(at.elapsedMs + at.etaMs!, took)}` : '–'
    })
    console.log(
      `${spec.id}: took ${(took / 1000).toFixed(1)} s; told over took: at first ${ratio(first.ms, took)} (${first.basis}),`,
      `after a preview ${ratio(previewed.ms, took)}, while it ran ${during.join(', ')}, for the next ${ratio(measured.ms, took)}`,
    )
    // What is kept must not make the next one's preview quick.
    for (const { status: old } of await engine.invoke('run:list', undefined))
      await engine.invoke('run:delete', { runId: old.runId })
  }
  await engine.close()
  await rm(settingsDir, { recursive: true, force: true })
  expect(ratios.filter((each) => each > useless || each < 1 / useless)).toEqual([])
})
