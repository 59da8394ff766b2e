// The faces between lines that meet at their ends only: how often each is wound around, and the outlines of those that are wanted. Pure.
import type { Ring } from '../../../app/contract'
import { EdgeBands } from './edgeBands'
import type { Lines } from './noded'
import { side } from './noded'

/** How often the rings of either set wind around a place. */
export type IsWanted = (first: number, second: number) => boolean

/** Half-edges come in twos: 2e goes from its lower end to the upper (by x, then y), 2e + 1 back. */
interface Graph {
  readonly x: Float64Array
  readonly y: Float64Array
  /** Of each half-edge the point where it begins. */
  readonly from: Uint32Array
  /** Of each edge, how much more often its left side is wound around than its right one, by either set. */
  readonly first: Int32Array
  readonly second: Int32Array
}

/** Parts of an outer ring and its holes. Lines are as `noded` gives them. O(n log n), and for each piece that hangs apart a line's crossings. */
export function facesOf(lines: Lines, isWanted: IsWanted): Ring[][] {
  const graph = graphOf(lines)
  const wanted = wantedSides(graph, isWanted)
  return ringsOf(outlinesOf(graph, wanted))
}

function graphOf({ xy, of }: Lines): Graph {
  const numbers = new Map<number, number>()
  const [xs, ys]: [number[], number[]] = [[], []]
  const numberOf = (x: number, y: number): number => {
    const key = (x + 2 ** 25) * 2 ** 27 + y + 2 ** 25
    let n = numbers.get(key)
    if (n === undefined) {
      numbers.set(key, (n = xs.length))
      xs.push(x)
      ys.push(y)
    }
    return n
  }
  const edges = new Map<number, number>()
  const from: number[] = []
  const windings: [number[], number[]] = [[], []]
  for (let line = 0; line < of.length; line++) {
    const [x0, y0, x1, y1] = [xy[line * 4]!, xy[line * 4 + 1]!, xy[line * 4 + 2]!, xy[line * 4 + 3]!]
    const isForward = x0 < x1 || (x0 === x1 && y0 < y1)
    const [a, b] = isForward ? [numberOf(x0, y0), numberOf(x1, y1)] : [numberOf(x1, y1), numberOf(x0, y0)]
    const key = a * 2 ** 26 + b
    let edge = edges.get(key)
    if (edge === undefined) {
      edges.set(key, (edge = from.length / 2))
      from.push(a, b)
      for (const each of windings) each.push(0)
    }
    windings[of[line]!]![edge]! += isForward ? 1 : -1
  }
  const [first, second] = windings
  // What lines cancel out is no line.
  return withEdges(
    { x: Float64Array.from(xs), y: Float64Array.from(ys), from, first, second },
    (e) => first[e] !== 0 || second[e] !== 0,
  )
}

interface Loose {
  readonly x: Float64Array
  readonly y: Float64Array
  readonly from: ArrayLike<number>
  readonly first: ArrayLike<number>
  readonly second: ArrayLike<number>
}
function withEdges({ x, y, from, first, second }: Loose, isKept: (edge: number) => boolean): Graph {
  const kept: number[] = []
  for (let e = 0; e < first.length; e++) if (isKept(e)) kept.push(e)
  return {
    ...{ x, y },
    from: Uint32Array.from(kept.flatMap((e) => [from[2 * e]!, from[2 * e + 1]!])),
    first: Int32Array.from(kept, (e) => first[e]!),
    second: Int32Array.from(kept, (e) => second[e]!),
  }
}

/** Of each half-edge the one that follows it around the face on its left, of those that are `isIn`. */
function followers({ x, y, from }: Graph, isIn: (half: number) => boolean): Uint32Array {
  const halves = from.length
  const starts = new Uint32Array(x.length + 1)
  for (let h = 0; h < halves; h++) starts[from[h]! + 1]! += 1
  for (let v = 0; v < x.length; v++) starts[v + 1]! += starts[v]!
  const around = new Uint32Array(halves)
  const next = starts.slice()
  for (let h = 0; h < halves; h++) around[next[from[h]!]!++] = h
  const follower = new Uint32Array(halves)
  for (let v = 0; v < x.length; v++) {
    const own = around.subarray(starts[v], starts[v + 1])
    if (own.length === 0) continue
    const dx = (h: number): number => x[from[h ^ 1]!]! - x[v]!
    const dy = (h: number): number => y[from[h ^ 1]!]! - y[v]!
    const half = (h: number): number => (dy(h) > 0 || (dy(h) === 0 && dx(h) > 0) ? 0 : 1)
    // By angle from the x axis on, towards y.
    own.sort((a, b) => half(a) - half(b) || -Math.sign(dx(a) * dy(b) - dy(a) * dx(b)))
    for (let i = 0; i < own.length; i++) {
      // Who comes in along the twin of this one leaves by the first one back, which has the face on its left too.
      for (let back = 1; back <= own.length; back++) {
        const h = own[(i - back + own.length) % own.length]!
        if (!isIn(h)) continue
        follower[own[i]! ^ 1] = h
        break
      }
    }
  }
  return follower
}

/** For half-edges in cycles: the number of each one's cycle, and of each cycle its half-edge that begins farthest left (of those the lowest y). */
function cyclesOf(
  { x, y, from }: Graph,
  follower: Uint32Array,
  isIn: (half: number) => boolean,
): { cycle: Int32Array; leftmost: number[] } {
  const cycle = new Int32Array(from.length).fill(-1)
  const leftmost: number[] = []
  for (let start = 0; start < from.length; start++) {
    if (cycle[start] !== -1 || !isIn(start)) continue
    let best = start
    for (let h = start; cycle[h] === -1; h = follower[h]!) {
      cycle[h] = leftmost.length
      const [a, b] = [from[h]!, from[best]!]
      if (x[a]! < x[b]! || (x[a] === x[b] && y[a]! < y[b]!)) best = h
    }
    leftmost.push(best)
  }
  return { cycle, leftmost }
}

/** Of a point the edge that is nearest to its left, as a half-edge with the point on its right side's face; -1: none. */
function leftOf({ x, y, from }: Graph, edgeOf: Uint32Array, segments: Float64Array, bands: EdgeBands, point: number): number {
  const [px, py] = [x[point]!, y[point]!]
  let [best, bestX] = [-1, -Infinity]
  for (const s of bands.at(py)) {
    const at = s * 4
    const [x0, y0, x1, y1] = [segments[at]!, segments[at + 1]!, segments[at + 2]!, segments[at + 3]!]
    // The upper end is not part of it, whichever way it goes.
    if (y0 === y1 || py < y0 || py >= y1) continue
    if (side(x0, y0, x1, y1, px, py) >= 0) continue
    const crossing = x0 + ((py - y0) / (y1 - y0)) * (x1 - x0)
    const isNear = Math.abs(crossing - bestX) < 1e-3
    if (best === -1 || (isNear ? isRightOf(segments, s, best, py) : crossing > bestX)) [best, bestX] = [s, crossing]
  }
  if (best === -1) return -1
  const edge = edgeOf[best]!
  // Upwards the point is on the right of it (y grows upwards in these words).
  return y[from[2 * edge]!]! < y[from[2 * edge + 1]!]! ? 2 * edge + 1 : 2 * edge
}

/** Whether of two segments, which do not cross, the first lies to the right at a height, or just above where they meet there. Exact. */
function isRightOf(segments: Float64Array, a: number, b: number, height: number): boolean {
  const big = (s: number, i: number): bigint => BigInt(segments[s * 4 + i]!)
  const [ah, bh] = [big(a, 3) - big(a, 1), big(b, 3) - big(b, 1)]
  const [aw, bw] = [big(a, 2) - big(a, 0), big(b, 2) - big(b, 0)]
  const h = BigInt(height)
  const ax = (big(a, 0) * ah + (h - big(a, 1)) * aw) * bh
  const bx = (big(b, 0) * bh + (h - big(b, 1)) * bw) * ah
  return ax > bx || (ax === bx && aw * bh > bw * ah)
}

function banded({ x, y, from }: Graph): { segments: Float64Array; edgeOf: Uint32Array; bands: EdgeBands } {
  const segments = new Float64Array(from.length * 2)
  for (let e = 0; e < from.length / 2; e++) {
    const [a, b] = [from[2 * e]!, from[2 * e + 1]!]
    const [low, high] = y[a]! <= y[b]! ? [a, b] : [b, a]
    segments.set([x[low]!, y[low]!, x[high]!, y[high]!], e * 4)
  }
  return { segments, edgeOf: Uint32Array.from({ length: from.length / 2 }, (_, e) => e), bands: new EdgeBands(segments) }
}

/** Of each half-edge whether the face on its left is wanted. */
function wantedSides(graph: Graph, isWanted: IsWanted): Uint8Array {
  const { x, y, from, first, second } = graph
  const all = (): boolean => true
  const follower = followers(graph, all)
  const { cycle, leftmost } = cyclesOf(graph, follower, all)
  const n = leftmost.length
  const windings = new Int32Array(n * 2)
  const isKnown = new Uint8Array(n)
  const { segments, edgeOf, bands } = banded(graph)
  const halvesOf: number[][] = Array.from({ length: n }, () => [])
  for (let h = 0; h < from.length; h++) halvesOf[cycle[h]!]!.push(h)
  // From the left on: what lies to the left of a piece is known before the piece is.
  const order = leftmost
    .map((_, c) => c)
    .sort((a, b) => {
      const [p, q] = [from[leftmost[a]!]!, from[leftmost[b]!]!]
      return x[p]! - x[q]! || y[p]! - y[q]!
    })
  for (const start of order) {
    if (isKnown[start]) continue
    // The piece's own outer side: of the cycles that begin at its leftmost point the one that goes around it from outside.
    const outer = outerCycle(graph, cycle, follower, leftmost[start]!)
    const hit = leftOf(graph, edgeOf, segments, bands, from[leftmost[start]!]!)
    if (hit !== -1) windings.set(windings.subarray(cycle[hit]! * 2, cycle[hit]! * 2 + 2), outer * 2)
    isKnown[outer] = 1
    const open = [outer]
    for (const c of open)
      for (const h of halvesOf[c]!) {
        const other = cycle[h ^ 1]!
        if (isKnown[other]) continue
        // The left of 2e has so much more than its right.
        const sign = (h & 1) === 0 ? -1 : 1
        windings[other * 2] = windings[c * 2]! + sign * first[h >> 1]!
        windings[other * 2 + 1] = windings[c * 2 + 1]! + sign * second[h >> 1]!
        isKnown[other] = 1
        open.push(other)
      }
  }
  return Uint8Array.from(cycle, (c) => Number(isWanted(windings[c * 2]!, windings[c * 2 + 1]!)))
}

/** At the leftmost point of a piece the cycle whose face reaches to the left: its half-edge arrives below and leaves above, or the other way round. */
function outerCycle({ x, y, from }: Graph, cycle: Int32Array, follower: Uint32Array, half: number): number {
  // All half-edges that leave the point go right or straight up: the first by slope has the outer face on its right.
  const point = from[half]!
  let best = half
  for (let h = follower[half ^ 1]!; h !== half; h = follower[h ^ 1]!) {
    const turn = side(x[point]!, y[point]!, x[from[best ^ 1]!]!, y[from[best ^ 1]!]!, x[from[h ^ 1]!]!, y[from[h ^ 1]!]!)
    if (turn < 0) best = h
  }
  return cycle[best ^ 1]!
}

interface Loop {
  readonly points: Ring
  /** Of its face. */
  readonly face: number
  /** Twice, above 0 for outer rings. */
  readonly area: number
}

/** Rings with the wanted face on their left, each of which passes every point once, by the face that they bound. */
function outlinesOf(graph: Graph, wanted: Uint8Array): Loop[] {
  const { x, y } = graph
  const rim = withEdges(graph, (e) => wanted[2 * e] !== wanted[2 * e + 1])
  // The half-edges with what is wanted on their left.
  const isIn = new Uint8Array(rim.from.length)
  let next = 0
  for (let e = 0; e < graph.first.length; e++) {
    if (wanted[2 * e] === wanted[2 * e + 1]) continue
    isIn[next] = wanted[2 * e]!
    isIn[next + 1] = wanted[2 * e + 1]!
    next += 2
  }
  const has = (h: number): boolean => isIn[h] === 1
  const follower = followers(rim, has)
  const { cycle, leftmost } = cyclesOf(rim, follower, has)
  const loops = leftmost.map((start) => loopsOf(rim, follower, start))
  const face = leftmost.map((_, c) => c)
  const isOuter = loops.map((each) => each.some(({ area }) => area > 0))
  const holes = face
    .filter((c) => !isOuter[c])
    .sort((a, b) => {
      const [p, q] = [rim.from[leftmost[a]!]!, rim.from[leftmost[b]!]!]
      return x[p]! - x[q]! || y[p]! - y[q]!
    })
  if (holes.length > 0) {
    const { segments, edgeOf, bands } = banded(rim)
    // What lies to the left of a hole's leftmost point bounds the same face.
    for (const c of holes) {
      const hit = leftOf(rim, edgeOf, segments, bands, rim.from[leftmost[c]!]!)
      if (hit !== -1 && isIn[hit]) face[c] = face[cycle[hit]!]!
    }
  }
  return loops.flatMap((each, c) => each.map((loop) => ({ ...loop, face: face[c]! })))
}

/** A cycle's rings: where it comes to a point again, what lies between is a ring of its own. */
function loopsOf({ x, y, from }: Graph, follower: Uint32Array, start: number): Omit<Loop, 'face'>[] {
  const loops: Omit<Loop, 'face'>[] = []
  const way: number[] = []
  const placeOf = new Map<number, number>()
  const close = (points: number[]): void => {
    const ring = points.map((v): [number, number] => [x[v]!, y[v]!])
    let area = 0
    ring.forEach(([px, py], i) => {
      const [qx, qy] = ring[(i + 1) % ring.length]!
      area += (px - ring[0]![0]) * (qy - ring[0]![1]) - (qx - ring[0]![0]) * (py - ring[0]![1])
    })
    if (area !== 0) loops.push({ points: ring, area })
  }
  let h = start
  do {
    const v = from[h]!
    const seen = placeOf.get(v)
    if (seen !== undefined) {
      const inner = way.splice(seen)
      for (const each of inner) placeOf.delete(each)
      close(inner)
    }
    placeOf.set(v, way.length)
    way.push(v)
    h = follower[h]!
  } while (h !== start)
  close(way)
  return loops
}

/** Each face's outer ring first. */
function ringsOf(loops: readonly Loop[]): Ring[][] {
  const parts = new Map<number, Ring[]>()
  for (const { points, face, area } of [...loops].sort((a, b) => b.area - a.area)) {
    const part = parts.get(face)
    if (part) part.push(points)
    else if (area > 0) parts.set(face, [points])
  }
  return [...parts.values()]
}
