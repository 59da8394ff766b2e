// Tiles computed in one window are what each gives by itself, to the bit: on the bundled slide, with every bundled recipe.
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { RecipeSpec } from '../../../../app/contract'
import { openSpecs } from '../../../../main/recipe/specs'
import { defaultRecipe } from '../../../../main/recipe/validate'
import { draftAnalysis } from '../../../../main/run/analysis/analysis'
import { Overviews } from '../../../../main/run/analysis/overviews'
import type { Analysis } from '../../../../main/run/analysis/analysis'
import { blockSizes, Plan, tilesIn } from '../../../../main/run/plan/plan'
import type { TileIndex } from '../../../../main/run/plan/plan'
import type { TissueOfRun } from '../../../../main/run/analysis/tissueOfRun'
import { TileResults } from '../../../../main/run/tiles/tileResults'
import type { TileResult } from '../../../../main/run/tiles/computeTile'
import { Slides } from '../../../../main/slide/slides'
import type { OpenSlide } from '../../../../main/slide/slides'
import { MEASUREMENT_FIELDS } from '../../../../native/index'

const assets = fileURLToPath(new URL('../../../../assets', import.meta.url))
const slides = new Slides(
  () => undefined,
  () => undefined,
  () => false,
)
let slide: OpenSlide
let specs: readonly RecipeSpec[]

beforeAll(async () => {
  slide = await slides.open(`${assets}/samples/CMU-1-Small-Region.svs`)
  // What shines has nothing to do with this slide: all of it would be one object.
  specs = (await openSpecs(assets).list()).filter(({ stainSet }) => stainSet !== 'rgb')
})
afterAll(() => slides.closeAll())

function analysisOf(spec: RecipeSpec): Promise<Analysis> {
  return new Overviews().complete(draftAnalysis(slide, spec, defaultRecipe(spec)), 2)
}

function told({ owned }: TileResult): unknown[] {
  return Array.from({ length: owned.count }, (_, row) => [
    MEASUREMENT_FIELDS.map((field) => owned.value(row, field)),
    [...owned.runsOf(row)],
  ])
}

it('are those of single tiles, kept for all of the block', async () => {
  expect(specs.length).toBeGreaterThanOrEqual(4)
  for (const spec of specs) {
    const analysis = await analysisOf(spec)
    const { grid } = analysis
    const [block] = new Plan(grid, { x: 300, y: 1100, width: 700, height: 300 }).blocks()
    expect([block!.tiles.length, tilesIn(grid, block!.square).length]).toEqual([6, 16])
    const alone = new TileResults()
    const single = (tile: TileIndex) => alone.get(analysis, tile, { wanted: 'objects', threads: 1 })
    const results = new TileResults()
    const found = await results.getBlock(analysis, block!, { threads: 2 })
    expect([spec.id, found.tiles.map(told)]).toEqual([spec.id, (await Promise.all(block!.tiles.map(single))).map(told)])
    let objects = 0
    // A single tile's window grows to millions of pixels with this recipe, as eosin counts as brown.
    const all = tilesIn(grid, block!.core)
    for (const tile of spec.id === 'ihc-nuclei' ? all.filter(({ y }) => y === all[0]!.y + 1) : all) {
      const kept = results.cachedOfBlock(analysis, tile)!
      expect([spec.id, tile, told(kept)]).toEqual([spec.id, tile, told(await single(tile))])
      objects += kept.owned.count
      // What was seen in another window is another result.
      expect(results.cached(analysis, tile, 'objects')).toBeUndefined()
    }
    expect(objects).toBeGreaterThan(40)
  }
})

it('are the same in large blocks', async () => {
  const analysis = await analysisOf(specs.find(({ id }) => id === 'he-nuclei')!)
  const all = { x: 0, y: 0, width: analysis.grid.widthPx, height: analysis.grid.heightPx }
  const [usual, large] = await Promise.all(
    [blockSizes.usual, blockSizes.large].map(async (size) => {
      const found = new Map<string, unknown[]>()
      const blocks = [...new Plan(analysis.grid, all, undefined, size).blocks()]
      for (const block of blocks) {
        const { tiles } = await new TileResults().getBlock(analysis, block, { threads: 1 })
        block.tiles.forEach((tile, i) => found.set(`${tile.x}_${tile.y}`, told(tiles[i]!)))
      }
      return { count: blocks.length, found }
    }),
  )
  expect([usual!.count, large!.count]).toEqual([9, 4])
  expect(large!.found).toEqual(usual!.found)
})

it('say what their window took, which is around the tiles that are asked for', async () => {
  const analysis = await analysisOf(specs[0]!)
  const [block] = new Plan(analysis.grid, { x: 0, y: 0, width: 1, height: 1 }).blocks()
  const { timings, certainty } = await new TileResults().getBlock(analysis, block!, { threads: 1 })
  expect(timings[0]!.stage).toBe('read')
  expect(timings[0]!.pixels).toBe((256 + analysis.haloPx) ** 2 + certainty!.grownPixels)
})

it('are computed in their whole square where something is not certain, as in every other region', async () => {
  const known = await analysisOf(specs.find(({ id }) => id === 'he-nuclei')!)
  const tissue = Object.create(known.tissue, { isUnknown: { value: () => true } }) as TissueOfRun
  const analysis = { ...known, tissue }
  const [small] = new Plan(analysis.grid, { x: 1200, y: 1200, width: 1, height: 1 }).blocks()
  const [whole] = new Plan(analysis.grid, small!.square).blocks()
  const [one, all] = await Promise.all(
    [small!, whole!].map((block) => new TileResults().getBlock(analysis, block, { threads: 1 })),
  )
  expect(one!.certainty).toEqual(all!.certainty)
  expect(one!.certainty!.certified).toBe(false)
  const read = ({ timings }: typeof one & {}) => timings.filter(({ stage }) => stage === 'read').map(({ pixels }) => pixels)
  expect(read(one!).slice(-read(all!).length)).toEqual(read(all!))
  expect(read(one!).length).toBeGreaterThan(read(all!).length)
})

it('hold the same where their windows had to grow', async () => {
  const usual = await analysisOf(specs.find(({ id }) => id === 'he-nuclei')!)
  const narrow = { ...usual, haloPx: 2 }
  const { widthPx: width, heightPx: height } = usual.grid
  for (const block of [...new Plan(usual.grid, { x: 0, y: 0, width, height }).blocks()].slice(0, 2)) {
    const [grown, same] = await Promise.all(
      [narrow, usual].map((analysis) => new TileResults().getBlock(analysis, block, { threads: 1 })),
    )
    expect([grown!.certainty!.certified, grown!.certainty!.grownWindows > 0]).toEqual([true, true])
    expect(grown!.tiles.map(told)).toEqual(same!.tiles.map(told))
  }
})
