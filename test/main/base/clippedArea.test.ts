// Areas of shapes in rectangles: by hand, and against a count of fine squares.
import { expect, it } from 'vitest'
import type { Shape } from '../../../app/contract'
import { areaInside, areaInsideAll, disjoint } from '../../../main/base/clippedArea'
import { holderOf } from '../../../main/base/shapes'

const rect = (x: number, y: number, width: number, height: number) => ({ x, y, width, height })
/** A U of two prongs, 40 wide and 30 high, its notch 20 × 20, with a hole of 4 × 4 in the foot. */
const u: Shape = {
  kind: 'polygon',
  parts: [
    [
      [[0, 0], [10, 0], [10, 20], [30, 20], [30, 0], [40, 0], [40, 30], [0, 30]],
      [[18, 23], [22, 23], [22, 27], [18, 27]],
    ],
  ],
} // oxfmt-ignore

it('of a polygon with prongs and a hole exactly what lies in a rectangle counts', () => {
  expect(areaInside(u, rect(-5, -5, 100, 100))).toBe(40 * 30 - 20 * 20 - 16)
  // Both prongs, cut through: two pieces.
  expect(areaInside(u, rect(-5, -5, 100, 15))).toBe(200)
  // The notch alone.
  expect(areaInside(u, rect(10, 0, 20, 20))).toBe(0)
  // Half of the foot with half of the hole.
  expect(areaInside(u, rect(20, 20, 50, 50))).toBe(200 - 8)
  expect(areaInside(u, rect(100, 0, 5, 5))).toBe(0)
})

it('of an ellipse too, whichever way it is cut', () => {
  const ellipse: Shape = { kind: 'ellipse', x: 10, y: 20, width: 60, height: 30 }
  const all = (Math.PI / 4) * 60 * 30
  expect(areaInside(ellipse, rect(0, 0, 100, 100))).toBeCloseTo(all, 9)
  expect(areaInside(ellipse, rect(0, 0, 40, 100))).toBeCloseTo(all / 2, 9)
  expect(areaInside(ellipse, rect(40, 35, 100, 100))).toBeCloseTo(all / 4, 9)
  const holds = holderOf(ellipse)
  for (const part of [rect(12, 21, 7, 9), rect(30, 10, 11, 40), rect(5, 30, 90, 3), rect(60, 40, 30, 30), rect(35, 30, 4, 4)]) {
    let count = 0
    const step = 0.05
    for (let y = part.y + step / 2; y < part.y + part.height; y += step)
      for (let x = part.x + step / 2; x < part.x + part.width; x += step) if (holds(x, y)) count += 1
    expect(Math.abs(areaInside(ellipse, part) - count * step * step)).toBeLessThan(0.5)
  }
})

it('what several rectangles hold counts once', () => {
  const many = [rect(0, 0, 10, 10), rect(5, 5, 10, 10), rect(0, 0, 10, 10), rect(5, 0, 2, 20), rect(40, 0, 1, 1)]
  const parts = disjoint(many)
  const sum = parts.reduce((area, { width, height }) => area + width * height, 0)
  expect(sum).toBe(100 + 75 + 2 * 5 + 1)
  expect(areaInsideAll(u, [rect(0, 0, 10, 30), rect(0, 0, 10, 30), rect(5, 20, 10, 10)])).toBe(300 + 50)
})
