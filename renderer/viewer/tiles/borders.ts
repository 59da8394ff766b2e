// Where objects end, as smooth lines for the screen alone: through the middles of pixels' edges, each border once. Pure; exports stay exact.

/** Line segments, px of the picture of ids: from (x0, y0) to (x1, y1), and the objects to the left and right of that way (0: none). */
export interface Borders {
  readonly count: number
  /** x0, y0, x1, y1 of each. */
  readonly ends: Float32Array
  /** Left, right of each; y points down. */
  readonly sides: Int32Array
}

/** Rounds in which each point goes half of the way to the middle of its neighbours: a stair of one px becomes a slope. */
const smoothings = 3
/** No point moves farther, px: an object of a pixel or two would shrink to nothing. */
const farthest = 0.3

/**
 * Points on borders, and the lines between them. Kept from picture to picture: a field of tiles would otherwise fill the memory with arrays that
 * live a millisecond.
 */
class Lines {
  points = 0
  lines = 0
  private xy = new Float32Array(0)
  private before = new Float32Array(0)
  private first = new Float32Array(0)
  /** Of each point its two neighbours on the border, or -1. */
  private beside = new Int32Array(0)
  /** Point numbers of each line, and what is left and right of it. */
  private ends = new Int32Array(0)
  private sides = new Int32Array(0)

  begin(most: number): void {
    this.points = this.lines = 0
    if (this.beside.length >= 2 * most) return
    this.xy = new Float32Array(2 * most)
    this.before = new Float32Array(2 * most)
    this.first = new Float32Array(2 * most)
    this.beside = new Int32Array(2 * most)
    this.ends = new Int32Array(2 * most)
    this.sides = new Int32Array(2 * most)
  }
  add(x: number, y: number): number {
    const at = 2 * this.points
    this.xy[at] = x
    this.xy[at + 1] = y
    this.beside[at] = this.beside[at + 1] = -1
    return this.points++
  }
  /** `dx`, `dy`: from the first point to an object `own`; on the other side is `other`. */
  join(from: number, to: number, dx: number, dy: number, own: number, other: number): void {
    const { xy, beside, ends, sides } = this
    beside[2 * from + (beside[2 * from] === -1 ? 0 : 1)] = to
    beside[2 * to + (beside[2 * to] === -1 ? 0 : 1)] = from
    const at = 2 * this.lines++
    ends[at] = from
    ends[at + 1] = to
    // With y down, what is at the left hand of the way has a negative cross product.
    const isLeft = (xy[2 * to]! - xy[2 * from]!) * dy - (xy[2 * to + 1]! - xy[2 * from + 1]!) * dx < 0
    sides[at] = isLeft ? own : other
    sides[at + 1] = isLeft ? other : own
  }
  /** A place where borders meet has three neighbours or four: it stays, as does one where the picture ends. */
  smooth(isFixed: Uint8Array): void {
    const { beside, first } = this
    first.set(this.xy.subarray(0, 2 * this.points))
    for (let round = 0; round < smoothings; round++) {
      const from = this.xy
      const to = this.before
      for (let p = 0; p < this.points; p++) {
        const a = beside[2 * p]!
        const b = beside[2 * p + 1]!
        const stays = a < 0 || b < 0 || isFixed[p] === 1
        to[2 * p] = stays ? from[2 * p]! : from[2 * p]! / 2 + (from[2 * a]! + from[2 * b]!) / 4
        to[2 * p + 1] = stays ? from[2 * p + 1]! : from[2 * p + 1]! / 2 + (from[2 * a + 1]! + from[2 * b + 1]!) / 4
      }
      this.xy = to
      this.before = from
    }
    for (let at = 0; at < 2 * this.points; at += 2) {
      const kept = keptShare(this.xy[at]! - first[at]!, this.xy[at + 1]! - first[at + 1]!, farthest)
      if (kept === 1) continue
      this.xy[at] = first[at]! + kept * (this.xy[at]! - first[at]!)
      this.xy[at + 1] = first[at + 1]! + kept * (this.xy[at + 1]! - first[at + 1]!)
    }
  }
  borders(): Borders {
    const { xy, ends, lines } = this
    const placed = new Float32Array(4 * lines)
    for (let i = 0; i < 2 * lines; i++) {
      placed[2 * i] = xy[2 * ends[i]!]!
      placed[2 * i + 1] = xy[2 * ends[i]! + 1]!
    }
    return { count: lines, ends: placed, sides: this.sides.slice(0, 2 * lines) }
  }
}
/** How much of a way is within reach. */
function keptShare(dx: number, dy: number, reach: number): number {
  const length2 = dx * dx + dy * dy
  return length2 <= reach * reach ? 1 : reach / Math.sqrt(length2)
}

const lines = new Lines()
/** By pixel, of the edge to the right and of the one below: the point on it + 1. */
let places = new Int32Array(0)
let fixed = new Uint8Array(0)

/**
 * `ids`: side² px, 0 = in no object. Between two pixels of different objects lies a point, in the middle of their edge; of four pixels that
 * meet, the points between them are joined, where three or four objects meet in their middle. O(side²).
 */
export function bordersOf(ids: Int32Array, side: number): Borders {
  // A point an edge, and one where at least three of them meet; a line ends at one edge's point at least, and two lines at each.
  const most = 2 * edgesOf(ids, side)
  if (places.length < 2 * side * side) places = new Int32Array(2 * side * side)
  if (fixed.length < most) fixed = new Uint8Array(most)
  places.fill(0, 0, 2 * side * side)
  lines.begin(most)
  const right = (p: number): number => (places[2 * p] ||= 1 + lines.add((p % side) + 1, Math.floor(p / side) + 0.5)) - 1
  const below = (p: number): number => (places[2 * p + 1] ||= 1 + lines.add((p % side) + 0.5, Math.floor(p / side) + 1)) - 1
  // Seen from the point on its edge, a pixel lies half a px to the left, or above.
  const fromRight = (p: number, to: number): void => lines.join(right(p), to, -0.5, 0, ids[p]!, ids[p + 1]!)
  const fromBelow = (p: number, to: number): void => lines.join(below(p), to, 0, -0.5, ids[p]!, ids[p + side]!)
  fixed.fill(0, 0, most)
  for (let y = 0; y + 1 < side; y++) {
    for (let p = y * side; p < (y + 1) * side - 1; p++) {
      const a = ids[p]!
      const b = ids[p + 1]!
      const c = ids[p + side]!
      const d = ids[p + side + 1]!
      if (a === b && c === d && a === c) continue
      const count = Number(a !== b) + Number(a !== c) + Number(c !== d) + Number(b !== d)
      if (count === 2) {
        // The last of them in this order is where the line from the first goes.
        const to = b !== d ? below(p + 1) : c !== d ? right(p + side) : below(p)
        if (a !== b) fromRight(p, to)
        else if (a !== c) fromBelow(p, to)
        else fromRight(p + side, to)
      } else if (count === 4 && ((a === d && a !== 0) || (b === c && b !== 0))) {
        // An object goes on over the corner: its two pixels stay together, each of the others is cut off by itself.
        const overA = a === d && a !== 0
        fromRight(p, overA ? below(p + 1) : below(p))
        fromRight(p + side, overA ? below(p) : below(p + 1))
      } else {
        const centre = lines.add((p % side) + 1, y + 1)
        fixed[centre] = 1
        if (a !== b) fromRight(p, centre)
        if (a !== c) fromBelow(p, centre)
        if (c !== d) fromRight(p + side, centre)
        if (b !== d) fromBelow(p + 1, centre)
      }
    }
  }
  lines.smooth(fixed)
  return lines.borders()
}

function edgesOf(ids: Int32Array, side: number): number {
  let edges = 0
  for (let p = 0; p < side * side; p++) {
    if (p + side < side * side && ids[p] !== ids[p + side]) edges++
    if ((p + 1) % side !== 0 && ids[p] !== ids[p + 1]) edges++
  }
  return edges
}

/** A closed ring on pixels' corners, `step` a px wide, as `bordersOf` draws an object's border that meets no other. */
export function smoothRing(ring: readonly (readonly [number, number])[], step: number): [number, number][] {
  let points: [number, number][] = []
  ring.forEach(([x0, y0], i) => {
    const [x1, y1] = ring[(i + 1) % ring.length]!
    const edges = Math.round(Math.hypot(x1 - x0, y1 - y0) / step)
    for (let k = 0; k < edges; k++) {
      const t = (k + 0.5) / edges
      points.push([x0 + (x1 - x0) * t, y0 + (y1 - y0) * t])
    }
  })
  const first = points
  for (let round = 0; round < smoothings; round++)
    points = points.map(([x, y], i) => {
      const [a, b] = [points.at(i - 1)!, points[(i + 1) % points.length]!]
      return [x / 2 + (a[0] + b[0]) / 4, y / 2 + (a[1] + b[1]) / 4]
    })
  return points.map(([x, y], i) => {
    const [x0, y0] = first[i]!
    const kept = keptShare(x - x0, y - y0, farthest * step)
    return [x0 + kept * (x - x0), y0 + kept * (y - y0)]
  })
}
