// Shapes of regions of interest: what they hold, their boxes and areas. Pure; level-0 px, as the contract's Shape says.
import type { Ring, Shape } from '../../app/contract'

export interface Box {
  readonly minX: number
  readonly minY: number
  readonly maxX: number
  readonly maxY: number
}

export function boxOf(shape: Shape): Box {
  if (shape.kind !== 'polygon') {
    const { x, y, width, height } = shape
    return { minX: x, minY: y, maxX: x + width, maxY: y + height }
  }
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [outer] of shape.parts) {
    for (const [x, y] of outer!) {
      if (x < minX) minX = x
      if (x > maxX) maxX = x
      if (y < minY) minY = y
      if (y > maxY) maxY = y
    }
  }
  return { minX, minY, maxX, maxY }
}

/** Of a way from point to point; `x`, `y`: of what a px is along each axis, µm say. */
export function lengthOfLine(points: readonly (readonly [number, number])[], { x, y } = { x: 1, y: 1 }): number {
  let sum = 0
  for (let i = 1; i < points.length; i++)
    sum += Math.hypot((points[i]![0] - points[i - 1]![0]) * x, (points[i]![1] - points[i - 1]![1]) * y)
  return sum
}

/** Twice, and with its sign: that of a ring that goes clockwise on the screen is positive. */
function doubled(ring: Ring): number {
  let sum = 0
  // About the first point: coordinates of a slide are large beside its regions.
  const [ox, oy] = ring[0]!
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const [x0, y0] = ring[j]!
    const [x1, y1] = ring[i]!
    sum += (x0 - ox) * (y1 - oy) - (x1 - ox) * (y0 - oy)
  }
  return sum
}

/** Of a polygon whose rings cross neither themselves nor others, which is what the document makes of what is drawn. */
export function areaOfShape(shape: Shape): number {
  if (shape.kind === 'rectangle') return shape.width * shape.height
  if (shape.kind === 'ellipse') return (Math.PI / 4) * shape.width * shape.height
  let area = 0
  for (const rings of shape.parts) rings.forEach((ring, i) => (area += ((i === 0 ? 1 : -1) * Math.abs(doubled(ring))) / 2))
  return area
}

/** Bands that a polygon's edges are sorted into, at most: some of its own height each. */
const mostBands = 4096

/**
 * Edges by the bands of y that they cross, part after part: a point asks those of its band alone. Of a polygon of n edges a question costs
 * about the edges that cross one line; the making costs the edges times the bands that each crosses.
 */
class Bands {
  readonly #minY: number
  readonly #perPx: number
  /** Of each band its edges, as part, x0, y0, x1, y1 from the upper end to the lower. */
  readonly #edges: Float64Array[]

  constructor(parts: readonly (readonly Ring[])[], { minY, maxY }: Box) {
    const edges: number[][] = []
    parts.forEach((rings, part) => {
      for (const ring of rings)
        for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
          const [x0, y0] = ring[j]!
          const [x1, y1] = ring[i]!
          // From the upper end to the lower, whichever way the ring goes: the same edge of two regions gives the same number.
          if (y0 !== y1) edges.push(y0 < y1 ? [part, x0, y0, x1, y1] : [part, x1, y1, x0, y0])
        }
    })
    const count = Math.min(mostBands, Math.max(1, edges.length >> 1))
    this.#minY = minY
    this.#perPx = maxY > minY ? count / (maxY - minY) : 0
    const lists: number[][] = Array.from({ length: count }, () => [])
    for (const edge of edges) {
      const last = this.#bandOf(edge[4]!, count)
      for (let band = this.#bandOf(edge[2]!, count); band <= last; band++) lists[band]!.push(...edge)
    }
    this.#edges = lists.map((list) => Float64Array.from(list))
  }

  #bandOf(y: number, count: number): number {
    return Math.min(count - 1, Math.max(0, Math.floor((y - this.#minY) * this.#perPx)))
  }

  /** Half-open on either side, so that of regions that share an edge one holds each point of it. */
  holds(x: number, y: number): boolean {
    const edges = this.#edges[this.#bandOf(y, this.#edges.length)]!
    let part = -1
    let inside = false
    for (let e = 0; e < edges.length; e += 5) {
      if (edges[e] !== part) {
        if (inside) return true
        part = edges[e]!
      }
      const y0 = edges[e + 2]!
      const y1 = edges[e + 4]!
      if (y < y0 || y >= y1) continue
      const x0 = edges[e + 1]!
      if (x >= x0 + ((y - y0) / (y1 - y0)) * (edges[e + 3]! - x0)) inside = !inside
    }
    return inside
  }
}

/** Whether a point is inside, by the rule that the contract states. Made once and asked many times. */
export function holderOf(shape: Shape): (x: number, y: number) => boolean {
  const { minX, minY, maxX, maxY } = boxOf(shape)
  const inBox = (x: number, y: number): boolean => x >= minX && y >= minY && x < maxX && y < maxY
  if (shape.kind === 'rectangle') return inBox
  if (shape.kind === 'ellipse') {
    const [cx, cy, rx, ry] = [(minX + maxX) / 2, (minY + maxY) / 2, shape.width / 2, shape.height / 2]
    return (x, y) => inBox(x, y) && ((x - cx) / rx) ** 2 + ((y - cy) / ry) ** 2 < 1
  }
  const bands = new Bands(shape.parts, boxOf(shape))
  return (x, y) => inBox(x, y) && bands.holds(x, y)
}

/** Points on an ellipse's rim: enough that no one sees corners, and its outermost ones among them, so that its box can be read back. */
const ellipsePoints = 96

/** As rings, an ellipse by points of its rim. */
export function partsOf(shape: Shape): Ring[][] {
  if (shape.kind === 'polygon') return shape.parts
  const { x, y, width, height } = shape
  if (shape.kind === 'rectangle') {
    return [
      [
        [
          [x, y],
          [x + width, y],
          [x + width, y + height],
          [x, y + height],
        ],
      ],
    ]
  }
  const ring: Ring = []
  for (let i = 0; i < ellipsePoints; i++) {
    const quarter = ellipsePoints / 4
    const angle = (2 * Math.PI * i) / ellipsePoints
    // Exactly at the four outermost points.
    const cos = i % quarter === 0 ? [1, 0, -1, 0][i / quarter]! : Math.cos(angle)
    const sin = i % quarter === 0 ? [0, 1, 0, -1][i / quarter]! : Math.sin(angle)
    const at = (start: number, size: number, by: number): number =>
      by === 1 ? start + size : by === -1 ? start : start + (size / 2) * (1 + by)
    ring.push([at(x, width, cos), at(y, height, sin)])
  }
  return [[ring]]
}
