// What a page holds of a run's cells, which it fetches whenever a tile is told to have changed: also what lies beyond a nucleus's own tile.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { objectMarginPx, tilePaths, unpackTile } from '../../../app/contract'
import { defaultRecipe } from '../../../main/engine'
import type { Engine } from '../../../main/engine'
import { realEngine } from '../realEngine'

const sample = fileURLToPath(new URL('../../../assets/samples/CMU-1-Small-Region.svs', import.meta.url))
let folder: string
let engine: Engine
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'morphoscope-cell-tiles-'))
  engine = realEngine(join(folder, 'settings'), { shell: 'serve' })
})
afterAll(async () => {
  await engine.close()
  await rm(folder, { recursive: true, force: true })
})

it('shows each cell whole, whichever tile was computed first', async () => {
  const { slideId, mppX } = await engine.invoke('slide:open', { path: sample })
  const spec = (await engine.invoke('recipe:list', undefined)).find(({ id }) => id === 'he-nuclei')!
  const plain = defaultRecipe(spec)
  const recipe = { ...plain, params: { ...plain.params, cells: { ...plain.params['cells'], expansion: 6 } } }
  const held = new Map<string, Promise<Uint8Array<ArrayBuffer>>>()
  const off = engine.onEvent((event) => {
    if (event.type !== 'run:tiles') return
    for (const { level, x, y, revision } of event.tiles) {
      if (level > 0) continue
      const answer = engine.tile(tilePaths.objects(event.runId, revision, level, x, y))
      held.set(
        `${x}_${y}`,
        answer.then(({ body }) => body),
      )
    }
  })
  const { runId } = await engine.invoke('run:start', { slideId, region: 'whole', recipe, purpose: 'run', threads: 2 })
  await expect.poll(async () => (await engine.invoke('run:status', { runId })).state, { timeout: 60_000 }).toBe('done')
  off()
  let drawn = 0
  for (const bytes of held.values()) {
    const tile = unpackTile((await bytes).slice().buffer)
    if (tile.kind !== 'objects' || !tile.cells) continue
    const side = tile.sidePx + 2 * objectMarginPx
    for (let y = objectMarginPx; y < side - objectMarginPx; y++)
      for (let x = objectMarginPx; x < side - objectMarginPx; x++) if (tile.cells[y * side + x]! > 0) drawn++
  }
  const directory = join(folder, 'exported')
  await engine.invoke('export:start', { runId, directory, files: ['objects.csv'] })
  const [head = '', ...rows] = (await readFile(join(directory, 'objects.csv'), 'utf8')).trim().split('\r\n')
  const at = head.split(',').indexOf('cell_area_um2')
  const areas = rows.map((row) => Number(row.split(',')[at]) / mppX! ** 2)
  expect(areas.length).toBeGreaterThan(2000)
  expect(drawn).toBe(Math.round(areas.reduce((sum, area) => sum + area, 0)))
})
