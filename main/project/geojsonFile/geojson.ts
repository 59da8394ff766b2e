// Regions as QuPath's GeoJSON (0.4 and later) has annotations, both ways: valid simple features, which stay as they are to the point.
import { randomUUID } from 'node:crypto'
import { isArea, isPoints, mostRegions, RegionId, RegionOfInterest } from '../../../app/contract'
import type { DocumentCommand, RegionClass, RegionShape, Ring, Shape } from '../../../app/contract'
import { breather, finished, goingOver, inSteps } from '../../base/breather'
import type { Heard } from '../../base/breather'
import type { Corner } from '../../base/corner'
import { statedOrigin } from '../../base/corner'
import { EngineError } from '../../base/errors'
import { newEffort } from '../../base/planar/noded'
import type { Effort } from '../../base/planar/noded'
import { partsOf } from '../../base/shapes'
import { heldAs, resolved } from '../regions/combine'
import { namelessClasses, namelessRegions } from '../regions/nameless'
import type { Content, Placed } from '../document'
import { Classes } from './classes'
import { coreProperties, isTakenAsRegion } from './cores'
import { featureOf } from './features'
import { shapeIn } from './geometry'
import { movedBy, originIn } from './origin'
import { featuresOf } from './pieces'
import { Reasons } from './reasons'

type Position = [number, number]

/** QuPath closes its rings. */
const closed = (ring: Ring): Position[] => [...ring, ring[0]!]

function geometryOf(shape: RegionShape): object {
  if (!isArea(shape)) {
    const { points } = shape
    if (!isPoints(shape)) return { type: 'LineString', coordinates: points }
    return points.length === 1 ? { type: 'Point', coordinates: points[0] } : { type: 'MultiPoint', coordinates: points }
  }
  const parts = partsOf(validated(shape)).map((rings) => rings.map(closed))
  // QuPath's own mark, by which it draws an ellipse again.
  const marks = shape.kind === 'ellipse' ? { isEllipse: true } : {}
  return parts.length === 1
    ? { type: 'Polygon', coordinates: parts[0], ...marks }
    : { type: 'MultiPolygon', coordinates: parts, ...marks }
}

/** What an earlier version kept may cross itself; what cannot be worked out is written as it is. */
function validated(shape: Shape): Shape {
  try {
    return heldAs(shape).shape ?? shape
  } catch {
    return shape
  }
}

const rgbOf = (color: string): number[] => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))

/** `hidden`: without names that people have typed. `corner`: where the file's coordinates begin; null: at the slide's corner. */
export const geoJsonOf = (
  given: readonly RegionOfInterest[],
  givenClasses: readonly RegionClass[],
  hidden = false,
  corner: Corner | null = null,
): string => finished(geoJson(given, givenClasses, hidden, corner)).join('')

/** So many characters of the text are one of its pieces, about. */
const pieceLength = 2 ** 19

/** The same in pieces, a region at a time: as one text it would take the thread for long, here and in each place that it is handed to. */
function* geoJson(
  given: readonly RegionOfInterest[],
  givenClasses: readonly RegionClass[],
  hidden: boolean,
  corner: Corner | null,
): Generator<void, string[], void> {
  const regions = hidden ? namelessRegions(given) : given
  const classes = hidden ? namelessClasses(givenClasses) : givenClasses
  const pieces: string[] = []
  let text = `{"type":"FeatureCollection",${statedOrigin(corner)}"features":[`
  let isFirst = true
  for (const { id, name, classId, locked, shape, core } of regions) {
    const known = classes.find((each) => each.id === classId)
    const properties = {
      objectType: core ? 'tmaCore' : 'annotation',
      ...(name === '' ? {} : { name }),
      ...(known ? { classification: { name: known.name, color: rgbOf(known.color) } } : {}),
      isLocked: locked,
      ...(core && coreProperties(core)),
    }
    const geometry = geometryOf(corner ? movedBy(shape, -corner.x, -corner.y) : shape)
    text += `${isFirst ? '' : ','}\n${JSON.stringify({ type: 'Feature', id, geometry, properties })}`
    isFirst = false
    if (text.length >= pieceLength) {
      pieces.push(text)
      text = ''
    }
    yield
  }
  return [...pieces, `${text}\n]}\n`]
}

/**
 * In pieces, of a document's regions; `ids`: some of them. Others are answered meanwhile; `how.each` hears of each region. Throws CancelledError.
 */
export async function exportOf(
  placed: readonly Placed[],
  { classes }: Content,
  ids: readonly string[] | null,
  hidden: boolean,
  how: Heard,
  corner: Corner | null = null,
): Promise<string[]> {
  const [wanted, breathe] = [ids && new Set(ids), breather(how.signal)]
  const regions: RegionOfInterest[] = []
  const taking = goingOver(placed, ({ region }) => {
    if (!wanted || wanted.has(region.id)) regions.push(region)
  })
  await inSteps(taking, breathe)
  return inSteps(geoJson(regions, classes, hidden, corner), breathe, how.each)
}

export interface FromGeoJson {
  readonly regions: RegionOfInterest[]
  /** Those of the document and, behind them, those that the file adds. */
  readonly classes: RegionClass[]
  /** What is not taken, and what is taken otherwise than it is written: how many features, and why. */
  readonly leftOut: string[]
  readonly repaired: string[]
}

const crossed = 'crosses or covers itself: each ring encloses what it winds around, inner rings are cut out of the first one'

/**
 * Throws INVALID_PARAMETER where it is no GeoJSON. Detections are left out by count; so are shapes without an area, and what the document has no
 * room for. Areas become valid simple features. A region whose id is taken gets another. O(n log n) of the file, and bounded for what crosses itself.
 * `corner`: where its coordinates begin if it does not say so itself; null: at the slide's corner.
 */
export function regionsOf(text: string, slide: string, content: Content, corner: Corner | null = null): FromGeoJson {
  return finished(featureByFeature(text, slide, content, corner))
}

/** The same. Before each feature, and now and then, it gives the share that is done. */
function* featureByFeature(
  text: string,
  slide: string,
  content: Content,
  corner: Corner | null,
): Generator<number, FromGeoJson, void> {
  const from = originIn(text) ?? corner
  const classes = new Classes(content.classes)
  const regions: RegionOfInterest[] = []
  const taken = new Set(content.regions.keys())
  const room = mostRegions - content.regions.size
  const [left, repaired] = [new Reasons(), new Reasons()]
  const createdAt = new Date().toISOString()
  // Of all of its features together: some 4 s.
  const effort = newEffort(250_000)
  for (const { share, feature: found } of featuresOf(text)) {
    yield share
    if (!found) continue
    const feature = featureOf(found.value)
    if (!feature) {
      left.add('is no feature')
      continue
    }
    const { geometry, kind, id } = feature
    if (!isTakenAsRegion(kind)) {
      left.add(`is of the kind ${kind.slice(0, 40)}, not an annotation`)
      continue
    }
    if (regions.length >= room) {
      left.add(`has no room: a document holds ${mostRegions.toLocaleString('en')} regions`)
      continue
    }
    const shape = geometry ? shapeIn(geometry) : 'has no geometry'
    if (typeof shape === 'string') {
      left.add(shape)
      continue
    }
    const region = RegionOfInterest.safeParse({
      id: typeof id === 'string' && isUuid(id) && !taken.has(id.toLowerCase()) ? id.toLowerCase() : randomUUID(),
      slide,
      name: feature.name,
      classId: null,
      locked: feature.isLocked,
      shape: from ? movedBy(shape.shape, from.x, from.y) : shape.shape,
      createdAt,
      madeBy: 'import',
      ...(feature.core && { core: feature.core }),
    })
    if (!region.success) {
      left.add(faultOf(region.error.issues[0]))
      continue
    }
    const valid = validOf(region.data.shape, effort)
    if (typeof valid === 'string') {
      left.add(valid)
      continue
    }
    const classId = feature.className === '' ? null : classes.idOf(feature.className, feature.color)
    if (feature.className !== '' && classId === null) repaired.add('is without its class: a document holds 1,000 classes')
    if (valid.changed) repaired.add(crossed)
    if (shape.lessened) repaired.add('is without its parts or holes of less than three points')
    taken.add(region.data.id)
    regions.push({ ...region.data, classId, shape: valid.shape })
  }
  return { regions, classes: classes.all, leftOut: left.words(), repaired: repaired.words() }
}

const faultOf = (issue: { readonly path: readonly PropertyKey[]; readonly message: string } | undefined): string =>
  issue?.path[0] === 'shape'
    ? 'has coordinates, rings or points beyond what a region can hold'
    : `is not as it should be (${issue?.path.map(String).join('.')}: ${issue?.message})`

function validOf(shape: RegionShape, effort: Effort): { shape: RegionShape; changed: boolean } | string {
  if (!isArea(shape)) return { shape, changed: false }
  try {
    const { shape: valid, changed } = resolved(shape, effort)
    return valid ? { shape: valid, changed } : 'encloses no area'
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return 'crosses itself too often to be worked out'
  }
}

export interface ImportStep {
  /** null: there is nothing to add. */
  readonly command: DocumentCommand | null
  readonly added: number
  readonly leftOut: string[]
  readonly repaired: string[]
}

/** The regions of a file as one command. Throws INVALID_PARAMETER. */
export const importOf = (text: string, slide: string, content: Content): ImportStep =>
  importStep(regionsOf(text, slide, content), content)

/**
 * The same in small steps, between which this thread does what others ask for. `onProgress`: the share that is done.
 * Throws CancelledError as well.
 */
export async function importInSteps(
  text: string,
  slide: string,
  content: Content,
  signal: AbortSignal,
  onProgress: (fraction: number) => void,
  corner: Corner | null = null,
): Promise<ImportStep> {
  const breathe = breather(signal)
  await breathe()
  return importStep(await inSteps(featureByFeature(text, slide, content, corner), breathe, onProgress), content)
}

function importStep({ regions, classes, ...said }: FromGeoJson, content: Content): ImportStep {
  if (regions.length === 0) return { command: null, added: 0, ...said }
  const add = { type: 'regions:add', regions } as const
  if (classes.length === content.classes.length) return { command: add, added: regions.length, ...said }
  const name = `Import ${regions.length === 1 ? 'a region' : `${regions.length.toLocaleString('en')} regions`}`
  const command: DocumentCommand = { type: 'together', name, commands: [{ type: 'classes:set', classes }, add] }
  return { command, added: regions.length, ...said }
}

const isUuid = (id: string): boolean => id.length === 36 && RegionId.safeParse(id.toLowerCase()).success
