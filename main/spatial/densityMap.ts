// How many objects lie around each place of a slide, for each mm²; or the share of those that are positive. From every object, exact. Pure.
import type { Scale } from './border'
import { GroundLines } from './ground'
import type { Ground } from './ground'

/** Cells along a radius, at least, where the slide's px and the memory give as many. */
const cellsInRadius = 8
/** 12 bytes each while it is made, 16 of a share; 4 bytes once it is. */
const mostCells = 2 ** 24

export interface MapInput {
  /** Centroids, level-0 px. */
  readonly xs: Float64Array<ArrayBuffer>
  readonly ys: Float64Array<ArrayBuffer>
  /** Of each what it is: one of those that are counted, one of those that a share is of alone (its positive ones are counted, too), or neither. */
  readonly counts: Uint8Array<ArrayBuffer>
  /** A share, and no density. */
  readonly isShare: boolean
  readonly radius: number
  readonly umPerPx: { readonly x: number; readonly y: number } | null
  readonly ground: Ground
  readonly regions: readonly never[]
}
export const counted = 2
export const beside = 1

/** Squares of level-0 px; the first begins at `left`, `top` of them. */
export interface DensityGrid {
  /** A power of two. */
  readonly cellPx: number
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}
export interface MapValues extends DensityGrid {
  /** Row after row, of the circle about each cell's middle; NaN: its middle was not looked at, or a share has nothing to be of. */
  readonly values: Float32Array<ArrayBuffer>
  /** The highest; 0: there is none. */
  readonly highest: number
  /** Cells that have a value, and below which 0, 1, … 100 of a hundred of them lie. */
  readonly cells: number
  readonly percentiles: number[]
}

export function gridOf({ bounds }: Ground, radius: number, scale: Scale): DensityGrid {
  const longer = Math.max(scale.x, scale.y)
  for (let cellPx = 1; ; cellPx *= 2) {
    const [left, top] = [Math.floor(bounds.x / cellPx), Math.floor(bounds.y / cellPx)]
    const width = Math.ceil((bounds.x + bounds.width) / cellPx) - left
    const height = Math.ceil((bounds.y + bounds.height) / cellPx) - top
    if (width * height <= mostCells && 2 * cellPx * longer * cellsInRadius > radius) return { cellPx, left, top, width, height }
  }
}

/**
 * An object counts in each cell whose middle lies at most the radius away. Of each row of cells these are one span, of which the ends alone are written:
 * O(objects · rows in a radius + cells). Nothing depends on the order of the objects.
 */
export function mapDensity(input: MapInput, progress: (share: number) => void): MapValues {
  const { xs, ys, counts, isShare, radius, umPerPx, ground } = input
  const scale = umPerPx ?? { x: 1, y: 1 }
  const grid = gridOf(ground, radius, scale)
  const { cellPx, left, top, width, height } = grid
  // One more in each row: where a span ends beyond it.
  const across = width + 1
  const found = new Int32Array(across * height)
  const others = isShare ? new Int32Array(across * height) : null
  const [stepX, stepY] = [cellPx * scale.x, cellPx * scale.y]
  const squared = radius * radius
  for (let i = 0; i < xs.length; i++) {
    if (i % 65_536 === 0) progress((0.9 * i) / xs.length)
    const kind = counts[i]!
    const to = kind === counted ? found : kind === beside ? others : null
    if (!to) continue
    const [x, y] = [xs[i]! * scale.x, ys[i]! * scale.y]
    const first = Math.max(0, Math.ceil((y - radius) / stepY - 0.5 - top) - 1)
    const last = Math.min(height - 1, Math.floor((y + radius) / stepY - 0.5 - top) + 1)
    for (let row = first; row <= last; row++) {
      const dy = (row + top + 0.5) * stepY - y
      const left2 = squared - dy * dy
      if (left2 < 0) continue
      const half = Math.sqrt(left2)
      const isIn = (column: number): boolean => {
        const dx = (column + left + 0.5) * stepX - x
        return dx * dx + dy * dy <= squared
      }
      let from = Math.ceil((x - half) / stepX - 0.5 - left)
      let end = Math.floor((x + half) / stepX - 0.5 - left)
      // What rounding has moved by one.
      if (isIn(from - 1)) from--
      else if (!isIn(from)) from++
      if (isIn(end + 1)) end++
      else if (!isIn(end)) end--
      from = Math.max(0, from)
      end = Math.min(width - 1, end)
      if (from > end) continue
      to[row * across + from]! += 1
      to[row * across + end + 1]! -= 1
    }
  }
  const circle = (Math.PI * squared) / 1e6
  const values = new Float32Array(width * height).fill(NaN)
  // In px, whose halves are exact.
  const lines = new GroundLines(ground, { x: 1, y: 1 })
  let highest = 0
  for (let row = 0; row < height; row++) {
    if (row % 256 === 0) progress(0.9 + (0.1 * row) / height)
    const { ends, count } = lines.at((row + top + 0.5) * cellPx)
    let some = 0
    let other = 0
    let span = 0
    for (let column = 0; column < width; column++) {
      some += found[row * across + column]!
      if (others) other += others[row * across + column]!
      const middle = (column + left + 0.5) * cellPx
      while (span < count && middle >= ends[span + 1]!) span += 2
      if (span >= count) break
      if (middle < ends[span]!) continue
      const value = isShare ? some / (some + other) : some / circle
      values[row * width + column] = value
      const kept = values[row * width + column]!
      if (kept > highest) highest = kept
    }
  }
  return { ...grid, values, highest, ...percentilesOf(values) }
}

function percentilesOf(values: Float32Array): { cells: number; percentiles: number[] } {
  const known = values.filter((value) => !Number.isNaN(value)).sort()
  const last = known.length - 1
  return {
    cells: known.length,
    percentiles: last < 0 ? [] : Array.from({ length: 101 }, (_, i) => known[Math.round((i / 100) * last)]!),
  }
}
