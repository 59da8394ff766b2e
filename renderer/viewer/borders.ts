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
const smoothings = 2

/** What `bordersOf` finds points by, kept: it is as large as the picture. */
let places = new Int32Array(0)

class Points {
  xy = new Float32Array(1024)
  /** Of each its two neighbours on the border, or -1: a place where borders meet or end stays. */
  beside = new Int32Array(1024)
  count = 0

  add(x: number, y: number): number {
    if (2 * this.count + 2 > this.xy.length) {
      const [xy, beside] = [this.xy, this.beside]
      this.xy = new Float32Array(2 * xy.length)
      this.beside = new Int32Array(2 * xy.length)
      this.xy.set(xy)
      this.beside.set(beside)
    }
    this.xy.set([x, y], 2 * this.count)
    this.beside.set([-1, -1], 2 * this.count)
    return this.count++
  }
  join(a: number, b: number): void {
    this.beside[2 * a + (this.beside[2 * a] === -1 ? 0 : 1)] = b
    this.beside[2 * b + (this.beside[2 * b] === -1 ? 0 : 1)] = a
  }
  smooth(isFixed: (point: number) => boolean): void {
    for (let round = 0; round < smoothings; round++) {
      const from = this.xy.slice(0, 2 * this.count)
      for (let p = 0; p < this.count; p++) {
        const [a, b] = [this.beside[2 * p]!, this.beside[2 * p + 1]!]
        if (a < 0 || b < 0 || isFixed(p)) continue
        for (const axis of [0, 1])
          this.xy[2 * p + axis] = from[2 * p + axis]! / 2 + (from[2 * a + axis]! + from[2 * b + axis]!) / 4
      }
    }
  }
}

/**
 * `ids`: side² px, 0 = in no object. Between two pixels of different objects lies a point, in the middle of their edge; of four pixels that
 * meet, the points between them are joined, where three or four objects meet in their middle. O(side²), the rest O(border).
 */
export function bordersOf(ids: Int32Array, side: number): Borders {
  if (places.length < 2 * side * side) places = new Int32Array(2 * side * side)
  const at = places.fill(0, 0, 2 * side * side)
  const points = new Points()
  const fixed = new Set<number>()
  /** Point numbers in pairs. */
  const joins: number[] = []
  const sides: number[] = []
  /** The point on the edge that pixel `p` shares with the next one to the right (0) or below (1). */
  const pointOn = (p: number, below: 0 | 1): number => {
    const key = 2 * p + below
    if (at[key] === 0) {
      const [x, y] = [p % side, Math.floor(p / side)]
      at[key] = 1 + (below ? points.add(x + 0.5, y + 1) : points.add(x + 1, y + 0.5))
    }
    return at[key]! - 1
  }
  /** From the point on p's edge to `to`; left and right follow from where `p` lies. */
  const join = (p: number, below: 0 | 1, to: number): void => {
    const from = pointOn(p, below)
    points.join(from, to)
    const { xy } = points
    const [dx, dy] = [xy[2 * to]! - xy[2 * from]!, xy[2 * to + 1]! - xy[2 * from + 1]!]
    // Seen from the point, p lies half a px to the left, or above.
    const cross = below ? dx * -0.5 : dy * 0.5
    const [own, other] = [ids[p]!, ids[p + (below ? side : 1)]!]
    joins.push(from, to)
    // With y down, what is at the left hand of the way has a negative cross product.
    sides.push(...(cross < 0 ? [own, other] : [other, own]))
  }
  for (let y = 0; y + 1 < side; y++) {
    for (let p = y * side; p < (y + 1) * side - 1; p++) {
      const [a, b, c, d] = [ids[p]!, ids[p + 1]!, ids[p + side]!, ids[p + side + 1]!]
      if (a === b && c === d && a === c) continue
      const [top, left, bottom, right] = [a !== b, a !== c, c !== d, b !== d]
      const count = Number(top) + Number(left) + Number(bottom) + Number(right)
      if (count === 2) {
        const ends = [top && pointOn(p, 0), left && pointOn(p, 1), bottom && pointOn(p + side, 0), right && pointOn(p + 1, 1)]
        const to = ends.findLast((end) => end !== false) as number
        if (top) join(p, 0, to)
        else if (left) join(p, 1, to)
        else join(p + side, 0, to)
      } else if (count === 4 && ((a === d && a !== 0) || (b === c && b !== 0))) {
        // An object goes on over the corner: its two pixels stay together, each of the others is cut off by itself.
        const overA = a === d && a !== 0
        join(p, 0, overA ? pointOn(p + 1, 1) : pointOn(p, 1))
        join(p + side, 0, overA ? pointOn(p, 1) : pointOn(p + 1, 1))
      } else {
        const centre = points.add((p % side) + 1, y + 1)
        fixed.add(centre)
        if (top) join(p, 0, centre)
        if (left) join(p, 1, centre)
        if (bottom) join(p + side, 0, centre)
        if (right) join(p + 1, 1, centre)
      }
    }
  }
  points.smooth((point) => fixed.has(point))
  const ends = new Float32Array(2 * joins.length)
  joins.forEach((point, i) => ends.set(points.xy.subarray(2 * point, 2 * point + 2), 2 * i))
  return { count: joins.length / 2, ends, sides: Int32Array.from(sides) }
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
  for (let round = 0; round < smoothings; round++)
    points = points.map(([x, y], i) => {
      const [a, b] = [points.at(i - 1)!, points[(i + 1) % points.length]!]
      return [x / 2 + (a[0] + b[0]) / 4, y / 2 + (a[1] + b[1]) / 4]
    })
  return points
}
