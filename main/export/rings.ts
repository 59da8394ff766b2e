// From traced rings of pixel corners to valid polygons: no ring touches itself, every hole lies in its own outer ring.

export type Point = readonly [number, number]
export type Ring = readonly Point[]
/** An outer ring (anticlockwise where y points up, as RFC 7946 has it) and its holes (clockwise); rings are not closed here. */
export type Polygon = readonly Ring[]

/** Twice the signed area: positive where the ring is anticlockwise with y up. */
export function doubleArea(ring: Ring): number {
  let sum = 0
  for (let i = 0; i < ring.length; i++) {
    const [x0, y0] = ring[i]!
    const [x1, y1] = ring[(i + 1) % ring.length]!
    sum += x0 * y1 - x1 * y0
  }
  return sum
}

/** Corners are integers below 2^26. */
const keyOf = ([x, y]: Point): number => x * 2 ** 26 + y

/**
 * Cuts a ring at every corner that it visits twice (two pixels of the object that touch there). Such a ring is invalid for
 * JTS, and so for QuPath; its loops are not.
 */
export function splitLoops(ring: Ring): Ring[] {
  const loops: Ring[] = []
  const stack: Point[] = []
  const placeOf = new Map<number, number>()
  for (const point of ring) {
    const place = placeOf.get(keyOf(point))
    if (place !== undefined) {
      const loop = stack.splice(place)
      for (const corner of loop) placeOf.delete(keyOf(corner))
      loops.push(loop)
    }
    placeOf.set(keyOf(point), stack.length)
    stack.push(point)
  }
  loops.push(stack)
  return loops.filter((loop) => loop.length >= 3 && doubleArea(loop) !== 0)
}

/** Even-odd rule; points on the ring may fall on either side. */
function contains(ring: Ring, x: number, y: number): boolean {
  let inside = false
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const [xi, yi] = ring[i]!
    const [xj, yj] = ring[j]!
    if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) inside = !inside
  }
  return inside
}

/** A point strictly inside a hole: just right of its leftmost edge. */
function insidePoint(ring: Ring): Point {
  let best: Point = ring[0]!
  let bestX = Infinity
  for (let i = 0; i < ring.length; i++) {
    const [x0, y0] = ring[i]!
    const [x1, y1] = ring[(i + 1) % ring.length]!
    if (y0 === y1) continue
    // Off the middle, and off the integers of either axis, where other corners and edges lie.
    const along = 0.4375
    const x = x0 + (x1 - x0) * along
    if (x < bestX) {
      bestX = x
      best = [x + 1e-3, y0 + (y1 - y0) * along + 1e-4]
    }
  }
  return best
}

/** `rings` as traced: outer rings of one sense, holes of the other. */
export function polygonsOf(rings: readonly { ring: Ring; hole: boolean }[]): Polygon[] {
  const outers: { ring: Ring; area: number; holes: Ring[] }[] = []
  const holes: Ring[] = []
  for (const { ring, hole } of rings) {
    const sense = Math.sign(doubleArea(ring)) * (hole ? -1 : 1)
    for (const loop of splitLoops(ring)) {
      const area = doubleArea(loop)
      const upright = area > 0 ? loop : [...loop].reverse()
      if (Math.sign(area) === sense) outers.push({ ring: upright, area: Math.abs(area), holes: [] })
      else holes.push([...upright].reverse())
    }
  }
  for (const hole of holes) {
    const [x, y] = insidePoint(hole)
    // The smallest outer ring around it: an island in a lake may have a lake of its own.
    let owner: (typeof outers)[number] | undefined
    for (const outer of outers) if (contains(outer.ring, x, y) && (owner === undefined || outer.area < owner.area)) owner = outer
    // A hole that simplification has pushed out of its ring bounds nothing.
    owner?.holes.push(hole)
  }
  return outers.map(({ ring, holes: own }) => [ring, ...own])
}
