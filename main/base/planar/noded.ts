// Segments on a grid of whole numbers, split until they meet at their ends only. Exact: all products stay below 2^53. Pure.
import { side, TooTangled } from './lines'
import type { Effort, Lines } from './lines'
import { eachNearPair } from './nearPairs'
import { snapRounded } from './snapRounding'

export { mostGrid, newEffort, side, TooTangled } from './lines'
export type { Effort, Lines } from './lines'

/** Splits of one shape's segments together: what crosses itself more often is no outline. */
const mostSplits = 300_000
const mostRounds = 40
/** Nearly every shape needs fewer. Of lines that nearly lie on each other a crossing can creep along them for hundreds. */
const roundsBeforeSnapping = 8

/**
 * The same lines in pieces that cross and touch nowhere but at their ends; pieces may lie on each other whole. Where two cross, both get a point of
 * the grid there, which moves them by less than a step: what that makes cross anew is split in the next round. Where that goes on, all are snapped
 * at once. Throws TooTangled.
 */
export function noded(lines: Lines, effort: Effort): Lines {
  let now = lines
  let asked: Uint8Array | null = null
  let splits = 0
  for (let round = 0; round < mostRounds; round++) {
    const cuts = cutsOf(now, asked, mostSplits - splits, effort)
    if (cuts.size === 0) return now
    for (const each of cuts.values()) splits += each.length / 2
    if (round === roundsBeforeSnapping) [now, asked] = [snapRounded(lines, effort), null]
    else ({ lines: now, asked } = cut(now, cuts))
  }
  throw new TooTangled(true)
}

/** Of each line that has to be cut the points of the grid, two numbers each. */
function cutsOf({ xy }: Lines, asked: Uint8Array | null, most: number, effort: Effort): Map<number, number[]> {
  const cuts = new Map<number, number[]>()
  let points = 0
  const add = (line: number, x: number, y: number): void => {
    const at = line * 4
    if ((xy[at] === x && xy[at + 1] === y) || (xy[at + 2] === x && xy[at + 3] === y)) return
    const own = cuts.get(line)
    if (own) own.push(x, y)
    else cuts.set(line, [x, y])
    points += 1
    effort.splits -= 1
  }
  const isWhole = eachNearPair(xy, asked, (a, b) => {
    effort.pairs -= 1
    meet(xy, a, b, add)
    return effort.pairs >= 0 && effort.splits >= 0 && points <= most
  })
  if (!isWhole) throw new TooTangled(false)
  return cuts
}

function meet(xy: Float64Array, a: number, b: number, add: (line: number, x: number, y: number) => void): void {
  const [ax, ay, bx, by] = [xy[a * 4]!, xy[a * 4 + 1]!, xy[a * 4 + 2]!, xy[a * 4 + 3]!]
  const [cx, cy, dx, dy] = [xy[b * 4]!, xy[b * 4 + 1]!, xy[b * 4 + 2]!, xy[b * 4 + 3]!]
  const c = side(ax, ay, bx, by, cx, cy)
  const d = side(ax, ay, bx, by, dx, dy)
  if ((c > 0 && d > 0) || (c < 0 && d < 0)) return
  const e = side(cx, cy, dx, dy, ax, ay)
  const f = side(cx, cy, dx, dy, bx, by)
  if ((e > 0 && f > 0) || (e < 0 && f < 0)) return
  const within = (x: number, y: number, at: number): boolean =>
    x >= Math.min(xy[at]!, xy[at + 2]!) &&
    x <= Math.max(xy[at]!, xy[at + 2]!) &&
    y >= Math.min(xy[at + 1]!, xy[at + 3]!) &&
    y <= Math.max(xy[at + 1]!, xy[at + 3]!)
  if (c === 0 && within(cx, cy, a * 4)) add(a, cx, cy)
  if (d === 0 && within(dx, dy, a * 4)) add(a, dx, dy)
  if (e === 0 && within(ax, ay, b * 4)) add(b, ax, ay)
  if (f === 0 && within(bx, by, b * 4)) add(b, bx, by)
  if (c === 0 || d === 0 || e === 0 || f === 0) return
  // Along the one that begins farther left, from there: the same point whichever of the two is asked first, and whichever way they go.
  const one = upwards(ax, ay, bx, by, e, f)
  const other = upwards(cx, cy, dx, dy, c, d)
  const { x, y, toX, toY, from, to } = isBefore(one, other) ? one : other
  const part = from / (from - to)
  const px = Math.round(x + part * (toX - x))
  const py = Math.round(y + part * (toY - y))
  add(a, px, py)
  add(b, px, py)
}

/** A segment from its end that comes first by x, then y; `from` and `to`: on which side of another line its ends lie. */
interface Crossed {
  readonly x: number
  readonly y: number
  readonly toX: number
  readonly toY: number
  readonly from: number
  readonly to: number
}
const upwards = (x: number, y: number, toX: number, toY: number, from: number, to: number): Crossed =>
  x < toX || (x === toX && y < toY) ? { x, y, toX, toY, from, to } : { x: toX, y: toY, toX: x, toY: y, from: to, to: from }

const isBefore = (one: Crossed, other: Crossed): boolean =>
  (one.x - other.x || one.y - other.y || one.toX - other.toX || one.toY - other.toY) < 0

/** Each piece that is new is asked about in the next round. */
function cut({ xy, of }: Lines, cuts: ReadonlyMap<number, number[]>): { lines: Lines; asked: Uint8Array } {
  const next: number[] = []
  const owners: number[] = []
  const asked: number[] = []
  for (let line = 0; line < of.length; line++) {
    const at = line * 4
    const [x0, y0, x1, y1] = [xy[at]!, xy[at + 1]!, xy[at + 2]!, xy[at + 3]!]
    const own = cuts.get(line)
    if (!own) {
      next.push(x0, y0, x1, y1)
      owners.push(of[line]!)
      asked.push(0)
      continue
    }
    const points: [number, number][] = []
    for (let i = 0; i < own.length; i += 2) points.push([own[i]!, own[i + 1]!])
    const along = ([x, y]: [number, number]): number => (x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)
    // Where two lie beside each other, the same one comes first whichever way the line goes.
    const way = x0 < x1 || (x0 === x1 && y0 < y1) ? 1 : -1
    points.sort((a, b) => along(a) - along(b) || way * (a[0] - b[0] || a[1] - b[1]))
    points.push([x1, y1])
    let [px, py] = [x0, y0]
    for (const [x, y] of points) {
      if (x === px && y === py) continue
      next.push(px, py, x, y)
      owners.push(of[line]!)
      asked.push(1)
      ;[px, py] = [x, y]
    }
  }
  return { lines: { xy: Float64Array.from(next), of: Uint32Array.from(owners) }, asked: Uint8Array.from(asked) }
}
