// Tiles computed in one window are what each gives by itself, to the bit: on the bundled slide, with every bundled recipe.
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { RecipeSpec } from '../../../app/contract'
import { openSpecs } from '../../../main/recipe/specs'
import { defaultRecipe } from '../../../main/recipe/validate'
import { draftAnalysis, Overviews } from '../../../main/run/analysis'
import type { Analysis } from '../../../main/run/analysis'
import { planTiles } from '../../../main/run/plan'
import { TileResults } from '../../../main/run/tileResult'
import type { TileResult } from '../../../main/run/tileResult'
import { Slides } from '../../../main/slide/slides'
import type { OpenSlide } from '../../../main/slide/slides'
import { MEASUREMENT_FIELDS } from '../../../native/index'

const assets = fileURLToPath(new URL('../../../assets', import.meta.url))
const slides = new Slides(
  () => undefined,
  () => undefined,
  () => false,
)
let slide: OpenSlide
let specs: readonly RecipeSpec[]

beforeAll(async () => {
  slide = await slides.open(`${assets}/samples/CMU-1-Small-Region.svs`)
  specs = await openSpecs(assets).list()
})
afterAll(() => slides.closeAll())

function analysisOf(spec: RecipeSpec): Promise<Analysis> {
  return new Overviews().complete(draftAnalysis(slide, spec, defaultRecipe(spec)), 2)
}

/** Labels number the objects of a window: they name nothing outside of it. */
const fields = MEASUREMENT_FIELDS.filter((field) => field !== 'label')

function told({ owned }: TileResult): unknown[] {
  return Array.from({ length: owned.count }, (_, row) => [fields.map((field) => owned.value(row, field)), [...owned.runsOf(row)]])
}

it('are those of single tiles, whatever the block', { timeout: 120_000 }, async () => {
  expect(specs.length).toBeGreaterThanOrEqual(4)
  for (const spec of specs) {
    const analysis = await analysisOf(spec)
    // Three tiles across and two down, with the slide's upper edge; and an L, as a block is of which some tiles are kept already.
    const square = planTiles(analysis.grid, { x: 0, y: 0, width: 700, height: 500 }).tiles
    const alone = new TileResults()
    const single = await Promise.all(square.map((tile) => alone.get(analysis, tile, { inspect: false, threads: 1 })))
    const bent = [1, 2, 5]
    for (const [tiles, expected] of [
      [square, single],
      [bent.map((i) => square[i]!), bent.map((i) => single[i]!)],
    ] as const) {
      const results = new TileResults()
      const block = await results.getBlock(analysis, tiles, { threads: 2 })
      expect([spec.id, block.map(told)]).toEqual([spec.id, expected.map(told)])
      // Kept as single tiles are.
      expect(results.cached(analysis, tiles[0]!, false)).toBe(block[0])
      expect(results.cached(analysis, tiles[0]!, true)).toBeUndefined()
    }
    expect(single.reduce((sum, { owned }) => sum + owned.count, 0)).toBeGreaterThan(40)
  }
})

it('share the time of their window by their pixels', async () => {
  const analysis = await analysisOf(specs[0]!)
  const { tiles } = planTiles(analysis.grid, { x: 0, y: 0, width: 512, height: 512 })
  const block = await new TileResults().getBlock(analysis, tiles, { threads: 1 })
  expect(block).toHaveLength(4)
  const stages = block[0]!.timings.map(({ stage }) => stage)
  expect(stages[0]).toBe('read')
  for (const { timings } of block) {
    expect(timings.map(({ stage }) => stage)).toEqual(stages)
    expect(timings[0]!.pixels).toBe((512 + analysis.haloPx) ** 2 / 4)
  }
})
