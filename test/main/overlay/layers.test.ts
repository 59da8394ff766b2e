// Intermediate images of previews: made with their tiles where somebody looks, else when one is asked for; the same either way.
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { RecipeSpec } from '../../../app/contract'
import { OverlayTiles } from '../../../main/overlay/overlayTiles'
import { openSpecs } from '../../../main/recipe/specs'
import { defaultRecipe } from '../../../main/recipe/validate'
import { draftAnalysis } from '../../../main/run/analysis/analysis'
import type { Draft } from '../../../main/run/analysis/analysis'
import { Plan } from '../../../main/run/plan/plan'
import type { Run } from '../../../main/run/run'
import { TileResults } from '../../../main/run/tiles/tileResults'
import { Slides } from '../../../main/slide/slides'
import { ranTo } from '../run/runOf'

const assets = fileURLToPath(new URL('../../../assets', import.meta.url))
const slides = new Slides(
  () => undefined,
  () => undefined,
  () => false,
)
const field = { x: 512, y: 512, width: 700, height: 500 }
const budget = 2 ** 26
let spec: RecipeSpec
let draft: Draft
beforeAll(async () => {
  spec = (await openSpecs(assets).list()).find(({ id }) => id === 'he-nuclei')!
  draft = draftAnalysis(await slides.open(`${assets}/samples/CMU-1-Small-Region.svs`), spec, defaultRecipe(spec))
})
afterAll(() => slides.closeAll())

interface Looked {
  readonly run: Run
  readonly tiles: TileResults
  readonly overlays: OverlayTiles
}
async function previewed(layers: boolean, tiles = new TileResults()): Promise<Looked> {
  const run = await ranTo(draft, { region: field, purpose: 'preview', layers, tiles })
  return { run, tiles, overlays: new OverlayTiles(budget, tiles) }
}
const tilesOf = () => [...new Plan(draft.grid, field).tiles()]
const withPlanes = ({ run, tiles }: Looked): number =>
  tilesOf().filter((tile) => tiles.cached(run.analysis!, tile, 'planes')).length

it('makes them with the tiles where somebody looks, and keeps none where nobody does', async () => {
  const [plain, looked] = [await previewed(false), await previewed(true)]
  expect(tilesOf().length).toBeGreaterThan(4)
  expect([withPlanes(plain), withPlanes(looked)]).toEqual([0, tilesOf().length])
  expect([plain.run.status().layers, looked.run.status().layers]).toEqual([undefined, true])
  for (const tile of tilesOf()) expect(plain.tiles.cached(plain.run.analysis!, tile, 'overlapping')).toBeDefined()
  expect(plain.run.objects.count).toBe(looked.run.objects.count)
})

it('gives the same images where they were not made yet, near at hand', async () => {
  const [plain, looked] = [await previewed(false), await previewed(true)]
  const grey = spec.layers.filter(({ id }) => id !== 'labels' && id !== 'candidates').map(({ id }) => id)
  expect(grey.length).toBeGreaterThan(2)
  for (const layer of grey) {
    for (const [level, x, y] of [
      [0, 3, 2],
      [1, 1, 1],
    ] as const) {
      const [made, kept] = [
        await plain.overlays.layer(plain.run, layer, level, x, y),
        await looked.overlays.layer(looked.run, layer, level, x, y),
      ]
      expect([layer, level, Buffer.compare(made.body, kept.body)]).toEqual([layer, level, 0])
    }
  }
  // What was asked for alone.
  expect(withPlanes(plain)).toBeLessThanOrEqual(4)
  expect(withPlanes(plain)).toBeGreaterThan(0)
  // From afar a tile would be a matter of many windows.
  const other = await previewed(false)
  await expect(other.overlays.layer(other.run, grey[0]!, 3, 0, 0)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect((await looked.overlays.layer(looked.run, grey[0]!, 3, 0, 0)).body.byteLength).toBeGreaterThan(0)
})

it('takes tiles that have images for a preview without, and makes those anew that have none for one with', async () => {
  const looked = await previewed(true)
  const again = await previewed(false, looked.tiles)
  expect(again.run.timeline().windows).toHaveLength(0)
  const plain = await previewed(false)
  const then = await previewed(true, plain.tiles)
  expect(then.run.timeline().windows.length).toBeGreaterThan(0)
  expect(withPlanes(then)).toBe(tilesOf().length)
})

it('lets images go before the objects', async () => {
  const tiles = new TileResults()
  await previewed(false, tiles)
  const looked = await previewed(true, tiles)
  expect(withPlanes(looked)).toBe(tilesOf().length)
  tiles.setBudget({ results: 2 ** 26, looks: 2 ** 18 })
  expect(withPlanes(looked)).toBe(0)
  for (const tile of tilesOf()) expect(tiles.cached(looked.run.analysis!, tile, 'overlapping')).toBeDefined()
})
