// One region of the bundled slide cut into windows of several sizes: the same objects, every value to the bit.
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { resolveParams } from '../../../../main/recipe/resolve'
import { openSpecs } from '../../../../main/recipe/specs'
import { defaultRecipe } from '../../../../main/recipe/validate'
import { TileObjects } from '../../../../main/run/objects/tileObjects'
import { contains } from '../../../../main/base/rect'
import { coreOf, gridOf, Plan, windowOf } from '../../../../main/run/plan/plan'
import type { Grid } from '../../../../main/run/plan/plan'
import { MEASUREMENT_FIELDS, computeGround, openSlide, overview, planOf, runWindow, status } from '../../../../native/index'
import type { Ground, Plan as NativePlan, Slide } from '../../../../native/index'

const assetsDir = fileURLToPath(new URL('../../../../assets', import.meta.url))
const sample = join(assetsDir, 'samples', 'CMU-1-Small-Region.svs')
const usual = { x: 700, y: 900, width: 700, height: 600 }
/** On this slide each window of it grows to millions of pixels, as eosin counts as brown: four windows in all. */
const regionOf = (id: string): typeof usual => (id === 'ihc-nuclei' ? { x: 650, y: 1050, width: 140, height: 140 } : usual)

interface Found {
  values: number[]
  runs: number[]
}

/** The objects whose first pixel lies in the region, in raster order. */
async function objectsBy(
  region: typeof usual,
  grid: Grid,
  slide: Slide,
  plan: NativePlan,
  ground: Ground | null,
): Promise<Found[]> {
  const found: Found[] = []
  for (const tile of new Plan(grid, region).tiles()) {
    const { x, y, width, height, core } = windowOf(grid, coreOf(grid, tile), plan.haloPx)
    const where = { slide, scale: grid.scale, x, y, width, height, core }
    const { objects } = await runWindow({ ...where, plan, ground, grid: { ...grid, tiles: [tile] }, threads: 2 })
    const [owned] = TileObjects.split(objects)
    for (let row = 0; row < owned!.count; row++) {
      if (!contains(region, owned!.value(row, 'firstX'), owned!.value(row, 'firstY'))) continue
      found.push({ values: MEASUREMENT_FIELDS.map((field) => owned!.value(row, field)), runs: [...owned!.runsOf(row)] })
    }
  }
  return found.sort((a, b) => a.runs[0]! - b.runs[0]! || a.runs[1]! - b.runs[1]!)
}

describe.skipIf(!status().openslide.available)('windows of the bundled sample (needs OpenSlide)', () => {
  it.each(['he-nuclei', 'ihc-nuclei', 'iwpp-nuclei', 'max-tree-nuclei', 'cell-detection'])(
    '%s gives the same objects by windows of any size',
    async (id) => {
      const spec = await openSpecs(assetsDir).get(id)
      const slide = await openSlide(sample)
      const level = slide.info().levels[0]!
      const own = resolveParams(spec, defaultRecipe(spec), 0.5)
      const region = regionOf(id)
      const { rgba, width, height } = await slide.readScaled(1, region.x, region.y, region.width, region.height)
      const params = { ...own, ...(await overview(spec.pipeline, own, rgba, width, height)) }
      const plan = planOf(spec.pipeline, params)
      const whole = { slide, scale: 1, widthPx: level.width, heightPx: level.height, plan }
      const means = { memoryBytes: 0, scratchFolder: tmpdir(), threads: 2, device: 'cpu' }
      const ground = plan.ground === null ? null : await computeGround({ ...whole, ...means })
      expect(ground !== null).toBe(['iwpp-nuclei', 'cell-detection'].includes(id))
      const [small, ...others] = await Promise.all(
        [256, 400, 1024].map((size) => objectsBy(region, gridOf(level.width, level.height, 1, size), slide, plan, ground)),
      )
      slide.close()
      expect(small!.length).toBeGreaterThan((region.width * region.height) / 4200)
      for (const other of others) expect(other).toEqual(small)
    },
  )
})
