// How much of a shape lies in rectangles: exact areas, also where a shape reaches beyond its slide, or a part of it could not be read. Pure.
import type { Ring, Shape } from '../../app/contract'
import { areaOf, intersection } from './rect'
import type { PixelRect } from './rect'
import { areaOfShape, boxOf } from './shapes'

/** What of a rectangle lies in a shape, in its square px. Of a polygon whose rings cross neither themselves nor others. O(points). */
export function areaInside(shape: Shape, rect: PixelRect): number {
  const { minX, minY, maxX, maxY } = boxOf(shape)
  const part = intersection(rect, { x: minX, y: minY, width: maxX - minX, height: maxY - minY })
  if (!part) return 0
  if (shape.kind === 'rectangle') return areaOf(part)
  if (shape.kind === 'ellipse') {
    const [rx, ry] = [shape.width / 2, shape.height / 2]
    const [left, right] = [part.x, part.x + part.width].map((x) => (x - shape.x - rx) / rx) as [number, number]
    const [top, bottom] = [part.y, part.y + part.height].map((y) => (y - shape.y - ry) / ry) as [number, number]
    return rx * ry * areaOfDisc(left, right, top, bottom)
  }
  const clipped = clippedShape(shape, rect)
  return clipped ? areaOfShape(clipped) : 0
}

/** Rectangles may overlap each other: what several of them hold counts once. O(points · rectangles that the shape's box meets). */
export function areaInsideAll(shape: Shape, rects: readonly PixelRect[]): number {
  const { minX, minY, maxX, maxY } = boxOf(shape)
  const box = { x: minX, y: minY, width: maxX - minX, height: maxY - minY }
  return disjoint(rects.flatMap((rect) => intersection(rect, box) ?? [])).reduce((sum, rect) => sum + areaInside(shape, rect), 0)
}

/** The shape as far as it lies in a rectangle, an ellipse apart: that has no shape of ours then. null: they share nothing. */
export function clippedShape(shape: Exclude<Shape, { kind: 'ellipse' }>, rect: PixelRect): Shape | null {
  if (shape.kind === 'rectangle') {
    const part = intersection(shape, rect)
    return part && { kind: 'rectangle', ...part }
  }
  const [right, bottom] = [rect.x + rect.width, rect.y + rect.height]
  const parts = shape.parts.flatMap((rings) => {
    const [outer, ...holes] = rings.map((ring) => {
      const tall = halfOf(halfOf(ring, 1, rect.y, 1), 1, bottom, -1)
      return halfOf(halfOf(tall, 0, rect.x, 1), 0, right, -1)
    })
    return outer && outer.length > 2 ? [[outer, ...holes.filter((hole) => hole.length > 2)]] : []
  })
  return parts.length > 0 ? { kind: 'polygon', parts } : null
}

/** Sutherland and Hodgman 1974: the side of a line along an axis. What is left of a ring in pieces is joined along the line, which has no area. */
function halfOf(ring: Ring, axis: 0 | 1, at: number, side: 1 | -1): Ring {
  const kept: Ring = []
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const [from, to] = [ring[j]!, ring[i]!]
    const [a, b] = [side * (from[axis] - at), side * (to[axis] - at)]
    if (a > 0 !== b > 0 && a !== b) {
      const share = a / (a - b)
      const other = from[1 - axis]! + share * (to[1 - axis]! - from[1 - axis]!)
      kept.push(axis === 0 ? [at, other] : [other, at])
    }
    if (b > 0) kept.push(to)
  }
  return kept
}

/** Of the disc of radius 1 about the origin, what lies in a rectangle within its box. */
function areaOfDisc(left: number, right: number, top: number, bottom: number): number {
  return areaBelow(left, right, bottom) - areaBelow(left, right, top)
}

/** Of the disc what lies between two x, above (on the screen) a y: the integral of what a column has of it. */
function areaBelow(left: number, right: number, y: number): number {
  const half = Math.sqrt(Math.max(0, 1 - y * y))
  // Of sqrt(1 - x²), from 0.
  const arc = (x: number): number => (x * Math.sqrt(Math.max(0, 1 - x * x)) + Math.asin(Math.max(-1, Math.min(1, x)))) / 2
  const between = (from: number, to: number, column: (a: number, b: number) => number): number => {
    const [a, b] = [Math.max(left, from), Math.min(right, to)]
    return b > a ? column(a, b) : 0
  }
  // Where the line crosses the disc a column reaches to it; beside that it holds all of the disc, or nothing.
  const middle = between(-half, half, (a, b) => y * (b - a) + arc(b) - arc(a))
  if (y <= 0) return middle
  const whole = (a: number, b: number): number => 2 * (arc(b) - arc(a))
  return middle + between(-1, -half, whole) + between(half, 1, whole)
}

/** The same pixels as rectangles that share none. O(rows of edges · rectangles that each crosses). */
export function disjoint(rects: readonly PixelRect[]): PixelRect[] {
  const sorted = [...rects].filter((rect) => areaOf(rect) > 0).sort((a, b) => a.y - b.y)
  const edges = [...new Set(sorted.flatMap(({ y, height }) => [y, y + height]))].sort((a, b) => a - b)
  const found: PixelRect[] = []
  let open: PixelRect[] = []
  let next = 0
  for (let i = 0; i + 1 < edges.length; i++) {
    const [top, bottom] = [edges[i]!, edges[i + 1]!]
    open = open.filter(({ y, height }) => y + height > top)
    while (next < sorted.length && sorted[next]!.y <= top) open.push(sorted[next++]!)
    let last: PixelRect | undefined
    for (const { x, width } of [...open].sort((a, b) => a.x - b.x)) {
      const end = last ? last.x + last.width : -Infinity
      if (last && x <= end) last.width = Math.max(end, x + width) - last.x
      else found.push((last = { x, y: top, width, height: bottom - top }))
    }
  }
  return found
}
