// Objects of 10 to 50,000 px on a made slide, most of them over many tiles: none is cut, missing or double, however it is looked at.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { PixelRect } from '../../../../main/base/rect'
import { openSpecs } from '../../../../main/recipe/specs'
import { defaultRecipe } from '../../../../main/recipe/validate'
import { draftAnalysis } from '../../../../main/run/analysis/analysis'
import type { Draft } from '../../../../main/run/analysis/analysis'
import { Overviews } from '../../../../main/run/analysis/overviews'
import { blockSizes } from '../../../../main/run/plan/plan'
import { segmentAt } from '../../../../main/run/point/segment'
import { TileResults } from '../../../../main/run/tiles/tileResults'
import { firstDifference, verified } from '../../../../main/run/verify'
import { Slides } from '../../../../main/slide/slides'
import type { OpenSlide } from '../../../../main/slide/slides'
import { objectsOf, ranTo } from '../runOf'

const assets = fileURLToPath(new URL('../../../../assets', import.meta.url))
const width = 3000
const height = 2000
const all: PixelRect = { x: 0, y: 0, width, height }
const mpp = 0.2

const slides = new Slides(
  () => undefined,
  () => undefined,
  () => false,
)
let dir: string
let slide: OpenSlide
/** Of each shape its pixels' count and its box, in raster order of the first pixels. */
const shapes: { area: number; box: PixelRect }[] = []

type Boxes = readonly (readonly [x: number, y: number, width: number, height: number])[]
/** Bars through ten tiles, a comb and a square spiral of one object each, blocks of every size across corners and borders of tiles, and specks. */
function drawn(): Boxes[] {
  const comb: Boxes = [[1500, 560, 12, 1000], ...Array.from({ length: 12 }, (_, k) => [1512, 560 + 80 * k, 200, 12] as const)]
  const spiral: (readonly [number, number, number, number])[] = []
  for (let x = 2000, y = 600, side = 440; side > 100; x += 60, y += 60, side -= 120) {
    spiral.push([x, y, side, 12], [x + side - 12, y, 12, side], [x, y + side - 12, side, 12], [x, y + 60, 12, side - 60])
    if (side > 220) spiral.push([x, y + 60, 60 + 12, 12])
  }
  const blocks: Boxes[] = []
  const sides = [
    [5, 2],
    [10, 10],
    [40, 25],
    [100, 100],
    [250, 200],
  ] as const
  sides.forEach(([w, h], k) => {
    // On a corner of four tiles, over a border to the right, and inside a tile.
    for (const [x, y] of [
      [512, 256 + 512 * k - (k > 3 ? 512 : 0)],
      [1024, 120 + 300 * k],
      [150, 130 + 380 * k],
    ] as const)
      if (y + h < height - 20) blocks.push([[x - (w >> 1), y - (h >> 1), w, h]])
  })
  return [[[80, 20, 2500, 20]], [[2900, 40, 25, 1900]], comb, spiral, ...blocks]
}

beforeAll(async () => {
  const owner = new Uint16Array(width * height)
  const boxes = drawn()
  boxes.forEach((shape, k) => {
    for (const [x, y, w, h] of shape)
      for (let j = y; j < y + h; j++) {
        for (let i = x; i < x + w; i++) {
          // A shape drawn over another would be one object with it.
          if (owner[j * width + i] !== 0 && owner[j * width + i] !== k + 1)
            throw new Error(`shape ${k} meets another at ${i},${j}`)
          owner[j * width + i] = k + 1
        }
      }
  })
  const rgb = Buffer.alloc(width * height * 3)
  const found = boxes.map(() => ({ area: 0, first: Infinity, x0: width, y0: height, x1: 0, y1: 0 }))
  for (let at = 0; at < owner.length; at++) {
    rgb.set(owner[at] ? [82, 60, 130] : [232, 190, 215], at * 3)
    if (!owner[at]) continue
    const f = found[owner[at]! - 1]!
    const [x, y] = [at % width, Math.floor(at / width)]
    f.area += 1
    f.first = Math.min(f.first, at)
    f.x0 = Math.min(f.x0, x)
    f.x1 = Math.max(f.x1, x + 1)
    f.y0 = Math.min(f.y0, y)
    f.y1 = Math.max(f.y1, y + 1)
  }
  found.sort((a, b) => a.first - b.first)
  shapes.push(...found.map(({ area, x0, y0, x1, y1 }) => ({ area, box: { x: x0, y: y0, width: x1 - x0, height: y1 - y0 } })))
  dir = await mkdtemp(join(tmpdir(), 'seam-'))
  const path = join(dir, 'made.png')
  await sharp(rgb, { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 1 })
    .toFile(path)
  slide = await slides.open(path, mpp)
})
afterAll(async () => {
  slides.closeAll()
  await rm(dir, { recursive: true, force: true })
})

/** The default recipe without what makes an outline smooth, splits an object or drops it by its size: its objects are the shapes. */
async function draftOf(): Promise<Draft> {
  const spec = await openSpecs(assets).get('he-nuclei')
  const recipe = defaultRecipe(spec)
  const set = (stage: string, values: Record<string, number | boolean>): void => {
    recipe.params[stage] = { ...recipe.params[stage], ...values }
  }
  set('tissue', { only: false })
  set('channel', { smoothing: 0, coarseSmoothing: 0 })
  set('threshold', { localWeight: 0, contrastWeight: 0 })
  set('mask', { holeArea: 0, gapRadius: 0, openRadius: 0, minArea: 0 })
  set('split', { depth: 0.6, smoothing: 0, stain: 0, separateRadius: 0 })
  set('objects', { minArea: 0, maxArea: 3000, minContrast: 0 })
  return draftAnalysis(slide, spec, recipe)
}
const told = (objects: readonly { area: number; runs: readonly number[] | Int32Array }[]) =>
  objects.map(({ area, runs }) => {
    let [x0, x1, y0, y1] = [Infinity, 0, Infinity, 0]
    for (let k = 0; k < runs.length; k += 3) {
      y0 = Math.min(y0, runs[k]!)
      y1 = Math.max(y1, runs[k]! + 1)
      x0 = Math.min(x0, runs[k + 1]!)
      x1 = Math.max(x1, runs[k + 2]!)
    }
    return { area, box: { x: x0, y: y0, width: x1 - x0, height: y1 - y0 } }
  })

it('holds objects from 10 to 50,000 px', () => {
  const areas = shapes.map(({ area }) => area)
  expect([Math.min(...areas), Math.max(...areas)]).toEqual([10, 50_000])
  expect(shapes.filter(({ box }) => Math.max(box.width, box.height) > 256).length).toBeGreaterThanOrEqual(4)
})

it.each([
  { threads: 2, blockSize: blockSizes.usual },
  { threads: 2, blockSize: blockSizes.large },
])('a whole run finds each shape once and whole: $threads threads, $blockSize tiles a window', async (how) => {
  const run = await ranTo(await draftOf(), { region: all, ...how })
  expect(told(objectsOf(run, all))).toEqual(shapes)
  const untiled = await verified(run.analysis!, run.objects, [all], 2, undefined)
  expect([untiled.equal, untiled.parts[0]!.difference]).toEqual([true, null])
})

it('regions and previews find those that begin in them, whole, and a click too', async () => {
  const draft = await draftOf()
  const overviews = new Overviews()
  const whole = await ranTo(draft, { region: all, overviews })
  const parts = [
    { x: 0, y: 0, width: 700, height: 700 },
    { x: 690, y: 13, width: 1337, height: 901 },
    { x: 2100, y: 650, width: 600, height: 600 },
  ]
  for (const region of parts) {
    const wanted = objectsOf(whole, region)
    for (const purpose of ['run', 'preview'] as const) {
      const part = await ranTo(draft, { region, purpose, overviews })
      expect([region, purpose, firstDifference(objectsOf(part, region), wanted)]).toEqual([region, purpose, null])
    }
  }
  const clicked = objectsOf(whole, all).filter(({ area }, k) => area > 20_000 || k % 4 === 0)
  for (const { runs, area } of clicked) {
    const point = { x: (runs[1]! + runs[2]!) / 2, y: runs[0]! + 0.5 }
    const found = await segmentAt(draft, point, 2, { overviews, tiles: new TileResults() })
    expect(found.object).toMatchObject({ area: expect.closeTo(area * mpp ** 2, 6) as number })
  }
})
