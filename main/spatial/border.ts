// How far points lie from the border of areas: exact to its line segments, below 0 inside. Pure.
import type { Ring, Shape } from '../../app/contract'
import { Holders } from '../base/planar/holders'
import { newEffort } from '../base/planar/noded'
import { overlay } from '../base/planar/overlay'
import { evenOdd, oriented } from '../base/planar/simple'
import { boxOf, partsOf, trueRim } from '../base/shapes'
import { BoxTree } from '../base/planar/boxTree'
import type { Span } from '../base/planar/boxTree'
import { toldItems } from './points'
import type { Points, Progress } from './points'

/** Of an ellipse: its area is exact, its rim a 30,000th of a radius off at most. */
const rimPoints = 512
/** Segments that the points of a leaf are compared with one by one; where there are more, each point searches. */
const mostTogether = 48

/** µm of a px along each axis; 1 where that is not known. */
export interface Scale {
  readonly x: number
  readonly y: number
}

/**
 * Rings around all that the shapes cover, of level-0 px: where their boxes meet they are put together, and what lies inside another, or along both of
 * two, is no border. Those that no other's box meets stay to the bit. Throws TooTangled.
 */
export function bordersOf(shapes: readonly Shape[]): Ring[] {
  return groupsOf(shapes).flatMap((group) => {
    const rings = group.flatMap(ringsOf)
    return group.length === 1 ? rings : oriented(overlay(rings, [], (covers) => covers > 0, newEffort()))
  })
}

function ringsOf(shape: Shape): Ring[] {
  if (shape.kind === 'ellipse') return oriented([[trueRim(shape, rimPoints)]])
  const valid = evenOdd(shape).shape
  return valid ? oriented(partsOf(valid)) : []
}

/** Those whose boxes meet, one with the next. */
function groupsOf(shapes: readonly Shape[]): Shape[][] {
  const boxes = shapes.map(boxOf)
  const parent = shapes.map((_, i) => i)
  const rootOf = (i: number): number => {
    while (parent[i] !== i) i = parent[i] = parent[parent[i]!]!
    return i
  }
  let open: number[] = []
  for (const i of boxes.map((_, n) => n).sort((a, b) => boxes[a]!.minX - boxes[b]!.minX)) {
    open = open.filter((j) => boxes[j]!.maxX >= boxes[i]!.minX)
    for (const j of open) if (boxes[j]!.minY <= boxes[i]!.maxY && boxes[i]!.minY <= boxes[j]!.maxY) parent[rootOf(j)] = rootOf(i)
    open.push(i)
  }
  const groups = new Map<number, Shape[]>()
  shapes.forEach((shape, i) => {
    const root = rootOf(i)
    const group = groups.get(root)
    if (group) group.push(shape)
    else groups.set(root, [shape])
  })
  return [...groups.values()]
}

/** Segments of rings, in µm. */
class Segments {
  readonly #ax: Float64Array
  readonly #ay: Float64Array
  readonly #bx: Float64Array
  readonly #by: Float64Array
  readonly #tree: BoxTree

  constructor(rings: readonly Ring[], scale: Scale) {
    const count = rings.reduce((sum, ring) => sum + ring.length, 0)
    const columns = Array.from({ length: 4 }, () => new Float64Array(count))
    const [ax, ay, bx, by] = columns as [Float64Array, Float64Array, Float64Array, Float64Array]
    let n = 0
    for (const ring of rings) {
      let [x0, y0] = ring.at(-1)!
      for (const [x1, y1] of ring) {
        ax[n] = x0 * scale.x
        ay[n] = y0 * scale.y
        bx[n] = x1 * scale.x
        by[n++] = y1 * scale.y
        ;[x0, y0] = [x1, y1]
      }
    }
    this.#ax = ax
    this.#ay = ay
    this.#bx = bx
    this.#by = by
    const least = (a: Float64Array, b: Float64Array): Float64Array => a.map((value, i) => Math.min(value, b[i]!))
    const most = (a: Float64Array, b: Float64Array): Float64Array => a.map((value, i) => Math.max(value, b[i]!))
    this.#tree = new BoxTree(least(ax, bx), least(ay, by), most(ax, bx), most(ay, by))
  }

  /** Squared; Infinity: there is none. */
  nearest(x: number, y: number): number {
    let best = Infinity
    const { order } = this.#tree
    this.#tree.nearest(x, y, Infinity, (from, to) => {
      for (let i = from; i < to; i++) {
        const squared = this.#squared(order[i]!, x, y)
        if (squared < best) best = squared
      }
      return best
    })
    return best
  }

  /** Those that may be at most so far, its square, from some place of a box; null: they are many. */
  around(box: Span, squared: number): readonly number[] | null {
    const near: number[] = []
    const { order } = this.#tree
    this.#tree.around(box, squared, (from, to) => {
      for (let i = from; i < to && near.length <= mostTogether; i++) near.push(order[i]!)
      return near.length <= mostTogether
    })
    return near.length <= mostTogether ? near : null
  }

  /** The squared distance to the nearest of these. */
  nearestOf(some: readonly number[], x: number, y: number): number {
    let best = Infinity
    for (const at of some) {
      const squared = this.#squared(at, x, y)
      if (squared < best) best = squared
    }
    return best
  }

  #squared(at: number, x: number, y: number): number {
    const ax = this.#ax[at]!
    const ay = this.#ay[at]!
    const dx = this.#bx[at]! - ax
    const dy = this.#by[at]! - ay
    const px = x - ax
    const py = y - ay
    const along = px * dx + py * dy
    if (!(along > 0)) return px * px + py * py
    const length = dx * dx + dy * dy
    if (along >= length) {
      const qx = x - this.#bx[at]!
      const qy = y - this.#by[at]!
      return qx * qx + qy * qy
    }
    const across = px * dy - py * dx
    return (across * across) / length
  }
}

/**
 * Of each point its distance to the border of what the shapes cover, below 0 where one of them holds it, by the rule by which regions count what they
 * hold. `px`: level-0 px; `um`: the same points in µm; `rings`: of `bordersOf`. NaN: there is no shape. Cost: n log n of the border's points, and log n
 * of each point.
 */
export function signedDistances(
  shapes: readonly Shape[],
  px: Points,
  um: Points,
  scale: Scale,
  all: BoxTree,
  progress: Progress,
  rings: readonly Ring[] = bordersOf(shapes),
): Float64Array {
  const found = new Float64Array(px.xs.length).fill(NaN)
  if (shapes.length === 0) return found
  const segments = new Segments(rings, scale)
  const holders = new Holders<boolean>()
  for (const shape of shapes) holders.add(shape, true)
  /** Beyond what a rim's polygon, and a grid on which shapes are put together, may differ from what holds points. */
  const slack = scale.x + scale.y + shapes.reduce((most, shape) => Math.max(most, rimErrorOf(shape, scale)), 0)
  const isInside = (item: number): boolean => {
    let inside = false
    holders.at(px.xs[item]!, px.ys[item]!, () => (inside = true))
    return inside
  }
  const { order, size } = all
  let told = 0
  all.eachLeaf((from, to, box) => {
    if (from >= told) {
      progress(from / size)
      told += toldItems
    }
    const across = Math.sqrt((box.maxX - box.minX) ** 2 + (box.maxY - box.minY) ** 2)
    const middle = Math.sqrt(segments.nearest((box.minX + box.maxX) / 2, (box.minY + box.maxY) / 2))
    // What is nearest to any point of the leaf is among these: no farther than from the middle, and half of the way across.
    const reach = (middle + across / 2) * (1 + 1e-9) + 1e-6
    const near = segments.around(box, reach * reach)
    for (let at = from; at < to; at++) {
      const item = order[at]!
      const [x, y] = [um.xs[item]!, um.ys[item]!]
      found[item] = Math.sqrt(near ? segments.nearestOf(near, x, y) : segments.nearest(x, y))
    }
    holders.narrow({ minX: box.minX / scale.x - 1, minY: box.minY / scale.y - 1, maxX: box.maxX / scale.x + 1, maxY: box.maxY / scale.y + 1 }) // oxfmt-ignore
    // Where no border is as near as the others are, all lie on one side of it.
    const isOneSide = middle > across + slack
    const side = isOneSide && isInside(order[from]!)
    for (let at = from; at < to; at++) {
      const item = order[at]!
      if (found[item]! > 0 && (isOneSide ? side : isInside(item))) found[item] = -found[item]!
    }
  })
  return found
}

/** How far the polygon of an ellipse lies from it at most, µm. */
const rimErrorOf = (shape: Shape, scale: Scale): number =>
  shape.kind === 'ellipse' ? Math.max(shape.width * scale.x, shape.height * scale.y) * 1e-4 : 0
