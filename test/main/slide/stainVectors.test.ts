// The stains of a slide from its sample: painted with known ones, with dirt in a corner, and with one stain alone; and the bundled slide's.
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { stainsWord } from '../../../app/contract'
import { openSpecs } from '../../../main/recipe/specs'
import { stainVectors } from '../../../main/slide/stainVectors'
import type { StainVector } from '../../../main/slide/stainVectors'
import { openSlide } from '../../../native/index'

const side = 360
type Vector = readonly [number, number, number]
/** Light that so much of each stain lets through. */
function mixed(a: Vector, b: Vector, [ofA, ofB]: readonly [number, number]): number[] {
  return [0, 1, 2].map((k) => Math.round(255 * 10 ** -(a[k]! * ofA + b[k]! * ofB)))
}
/** Nuclei on stroma on glass, with a fixed noise. */
function painted(a: Vector, b: Vector, dirt: readonly number[] | null = null): Uint8Array {
  const rgba = new Uint8Array(side * side * 4)
  let noise = 7
  const random = (): number => (noise = (Math.imul(noise, 1103515245) + 12345) >>> 0) / 2 ** 32
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const nucleus = (x % 24) ** 2 + (y % 24) ** 2 < 100
      const share: [number, number] = nucleus ? [0.6 + 0.3 * random(), 0.1 * random()] : [0.02 * random(), 0.2 + 0.3 * random()]
      const glass = x < side / 10
      const soiled = dirt !== null && x > 0.7 * side && y > 0.7 * side
      const color = soiled ? dirt.map((v) => v * (0.8 + 0.4 * random())) : glass ? [244, 243, 245] : mixed(a, b, share)
      rgba.set([...color, 255], 4 * (y * side + x))
    }
  }
  return rgba
}
const unit = (v: Vector): StainVector => v.map((part) => part / Math.hypot(...v)) as unknown as StainVector
/** Degrees between two directions. */
const apart = (a: Vector, b: Vector): number =>
  (180 / Math.PI) *
  Math.acos(
    Math.min(
      1,
      unit(a).reduce((sum, v, k) => sum + v * unit(b)[k]!, 0),
    ),
  )

const hematoxylin: Vector = [0.65, 0.7, 0.29]
const eosin: Vector = [0.2, 0.85, 0.45]
const blood = [200, 60, 50]

describe('stainVectors', () => {
  it.each(['macenko', 'parts'] as const)('%s finds the stains that a picture was painted with', (method) => {
    for (const [a, b, second] of [
      [hematoxylin, eosin, 'eosin'],
      [[0.54, 0.74, 0.4], [0.16, 0.8, 0.58], 'eosin'],
      [hematoxylin, [0.27, 0.57, 0.78], 'dab'],
    ] as const) {
      const found = stainVectors(painted(a, b), side, side, method, second)!
      expect(apart(found.hematoxylin, a)).toBeLessThan(3)
      expect(apart(found.second, b)).toBeLessThan(3)
    }
  })

  it('parts is not led by blood in a corner, as one look at everything is', () => {
    const soiled = painted(hematoxylin, eosin, blood)
    expect(apart(stainVectors(soiled, side, side, 'parts', 'eosin')!.second, eosin)).toBeLessThan(4)
    expect(apart(stainVectors(soiled, side, side, 'macenko', 'eosin')!.second, eosin)).toBeGreaterThan(8)
  })

  it.each(['macenko', 'parts'] as const)('%s says nothing of one stain alone, or of glass', (method) => {
    // What is thick is redder: as nuclei in hematoxylin alone look to a camera.
    expect(stainVectors(painted([0.45, 0.85, 0.2], [0.65, 0.7, 0.2]), side, side, method, 'eosin')).toBeNull()
    expect(stainVectors(new Uint8Array(side * side * 4).fill(245), side, side, method, 'eosin')).toBeNull()
  })

  it('finds those of the bundled slide, to the last digit each time', async () => {
    const slide = await openSlide(fileURLToPath(new URL('../../../assets/samples/CMU-1-Small-Region.svs', import.meta.url)))
    const { rgba, width, height } = await slide.readScaled(1, 0, 0, 2220, 2967)
    slide.close()
    const found = (['macenko', 'parts'] as const).map((method) => stainVectors(rgba, width, height, method, 'eosin')!)
    for (const { hematoxylin: h, second } of found) {
      expect(apart(h, hematoxylin)).toBeLessThan(15)
      expect(apart(h, second)).toBeGreaterThan(15)
    }
    expect(found.map(({ hematoxylin: h, second }) => [...h, ...second].map((v) => v.toFixed(3)).join(' ')))
      .toMatchInlineSnapshot(`
      [
        "0.778 0.538 0.323 0.160 0.870 0.466",
        "0.697 0.631 0.341 0.161 0.867 0.472",
      ]
    `)
  })
})

it('a tile address names vectors only where a recipe has others than its set', async () => {
  const specs = await openSpecs(fileURLToPath(new URL('../../../assets', import.meta.url))).list()
  const spec = specs.find(({ id }) => id === 'he-nuclei')!
  expect(stainsWord(spec, {})).toBe('h-e')
  expect(stainsWord(spec, { stains: { eosinRed: 0.2 } })).toBe('h-e-650-700-290-200-990-110')
  expect(
    stainsWord(
      specs.find(({ id }) => id === 'fluorescence-nuclei')!,
      {},
    ),
  ).toBe('rgb')
})
