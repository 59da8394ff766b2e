// The one rule: shapes become valid simple features that hold the places that the rule says, and valid ones stay as they are.
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Ring, Shape } from '../../../../app/contract'
import { evenOdd, laidOver, repaired } from '../../../../main/base/planar/simple'
import { areaOfShape, holderOf, partsOf } from '../../../../main/base/shapes'
import { faultOf, winding } from './validity'

const polygon = (...parts: Ring[][]): Shape => ({ kind: 'polygon', parts })
const square = (x: number, y: number, size: number): Ring => [[x, y], [x + size, y], [x + size, y + size], [x, y + size]] // oxfmt-ignore
const areaAfter = (shape: Shape): number => {
  const { shape: now } = repaired(shape)
  return now ? areaOfShape(now) : 0
}

describe('by hand', () => {
  it('a figure of eight has two lobes, a pentagram its middle too, a ring wound twice is a ring', () => {
    const eight = repaired(polygon([[[0, 0], [4, 4], [4, 0], [0, 4]]])) // oxfmt-ignore
    expect(eight.changed).toBe(true)
    expect(partsOf(eight.shape!)).toHaveLength(2)
    expect(areaOfShape(eight.shape!)).toBe(8)
    const twice = [...square(0, 0, 10), ...square(0, 0, 10)]
    expect(repaired(polygon([twice])).shape).toEqual(polygon([expect.arrayContaining(square(0, 0, 10)) as Ring]))
    const star = polygon([[[1200, 400], [1680, 1840], [440, 960], [1960, 960], [720, 1840]]]) // oxfmt-ignore
    const whole = repaired(star).shape!
    expect(partsOf(whole)).toHaveLength(1)
    expect(holderOf(whole)(1200, 1100)).toBe(true)
    expect(areaOfShape(whole)).toBeGreaterThan(areaOfShape(evenOdd(star).shape!))
  })
  it('holes are cut out of the first ring: beyond it, over its rim, in each other; parts are put together', () => {
    const outer = square(0, 0, 10)
    expect(areaAfter(polygon([outer, square(20, 20, 5)]))).toBe(100)
    expect(areaAfter(polygon([outer, square(8, 8, 4)]))).toBe(96)
    expect(areaAfter(polygon([outer, square(1, 1, 8), square(3, 3, 4)]))).toBe(36)
    expect(areaAfter(polygon([outer], [square(5, 5, 10)]))).toBe(175)
    expect(areaAfter(polygon([outer], [outer]))).toBe(100)
    expect(areaAfter(polygon([outer], [square(2, 2, 3)]))).toBe(100)
    // Two holes that go opposite ways do not cancel out where they lie on each other.
    expect(areaAfter(polygon([outer, square(2, 2, 4), square(2, 2, 4).toReversed()]))).toBe(84)
    expect(repaired(polygon([square(0, 0, 10), square(0, 0, 10)])).shape).toBeNull()
  })
  it('what is valid stays as it is: a hole that touches the rim at a point, parts that touch at a corner, a straight point', () => {
    for (const shape of [
      polygon([
        [
          [0.1, 0],
          [10.3, 0.7],
          [10, 10],
          [5, 10],
          [0, 10],
        ],
      ]),
      polygon([
        square(0, 0, 10),
        [
          [0, 0],
          [5, 2],
          [2, 5],
        ],
      ]),
      polygon([square(0, 0, 1 / 3)], [square(1 / 3, 1 / 3, 2)]),
      polygon([square(0, 0, 10), square(2, 2, 5)], [square(3, 3, 1)]),
    ] as Shape[])
      // oxfmt-ignore
      expect(repaired(shape)).toEqual({ shape, changed: false })
  })
})

type Holds = (x: number, y: number) => boolean
const small = fc.integer({ min: 0, max: 12 })
const ring = fc.array(fc.tuple(small, small), { minLength: 3, maxLength: 9 })
const parts = fc.array(fc.array(ring, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 })
/** Nobody's lines: no line between whole points of a small square goes through it. */
const places = Array.from({ length: 26 }, (_, row) =>
  Array.from({ length: 26 }, (_, column) => [column / 2 + 0.2371, row / 2 + 0.2193] as const),
).flat()
/** Crossings come to a point of a grid: what lies so near to a line may be on either side. */
const isNearLine = (shape: readonly (readonly Ring[])[], [px, py]: readonly [number, number]): boolean =>
  shape.flat().some((each) =>
    each.some(([ax, ay], i) => {
      const [bx, by] = each[(i + 1) % each.length]!
      const length = Math.hypot(bx - ax, by - ay)
      return length > 0 && Math.abs((bx - ax) * (py - ay) - (by - ay) * (px - ax)) / length < 0.01
    }),
  )

describe('seeded', () => {
  it('any rings at all: valid, stable, and inside what the rule says', () => {
    let inside = 0
    fc.assert(
      fc.property(parts, (some) => {
        const { shape } = repaired(polygon(...some))
        const wanted = (p: readonly [number, number]): boolean =>
          some.some(([outer, ...holes]) => winding(outer!, p) !== 0 && holes.every((hole) => winding(hole, p) === 0))
        const holds = shape ? holderOf(shape) : () => false
        let wrong = 0
        for (const p of places) {
          if (isNearLine(some, p)) continue
          if (wanted(p)) inside += 1
          if (holds(...p) !== wanted(p)) wrong += 1
        }
        expect(wrong).toBe(0)
        if (!shape) return
        expect(faultOf(partsOf(shape).map((rings) => rings.map((each) => each.map(([x, y]): [number, number] => [x * 1024, y * 1024]))))).toBe('') // oxfmt-ignore
        expect(repaired(shape)).toEqual({ shape, changed: false })
      }),
      { numRuns: 60, seed: 36, endOnFailure: true },
    )
    expect(inside).toBeGreaterThan(500)
  })
  it('what is held is what the odd number of a part’s rings says, and put together or cut it is the sets’ union and difference', () => {
    fc.assert(
      fc.property(parts, parts, (one, other) => {
        const held = evenOdd(polygon(...one)).shape
        const holdsRaw = holderOf(polygon(...one))
        const holds = held ? holderOf(held) : () => false
        const second = repaired(polygon(...other)).shape
        const sum = held && second && laidOver(held, 'add', second)
        const rest = held && second && laidOver(held, 'subtract', second)
        const [inSecond, inSum, inRest] = [second, sum ?? held ?? second, rest ?? (second ? null : held)].map((shape) =>
          shape ? holderOf(shape) : () => false,
        ) as [Holds, Holds, Holds]
        let wrong = 0
        for (const p of places) {
          if (isNearLine([...one, ...other], p)) continue
          if (holds(...p) !== holdsRaw(...p)) wrong += 1
          if (inSum(...p) !== (holds(...p) || inSecond(...p))) wrong += 1
          if (inRest(...p) !== (holds(...p) && !inSecond(...p))) wrong += 1
        }
        expect(wrong).toBe(0)
        if (held && second) expect(areaOfShape(sum!)).toBeCloseTo((rest ? areaOfShape(rest) : 0) + areaOfShape(second), 1)
      }),
      { numRuns: 25, seed: 36, endOnFailure: true },
    )
  })
})

it('the reported file: each feature is valid afterwards, and its area is that of the places that it holds', () => {
  const file = new URL('../../../../../shared/data/odd/26_invalid.geojson', import.meta.url)
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return
  }
  const { features } = JSON.parse(text) as {
    features: { geometry: { type: string; coordinates: Ring[] }; properties: { name: string } }[]
  }
  for (const { geometry } of features) {
    const rings = (geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates) as unknown as Ring[][]
    const { shape } = repaired(polygon(...rings.map((part) => part.map((each) => each.slice(0, -1)))))
    const holds = holderOf(shape!)
    let held = 0
    for (let y = 5; y < 2200; y += 10) for (let x = 5; x < 2200; x += 10) held += Number(holds(x, y))
    expect(Math.abs(held * 100 - areaOfShape(shape!)) / areaOfShape(shape!)).toBeLessThan(0.01)
  }
})

it('what is bounded: 5,000 random points are refused at once, 100,000 of a comb are looked at in seconds', () => {
  let seed = 1
  const random = (): number => (seed = (seed * 1664525 + 1013904223) % 2 ** 32) / 2 ** 32
  const scribble = Array.from({ length: 5000 }, (): [number, number] => [random() * 1e5, random() * 1e5])
  let started = performance.now()
  expect(() => repaired(polygon([scribble]))).toThrow(/tangled/)
  // Of what comes in by other doors, a question costs the lines that are crossed, and memory is linear.
  const holds = holderOf(polygon([scribble]))
  for (let n = 0; n < 1000; n++) holds(random() * 1e5, random() * 1e5)
  expect(performance.now() - started).toBeLessThan(5000)
  const comb: Ring = []
  for (let n = 0; n < 50_000; n++) comb.push([n * 2, 0], [n * 2 + 1, 5000])
  comb.push([100_000, -1], [-1, -1])
  started = performance.now()
  expect(repaired(polygon([comb])).changed).toBe(false)
  expect(performance.now() - started).toBeLessThan(5000)
})
