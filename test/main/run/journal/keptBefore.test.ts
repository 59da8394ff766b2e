// Objects that a program kept before there were contrast and score (3f0ae17, of a part of the sample slide): they open, and have neither.
import { copyFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { tilePaths, unpackRows } from '../../../../app/contract'
import type { RunStatus } from '../../../../app/contract'
import { defaultRecipe } from '../../../../main/engine'
import type { Engine } from '../../../../main/engine'
import { KeptObjects } from '../../../../main/run/journal/kept'
import type { RunObject } from '../../../../main/run/objects/result'
import { realEngine, sample } from '../../realEngine'

const before = fileURLToPath(new URL('../../../fixtures/kept/he-27-columns.objects', import.meta.url))
const region = { x: 500, y: 1000, width: 260, height: 220 }
let dir: string
beforeAll(async () => (dir = await mkdtemp(join(tmpdir(), 'before-'))))
afterAll(() => rm(dir, { recursive: true, force: true }))

it('is read with the columns that it has', async () => {
  const kept = await KeptObjects.open(before, 'k1')
  const objects: RunObject[] = []
  for await (const { objects: tiles } of kept.windows(kept.head.grid))
    for (const { packed, start, count } of tiles)
      for (let row = start; row < start + count; row++) objects.push(packed.object(row))
  expect(objects.length).toBeGreaterThan(5)
  for (const { area, solidity, contrast, score } of objects) {
    expect(area).toBeGreaterThan(0)
    expect(solidity).toBeGreaterThan(0)
    expect([contrast, score]).toEqual([NaN, NaN])
  }
})

const ended = async (engine: Engine): Promise<RunStatus> => {
  const found = await vi.waitUntil(async () =>
    (await engine.invoke('run:list', undefined)).find(({ status }) => status.state === 'done'),
  )
  return found.status
}

/** Of each object what `keys` have, in the order of the slide, and which columns there are. */
async function rowsOf(engine: Engine, runId: string, keys: readonly string[]): Promise<(number | undefined)[][]> {
  const view = await engine.invoke('table:view', { runId, filter: '', brush: null, sort: null, describe: 'area' })
  const { body } = await engine.tile(tilePaths.table(runId, view.view, 0))
  const at = keys.map((key) => view.columns.findIndex((column) => column.key === key))
  return unpackRows(body.buffer, view.columns.length).map((row) => at.map((column) => row[column]))
}

it('comes back in a project, in which the same run has both now', async () => {
  const open = async (): Promise<{ engine: Engine; slideId: string }> => {
    const engine = realEngine(join(dir, 'settings'), { shell: 'serve' })
    const { slideId } = await engine.invoke('slide:open', { path: sample })
    await engine.invoke('project:state', { slideId })
    return { engine, slideId }
  }
  const now = await open()
  const spec = (await now.engine.invoke('recipe:list', undefined)).find(({ id }) => id === 'he-nuclei')!
  await now.engine.invoke('run:start', { slideId: now.slideId, region, recipe: defaultRecipe(spec), purpose: 'run' })
  const { runId } = await ended(now.engine)
  const both = await rowsOf(now.engine, runId, ['area', 'solidity', 'contrast', 'score'])
  for (const [, solidity, contrast, score] of both) {
    const share = (value: number, none: number, full: number) => Math.min(1, Math.max(0, (value - none) / (full - none)))
    expect(score).toBe(Math.floor(50 * (share(contrast!, 0, 2) + share(solidity!, 0.8, 0.95)) + 0.5))
    expect(contrast).toBeGreaterThan(
      spec.stages.find(({ id }) => id === 'objects')!.params.find(({ key }) => key === 'minContrast')!.default as number,
    )
  }
  const first = await now.engine.invoke('object:numbered', { runId, id: 2 })
  expect([first.contrast, first.score]).toEqual(both[1]!.slice(2))
  expect(first.scoreParts!.map(({ of }) => of)).toEqual(['contrast', 'solidity'])
  expect(Math.floor(first.scoreParts!.reduce((sum, { part }) => sum + part / 2, 0.5))).toBe(first.score)
  await now.engine.invoke('object:edit', { runId, choice: { ids: [1] }, edit: { type: 'delete' } })
  await now.engine.close()

  const files = (await readdir(dir, { recursive: true })).filter((name) => name.endsWith('.objects'))
  expect(files).toHaveLength(1)
  await copyFile(before, join(dir, files[0]!))
  const again = await open()
  const back = await ended(again.engine)
  const rows = await rowsOf(again.engine, back.runId, ['area', 'solidity', 'contrast', 'score'])
  expect(rows).toEqual(both.slice(1).map(([area, solidity]) => [area, solidity, undefined, undefined]))
  // The table has no column of what no object has.
  const scored = { runId: back.runId, filter: 'score > 0', brush: null, sort: null, describe: 'area' }
  await expect(again.engine.invoke('table:view', scored)).rejects.toMatchObject({ code: 'INVALID_PARAMETER' })
  const details = await again.engine.invoke('object:numbered', { runId: back.runId, id: 2 })
  expect(details).toMatchObject({ contrast: null, score: null, scoreParts: null })
  const directory = join(dir, 'out')
  await again.engine.invoke('export:start', { runId: back.runId, directory, files: ['objects.csv', 'objects.geojson'] })
  const [header, ...lines] = (await readFile(join(directory, 'objects.csv'), 'utf8')).trim().split('\r\n')
  const at = header!.split(',').indexOf('score')
  expect(lines.map((line) => line.split(',').slice(at - 1, at + 1))).toEqual(rows.map(() => ['', '']))
  expect(await readFile(join(directory, 'objects.geojson'), 'utf8')).not.toMatch(/"(Score|Contrast)"/)
  await again.engine.close()
})
