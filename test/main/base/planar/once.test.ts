// Shapes that overlap count once: by hand, and against a count of the places of a grid.
import { expect, it } from 'vitest'
import type { Shape } from '../../../../app/contract'
import { together, withoutEarlier } from '../../../../main/base/planar/once'
import { areaOfShape, holderOf } from '../../../../main/base/shapes'

const rect = (x: number, y: number, width: number, height: number): Shape => ({ kind: 'rectangle', x, y, width, height })
const areas = (shapes: readonly (Shape | null)[]): number[] => shapes.map((shape) => (shape ? areaOfShape(shape) : 0))

it('puts those together that overlap, and leaves the others as they are', () => {
  const [a, b, apart, beside] = [rect(0, 0, 100, 100), rect(50, 20, 100, 60), rect(500, 0, 10, 10), rect(150, 20, 40, 60)]
  const found = together([a, b, apart, beside])
  // 100 · 100 + 100 · 60 − 50 · 60.
  expect(areas(found)).toEqual([13_000, 100, 2400])
  expect([found[1], found[2]]).toEqual([apart, beside])
  expect(found[1]).toBe(apart)
  expect(together([a, beside])).toEqual([a, beside])
  // A hole that another fills, and one shape twice.
  const frame: Shape = { kind: 'polygon', parts: [[[[0, 0], [90, 0], [90, 90], [0, 90]], [[30, 30], [60, 30], [60, 60], [30, 60]]]] } // oxfmt-ignore
  expect(areas(together([frame, rect(20, 20, 30, 30)]))).toEqual([90 * 90 - 30 * 30 + 20 * 20])
  expect(areas(together([frame, frame, frame]))).toEqual([90 * 90 - 30 * 30])
})

it('knows an ellipse by its own area', () => {
  const round: Shape = { kind: 'ellipse', x: 0, y: 0, width: 400, height: 200 }
  const [one] = together([round, round])
  expect(areaOfShape(one!) / (Math.PI * 200 * 100)).toBeCloseTo(1, 4)
})

it('leaves each without what those before it have', () => {
  const [a, b, c] = [rect(0, 0, 100, 100), rect(50, 0, 100, 100), rect(60, 10, 20, 20)]
  const rest = withoutEarlier([a, b, c, rect(900, 900, 1, 1)])
  expect(rest[0]).toBe(a)
  // c lies in a and in b.
  expect(areas(rest)).toEqual([10_000, 5000, 0, 1])
  expect(rest[2]).toBeNull()
})

it('counts what a grid’s places count, of random shapes', () => {
  let seed = 36
  const random = (most: number): number => {
    seed = (seed * 1664525 + 1013904223) % 2 ** 32
    return Math.floor((seed / 2 ** 32) * most)
  }
  for (let n = 0; n < 40; n++) {
    // Corners on whole px: the middles of px lie on no line.
    const shapes = Array.from({ length: 2 + random(5) }, () => rect(random(30), random(30), 1 + random(20), 1 + random(20)))
    const holders = shapes.map(holderOf)
    let any = 0
    const later = shapes.map(() => 0)
    for (let y = 0; y < 50; y++)
      for (let x = 0; x < 50; x++) {
        const first = holders.findIndex((holds) => holds(x + 0.5, y + 0.5))
        if (first < 0) continue
        any += 1
        later[first]! += 1
      }
    expect(areas(together(shapes)).reduce((sum, area) => sum + area, 0)).toBeCloseTo(any, 6)
    expect(areas(withoutEarlier(shapes)).map((area) => Math.round(area))).toEqual(later)
  }
})
