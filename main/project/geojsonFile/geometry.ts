// A GeoJSON geometry as a shape, valid or not yet: what of it has no area is left out of it, and said. Pure.
import { LineShape, mostPoints } from '../../../app/contract'
import type { RegionShape, Ring, Shape } from '../../../app/contract'
import { boxOf } from '../../base/shapes'
import { QuickRing } from './quickFeature'

type Position = [number, number]

/** `lessened`: parts or holes without an area are not in it. */
export interface FoundShape {
  readonly shape: RegionShape
  readonly lessened: boolean
}

/** The shape, or why there is none. */
export function shapeIn(geometry: Readonly<Record<string, unknown>>): FoundShape | string {
  const { isEllipse, plane } = geometry
  const coordinates = geometry.coordinates instanceof QuickRing ? geometry.coordinates.nested() : geometry.coordinates
  const type = String(geometry.type)
  if (isElsewhere(plane)) return 'lies in another plane of the image'
  if (type === 'Point' || type === 'MultiPoint') return pointsOf(type === 'Point' ? [coordinates] : coordinates)
  if (type === 'LineString' || type === 'MultiLineString') return lineOf(type, coordinates)
  if (type !== 'Polygon' && type !== 'MultiPolygon')
    return `has the geometry ${type.slice(0, 40)}, which is neither an area nor points nor a line`
  const found = partsOf(type === 'Polygon' ? [coordinates] : coordinates)
  if (!found) return `has no coordinates of a ${type}`
  const { parts, lessened } = found
  if (parts.length === 0) return 'has a ring of less than three points'
  const shape: Shape = { kind: 'polygon', parts }
  const { minX, minY, maxX, maxY } = boxOf(shape)
  if (!(maxX > minX && maxY > minY)) return 'has no area'
  const box = { x: minX, y: minY, width: maxX - minX, height: maxY - minY }
  if (isEllipse === true) return { shape: { kind: 'ellipse', ...box }, lessened }
  return { shape: isRectangle(parts, box) ? { kind: 'rectangle', ...box } : shape, lessened }
}

function isElsewhere(plane: unknown): boolean {
  if (typeof plane !== 'object' || plane === null) return false
  const { z, t } = plane as { z?: unknown; t?: unknown }
  return [z, t].some((at) => typeof at === 'number' && at !== 0)
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

/** A third number of a position is a height: QuPath writes none. null: not all of them are positions. */
function positionsOf(value: unknown): Position[] | null {
  if (!Array.isArray(value)) return null
  const points: Position[] = []
  for (const each of value as unknown[]) {
    if (!Array.isArray(each) || !isNumber(each[0]) || !isNumber(each[1])) return null
    // JSON's -0 is 0.
    points.push([each[0] + 0, each[1] + 0])
  }
  return points
}

/** null: not all of it is rings of positions, or there is nothing. */
function partsOf(value: unknown): { parts: Ring[][]; lessened: boolean } | null {
  if (!Array.isArray(value) || value.length === 0) return null
  const parts: Ring[][] = []
  let [lessened, rings] = [false, 0]
  for (const each of value as unknown[]) {
    if (!Array.isArray(each)) return null
    const part: Ring[] = []
    for (const [at, ring] of (each as unknown[]).entries()) {
      const points = positionsOf(ring)
      if (!points) return null
      rings += 1
      const own = opened(points)
      if (own.length >= 3) part.push(own)
      else {
        lessened = true
        // Without an outer ring its holes are holes in nothing.
        if (at === 0) break
      }
    }
    if (part.length > 0) parts.push(part)
    else lessened = true
  }
  return rings === 0 ? null : { parts, lessened }
}

function pointsOf(coordinates: unknown): FoundShape | string {
  const points = positionsOf(coordinates)
  if (!points || points.length === 0) return 'has no coordinates of points'
  if (points.length > mostPoints) return `has more than ${mostPoints.toLocaleString('en')} points`
  return { shape: { kind: 'points', points }, lessened: false }
}

/** One way; what QuPath draws with its tools for lines is one. */
function lineOf(type: string, coordinates: unknown): FoundShape | string {
  const parts: unknown[] | null = type === 'LineString' ? [coordinates] : Array.isArray(coordinates) ? coordinates : null
  if (!parts || parts.length > 1) return 'is more than one line'
  const points = positionsOf(parts[0])
  if (!points || points.length < 2) return 'has no coordinates of a line'
  const shape = LineShape.safeParse({ kind: 'line', points })
  return shape.success ? { shape: shape.data, lessened: false } : 'is a line of more points than a region can hold'
}

function opened(ring: Position[]): Ring {
  const [first, last] = [ring[0], ring.at(-1)]
  return ring.length > 1 && first![0] === last![0] && first![1] === last![1] ? ring.slice(0, -1) : ring
}

/** Four corners of a box, one after the other. A box whose far side is not start + size to the bit stays a polygon. */
function isRectangle(parts: readonly Ring[][], { x, y, width, height }: Record<'x' | 'y' | 'width' | 'height', number>): boolean {
  if (parts.length !== 1 || parts[0]!.length !== 1 || parts[0]![0]!.length !== 4) return false
  const ring = parts[0]![0]!
  const corners = ring.map(([px, py]) => (px === x ? 0 : px === x + width ? 1 : 9) + (py === y ? 0 : py === y + height ? 2 : 9))
  return (
    corners.every((corner, i) => corner <= 3 && [1, 2].includes(corner ^ corners[(i + 1) % 4]!)) && new Set(corners).size === 4
  )
}
