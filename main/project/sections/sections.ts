// Two sections of one block: how the one lies on the other, and what is carried from it.
import type { Affine, CallArg, Carried, ImportedFile, RegionShape, SectionFit } from '../../../app/contract'
import { isArea, isPoints, regionTitle } from '../../../app/contract'
import { EngineError } from '../../base/errors'
import { breather } from '../../base/breather'
import { partsOf } from '../../base/shapes'
import type { Draft } from '../../run/analysis/analysis'
import type { Run } from '../../run/run'
import type { OpenSlide } from '../../slide/slides'
import type { Content, Placed } from '../document'
import { geoJsonOf } from '../geojsonFile/geojson'
import { importRegions } from '../geojsonFile/importing'
import { Reasons } from '../geojsonFile/reasons'
import { FileImport } from '../importing/fileImport'
import type { FileTools } from '../importing/fileImport'
import type { Projects } from '../projects'
import { apart, chained, described, determinant, fitted } from './affine'
import type { Pair, Place } from './affine'
import { CarriedObjects } from './carriedObjects'
import { movedShape } from './movedShape'
import { slideTissue } from './slideTissue'
import { tissueFit } from './tissueFit'

interface Scales {
  readonly unit: 'um' | 'px'
  readonly from: { readonly x: number; readonly y: number }
  readonly to: { readonly x: number; readonly y: number }
}

/** How long a px is on each slide. Throws INVALID_PARAMETER where one slide alone says. */
function scalesOf(from: OpenSlide, to: OpenSlide): Scales {
  const [a, b] = [from.info, to.info]
  const of = ({ mppX, mppY }: OpenSlide['info']) => (mppX && mppY ? { x: mppX, y: mppY } : null)
  const [first, second] = [of(a), of(b)]
  if ((first === null) !== (second === null))
    throw new EngineError(
      'INVALID_PARAMETER',
      `${first === null ? a.name : b.name} does not say how large its pixels are, and the other slide does. Set its pixel size first.`,
    )
  return first && second ? { unit: 'um', from: first, to: second } : { unit: 'px', from: { x: 1, y: 1 }, to: { x: 1, y: 1 } }
}

/** Throws INVALID_PARAMETER, SLIDE_UNREADABLE, CancelledError. */
export async function fitOf(
  projects: Projects,
  { from, to, by = 'tissue', pairs }: { from: OpenSlide; to: OpenSlide } & Pick<CallArg<'sections:fit'>, 'by' | 'pairs'>,
  threads: number,
  signal: AbortSignal,
): Promise<SectionFit> {
  const scales = scalesOf(from, to)
  if (!pairs && by === 'tissue') {
    const [first, second] = [
      await slideTissue(from, scales.from, threads, signal),
      await slideTissue(to, scales.to, threads, signal),
    ]
    const { map, medianUm, farUm, overlap } = await tissueFit(first, second)
    return {
      ...{ map: inPx(map, scales), by, unit: scales.unit, pairs: 0 },
      ...{ median: medianUm, far: farUm, overlap, ...described(map) },
    }
  }
  const given = pairs ?? (await markedOn(projects, from, to))
  const measured = given.map((pair): Pair => ({ from: scaled(pair.from, scales.from), to: scaled(pair.to, scales.to) }))
  const map = fitted(measured)
  const left = apart(map, measured).sort((a, b) => a - b)
  return {
    ...{ map: inPx(map, scales), by: pairs ? 'pairs' : by, unit: scales.unit, pairs: given.length },
    ...{ median: left[left.length >> 1]!, far: left.at(-1)!, ...described(map) },
  }
}

const scaled = ([x, y]: Place, by: { x: number; y: number }): Place => [x * by.x, y * by.y]

function inPx(map: Affine, { from, to }: Scales): Affine {
  const none = { xx: 1, xy: 0, yx: 0, yy: 1, dx: 0, dy: 0 }
  return chained(chained({ ...none, xx: from.x, yy: from.y }, map), { ...none, xx: 1 / to.x, yy: 1 / to.y })
}

/** Points that both slides have under one name, in their order. Throws INVALID_PARAMETER where there are none, or not as many. */
async function markedOn(projects: Projects, from: OpenSlide, to: OpenSlide): Promise<Pair[]> {
  const { content } = await projects.now((open) => open)
  const [first, second] = [
    pointsBy(content, projects.regionsOn(await projects.keyOf(from))),
    pointsBy(content, projects.regionsOn(await projects.keyOf(to))),
  ]
  const pairs: Pair[] = []
  for (const [title, places] of first) {
    const others = second.get(title)
    if (!others) continue
    if (others.length !== places.length)
      throw new EngineError(
        'INVALID_PARAMETER',
        `“${title}” has ${places.length} points on ${from.info.name} and ${others.length} on ${to.info.name}. Mark the same places on both, in the same order.`,
      )
    places.forEach((place, i) => pairs.push({ from: place, to: others[i]! }))
  }
  if (pairs.length === 0)
    throw new EngineError(
      'INVALID_PARAMETER',
      'No points of one name lie on both slides. Mark three or more places as points on each, in the same order, and name both alike.',
    )
  return pairs
}

function pointsBy({ classes }: Content, placed: readonly Placed[]): Map<string, Place[]> {
  const regions = placed.map(({ region }) => region)
  const found = new Map<string, Place[]>()
  for (const region of regions) {
    if (!isPoints(region.shape)) continue
    const title = regionTitle(region, regions, classes)
    found.set(title, [...(found.get(title) ?? []), ...region.shape.points])
  }
  return found
}

interface CarryAsked {
  readonly from: OpenSlide
  readonly to: OpenSlide
  readonly map: Affine
  readonly regions: boolean
  readonly objects: { readonly run: Run; readonly draft: Draft } | null
}

/** Objects first: ended there, nothing was carried. Throws INVALID_PARAMETER, OUTPUT_FAILED, CancelledError. */
export async function carried(
  tools: FileTools,
  { from, to, map, regions, objects }: CarryAsked,
  signal: AbortSignal,
): Promise<Carried> {
  if (!(Math.abs(determinant(map)) > 1e-6))
    throw new EngineError('INVALID_PARAMETER', 'The map flattens the slide: nothing can be carried by it.')
  if (!regions && !objects) throw new EngineError('INVALID_PARAMETER', 'Choose what is to be carried: regions, objects, or both.')
  const found = regions ? await regionsCarried(tools.projects, from, to, map) : null
  const came = objects && (await objectsCarried(tools, objects, map, from, signal))
  const added = found?.text ? await importRegions(tools.projects, found.text, to, signal, tools.emit) : none
  return {
    regions: found && { ...added, leftOut: [...found.leftOut, ...added.leftOut] },
    objects: came?.objects ?? null,
    leftOut: came?.objects ? [] : (came?.leftOut ?? []),
  }
}
const none = { added: 0, leftOut: [], repaired: [] }

/** As GeoJSON, without the points that both slides were laid on each other by; null: none lies on the slide. */
async function regionsCarried(
  projects: Projects,
  from: OpenSlide,
  to: OpenSlide,
  map: Affine,
): Promise<{ readonly text: string | null; readonly leftOut: string[] }> {
  const { content } = await projects.now((open) => open)
  const placed = projects.regionsOn(await projects.keyOf(from))
  const marked = pointsBy(content, projects.regionsOn(await projects.keyOf(to)))
  const own = placed.map(({ region }) => region)
  const chosen = own.filter((region) => !isPoints(region.shape) || !marked.has(regionTitle(region, own, content.classes)))
  if (chosen.length === 0) throw new EngineError('INVALID_PARAMETER', `${from.info.name} has no regions that could be carried.`)
  const { widthPx, heightPx } = to.info
  const moved = chosen
    .map((region) => ({ ...region, shape: movedShape(region.shape, map) }))
    .filter(({ shape }) => meets(shape, widthPx, heightPx))
  const beyond = new Reasons('region')
  for (let n = moved.length; n < chosen.length; n++) beyond.add('would lie beyond the slide')
  return { text: moved.length > 0 ? geoJsonOf(moved, content.classes) : null, leftOut: beyond.words() }
}

function meets(shape: RegionShape, widthPx: number, heightPx: number): boolean {
  const places = isArea(shape) ? partsOf(shape).flat(2) : shape.points
  const of = (axis: 0 | 1): [number, number] =>
    places.reduce(([low, high], place) => [Math.min(low, place[axis]), Math.max(high, place[axis])], [Infinity, -Infinity])
  const [[left, right], [top, bottom]] = [of(0), of(1)]
  return right >= 0 && bottom >= 0 && left <= widthPx && top <= heightPx
}

async function objectsCarried(
  tools: FileTools,
  { run, draft }: NonNullable<CarryAsked['objects']>,
  map: Affine,
  from: OpenSlide,
  signal: AbortSignal,
): Promise<ImportedFile> {
  const file = `${run.status().name} of ${from.info.name}`
  const coming = new FileImport(
    tools,
    draft,
    { file, length: 0 },
    (_breathe, stop) => new CarriedObjects(run, map, draft, breather(stop)),
  )
  return coming.end(signal)
}
