// What a slide looks like: colours of stains as scanners show them, what is no stain, and the bundled sample.
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { recognise, recogniseSlide } from '../../../main/slide/recognise'
import { toSlideInfo } from '../../../main/slide/slideInfo'
import type { OpenSlide } from '../../../main/slide/slides'
import { openSlide } from '../../../native/index'

type Rgb = readonly [number, number, number]
const glass: Rgb = [244, 243, 246]
const black: Rgb = [1, 0, 4]

/** So many of a hundred px of each colour, the rest of the ground's. */
function picture(ground: Rgb, ...parts: readonly (readonly [number, Rgb])[]): Uint8Array {
  const colors = parts.flatMap(([count, color]) => Array.from({ length: count }, () => color))
  while (colors.length < 100) colors.push(ground)
  return Uint8Array.from(colors.flatMap((color) => [...color, 255]))
}
const nuclei: Rgb = [92, 60, 130]
const eosin: Rgb = [225, 160, 200]
const hematoxylin: Rgb = [150, 168, 200]
const dab: Rgb = [120, 80, 50]

describe('recognise', () => {
  it.each([
    ['H&E', picture(glass, [10, nuclei], [40, eosin]), 'h-e', 'he-nuclei'],
    ['H&E with red cells', picture(glass, [10, nuclei], [30, eosin], [5, [190, 70, 60]]), 'h-e', 'he-nuclei'],
    ['a little H&E on glass', picture(glass, [1, nuclei]), 'h-e', 'he-nuclei'],
    ['H-DAB', picture(glass, [20, hematoxylin], [10, dab]), 'h-dab', 'ihc-nuclei'],
    ['a negative of it', picture(glass, [20, hematoxylin]), 'h-dab', 'ihc-nuclei'],
    ['a positive of it', picture(glass, [20, dab]), 'h-dab', 'ihc-nuclei'],
    ['DAPI', picture(black, [12, [3, 2, 190]]), 'fluorescence', 'fluorescence-nuclei'],
    ['white nuclei on black', picture(black, [4, [200, 200, 200]]), 'fluorescence', 'fluorescence-nuclei'],
    ['glass', picture(glass), 'unknown', null],
    ['a grey picture', picture(glass, [50, [120, 120, 120]]), 'unknown', null],
    ['nothing but black', picture(black), 'unknown', null],
    ['H&E on a canvas that is black elsewhere', picture(black, [10, glass], [10, nuclei], [20, eosin]), 'h-e', 'he-nuclei'],
  ] as const)('%s', (_, rgba, stain, recipe) => {
    const found = recognise(rgba)
    expect(found).toMatchObject({ stain, recipe })
    expect(found.percent > 70).toBe(recipe !== null)
  })

  it('is less sure of a mixture', () => {
    expect(recognise(picture(glass, [20, hematoxylin], [20, eosin], [5, dab])).percent).toBeLessThan(70)
  })
})

it('tells of the bundled sample what it is', async () => {
  const native = await openSlide(fileURLToPath(new URL('../../../assets/samples/CMU-1-Small-Region.svs', import.meta.url)))
  try {
    const slide = { native, info: toSlideInfo('s1', native.info()) } as OpenSlide
    const found = await recogniseSlide(slide)
    expect(found).toMatchObject({ stain: 'h-e', recipe: 'he-nuclei' })
    expect(found.percent).toBeGreaterThan(90)
  } finally {
    native.close()
  }
})
