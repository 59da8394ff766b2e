// A click's outline: the recipe's own wherever that fits, another where it does not, and none on glass.
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSpecs } from '../../../../main/recipe/specs'
import { defaultRecipe } from '../../../../main/recipe/validate'
import { draftAnalysis } from '../../../../main/run/analysis/analysis'
import { clickAt, iou } from '../../../../main/run/point/click'
import { Overviews } from '../../../../main/run/analysis/overviews'
import { segmentAt } from '../../../../main/run/point/segment'
import { TileResults } from '../../../../main/run/tiles/tileResults'
import { Slides } from '../../../../main/slide/slides'
import type { OpenSlide } from '../../../../main/slide/slides'

const assets = fileURLToPath(new URL('../../../../assets', import.meta.url))
const slides = new Slides(
  () => undefined,
  () => undefined,
  () => false,
)
const tools = { overviews: new Overviews(), tiles: new TileResults() }
const specs = openSpecs(assets)
const side = 600
let folder: string
let slide: OpenSlide
/** Nuclei that are dark, and one that is far paler than the slide's level. */
const dark = [120, 300, 480].flatMap((x) => [120, 480].map((y) => ({ x, y })))
const pale = { x: 300, y: 300 }

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'click-'))
  const circle = ({ x, y }: { x: number; y: number }, fill: string): string =>
    `<circle cx="${x}" cy="${y}" r="16" fill="${fill}"/>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}"><rect width="100%" height="100%" fill="rgb(240,220,235)"/>
    ${dark.map((at) => circle(at, 'rgb(90,60,150)')).join('')}${circle(pale, 'rgb(205,180,215)')}</svg>`
  await sharp(Buffer.from(svg)).png().toFile(join(folder, 'made.png'))
  slide = await slides.open(join(folder, 'made.png'), 0.25)
})
afterAll(async () => {
  slides.closeAll()
  await rm(folder, { recursive: true })
})

const click = async (id: string, x: number, y: number) => {
  const spec = await specs.get(id)
  return clickAt(slide, spec, defaultRecipe(spec), { x, y, mpp: 0.25 }, 1, tools)
}

describe('a click', () => {
  it('on a nucleus that the recipe finds gives the recipe’s object to the bit', async () => {
    const spec = await specs.get('he-nuclei')
    for (const { x, y } of dark) {
      const { object, outlined } = await click('he-nuclei', x + 3, y - 2)
      const alone = await segmentAt(draftAnalysis(slide, spec, defaultRecipe(spec), 0.25), { x: x + 3, y: y - 2 }, 1, tools)
      expect(object).not.toBeNull()
      expect(object).toEqual(alone.object)
      expect(outlined).toBeNull()
    }
  })

  it('on a pale nucleus that the recipe drops outlines it, and says how', async () => {
    const { object, outlined } = await click('he-nuclei', pale.x + 4, pale.y)
    expect(object).toBeNull()
    expect(outlined!.object.area / (Math.PI * 16 * 16 * 0.25 * 0.25)).toBeCloseTo(1, 0)
    expect(Math.hypot(outlined!.object.centroid.x - pale.x, outlined!.object.centroid.y - pale.y)).toBeLessThan(2)
    expect(outlined!.changes.length === 0).toBe(outlined!.by === 'path')
  })

  it('on what has no edge gives nothing, nor off the slide', async () => {
    for (const [x, y] of [
      [210, 300],
      [-5, 10],
    ] as const)
      expect(await click('he-nuclei', x, y)).toMatchObject({ object: null, outlined: null })
  })

  it('with a recipe without these values is the recipe’s alone', async () => {
    expect((await click('max-tree-nuclei', pale.x, pale.y)).outlined).toBeNull()
  })
})

it('the share of two objects’ pixels that both have', () => {
  const a = Int32Array.of(0, 0, 4, 1, 0, 4)
  expect(iou(a, a)).toBe(1)
  expect(iou(a, Int32Array.of(0, 2, 6, 2, 0, 4))).toBe(2 / 14)
  expect(iou(a, Int32Array.of(0, 0, 1, 0, 3, 5, 1, 1, 2))).toBe(3 / 9)
})
