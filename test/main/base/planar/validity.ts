// Whether parts are a valid simple feature (OGC), looked at plainly: every pair of lines, every ring against every other. Small whole coordinates.
import type { Ring } from '../../../../app/contract'

type Point = readonly [number, number]
const turn = ([ax, ay]: Point, [bx, by]: Point, [px, py]: Point): number =>
  Math.sign((bx - ax) * (py - ay) - (by - ay) * (px - ax))
const onLine = (a: Point, b: Point, p: Point): boolean =>
  turn(a, b, p) === 0 &&
  p[0] >= Math.min(a[0], b[0]) &&
  p[0] <= Math.max(a[0], b[0]) &&
  p[1] >= Math.min(a[1], b[1]) &&
  p[1] <= Math.max(a[1], b[1])
const same = (a: Point, b: Point): boolean => a[0] === b[0] && a[1] === b[1]
const linesOf = (ring: Ring): [Point, Point][] => ring.map((point, i) => [point, ring[(i + 1) % ring.length]!])

/** Inside by the odd number of lines to the left; on a line: null. */
export function within(ring: Ring, p: Point): boolean | null {
  let odd = false
  for (const [a, b] of linesOf(ring)) {
    if (onLine(a, b, p)) return null
    const [low, high] = a[1] < b[1] ? [a, b] : [b, a]
    if (p[1] >= low[1] && p[1] < high[1] && turn(low, high, p) < 0) odd = !odd
  }
  return odd
}

/** How often a ring winds around a point that is not on it. */
export function winding(ring: Ring, p: Point): number {
  let times = 0
  for (const [a, b] of linesOf(ring)) {
    if (a[1] <= p[1] && b[1] > p[1] && turn(a, b, p) > 0) times += 1
    if (b[1] <= p[1] && a[1] > p[1] && turn(a, b, p) < 0) times -= 1
  }
  return times
}

/** What is wrong with them; '' where nothing is. */
export function faultOf(parts: readonly (readonly Ring[])[]): string {
  const rings = parts.flat()
  for (const ring of rings) {
    if (ring.length < 3) return 'a ring of less than three points'
    if (new Set(ring.map(String)).size !== ring.length) return 'a ring comes to a point twice'
  }
  const lines = rings.flatMap((ring, of) => linesOf(ring).map(([a, b]) => ({ a, b, of })))
  for (let i = 0; i < lines.length; i++)
    for (let j = i + 1; j < lines.length; j++) {
      const [{ a, b }, { a: c, b: d }] = [lines[i]!, lines[j]!]
      const isCrossing = turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0
      if (isCrossing) return `lines cross: ${String([a, b, c, d])}`
      const touching = [c, d].filter((p) => onLine(a, b, p) && !same(p, a) && !same(p, b))
      touching.push(...[a, b].filter((p) => onLine(c, d, p) && !same(p, c) && !same(p, d)))
      if (touching.length > 1 || (same(a, c) && same(b, d)) || (same(a, d) && same(b, c))) return 'lines lie on each other'
      if (touching.length === 1 && lines[i]!.of === lines[j]!.of) return 'a ring touches itself'
    }
  // A point of one ring that is not on the other says whether it lies in it.
  const isIn = (one: Ring, other: Ring): boolean => {
    const middles = linesOf(one).map(([a, b]): Point => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2])
    return [...one, ...middles].map((p) => within(other, p)).find((found) => found !== null) ?? true
  }
  for (const [i, [outer, ...holes]] of parts.entries()) {
    for (const [h, hole] of holes.entries()) {
      if (!isIn(hole, outer!)) return 'a hole lies outside'
      if (holes.some((other, o) => o !== h && isIn(hole, other))) return 'a hole lies in a hole'
    }
    for (const [o, [other, ...gaps]] of parts.entries())
      if (o !== i && isIn(outer!, other!) && !gaps.some((gap) => isIn(outer!, gap))) return 'a part lies in a part'
  }
  return ''
}
