// Which row and column each place of an array belongs to: the two steps between neighbours are found by vote, then one walks from core to core. Pure.
import { distance } from './coverMap'
import type { Place } from './coverMap'

/** From a core to its right neighbour, and to the one below. Neither has to be level, nor both square. */
export interface Steps {
  readonly right: Place
  readonly down: Place
}

export interface Indexed<P extends Place> {
  readonly place: P
  readonly row: number
  readonly column: number
}

/** How far from level a row may run: tangent of 25°. */
const mostSlope = 0.47
/** Of a step: what two neighbours' steps may differ by. */
const alike = 0.15
/** Of the shorter step: how far a core may lie from where the walk expects it. */
const reach = 0.32

/** null where no two places are neighbours. `least`: nearer than that are pieces of one core. */
export function stepsOf(places: readonly Place[], least: number): Steps | null {
  const right = commonest(nearest(places, least, (place) => place))
  const turned = commonest(nearest(places, least, ({ x, y }) => ({ x: y, y: -x })))
  const down = turned && { x: -turned.y, y: turned.x }
  if (right && down) return { right, down }
  // A single row or column: its other step is as long, at a right angle.
  if (right) return { right, down: { x: -right.y, y: right.x } }
  return down && { right: { x: down.y, y: -down.x }, down }
}

/** Of each place the way to the nearest one in the direction that `turn` makes +x. */
function nearest(places: readonly Place[], least: number, turn: (way: Place) => Place): Place[] {
  return places.flatMap((from) => {
    let best: Place | null = null
    for (const to of places) {
      const way = turn({ x: to.x - from.x, y: to.y - from.y })
      if (way.x < least || Math.abs(way.y) > mostSlope * way.x) continue
      if (!best || lengthOf(way) < lengthOf(best)) best = way
    }
    return best ? [best] : []
  })
}

const lengthOf = ({ x, y }: Place): number => Math.hypot(x, y)

/** The mean of the ways that most others are like; of equals the shortest. */
function commonest(ways: readonly Place[]): Place | null {
  let best: { like: Place[]; length: number } | null = null
  for (const way of ways) {
    const length = lengthOf(way)
    const like = ways.filter((other) => distance(way, other) <= alike * length)
    if (!best || like.length > best.like.length || (like.length === best.like.length && length < best.length))
      best = { like, length }
  }
  if (!best) return null
  const { like } = best
  return { x: sumOf(like, ({ x }) => x) / like.length, y: sumOf(like, ({ y }) => y) / like.length }
}

const sumOf = <T>(all: readonly T[], of: (each: T) => number): number => all.reduce((sum, each) => sum + of(each), 0)

/** An array's corner and steps, as most of its cores have it. */
export interface Frame extends Steps {
  readonly corner: Place
}

/** Where in a frame a place lies: whole numbers are rows and columns. */
export function inFrame({ corner, right, down }: Frame, place: Place): { column: number; row: number } {
  const [x, y] = [place.x - corner.x, place.y - corner.y]
  const area = right.x * down.y - right.y * down.x
  return { column: (x * down.y - y * down.x) / area, row: (y * right.x - x * right.y) / area }
}

export interface Walked<P extends Place> {
  readonly frame: Frame
  readonly indexed: readonly Indexed<P>[]
  /** What lies between rows or columns. */
  readonly outside: readonly P[]
}

/**
 * Walks from neighbour to neighbour, so that bent rows stay rows; what it cannot reach is placed by the frame of what it did. A part of the array
 * that is a broken number of steps away is moved to whole ones: arrays are cut in blocks with wider gaps.
 */
export function walk<P extends Place>(places: readonly P[], steps: Steps): Walked<P> {
  const parts = partsOf(places, steps).sort((a, b) => b.length - a.length)
  const taken = new Map<string, Indexed<P>>()
  const outside: P[] = []
  const take = (each: Indexed<P>): void => {
    const key = `${each.row},${each.column}`
    if (taken.has(key)) outside.push(each.place)
    else taken.set(key, each)
  }
  parts[0]?.forEach(take)
  let frame = frameOf([...taken.values()], steps)
  for (const part of parts.slice(1)) {
    const at = part.map(({ place, row, column }) => {
      const real = inFrame(frame, place)
      return { row: real.row - row, column: real.column - column }
    })
    const [down, right] = [sumOf(at, ({ row }) => row) / at.length, sumOf(at, ({ column }) => column) / at.length]
    const isBlock = part.length >= 4
    const isWhole = [down, right].every((each) => Math.abs(each - Math.round(each)) <= reach)
    const ways = isWhole ? [{ down: Math.round(down), right: Math.round(right) }] : isBlock ? around(down, right) : []
    const free = ways.find((by) => part.every(({ row, column }) => !taken.has(`${row + by.down},${column + by.right}`)))
    const by = free ?? (isWhole ? ways[0] : undefined)
    if (!by) {
      outside.push(...part.map(({ place }) => place))
      continue
    }
    for (const { place, row, column } of part) take({ place, row: row + by.down, column: column + by.right })
    if (isWhole && part.length > 1) frame = frameOf([...taken.values()], steps)
  }
  return { frame, indexed: [...taken.values()], outside }
}

/** The whole steps around broken ones, the nearest first. */
function around(down: number, right: number): { down: number; right: number }[] {
  return [Math.floor(down), Math.ceil(down)]
    .flatMap((row) => [Math.floor(right), Math.ceil(right)].map((column) => ({ down: row, right: column })))
    .sort((a, b) => Math.hypot(a.down - down, a.right - right) - Math.hypot(b.down - down, b.right - right))
}

/** Places that one can walk between, with rows and columns of their own. */
function partsOf<P extends Place>(places: readonly P[], { right, down }: Steps): Indexed<P>[][] {
  const within = reach * Math.min(lengthOf(right), lengthOf(down))
  const left = new Set(places)
  /** The nearest that is left to where one is expected. */
  const nearby = (x: number, y: number): P | null => {
    let best: P | null = null
    for (const each of left) {
      const far = distance(each, { x, y })
      if (far <= within && (!best || far < distance(best, { x, y }))) best = each
    }
    return best
  }
  const ways = [
    { row: 0, column: 1 },
    { row: 1, column: 0 },
    { row: 0, column: -1 },
    { row: -1, column: 0 },
  ]
  const parts: Indexed<P>[][] = []
  for (const start of places) {
    if (!left.delete(start)) continue
    const part: Indexed<P>[] = [{ place: start, row: 0, column: 0 }]
    const cells = new Set(['0,0'])
    // It grows while it is walked.
    for (const { place, row, column } of part) {
      for (const way of ways) {
        const [r, c] = [row + way.row, column + way.column]
        if (cells.has(`${r},${c}`)) continue
        const next = nearby(place.x + way.column * right.x + way.row * down.x, place.y + way.column * right.y + way.row * down.y)
        if (!next) continue
        left.delete(next)
        cells.add(`${r},${c}`)
        part.push({ place: next, row: r, column: c })
      }
    }
    parts.push(part)
  }
  return parts
}

/** The frame that fits them best, by least squares; along an axis that they do not span the step stays. */
function frameOf(indexed: readonly Indexed<Place>[], { right, down }: Steps): Frame {
  const n = Math.max(1, indexed.length)
  const mean = (of: (each: Indexed<Place>) => number): number => sumOf(indexed, of) / n
  const [row, column] = [mean((each) => each.row), mean((each) => each.column)]
  const [x, y] = [mean(({ place }) => place.x), mean(({ place }) => place.y)]
  const cov = (a: (each: Indexed<Place>) => number, b: (each: Indexed<Place>) => number): number =>
    sumOf(indexed, (each) => a(each) * b(each))
  const r = (each: Indexed<Place>): number => each.row - row
  const c = (each: Indexed<Place>): number => each.column - column
  const [rr, cc, rc] = [cov(r, r), cov(c, c), cov(r, c)]
  const det = rr * cc - rc * rc
  const fit = (of: (place: Place) => number, byColumn: number, byRow: number): [number, number] => {
    const value = ({ place }: Indexed<Place>): number => of(place)
    const [vr, vc] = [cov(r, value), cov(c, value)]
    if (det > 1e-9) return [(vc * rr - vr * rc) / det, (vr * cc - vc * rc) / det]
    return [cc > 0 ? (vc - byRow * rc) / cc : byColumn, rr > 0 ? (vr - byColumn * rc) / rr : byRow]
  }
  const [rightX, downX] = fit((place) => place.x, right.x, down.x)
  const [rightY, downY] = fit((place) => place.y, right.y, down.y)
  return {
    corner: { x: x - column * rightX - row * downX, y: y - column * rightY - row * downY },
    right: { x: rightX, y: rightY },
    down: { x: downX, y: downY },
  }
}
