// Segments snapped to a grid of whole numbers in one pass: snap rounding (Hobby 1999; Guibas and Marimont 1998). Exact. Pure.
import { side, TooTangled } from './lines'
import type { Effort, Lines } from './lines'
import { eachNearPair } from './nearPairs'

/**
 * The squares about each end and each crossing are hot, and a segment goes by way of the middle of each hot square that it passes. So each point
 * moves by less than a step, and segments that were not one crossing are none afterwards: they may touch at ends, or lie on each other. Throws
 * TooTangled. Cost: of each segment the squares beside it.
 */
export function snapRounded({ xy, of }: Lines, effort: Effort): Lines {
  const hot = hotSquares(xy, effort)
  const columns = Float64Array.from(hot, ([x]) => x)
  const next: number[] = []
  const owners: number[] = []
  for (let line = 0; line < of.length; line++) {
    const [x0, y0, x1, y1] = [xy[line * 4]!, xy[line * 4 + 1]!, xy[line * 4 + 2]!, xy[line * 4 + 3]!]
    const [lowest, highest] = [Math.min(y0, y1) - 1, Math.max(y0, y1) + 1]
    const passed: [number, number][] = []
    for (let at = firstFrom(columns, Math.min(x0, x1) - 1); at < hot.length && columns[at]! <= Math.max(x0, x1) + 1; at++) {
      effort.pairs -= 1
      const [x, y] = hot[at]!
      if (y >= lowest && y <= highest && passes(x0, y0, x1, y1, x, y)) passed.push([x, y])
    }
    if (effort.pairs < 0) throw new TooTangled(false)
    const along = ([x, y]: [number, number]): number => (x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)
    passed.sort((a, b) => along(a) - along(b))
    for (let i = 1; i < passed.length; i++) {
      next.push(...passed[i - 1]!, ...passed[i]!)
      owners.push(of[line]!)
    }
  }
  return { xy: Float64Array.from(next), of: Uint32Array.from(owners) }
}

/** Their middles, by x, then y. */
function hotSquares(xy: Float64Array, effort: Effort): [number, number][] {
  const hot = new Map<number, [number, number]>()
  const add = (x: number, y: number): void => void hot.set((x + 2 ** 25) * 2 ** 27 + y + 2 ** 25, [x, y])
  for (let i = 0; i < xy.length; i += 2) add(xy[i]!, xy[i + 1]!)
  const isWhole = eachNearPair(xy, null, (a, b) => {
    effort.pairs -= 1
    const [ax, ay, bx, by] = [xy[a * 4]!, xy[a * 4 + 1]!, xy[a * 4 + 2]!, xy[a * 4 + 3]!]
    const [cx, cy, dx, dy] = [xy[b * 4]!, xy[b * 4 + 1]!, xy[b * 4 + 2]!, xy[b * 4 + 3]!]
    const [c, d] = [side(ax, ay, bx, by, cx, cy), side(ax, ay, bx, by, dx, dy)]
    const [e, f] = [side(cx, cy, dx, dy, ax, ay), side(cx, cy, dx, dy, bx, by)]
    // An end that lies on the other is hot already.
    if (c * d < 0 && e * f < 0) {
      add(nearestWhole(cx, dx, c, c - d), nearestWhole(cy, dy, c, c - d))
      effort.splits -= 1
    }
    return effort.pairs >= 0 && effort.splits >= 0
  })
  if (!isWhole) throw new TooTangled(false)
  return [...hot.values()].sort((a, b) => a[0] - b[0] || a[1] - b[1])
}

/** Of `from + (to - from) · part / whole`, halves up. */
function nearestWhole(from: number, to: number, part: number, whole: number): number {
  const near = from + (to - from) * (part / whole)
  const beyond = near - Math.floor(near)
  // The products of doubles are off by a millionth at most.
  if (Math.abs(beyond - 0.5) > 1e-5) return Math.round(near)
  const sign = whole < 0 ? -1n : 1n
  const [n, d] = [BigInt(part) * sign, BigInt(whole) * sign]
  const doubled = 2n * (BigInt(from) * d + BigInt(to - from) * n) + d
  const down = doubled / (2n * d)
  return Number(doubled < 0n && down * 2n * d !== doubled ? down - 1n : down)
}

function firstFrom(sorted: Float64Array, least: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! < least) low = middle + 1
    else high = middle
  }
  return low
}

/** Whether a segment meets the square of side 1 about a point. Its left and lower (by y) edges are the square's, the other two are its neighbours'. */
function passes(x0: number, y0: number, x1: number, y1: number, x: number, y: number): boolean {
  // From left to right, all of it doubled: corners lie between whole numbers.
  const [px, py, qx, qy] = x0 <= x1 ? [2 * x0, 2 * y0, 2 * x1, 2 * y1] : [2 * x1, 2 * y1, 2 * x0, 2 * y0]
  const [minX, maxX, minY, maxY] = [2 * x - 1, 2 * x + 1, 2 * y - 1, 2 * y + 1]
  if (px >= maxX || qx < minX || Math.min(py, qy) >= maxY || Math.max(py, qy) < minY) return false
  if (px === qx || py === qy) return true
  const cornerOf = (cx: number, cy: number): number => Math.sign(side(px, py, qx, qy, cx, cy))
  const isRising = py < qy
  const upperLeft = cornerOf(minX, maxY)
  if (upperLeft === 0) return !isRising
  const upperRight = cornerOf(maxX, maxY)
  if (upperRight === 0) return isRising
  if (upperLeft !== upperRight) return true
  const lowerLeft = cornerOf(minX, minY)
  if (lowerLeft === 0 || lowerLeft !== upperLeft) return true
  const lowerRight = cornerOf(maxX, minY)
  if (lowerRight === 0) return !isRising
  return lowerRight !== lowerLeft
}
