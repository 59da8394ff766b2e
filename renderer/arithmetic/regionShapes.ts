// Shapes under the hand: from what the pointer drew to a shape, and from a shape to its lines and handles. Pure; level-0 px.
import { isArea, isPoints, type LineShape, type Region, type RegionShape, type Shape } from '../../app/contract'
import type { Point } from './geometry'

export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}
type Ring = [number, number][]

export function boxOfShape(shape: RegionShape): Box {
  if (isArea(shape) && shape.kind !== 'polygon') return shape
  const points = !isArea(shape) ? shape.points : shape.parts.flatMap(([outer]) => outer ?? [])
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [x, y] of points) {
    left = Math.min(left, x)
    right = Math.max(right, x)
    top = Math.min(top, y)
    bottom = Math.max(bottom, y)
  }
  return { x: left, y: top, width: right - left, height: bottom - top }
}

/** Whole pixels around it. */
export function toRegion({ x, y, width, height }: Box): Region {
  const left = Math.floor(x)
  const top = Math.floor(y)
  return { x: left, y: top, width: Math.max(1, Math.ceil(x + width) - left), height: Math.max(1, Math.ceil(y + height) - top) }
}

/** To a quarter of a pixel: a hand is no finer. */
const fine = (value: number): number => Math.round(value * 4) / 4

/** null: nothing that has an area. `least`: a screen px or so, level-0 px. */
export function shapeOfDrawing(
  tool: 'rectangle' | 'ellipse' | 'polygon' | 'freehand',
  points: readonly Point[],
  least: number,
): Shape | null {
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last) return null
  if (tool === 'rectangle' || tool === 'ellipse') {
    const x = fine(Math.min(first.x, last.x))
    const y = fine(Math.min(first.y, last.y))
    const width = fine(Math.max(first.x, last.x)) - x
    const height = fine(Math.max(first.y, last.y)) - y
    return width > least && height > least ? { kind: tool, x, y, width, height } : null
  }
  const ring = (tool === 'freehand' ? simplified(points, least / 2) : points).map(({ x, y }): [number, number] => [
    fine(x),
    fine(y),
  ])
  // A double click puts its point twice.
  const apart = ring.filter(([x, y], i) => {
    const [px, py] = ring[(i + ring.length - 1) % ring.length]!
    return x !== px || y !== py
  })
  return apart.length >= 3 ? { kind: 'polygon', parts: [[apart]] } : null
}

/** Douglas and Peucker: leaves out what lies nearer than `tolerance` to the line without it. Cost: n log n as a rule. */
export function simplified(points: readonly Point[], tolerance: number): Point[] {
  if (points.length < 3) return [...points]
  const keep = new Uint8Array(points.length)
  keep[0] = keep[points.length - 1] = 1
  const open: [number, number][] = [[0, points.length - 1]]
  for (let range = open.pop(); range; range = open.pop()) {
    const [from, to] = range
    let most = tolerance * tolerance
    let at = -1
    for (let i = from + 1; i < to; i++) {
      const far = squaredToLine(points[i]!, points[from]!, points[to]!)
      if (far <= most) continue
      most = far
      at = i
    }
    if (at < 0) continue
    keep[at] = 1
    open.push([from, at], [at, to])
  }
  return points.filter((_, i) => keep[i] === 1)
}

/** A zigzag asks this of every pair of its points: no arrays, no root. */
function squaredToLine(p: Point, a: Point, b: Point): number {
  const dx = b.x - a.x
  const dy = b.y - a.y
  const length = dx * dx + dy * dy
  const along = length === 0 ? 0 : Math.min(1, Math.max(0, ((p.x - a.x) * dx + (p.y - a.y) * dy) / length))
  const x = p.x - a.x - along * dx
  const y = p.y - a.y - along * dy
  return x * x + y * y
}

const distanceToLine = (p: Point, a: Point, b: Point): number => Math.sqrt(squaredToLine(p, a, b))

/** For an SVG path, to a hundredth of a pixel. Points are lines of no length, which round caps make dots. */
export function pathOf(shape: RegionShape): string {
  const n = (value: number): string => String(Math.round(value * 100) / 100)
  if (shape.kind === 'points') return shape.points.map(([x, y]) => `M${n(x)} ${n(y)}h0`).join('')
  if (shape.kind === 'line') return `M${shape.points.map(([x, y]) => `${n(x)} ${n(y)}`).join('L')}`
  if (shape.kind === 'polygon')
    return shape.parts.flatMap((rings) => rings.map((ring) => `M${ring.map(([x, y]) => `${n(x)} ${n(y)}`).join('L')}Z`)).join('')
  const { x, y, width, height } = shape
  if (shape.kind === 'rectangle') return `M${n(x)} ${n(y)}h${n(width)}v${n(height)}h${n(-width)}Z`
  const [rx, ry] = [n(width / 2), n(height / 2)]
  return `M${n(x)} ${n(y + height / 2)}a${rx} ${ry} 0 1 0 ${n(width)} 0a${rx} ${ry} 0 1 0 ${n(-width)} 0Z`
}

/** What is moved as a whole and pulled by its handles: all but points, of which each is taken by itself. */
export type Handled = Shape | LineShape

export function moved(shape: Handled, dx: number, dy: number): Handled {
  if (shape.kind === 'line') return { ...shape, points: shape.points.map(([x, y]) => [x + fine(dx), y + fine(dy)]) }
  if (shape.kind !== 'polygon') return { ...shape, x: fine(shape.x + dx), y: fine(shape.y + dy) }
  return mapRings(shape.parts, (ring) => ring.map(([x, y]) => [x + fine(dx), y + fine(dy)]))
}

/** A vertex of a polygon by its part, ring and place; a corner of a box by its place. */
export interface Handle {
  readonly part: number
  readonly ring: number
  readonly at: number
  readonly x: number
  readonly y: number
}

/** More than a hand can tell apart: a region of more vertices is moved as a whole, cut and added to. */
const mostHandles = 400

export function handlesOf(shape: RegionShape): Handle[] {
  // Each is taken by itself: see nearestPoint.
  if (isPoints(shape)) return []
  if (shape.kind === 'line') {
    const all = shape.points.map(([x, y], at): Handle => ({ part: 0, ring: 0, at, x, y }))
    return all.length > mostHandles ? [] : all
  }
  if (shape.kind !== 'polygon') {
    const { x, y, width, height } = shape
    return [
      [x, y],
      [x + width, y],
      [x + width, y + height],
      [x, y + height],
    ].map(([hx, hy], at) => ({ part: 0, ring: 0, at, x: hx!, y: hy! }))
  }
  const all = shape.parts.flatMap((rings, part) =>
    rings.flatMap((points, ring) => points.map(([x, y], at): Handle => ({ part, ring, at, x, y }))),
  )
  return all.length > mostHandles ? [] : all
}

/** A handle pulled to a point. Of a box the opposite corner stays. null: nothing would be left. */
export function pulled(shape: Handled, handle: Handle, to: Point): Handled | null {
  if (shape.kind === 'line') return { ...shape, points: shape.points.with(handle.at, placeOf(to)) }
  if (shape.kind !== 'polygon') {
    const opposite = handlesOf(shape)[(handle.at + 2) % 4]!
    return shapeOfDrawing(shape.kind, [opposite, to], 0)
  }
  return withRing(shape, handle, (ring) => ring.with(handle.at, [fine(to.x), fine(to.y)]))
}

/** Without a vertex; null: a ring of two points is none, nor a line of one. */
export function withoutVertex(shape: Handled, handle: Handle): Handled | null {
  if (shape.kind === 'line') return shape.points.length > 2 ? { ...shape, points: shape.points.toSpliced(handle.at, 1) } : null
  if (shape.kind !== 'polygon' || shape.parts[handle.part]![handle.ring]!.length <= 3) return null
  return withRing(shape, handle, (ring) => ring.toSpliced(handle.at, 1))
}

/** A new vertex on the edge that is nearest to a point. */
export function withVertexNear(shape: Shape, point: Point): Shape {
  if (shape.kind !== 'polygon') return shape
  let best = { far: Infinity, part: 0, ring: 0, at: 0 }
  shape.parts.forEach((rings, part) =>
    rings.forEach((points, ring) =>
      points.forEach(([x, y], at) => {
        const [nx, ny] = points[(at + 1) % points.length]!
        const far = distanceToLine(point, { x, y }, { x: nx, y: ny })
        if (far < best.far) best = { far, part, ring, at: at + 1 }
      }),
    ),
  )
  return withRing(shape, best, (ring) => ring.toSpliced(best.at, 0, [fine(point.x), fine(point.y)]))
}

type Polygon = Extract<Shape, { kind: 'polygon' }>
const mapRings = (parts: Polygon['parts'], change: (ring: Ring, part: number, at: number) => Ring): Polygon => ({
  kind: 'polygon',
  parts: parts.map((rings, part) => rings.map((ring, at) => change(ring, part, at))),
})
const withRing = (shape: Polygon, place: { part: number; ring: number }, change: (ring: Ring) => Ring): Polygon =>
  mapRings(shape.parts, (ring, part, at) => (part === place.part && at === place.ring ? change(ring) : ring))

/** The place of the point that is nearest, and no farther than so many px; null: there is none. */
export function nearestPoint(points: readonly (readonly [number, number])[], to: Point, most: number): number | null {
  let [best, at] = [most, -1]
  points.forEach(([x, y], i) => {
    const far = Math.hypot(x - to.x, y - to.y)
    if (far <= best) [best, at] = [far, i]
  })
  return at < 0 ? null : at
}

/** A way that was drawn; null: it is no longer than a slip of the hand. Points that follow each other are not the same. */
export function lineOfDrawing(points: readonly Point[], least: number): LineShape | null {
  const ring = points.map(placeOf)
  const apart = ring.filter(([x, y], i) => i === 0 || x !== ring[i - 1]![0] || y !== ring[i - 1]![1])
  const far = apart.some(([x, y]) => Math.hypot(x - apart[0]![0], y - apart[0]![1]) > least)
  return apart.length >= 2 && far ? { kind: 'line', points: apart.slice(0, 10_000) } : null
}

/** A place as it is kept. */
export const placeOf = ({ x, y }: Point): [number, number] => [fine(x), fine(y)]

/** Whether a point lies in an area (even-odd), or at most `reach` beside a line or a point. */
export function holdsPoint(shape: RegionShape, { x, y }: Point, reach: number): boolean {
  if (shape.kind === 'points') return nearestPoint(shape.points, { x, y }, reach) !== null
  if (shape.kind === 'line')
    return shape.points.some(([x1, y1], i) => {
      const [x0, y0] = shape.points[Math.max(0, i - 1)]!
      const [dx, dy] = [x1 - x0, y1 - y0]
      const t = Math.max(0, Math.min(1, ((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy || 1)))
      return Math.hypot(x - x0 - t * dx, y - y0 - t * dy) <= reach
    })
  if (shape.kind !== 'polygon') {
    const { x: left, y: top, width, height } = shape
    const [u, v] = [(x - left) / width, (y - top) / height]
    return shape.kind === 'ellipse' ? (2 * u - 1) ** 2 + (2 * v - 1) ** 2 < 1 : u >= 0 && v >= 0 && u < 1 && v < 1
  }
  let inside = false
  for (const ring of shape.parts.flat())
    ring.forEach(([x1, y1], i) => {
      const [x0, y0] = ring.at(i - 1)!
      if (y1 > y !== y0 > y && x < ((x0 - x1) * (y - y1)) / (y0 - y1) + x1) inside = !inside
    })
  return inside
}
