// How much tissue a shape holds: the exact area of the tissue mask within it, whatever its form. Pure.
import type { Ring, Shape } from '../../app/contract'
import { partsOf, trueRim } from '../base/shapes'

/** A mask as sums, which tell any rectangle of it at once: sums[y * (width + 1) + x]: its px above and left of (x, y). */
export interface MaskSums {
  readonly width: number
  readonly height: number
  /** Level-0 px of a px of the mask, along each axis. */
  readonly scaleX: number
  readonly scaleY: number
  /** Where the slide ends, level-0 px: a last px of the mask may reach beyond it. */
  readonly endX: number
  readonly endY: number
  readonly sums: Uint32Array
}

/** Level-0 px² of the mask within a rectangle of level-0 px, parts of its px among them. */
export function maskInRect(mask: MaskSums, rect: { x: number; y: number; width: number; height: number }): number {
  const { width, height, scaleX, scaleY, endX, endY, sums } = mask
  /** Within the first x columns and y rows: between whole ones it is bilinear. */
  const at = (levelX: number, levelY: number): number => {
    const x = clamp(clamp(levelX, endX) / scaleX, width)
    const y = clamp(clamp(levelY, endY) / scaleY, height)
    const [column, row] = [Math.min(Math.floor(x), width - 1), Math.min(Math.floor(y), height - 1)]
    const of = (i: number, j: number): number => sums[(row + j) * (width + 1) + column + i]!
    const [u, v] = [x - column, y - row]
    return (1 - v) * ((1 - u) * of(0, 0) + u * of(1, 0)) + v * ((1 - u) * of(0, 1) + u * of(1, 1))
  }
  if (width === 0 || height === 0) return 0
  const [right, bottom] = [rect.x + rect.width, rect.y + rect.height]
  return (at(right, bottom) - at(rect.x, bottom) - at(right, rect.y) + at(rect.x, rect.y)) * scaleX * scaleY
}

/**
 * The same within a shape: of a polygon whose rings cross neither themselves nor others exactly, of an ellipse to a millionth. By Green's theorem, along
 * each edge the integral of what lies left of it in its row of the mask. O(edges + px of the mask that they cross).
 */
export function maskInShape(mask: MaskSums, shape: Shape): number {
  if (shape.kind === 'rectangle') return maskInRect(mask, shape)
  const parts = shape.kind === 'ellipse' ? [[trueRim(shape, rimPoints)]] : partsOf(shape)
  let sum = 0
  for (const rings of parts) rings.forEach((ring, i) => (sum += (i === 0 ? 1 : -1) * Math.abs(maskInRing(mask, ring))))
  return sum * mask.scaleX * mask.scaleY
}

const rimPoints = 4096

/** In px of the mask; its sign says which way the ring goes. */
function maskInRing(mask: MaskSums, ring: Ring): number {
  let sum = 0
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const [x0, y0] = ring[j]!
    const [x1, y1] = ring[i]!
    sum += alongEdge(mask, x0 / mask.scaleX, y0 / mask.scaleY, x1 / mask.scaleX, y1 / mask.scaleY)
  }
  return sum
}

/** The integral over y of the mask's px left of an edge, in px of the mask. */
function alongEdge(mask: MaskSums, x0: number, y0: number, x1: number, y1: number): number {
  if (y1 < y0) return -alongEdge(mask, x1, y1, x0, y0)
  const end = Math.min(mask.height, mask.endY / mask.scaleY, y1)
  const xAt = (y: number): number => x0 + ((y - y0) / (y1 - y0)) * (x1 - x0)
  let sum = 0
  for (let row = Math.max(0, Math.floor(y0)); row < end; row++) {
    const [top, bottom] = [Math.max(row, y0), Math.min(row + 1, end)]
    if (bottom > top) sum += leftOf(mask, row, xAt(top), xAt(bottom)) * (bottom - top)
  }
  return sum
}

/** Of a row the mean of what lies left of x, for x from one to another. */
function leftOf(mask: MaskSums, row: number, from: number, to: number): number {
  const { width, sums } = mask
  const limit = Math.min(width, mask.endX / mask.scaleX)
  const [low, high] = from < to ? [from, to] : [to, from]
  const before = (column: number): number => sums[(row + 1) * (width + 1) + column]! - sums[row * (width + 1) + column]!
  /** Left of x itself: linear between whole columns. */
  const at = (value: number): number => {
    const x = clamp(value, limit)
    const column = Math.min(Math.floor(x), width - 1)
    return before(column) + (x - column) * (before(column + 1) - before(column))
  }
  if (high - low < 1e-9) return at((low + high) / 2)
  let sum = 0
  // What lies left of the mask adds nothing, and right of it all of the row.
  if (high > limit) sum += at(limit) * (high - Math.max(low, limit))
  const [start, end] = [Math.max(low, 0), Math.min(high, limit)]
  for (let column = Math.floor(start); column < end; column++) {
    const [a, b] = [Math.max(column, start), Math.min(column + 1, end)]
    if (b > a) sum += at((a + b) / 2) * (b - a)
  }
  return sum / (high - low)
}

const clamp = (value: number, most: number): number => Math.min(Math.max(value, 0), most)
