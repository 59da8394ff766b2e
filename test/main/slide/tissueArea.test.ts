// The area of a tissue mask in shapes: by hand, and against a count of fine squares.
import { expect, it } from 'vitest'
import type { Shape } from '../../../app/contract'
import { holderOf } from '../../../main/base/shapes'
import { Tissue } from '../../../main/slide/tissue'
import { maskInRect, maskInShape } from '../../../main/slide/tissueArea'
import type { MaskSums } from '../../../main/slide/tissueArea'

function sumsOf(mask: Uint8Array, width: number, height: number, scaleX = 1, scaleY = 1): MaskSums {
  const sums = new Uint32Array((width + 1) * (height + 1))
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at = (i: number, j: number): number => sums[(y + j) * (width + 1) + x + i]!
      sums[(y + 1) * (width + 1) + x + 1] = at(1, 0) + at(0, 1) - at(0, 0) + mask[y * width + x]!
    }
  return { width, height, scaleX, scaleY, endX: width * scaleX, endY: height * scaleY, sums }
}
const rect = (x: number, y: number, width: number, height: number) => ({ x, y, width, height })
const polygon = (...parts: [number, number][][][]): Shape => ({ kind: 'polygon', parts })

it('a rectangle counts the shares of px at its sides', () => {
  // 2 × 2 px of 10 × 20 level-0 px, tissue at the upper left and the lower right.
  const mask = sumsOf(Uint8Array.of(1, 0, 0, 1), 2, 2, 10, 20)
  expect(maskInRect(mask, rect(0, 0, 20, 40))).toBe(400)
  expect(maskInRect(mask, rect(5, 10, 10, 20))).toBeCloseTo(5 * 10 + 5 * 10, 9)
  expect(maskInRect(mask, rect(9, 0, 2, 40))).toBeCloseTo(20 + 20, 9)
  expect(maskInRect(mask, rect(-50, -50, 200, 200))).toBe(400)
  expect(maskInRect(mask, rect(20, 0, 5, 5))).toBe(0)
  expect(maskInRect(sumsOf(new Uint8Array(0), 0, 0), rect(0, 0, 1, 1))).toBe(0)
})

it('a polygon with a hole, and beyond the mask, counts what lies in it', () => {
  const all = sumsOf(new Uint8Array(100).fill(1), 10, 10)
  const triangle: [number, number][] = [[0, 0], [10, 0], [0, 10]] // oxfmt-ignore
  const hole: [number, number][] = [[1, 1], [3, 1], [3, 3], [1, 3]] // oxfmt-ignore
  expect(maskInShape(all, polygon([triangle]))).toBeCloseTo(50, 9)
  expect(maskInShape(all, polygon([triangle, hole]))).toBeCloseTo(46, 9)
  expect(maskInShape(all, polygon([triangle.toReversed(), hole], [[[8, 8], [9, 8], [9, 9], [8, 9]]]))).toBeCloseTo(47, 9) // oxfmt-ignore
  expect(maskInShape(all, polygon([[[-5, -5], [20, -5], [20, 20], [-5, 20]]]))).toBeCloseTo(100, 9) // oxfmt-ignore
  expect(maskInShape(all, polygon([[[-10, 5], [5, -10], [20, 5], [5, 20]]]))).toBeCloseTo(100, 9) // oxfmt-ignore
  expect(maskInShape(all, { kind: 'ellipse', x: 0, y: 2, width: 10, height: 6 })).toBeCloseTo((Math.PI / 4) * 60, 5)
  // Its left half is on the mask.
  expect(maskInShape(all, { kind: 'ellipse', x: 5, y: 2, width: 10, height: 6 })).toBeCloseTo((Math.PI / 8) * 60, 3)
})

it('equals a count of fine squares on random masks and shapes', () => {
  let seed = 36
  const random = (): number => (seed = (seed * 16807) % 2147483647) / 2147483647
  for (let round = 0; round < 24; round++) {
    const [width, height] = [3 + Math.floor(random() * 8), 3 + Math.floor(random() * 8)]
    const mask = Uint8Array.from({ length: width * height }, () => Number(random() < 0.5))
    const [scaleX, scaleY] = [1 + random() * 3, 1 + random() * 3]
    const tissue = sumsOf(mask, width, height, scaleX, scaleY)
    // A star about a place in the mask, sometimes beyond it: simple rings.
    const [cx, cy] = [random() * width * scaleX, random() * height * scaleY]
    const n = 3 + Math.floor(random() * 9)
    const ring = Array.from({ length: n }, (_, i): [number, number] => {
      const far = 1 + random() * 9
      return [cx + far * Math.cos((2 * Math.PI * i) / n), cy + far * Math.sin((2 * Math.PI * i) / n)]
    })
    const shape = round % 3 === 0 ? ({ kind: 'ellipse', x: cx - 4, y: cy - 2, width: 9, height: 5 } as const) : polygon([ring])
    const holds = holderOf(shape)
    const fine = 20
    let count = 0
    for (let y = 0; y < height * fine; y++)
      for (let x = 0; x < width * fine; x++) {
        if (mask[Math.floor(y / fine) * width + Math.floor(x / fine)] === 1)
          count += Number(holds(((x + 0.5) / fine) * scaleX, ((y + 0.5) / fine) * scaleY))
      }
    const counted = (count * scaleX * scaleY) / fine ** 2
    expect(Math.abs(maskInShape(tissue, shape) - counted), `${round}`).toBeLessThan(0.6)
  }
})

it('ends where the slide does, and not with the last px of the mask', () => {
  const all = { ...sumsOf(new Uint8Array(4).fill(1), 2, 2, 10, 10), endX: 15, endY: 12 }
  expect(maskInRect(all, rect(0, 0, 100, 100))).toBeCloseTo(15 * 12, 9)
  expect(maskInShape(all, polygon([[[-5, -5], [90, -5], [90, 90], [-5, 90]]]))).toBeCloseTo(15 * 12, 9) // oxfmt-ignore
  expect(maskInShape(all, polygon([[[10, 0], [30, 0], [30, 20]]]))).toBeCloseTo(12.5, 9) // oxfmt-ignore
})

it('a region that lies across px of the overview has no more tissue than it shows', () => {
  // Glass all around one px of tissue: at 803bda9 every px that a region met counted whole, and this one was all tissue.
  const mask = new Uint8Array(25)
  mask[12] = 1
  const tissue = new Tissue(mask, 5, 5, 16)
  expect(tissue.areaIn({ x: 24, y: 24, width: 16, height: 16 })).toBeCloseTo(64, 9)
  expect(tissue.areaWithin([{ kind: 'rectangle', x: 24, y: 24, width: 16, height: 16 }])).toBeCloseTo(64, 9)
  expect(tissue.areaIn({ x: 0, y: 0, width: 80, height: 80 })).toBe(256)
})
