// Regions as QuPath's GeoJSON (0.4 and later) has annotations, both ways, to the point.
import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { isArea, isPoints, LineShape, mostPoints, RegionId, RegionOfInterest } from '../../app/contract'
import type { DocumentCommand, RegionClass, RegionShape, Ring, Shape } from '../../app/contract'
import { EngineError } from '../base/errors'
import { boxOf, partsOf } from '../base/shapes'
import { apply } from './document'
import type { Content } from './document'

type Position = [number, number]

/** QuPath closes its rings. */
const closed = (ring: Ring): Position[] => [...ring, ring[0]!]

function geometryOf(shape: RegionShape): object {
  if (!isArea(shape)) {
    const { points } = shape
    if (!isPoints(shape)) return { type: 'LineString', coordinates: points }
    return points.length === 1 ? { type: 'Point', coordinates: points[0] } : { type: 'MultiPoint', coordinates: points }
  }
  const parts = partsOf(shape).map((rings) => rings.map(closed))
  // QuPath's own mark, by which it draws an ellipse again.
  const marks = shape.kind === 'ellipse' ? { isEllipse: true } : {}
  return parts.length === 1
    ? { type: 'Polygon', coordinates: parts[0], ...marks }
    : { type: 'MultiPolygon', coordinates: parts, ...marks }
}

const rgbOf = (color: string): number[] => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
const hexOf = (rgb: readonly number[]): string => `#${rgb.map((part) => part.toString(16).padStart(2, '0')).join('')}`

export function geoJsonOf(regions: readonly RegionOfInterest[], classes: readonly RegionClass[]): string {
  const features = regions.map(({ id, name, classId, locked, shape }) => {
    const known = classes.find((each) => each.id === classId)
    const properties = {
      objectType: 'annotation',
      ...(name === '' ? {} : { name }),
      ...(known ? { classification: { name: known.name, color: rgbOf(known.color) } } : {}),
      isLocked: locked,
    }
    return JSON.stringify({ type: 'Feature', id, geometry: geometryOf(shape), properties })
  })
  return `{"type":"FeatureCollection","features":[${features.map((feature) => `\n${feature}`).join(',')}\n]}\n`
}

// A third number of a position is a height: QuPath writes none.
const position = z.tuple([z.number(), z.number()]).rest(z.number())
const rings = z.array(z.array(position))
const byte = z.number().int().min(0).max(255)
const Feature = z.object({
  // QuPath leaves it out where it is told to.
  id: z.unknown().optional(),
  geometry: z
    .object({
      type: z.string(),
      coordinates: z.unknown(),
      isEllipse: z.boolean().optional(),
      plane: z.object({ c: z.number().optional(), z: z.number().optional(), t: z.number().optional() }).optional(),
    })
    .nullable(),
  properties: z
    .object({
      objectType: z.string().optional(),
      /** QuPath 0.2 and 0.3. */
      object_type: z.string().optional(),
      name: z.string().nullish(),
      isLocked: z.boolean().optional(),
      classification: z
        .object({
          name: z.string().optional(),
          names: z.array(z.string()).optional(),
          color: z.tuple([byte, byte, byte]).optional(),
          colorRGB: z.number().int().optional(),
        })
        .nullish(),
    })
    .nullish(),
})
type Feature = z.infer<typeof Feature>

/** What such a file holds, at most. */
const maxFeatures = 100_000

export interface FromGeoJson {
  readonly regions: RegionOfInterest[]
  /** Those of the document and, behind them, those that the file adds. */
  readonly classes: RegionClass[]
  readonly leftOut: string[]
}

/**
 * Throws INVALID_PARAMETER where it is no GeoJSON. Detections are left out by count; so are shapes without an area. A
 * region whose id is taken gets another. A class of the same name is the document's, in its colour.
 */
export function regionsOf(text: string, slide: string, content: Content): FromGeoJson {
  const features = featuresOf(text)
  const classes = [...content.classes]
  const regions: RegionOfInterest[] = []
  const taken = new Set(content.regions.keys())
  const left = new Map<string, number>()
  const leave = (why: string): void => void left.set(why, (left.get(why) ?? 0) + 1)
  const createdAt = new Date().toISOString()
  for (const found of features) {
    const checked = Feature.safeParse(found)
    if (!checked.success) {
      leave('is no feature')
      continue
    }
    const { geometry, properties, id } = checked.data
    const kind = properties?.objectType ?? properties?.object_type ?? 'annotation'
    if (!/^(annotation|unknown|PathAnnotationObject|)$/.test(kind)) {
      leave(`is of the kind ${kind.slice(0, 40)}, not an annotation`)
      continue
    }
    const shape = geometry && shapeOf(geometry)
    if (!geometry || typeof shape === 'string' || !shape) {
      leave(geometry ? (shape as string) : 'has no geometry')
      continue
    }
    const region = RegionOfInterest.safeParse({
      id: typeof id === 'string' && !taken.has(id.toLowerCase()) && isUuid(id) ? id.toLowerCase() : randomUUID(),
      slide,
      name: clean(properties?.name ?? ''),
      classId: classFor(properties?.classification ?? null, classes),
      locked: properties?.isLocked ?? false,
      shape,
      createdAt,
      madeBy: 'import',
    })
    if (!region.success) {
      leave(`is not as it should be (${region.error.issues[0]?.path.join('.')}: ${region.error.issues[0]?.message})`)
      continue
    }
    taken.add(region.data.id)
    regions.push(region.data)
  }
  const leftOut = [...left].map(([why, n]) => (n === 1 ? `1 feature ${why}` : `${n.toLocaleString('en')} features: each ${why}`))
  return { regions, classes, leftOut }
}

/** The regions of a file as one command; null: there are none. Throws INVALID_PARAMETER. */
export function importOf(
  text: string,
  slide: string,
  content: Content,
): { command: DocumentCommand | null; added: number; leftOut: string[] } {
  const { regions, classes, leftOut } = regionsOf(text, slide, content)
  if (regions.length === 0) return { command: null, added: 0, leftOut }
  const add = { type: 'regions:add', regions } as const
  if (classes.length === content.classes.length) return { command: add, added: regions.length, leftOut }
  const { name } = apply({ ...content, classes }, add)
  const command: DocumentCommand = { type: 'together', name, commands: [{ type: 'classes:set', classes }, add] }
  return { command, added: regions.length, leftOut }
}

function featuresOf(text: string): unknown[] {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch (error) {
    throw new EngineError('INVALID_PARAMETER', `This is no GeoJSON: ${error instanceof Error ? error.message : String(error)}.`)
  }
  // QuPath's older versions wrote a bare list.
  const features = Array.isArray(document)
    ? (document as unknown[])
    : (document as { type?: unknown } | null)?.type === 'Feature'
      ? [document]
      : (document as { features?: unknown } | null)?.features
  if (!Array.isArray(features))
    throw new EngineError('INVALID_PARAMETER', 'expected a FeatureCollection for the GeoJSON but received none.')
  if (features.length > maxFeatures)
    throw new EngineError(
      'INVALID_PARAMETER',
      `expected at most ${maxFeatures.toLocaleString('en')} features for the GeoJSON but received ${features.length.toLocaleString('en')}.`,
    )
  return features as unknown[]
}

/** The shape, or why there is none. */
function shapeOf({ type, coordinates, isEllipse, plane }: NonNullable<Feature['geometry']>): RegionShape | string {
  if (plane && ((plane.z ?? 0) !== 0 || (plane.t ?? 0) !== 0)) return 'lies in another plane of the image'
  if (type === 'Point' || type === 'MultiPoint') return pointsOf(type === 'Point' ? [coordinates] : coordinates)
  if (type === 'LineString' || type === 'MultiLineString') return lineOf(type, coordinates)
  if (type !== 'Polygon' && type !== 'MultiPolygon')
    return `has the geometry ${type.slice(0, 40)}, which is neither an area nor points nor a line`
  const checked = z.array(rings).safeParse(type === 'Polygon' ? [coordinates] : coordinates)
  if (!checked.success || checked.data.length === 0) return `has no coordinates of a ${type}`
  const parts = checked.data.map((part) => part.map((ring) => opened(ring.map(([x, y]): Position => [x, y]))))
  if (parts.some((part) => part.length === 0 || part.some((ring) => ring.length < 3)))
    return 'has a ring of less than three points'
  const shape: Shape = { kind: 'polygon', parts }
  const { minX, minY, maxX, maxY } = boxOf(shape)
  if (!(maxX > minX && maxY > minY)) return 'has no area'
  const box = { x: minX, y: minY, width: maxX - minX, height: maxY - minY }
  if (isEllipse) return { kind: 'ellipse', ...box }
  return isRectangle(parts, box) ? { kind: 'rectangle', ...box } : shape
}

function pointsOf(coordinates: unknown): RegionShape | string {
  const checked = z.array(position).safeParse(coordinates)
  if (!checked.success || checked.data.length === 0) return 'has no coordinates of points'
  if (checked.data.length > mostPoints) return `has more than ${mostPoints.toLocaleString('en')} points`
  return { kind: 'points', points: checked.data.map(([x, y]): Position => [x, y]) }
}

/** One way; what QuPath draws with its tools for lines is one. */
function lineOf(type: string, coordinates: unknown): RegionShape | string {
  const parts = type === 'LineString' ? [coordinates] : z.array(z.unknown()).max(1).safeParse(coordinates).data
  if (!parts) return 'is more than one line'
  const checked = z.array(position).safeParse(parts[0])
  if (!checked.success || checked.data.length < 2) return 'has no coordinates of a line'
  const shape = LineShape.safeParse({ kind: 'line', points: checked.data.map(([x, y]): Position => [x, y]) })
  return shape.success ? shape.data : 'is a line of more points than a region can hold'
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

const isUuid = (id: string): boolean => RegionId.safeParse(id.toLowerCase()).success
const clean = (name: string): string =>
  name
    .replace(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, 200)

/** The class's id; one that is not among `classes` is put there. */
function classFor(found: NonNullable<Feature['properties']>['classification'], classes: RegionClass[]): string | null {
  const name = clean(found?.name ?? found?.names?.join(': ') ?? '')
  if (!found || name === '') return null
  const known = classes.find((each) => each.name === name)
  if (known) return known.id
  const stem =
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 30) || 'class'
  let id = stem
  for (let n = 2; classes.some((each) => each.id === id); n++) id = `${stem}-${n}`
  const packed = found.colorRGB ?? 0x808080
  const color = hexOf(found.color ?? [(packed >> 16) & 255, (packed >> 8) & 255, packed & 255])
  classes.push({ id, name, color })
  return id
}
