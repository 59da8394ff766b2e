// The shapes that a laser cuts: outlines of chosen objects, simplified, in an order that moves the stage little.
import { mostLaserShapes } from '../../../app/contract'
import type { LaserRequest, ObjectClass } from '../../../app/contract'
import { EngineError } from '../../base/errors'
import { plainText } from '../../base/plainText'
import { classOf } from '../../run/objects/objectClasses'
import type { ObjectList } from '../../run/objects/objectList'
import type { RunResult } from '../../run/objects/result'
import { Columns } from '../../table/columns'
import { filterRows } from '../../table/expression'
import { calibrationOf } from '../calibration'
import type { ExportJob, ObjectRegions } from '../exporter'
import { formattedObjects, uuidPrefix } from '../tables/objectText'
import type { LaserShape, Point } from './affine'

/** Made once for both files. INVALID_PARAMETER: the filter or region is wrong, or they are more than a file may hold. */
export function laserShapes(job: ExportJob): Promise<readonly LaserShape[]> {
  return (job.shared.laserShapes ??= madeShapes(job, job.laser!))
}

async function madeShapes(job: ExportJob, laser: LaserRequest): Promise<LaserShape[]> {
  const { result } = job
  const places = chosenPlaces(result, laser, job.objectRegions)
  refuseMore(places.length, 'objects are chosen')
  if (places.length === 0) job.warnings.push('No object is chosen for the laser: its file has no shape.')
  const objects = result.objects.only(places)
  const { perAnalysedPx } = calibrationOf(result)
  const { cells = false } = laser
  if (cells && result.cellsAt === undefined)
    throw new EngineError('INVALID_PARAMETER', 'The run has no cells to cut: give its recipe a cell expansion, or cut nuclei.')
  const wellOf = wellsOf(result, laser)
  const shapes: LaserShape[] = []
  let holes = 0
  const format = {
    kind: 'columns' as const,
    uuidPrefix: uuidPrefix(job),
    scale: result.scale,
    simplifyPx: laser.tolerance / perAnalysedPx,
    values: [],
    cells,
  }
  for await (const { bytes, begin, end } of formattedObjects({ ...job, result: { ...result, objects } }, format)) {
    // Behind the objects' UUIDs.
    const outlines = new DataView(bytes.buffer, bytes.byteOffset + 16 * (end - begin), bytes.byteLength - 16 * (end - begin))
    for (let i = begin, at = 0; i < end; i++) {
      const own = classAt(result, objects, i)
      const className = plainText(own?.label ?? '')
      // Of each object its nucleus comes first, then its cell.
      if (cells) at += 4 + outlines.getUint32(at, true)
      for (const [outer, ...inner] of polygonsIn(outlines, at + 4)) {
        shapes.push({ number: objects.numbers![i]!, className, well: wellOf(own), ring: outer! })
        holes += inner.length
      }
      at += 4 + outlines.getUint32(at, true)
    }
  }
  refuseMore(shapes.length, 'shapes are chosen, as some objects are of several parts')
  const nowhere = shapes.filter(({ well }) => well === '').length
  if (laser.wells && nowhere > 0)
    job.warnings.push(`${nowhere} ${nowhere === 1 ? 'shape has' : 'shapes have'} no well: no well is given for their class.`)
  if (holes > 0) job.warnings.push(`${holes} ${holes === 1 ? 'hole is' : 'holes are'} not cut: the laser follows outer outlines.`)
  return byNearest(shapes, laser.marks[0])
}

/** INVALID_PARAMETER: a well is given for a class that the run does not have. */
function wellsOf({ marks, classes }: RunResult, { wells = [] }: LaserRequest): (of: ObjectClass | null | undefined) => string {
  const known = (marks?.classAt ? marks.classes : classes?.classes) ?? []
  const unknown = wells.find((each) => !known.some(({ id, label }) => id === each.class || label === each.class))
  if (unknown)
    throw new EngineError(
      'INVALID_PARAMETER',
      `expected ${known.length > 0 ? `wells for the classes ${known.map(({ label }) => label).join(', ')}` : 'no wells, as the run has no classes,'} but received ${unknown.class}.`,
    )
  return (of) => wells.find((each) => each.class === of?.id || each.class === of?.label)?.well ?? ''
}

const classAt = ({ marks, classes }: RunResult, objects: ObjectList, place: number): ObjectClass | null | undefined =>
  marks?.classAt ? marks.classes[marks.classAt[objects.ids[place]!]!] : classes && classOf(classes, objects.at(place))

function refuseMore(count: number, words: string): void {
  if (count > mostLaserShapes)
    throw new EngineError(
      'INVALID_PARAMETER',
      `${count} ${words}, and a file for the laser holds ${mostLaserShapes} at most. Choose fewer by a filter or a region.`,
    )
}

/** Rising. */
function chosenPlaces(result: RunResult, { filter = '', region }: LaserRequest, regions: ObjectRegions | null): Uint32Array {
  const { objects, status, spec } = result
  const columns = new Columns(objects, { ...result, analysedMpp: status.analysedMpp, stainSet: spec.stainSet })
  // Those that were deleted are not here: the numbers of the others have gaps.
  const numbered = (key: string): Float64Array =>
    key === 'id' && objects.numbers ? Float64Array.from(objects.numbers) : columns.values(key)
  const { columns: known, classes } = columns
  const mask = filterRows(filter, { length: objects.length, columns: known, classes, values: numbered })
  const holders = region === undefined ? null : holdersOf(region, regions)
  const places = new Uint32Array(objects.length)
  let n = 0
  for (let place = 0; place < objects.length; place++)
    if ((!mask || mask[place] === 1) && (!holders || holders[regions!.at[objects.ids[place]!] ?? 0])) places[n++] = place
  return places.subarray(0, n)
}

/** Of each group of regions whether one of that title is among them. */
function holdersOf(title: string, regions: ObjectRegions | null): boolean[] {
  const areas = regions?.areas ?? []
  if (!areas.some((area) => area.title === title))
    throw new EngineError(
      'INVALID_PARAMETER',
      `expected ${areas.length > 0 ? `one of the regions ${[...new Set(areas.map((area) => area.title))].join(', ')}` : 'no region, as the slide has none with an area,'} but received ${title}.`,
    )
  return regions!.holders.map((held) => held.some((area) => areas[area]!.title === title))
}

/** Of well-known binary, whose length is known by now: rings of each polygon, the outer first. */
export function* polygonsIn(view: DataView, start: number): Generator<Point[][]> {
  let at = start
  const whole = (): number => view.getUint32((at += 4) - 4, true)
  const kind = (): number => ((at += 1), whole())
  const multi = 6
  const first = kind()
  const count = first === multi ? whole() : 1
  for (let polygon = 0; polygon < count; polygon++) {
    if (first === multi) kind()
    const rings = whole()
    yield Array.from({ length: rings }, () =>
      Array.from({ length: whole() }, (): Point => {
        at += 16
        return [view.getFloat64(at - 16, true), view.getFloat64(at - 8, true)]
      }),
    )
  }
}

/** Each next one is the nearest to the one before, by their middles; the first is nearest to `from`. O(n²), of at most ten thousand. */
export function byNearest(shapes: readonly LaserShape[], from: Point): LaserShape[] {
  const xs = new Float64Array(shapes.length)
  const ys = new Float64Array(shapes.length)
  shapes.forEach(({ ring }, i) => ([xs[i], ys[i]] = middleOf(ring)))
  const left = Uint32Array.from(shapes, (_, i) => i)
  let [x, y] = from
  return shapes.map((_, done) => {
    let best = done
    let least = Infinity
    for (let k = done; k < left.length; k++) {
      const d = (xs[left[k]!]! - x) ** 2 + (ys[left[k]!]! - y) ** 2
      // Of two as near, that which is first in the files.
      if (d < least || (d === least && left[k]! < left[best]!)) [best, least] = [k, d]
    }
    const next = left[best]!
    left[best] = left[done]!
    ;[x, y] = [xs[next]!, ys[next]!]
    return shapes[next]!
  })
}

/** Of its box. */
function middleOf(ring: readonly Point[]): [number, number] {
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [x, y] of ring) {
    minX = Math.min(minX, x)
    maxX = Math.max(maxX, x)
    minY = Math.min(minY, y)
    maxY = Math.max(maxY, y)
  }
  return [(minX + maxX) / 2, (minY + maxY) / 2]
}
