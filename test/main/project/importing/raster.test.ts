// Outlines as pixels: by hand, and the same pixels as the exact way of drawn shapes gives; pieces and pixels of others.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Ring } from '../../../../app/contract'
import { pixelCount, pixelsIn } from '../../../../main/project/objects/drawnPixels'
import { largestPiece } from '../../../../main/project/importing/pieces'
import { rasterised } from '../../../../main/project/importing/raster'
import { TakenPixels } from '../../../../main/project/importing/taken'

const extent = { widthPx: 20, heightPx: 12 }
const runsOf = (...parts: Ring[][]): number[] | string => {
  const found = rasterised(parts, 1, extent)
  return typeof found === 'string' ? found : [...found.runs]
}
const square: Ring = [
  [2, 2],
  [6, 2],
  [6, 5],
  [2, 5],
]

describe('an outline as pixels', () => {
  it('has those whose centres lie inside', () => {
    expect(runsOf([square])).toEqual([2, 2, 6, 3, 2, 6, 4, 2, 6])
    expect(rasterised([[square]], 2, extent)).toEqual({ runs: Int32Array.of(1, 1, 3), clipped: false })
    // Between two rows of centres there is none.
    expect(
      runsOf([
        [
          [2, 2.6],
          [6, 2.6],
          [6, 3.4],
          [2, 3.4],
        ],
      ]),
    ).toBe('none')
  })
  it('is without its holes, and has all of its parts', () => {
    const hole: Ring = [
      [3, 3],
      [5, 3],
      [5, 4],
      [3, 4],
    ]
    const other: Ring = [
      [8, 2],
      [9, 2],
      [9, 3],
      [8, 3],
    ]
    expect(runsOf([square, hole], [other])).toEqual([2, 2, 6, 2, 8, 9, 3, 2, 3, 3, 5, 6, 4, 2, 6])
  })
  it('is what its ring winds around, however often', () => {
    expect(runsOf([[...square, ...square]])).toEqual(runsOf([square]))
    // A loop inside, wound twice: even-odd would leave it out.
    const looped: Ring = [
      ...square,
      ...[
        [2, 2],
        [3, 3],
        [5, 3],
        [5, 4],
        [3, 4],
        [3, 3],
        [2, 2],
      ].map(([x, y]): [number, number] => [x!, y!]),
    ]
    expect(runsOf([looped])).toEqual(runsOf([square]))
  })
  it('ends at the image’s edge, lies beyond it, or is too large, and says so', () => {
    const at = (x: number, y: number, width: number, height: number): Ring[][] => [
      [
        [
          [x, y],
          [x + width, y],
          [x + width, y + height],
          [x, y + height],
        ],
      ],
    ]
    expect(rasterised(at(18, -2, 9, 3), 1, extent)).toEqual({ runs: Int32Array.of(0, 18, 20), clipped: true })
    for (const [x, y] of [
      [20, 0],
      [-9, 0],
      [0, 12],
      [1e300, 0],
    ] as const)
      expect(rasterised(at(x, y, 5, 5), 1, extent)).toBe('beyond')
    expect(rasterised(at(0, 0, 9000, 100), 1, { widthPx: 1e5, heightPx: 1e5 })).toBe('large')
    expect(rasterised(at(0, 0, 1e300, 1e300), 1, { widthPx: 1e5, heightPx: 1e5 })).toBe('large')
    const scribble: Ring = Array.from({ length: 10_001 }, (_, i): [number, number] => [i % 2, i % 2 === 0 ? 0 : 2000])
    expect(rasterised([[scribble]], 1, { widthPx: 1e4, heightPx: 1e4 })).toBe('tangled')
  })
  it('has the pixels that a drawn shape has, whatever the shape and the scale', () => {
    const star = fc
      .array(fc.double({ min: 0.2, max: 9, noNaN: true }), { minLength: 3, maxLength: 12 })
      .map((radii) =>
        radii.map((radius, i): [number, number] => [
          10 + radius * Math.cos((2 * Math.PI * i) / radii.length),
          6 + radius * Math.sin((2 * Math.PI * i) / radii.length),
        ]),
      )
    fc.assert(
      fc.property(star, fc.constantFrom(0.5, 1, 1.7, 3.125), fc.boolean(), (ring, scale, isReversed) => {
        const parts = [[isReversed ? ring.toReversed() : ring]]
        const image = { widthPx: 22, heightPx: 15 }
        const found = rasterised(parts, scale, image)
        const drawn = pixelsIn({ kind: 'polygon', parts }, scale, image)
        expect(typeof found === 'string' ? [] : [...found.runs]).toEqual([...drawn])
      }),
      { numRuns: 2000 },
    )
  })
})

describe('the largest piece', () => {
  it('is all of it where corners touch, else the largest', () => {
    const corner = Int32Array.of(0, 0, 2, 1, 2, 4)
    expect(largestPiece(corner)).toEqual({ runs: corner, pieces: 1 })
    expect(largestPiece(Int32Array.of(0, 0, 2, 0, 3, 6, 1, 7, 9))).toEqual({ runs: Int32Array.of(0, 3, 6), pieces: 3 })
    // A fork that meets further down.
    const fork = Int32Array.of(0, 0, 1, 0, 4, 5, 1, 0, 5)
    expect(largestPiece(fork).pieces).toBe(1)
  })
})

it('pixels that are somebody’s are no other’s', () => {
  const taken = new TakenPixels()
  const first = Int32Array.of(255, 250, 260, 256, 250, 260)
  expect(taken.free(first)).toBe(first)
  taken.take(first)
  expect([...taken.free(Int32Array.of(255, 249, 261, 257, 250, 260))]).toEqual([255, 249, 250, 255, 260, 261, 257, 250, 260])
  expect(pixelCount(taken.free(first))).toBe(0)
  expect(taken.isFull).toBe(false)
  // Two tiles, of which no more than these are held.
  const small = new TakenPixels(2)
  small.take(Int32Array.of(0, 0, 10))
  expect(small.isFull).toBe(false)
  small.take(Int32Array.of(0, 300, 310))
  expect(small.isFull).toBe(true)
  taken.take(Int32Array.of(0, 0, 1000))
  expect([...taken.free(Int32Array.of(0, 999, 1001))]).toEqual([0, 1000, 1001])
})
