// Regions where a map is high: places that a hand can draw, and any map against its cells.
import { expect, it } from 'vitest'
import { repaired } from '../../../main/base/planar/simple'
import { areaOfShape, holderOf } from '../../../main/base/shapes'
import { highPlaces } from '../../../main/spatial/highPlaces'
import { seeded } from '../../stress/seeded'

function placesOf(rows: readonly string[], least = 1, more = {}) {
  const values = Float32Array.from(rows.join(''), (sign) => (sign === ' ' ? NaN : Number(sign)))
  const grid = { cellPx: 10, left: 0, top: 0, width: rows[0]!.length, height: rows.length, values, ...more }
  return highPlaces(grid, 5, least, { x: 1000, y: 1000 })
}

it('runs along the cells, the largest first, with holes, and leaves small ones out', () => {
  const { places, leftOut } = placesOf(['0555 ', '0505 ', '0555 ', '0 0 7'], 2)
  expect(leftOut).toBe(1)
  expect(places).toEqual([
    {
      cells: 8,
      highest: 5,
      shape: {
        kind: 'polygon',
        parts: [
          [
            [[40, 0], [40, 30], [10, 30], [10, 0]], // oxfmt-ignore
            [[30, 20], [30, 10], [20, 10], [20, 20]], // oxfmt-ignore
          ],
        ],
      },
    },
  ])
  expect(placesOf(['55', '05'], 1, { left: 3, top: 2 }).places[0]!.shape).toEqual({
    kind: 'polygon',
    parts: [[[[50, 20], [50, 40], [40, 40], [40, 30], [30, 30], [30, 20]]]], // oxfmt-ignore
  })
  // Across a corner is no side.
  expect(placesOf(['50', '05']).places.map(({ cells }) => cells)).toEqual([1, 1])
  expect(placesOf(['44', '  ']).places).toEqual([])
})

it('ends with the slide', () => {
  const { shape } = highPlaces({ cellPx: 16, left: 0, top: 0, width: 2, height: 1, values: Float32Array.of(1, 1) }, 1, 1, {
    x: 25,
    y: 9,
  }).places[0]!
  expect(areaOfShape(shape)).toBe(25 * 9)
})

it.each([1, 2, 3, 4, 5])('has each high cell once, in valid shapes (seed %i)', (seed) => {
  const random = seeded(seed)
  const [width, height] = [40, 30]
  const values = Float32Array.from({ length: width * height }, () => (random() < 0.1 ? NaN : random()))
  const limit = 0.3 + 0.08 * seed
  const { places } = highPlaces({ cellPx: 4, left: 5, top: 7, width, height, values }, limit, 1, { x: 10_000, y: 10_000 })
  const holders = places.map(({ shape }) => holderOf(shape))
  for (let i = 0; i < values.length; i++) {
    const [x, y] = [4 * (5 + (i % width)) + 2, 4 * (7 + Math.floor(i / width)) + 2]
    expect(holders.filter((holds) => holds(x, y)).length).toBe(values[i]! >= limit ? 1 : 0)
  }
  for (const { shape, cells } of places) {
    expect(areaOfShape(shape)).toBe(16 * cells)
    expect(repaired(shape)).toEqual({ shape, changed: false })
  }
})
