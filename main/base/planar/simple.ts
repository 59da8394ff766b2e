// Shapes as valid simple features: whether one is, and what it becomes by the one rule where it is not. Pure; level-0 px.
import type { Ring, Shape } from '../../../app/contract'
import { partsOf } from '../shapes'
import { EdgeBands } from './edgeBands'
import { eachNearPair } from './nearPairs'
import { newEffort } from './noded'
import type { Effort } from './noded'
import { doubledArea } from './outline'
import { overlay } from './overlay'

type Polygon = Extract<Shape, { kind: 'polygon' }>
type Parts = readonly (readonly Ring[])[]

/** A shape with its lines resolved; `changed`: it was not a valid simple feature. null: it encloses nothing. */
export interface Repaired {
  readonly shape: Shape | null
  readonly changed: boolean
}

/**
 * The rule, where shapes come in: a ring encloses what it winds around, however often and whichever way; a part is its first ring without what the
 * others enclose; a shape is all of its parts together. A valid shape stays as it is, to the bit. Throws TooTangled.
 */
export function repaired(shape: Shape, effort = newEffort()): Repaired {
  if (shape.kind !== 'polygon' || meetingsOf(shape.parts, effort) === 'none') return { shape, changed: false }
  const parts = shape.parts.map((rings) => repairedPart(rings, effort))
  return settled(shape, parts.length === 1 ? parts[0]! : together(parts, effort), effort)
}

/**
 * The same by the rule of what the document holds: a point is inside where it is within an odd number of a part's rings. Only documents of
 * earlier versions have shapes of which the two rules say different things.
 */
export function evenOdd(shape: Shape, effort = newEffort()): Repaired {
  if (shape.kind !== 'polygon' || meetingsOf(shape.parts, effort) === 'none') return { shape, changed: false }
  const parts = shape.parts.map((rings) => overlay(rings, [], (first) => first % 2 !== 0, effort))
  return settled(shape, parts.length === 1 ? parts[0]! : together(parts, effort), effort)
}

/** Put together or cut, of valid shapes. null: nothing is left. Throws TooTangled. */
export function laidOver(shape: Shape, how: 'add' | 'subtract', other: Shape): Shape | null {
  const parts = overlay(
    oriented(partsOf(shape)),
    oriented(partsOf(other)),
    how === 'add' ? (a, b) => a > 0 || b > 0 : (a, b) => a > 0 && b <= 0,
    newEffort(),
  )
  return parts.length === 0 ? null : { kind: 'polygon', parts }
}

function repairedPart(rings: readonly Ring[], effort: Effort): Ring[][] {
  const enclosed = rings.map((ring) => oriented(overlay([ring], [], (first) => first !== 0, effort)))
  const [outer, ...holes] = enclosed
  return overlay(outer!, holes.flat(), (first, second) => first > 0 && second <= 0, effort)
}

const together = (parts: readonly Ring[][][], effort: Effort): Ring[][] =>
  overlay(
    parts.flatMap((each) => oriented(each)),
    [],
    (first) => first > 0,
    effort,
  )

/** Outer rings one way, holes the other: of valid parts laid over each other each place is wound around as often as there are parts on it. */
export function oriented(parts: Parts): Ring[] {
  return parts.flatMap((rings) =>
    rings.map((ring, at): Ring => (doubledArea(ring) > 0 === (at === 0) ? ring : ring.toReversed())),
  )
}

/** The shape itself where it comes to the same rings, point for point: it touched itself at points, which may be. */
function settled(shape: Polygon, parts: Ring[][], effort: Effort): Repaired {
  if (parts.length === 0) return { shape: null, changed: true }
  if (meetingsOf(shape.parts, effort) === 'corners' && sameRings(shape.parts, parts)) return { shape, changed: false }
  return { shape: { kind: 'polygon', parts }, changed: true }
}

/** As many rings in as many parts, each of as many points, of areas that differ by what a grid's step makes of them. */
function sameRings(one: Parts, other: Parts): boolean {
  if (one.length !== other.length) return false
  const words = (parts: Parts): string[] =>
    parts
      .map((rings) =>
        rings
          .map((ring) => `${ring.length} ${nearest(ring)}`)
          .sort()
          .join(';'),
      )
      .sort()
  const [a, b] = [words(one), words(other)]
  return a.every((each, i) => each === b[i])
}

/** A ring's leftmost and topmost places in whole px, by which it is known again. */
function nearest(ring: Ring): string {
  let [x, y, toX, toY] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [px, py] of ring) [x, y, toX, toY] = [Math.min(x, px), Math.min(y, py), Math.max(toX, px), Math.max(toY, py)]
  return [x, y, toX, toY].map((value) => Math.round(value * 16)).join(' ')
}

/**
 * How the lines of a shape meet: 'none' but one after the other, in rings that lie in each other as parts and holes should; else at 'corners' only,
 * exactly; else they may cross, touch or lie on each other ('crossing'), or lie in each other as they should not.
 */
export function meetingsOf(parts: Parts, effort = newEffort()): 'none' | 'corners' | 'crossing' {
  const edges: number[] = []
  const [ringOf, placeOf, sizeOf]: [number[], number[], number[]] = [[], [], []]
  const rings = parts.flatMap((each, part) => each.map((ring, at) => ({ ring, part, isHole: at > 0 })))
  rings.forEach(({ ring }, number) => {
    const points = ring.filter(([x, y], i) => {
      const [px, py] = ring[(i + ring.length - 1) % ring.length]!
      return x !== px || y !== py
    })
    points.forEach(([x, y], i) => {
      const [px, py] = points[(i + points.length - 1) % points.length]!
      edges.push(px, py, x, y)
      ringOf.push(number)
      placeOf.push(i)
      sizeOf.push(points.length)
    })
    if (points.length < 3) sizeOf.push(-1)
  })
  if (sizeOf.includes(-1)) return 'crossing'
  const xy = Float64Array.from(edges)
  let corners = false
  const isPlain = eachNearPair(xy, null, (a, b) => {
    effort.pairs -= 1
    if (effort.pairs < 0) return false
    const isAfter = (one: number, other: number): boolean => placeOf[one] === (placeOf[other]! + 1) % sizeOf[other]!
    const isNext = ringOf[a] === ringOf[b] && (isAfter(b, a) || isAfter(a, b))
    const how = meeting(xy, a, b, isNext)
    if (how === 'corner') corners = true
    return how !== 'crossing'
  })
  if (!isPlain) return 'crossing'
  if (corners) return 'corners'
  return rings.length === 1 || isNested(xy, ringOf, rings) ? 'none' : 'crossing'
}

/** With a filter for what rounding leaves unsure: that counts as crossing. `isNext`: they follow each other in a ring. */
function meeting(xy: Float64Array, a: number, b: number, isNext: boolean): 'apart' | 'corner' | 'crossing' {
  const [ax, ay, bx, by] = [xy[a * 4]!, xy[a * 4 + 1]!, xy[a * 4 + 2]!, xy[a * 4 + 3]!]
  const [cx, cy, dx, dy] = [xy[b * 4]!, xy[b * 4 + 1]!, xy[b * 4 + 2]!, xy[b * 4 + 3]!]
  const share = [ax === cx && ay === cy, ax === dx && ay === dy, bx === cx && by === cy, bx === dx && by === dy]
  const shared = share.filter(Boolean).length
  if (shared > 1) return 'crossing'
  if (shared === 1) {
    const [px, py] = share[0] || share[1] ? [ax, ay] : [bx, by]
    const [qx, qy] = share[0] || share[1] ? [bx, by] : [ax, ay]
    const [rx, ry] = share[0] || share[2] ? [dx, dy] : [cx, cy]
    const turn = sureSide(px, py, qx, qy, rx, ry)
    // Straight on is fine; back on itself is not.
    if (turn === 0 && (qx - px) * (rx - px) + (qy - py) * (ry - py) > 0) return 'crossing'
    return isNext ? 'apart' : 'corner'
  }
  const [c, d] = [sureSide(ax, ay, bx, by, cx, cy), sureSide(ax, ay, bx, by, dx, dy)]
  if (c * d > 0) return 'apart'
  const [e, f] = [sureSide(cx, cy, dx, dy, ax, ay), sureSide(cx, cy, dx, dy, bx, by)]
  return e * f > 0 ? 'apart' : 'crossing'
}

/** 1 or -1 where it is sure; 0: on the line, or too near to tell. */
function sureSide(ax: number, ay: number, bx: number, by: number, px: number, py: number): number {
  const [left, right] = [(bx - ax) * (py - ay), (by - ay) * (px - ax)]
  const turn = left - right
  return Math.abs(turn) > 1e-15 * (Math.abs(left) + Math.abs(right)) ? Math.sign(turn) : 0
}

interface Whose {
  readonly ring: Ring
  readonly part: number
  readonly isHole: boolean
}

/** Of rings that meet nowhere: each hole lies in its part's outer ring and in no other hole of it, and each outer ring in none, or in holes. */
function isNested(xy: Float64Array, ringOf: readonly number[], rings: readonly Whose[]): boolean {
  const segments = xy.slice()
  for (let at = 0; at < segments.length; at += 4)
    if (segments[at + 1]! > segments[at + 3]!) segments.set([xy[at + 2]!, xy[at + 3]!, xy[at]!, xy[at + 1]!], at)
  const bands = new EdgeBands(segments)
  return rings.every(({ ring, part, isHole }, own) => {
    const [px, py] = ring[0]!
    const around = new Map<number, boolean>()
    for (const edge of bands.at(py)) {
      const at = edge * 4
      const [x0, y0, x1, y1] = [segments[at]!, segments[at + 1]!, segments[at + 2]!, segments[at + 3]!]
      if (ringOf[edge] === own || py < y0 || py >= y1 || px < x0 + ((py - y0) / (y1 - y0)) * (x1 - x0)) continue
      around.set(ringOf[edge]!, !around.get(ringOf[edge]!))
    }
    const holders = [...around].flatMap(([number, isOdd]) => (isOdd ? [rings[number]!] : []))
    // Of a hole its own outer ring; of another part both its outer ring and the hole in it that holds this.
    const outers = new Map<number, number>()
    for (const each of holders) outers.set(each.part, (outers.get(each.part) ?? 0) + (each.isHole ? -1 : 1))
    return [...outers].every(([of, depth]) => depth === Number(isHole && of === part)) && (!isHole || outers.get(part) === 1)
  })
}
