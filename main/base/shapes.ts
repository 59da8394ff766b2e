// Shapes of regions of interest: what they hold, their boxes and areas. Pure; level-0 px, as the contract's Shape says.
import type { Ring, Shape } from '../../app/contract'
import { EdgeBands } from './planar/edgeBands'

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
  for (const rings of shape.parts)
    for (const ring of rings)
      for (const [x, y] of ring) {
        if (x < minX) minX = x
        if (x > maxX) maxX = x
        if (y < minY) minY = y
        if (y > maxY) maxY = y
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

/** A point inside: even-odd over the edges of each part, of which those that may lie beside the point are asked. */
function holderOfParts(parts: readonly (readonly Ring[])[]): (x: number, y: number) => boolean {
  const edges: number[] = []
  const partOf: number[] = []
  parts.forEach((rings, part) => {
    for (const ring of rings)
      for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
        const [x0, y0] = ring[j]!
        const [x1, y1] = ring[i]!
        if (y0 === y1) continue
        // From the upper end to the lower, whichever way the ring goes: the same edge of two regions gives the same number.
        if (y0 < y1) edges.push(x0, y0, x1, y1)
        else edges.push(x1, y1, x0, y0)
        partOf.push(part)
      }
  })
  const segments = Float64Array.from(edges)
  const bands = new EdgeBands(segments)
  const owners = Uint32Array.from(partOf)
  // Half-open on either side, so that of regions that share an edge one holds each point of it.
  return (x, y) => {
    let part = -1
    let inside = false
    for (const edge of bands.at(y)) {
      if (owners[edge] !== part) {
        if (inside) return true
        part = owners[edge]!
      }
      const at = edge * 4
      const y0 = segments[at + 1]!
      const y1 = segments[at + 3]!
      if (y < y0 || y >= y1) continue
      const x0 = segments[at]!
      if (x >= x0 + ((y - y0) / (y1 - y0)) * (segments[at + 2]! - x0)) inside = !inside
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
  const holds = holderOfParts(shape.parts)
  return (x, y) => inBox(x, y) && holds(x, y)
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

/** An ellipse as a polygon of its own area. */
export function trueRim({ x, y, width, height }: { x: number; y: number; width: number; height: number }, points: number): Ring {
  const turn = (2 * Math.PI) / points
  const out = Math.sqrt(turn / Math.sin(turn)) / 2
  return Array.from({ length: points }, (_, i): [number, number] => [
    x + width * (0.5 + out * Math.cos(i * turn)),
    y + height * (0.5 + out * Math.sin(i * turn)),
  ])
}
