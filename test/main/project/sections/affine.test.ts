// Affine maps: by hand, and fitted to pairs whose map is known.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { apart, applied, chained, described, fitted, inverted } from '../../../../main/project/sections/affine'
import type { Pair, Place } from '../../../../main/project/sections/affine'

const quarterTurn = { xx: 0, xy: -1, yx: 1, yy: 0, dx: 10, dy: 20 }
const pairsOf = (map: typeof quarterTurn, places: readonly Place[]): Pair[] =>
  places.map((from) => ({ from, to: applied(map, from) }))

describe('an affine map', () => {
  it('turns, moves, and comes back', () => {
    expect(applied(quarterTurn, [3, 4])).toEqual([6, 23])
    expect(applied(inverted(quarterTurn), [6, 23])).toEqual([3, 4])
    expect(applied(chained(quarterTurn, quarterTurn), [3, 4])).toEqual(applied(quarterTurn, [6, 23]))
  })

  it('is described as people turn a slide', () => {
    expect(described(quarterTurn)).toEqual({ turnDeg: 90, scale: 1, mirrored: false })
    expect(described({ ...quarterTurn, xy: -2, yx: -2 })).toEqual({ turnDeg: -90, scale: 2, mirrored: true })
  })
})

describe('a map fitted to pairs', () => {
  it('is exact of three', () => {
    const three = pairsOf({ xx: 2, xy: 0.5, yx: -0.25, yy: 1, dx: 7, dy: -9 }, [
      [0, 0],
      [100, 0],
      [0, 100],
    ])
    const map = fitted(three)
    expect(map.xx).toBeCloseTo(2, 9)
    expect(map.dy).toBeCloseTo(-9, 9)
    expect(Math.max(...apart(map, three))).toBeLessThan(1e-9)
  })

  it('leaves the least squares of more: one of four corners that is off by 4 moves each by 1', () => {
    const corners: Place[] = [
      [0, 0],
      [10, 0],
      [10, 10],
      [0, 10],
    ]
    const off = corners.map((from, i): Pair => ({ from, to: i === 0 ? [4, 0] : from }))
    expect(apart(fitted(off), off).map((distance) => Math.round(1e9 * distance) / 1e9)).toEqual([1, 1, 1, 1])
  })

  it('finds the map that made any pairs', () => {
    // Not of small ones alone, as many maps would flatten everything.
    const number = fc.integer({ min: -2000, max: 2000 }).map((thousandths) => thousandths / 1000)
    const offset = fc.integer({ min: -1e5, max: 1e5 })
    const places = fc.array(fc.tuple(fc.integer({ min: 0, max: 1e5 }), fc.integer({ min: 0, max: 1e5 })), {
      minLength: 3,
      maxLength: 20,
    })
    fc.assert(
      fc.property(fc.tuple(number, number, number, number, offset, offset), places, ([xx, xy, yx, yy, dx, dy], from) => {
        fc.pre(Math.abs(xx * yy - xy * yx) > 0.01)
        const pairs = pairsOf({ xx, xy, yx, yy, dx, dy }, from)
        let map
        try {
          map = fitted(pairs)
        } catch {
          return
        }
        expect(Math.max(...apart(map, pairs))).toBeLessThan(1e-3)
      }),
    )
  })

  it.each([
    [
      'two',
      [
        [0, 0],
        [1, 5],
      ],
      'three or more',
    ],
    [
      'one line',
      [
        [0, 0],
        [1, 1],
        [2, 2],
        [50, 50],
      ],
      'one line',
    ],
    [
      'one spot',
      [
        [3, 3],
        [3, 3],
        [3, 3],
      ],
      'one line, or in one spot',
    ],
  ] as [string, Place[], string][])('is refused of %s', (_, places, words) => {
    expect(() => fitted(pairsOf(quarterTurn, places))).toThrow(words)
  })

  it('is refused where the second slide’s places lie on one line', () => {
    const pairs: Pair[] = [
      { from: [0, 0], to: [0, 0] },
      { from: [10, 0], to: [1, 1] },
      { from: [0, 10], to: [2, 2] },
    ]
    expect(() => fitted(pairs)).toThrow('second slide’s places')
  })
})
