// Whether a part of a run is what one window on the CPU finds there: every object, its outline and its figures, to the bit.
import type { Region, RunStatus, RunVerification } from '../../app/contract'
import { stainStatisticKeys } from '../../app/contract'
import { MEASUREMENT_FIELDS } from '../../native/index'
import type { CancelToken, MeasurementField } from '../../native/index'
import { EngineError } from '../base/errors'
import { areaOf, contains, intersects } from '../base/rect'
import type { PixelRect } from '../base/rect'
import type { Analysis } from './analysis/analysis'
import { computeBlock } from './tiles/computeTile'
import type { ObjectStore } from './objects/objectStore'
import type { RunOrder } from './request/order'
import { regionInGrid, regionOnSlide, tilesIn } from './plan/plan'
import type { StainField } from './objects/packedObjects'
import type { RunObject } from './objects/result'

/** What one window may be: it is computed whole, and beside nothing. */
const maxPixels = 16 * 2 ** 20
const randomSidePx = 1024

/** Every figure of an object but its stains', which are asked for by statistic and channel. */
const numbers = MEASUREMENT_FIELDS.filter((field): field is Exclude<MeasurementField, StainField> => !/^stain\d/.test(field))

/** Squares of the region, anywhere in it; the whole of it where it is smaller. Analysed px. */
export function randomParts(region: PixelRect, count: number, random: () => number = Math.random): PixelRect[] {
  const width = Math.min(randomSidePx, region.width)
  const height = Math.min(randomSidePx, region.height)
  return Array.from({ length: count }, () => ({
    x: region.x + Math.floor(random() * (region.width - width + 1)),
    y: region.y + Math.floor(random() * (region.height - height + 1)),
    width,
    height,
  }))
}

/** Of a region as a user gives it, what of it the run has. Throws INVALID_PARAMETER. */
export function partOf(analysis: Analysis, region: PixelRect, wanted: Region): PixelRect {
  const part = regionInGrid(analysis.grid, wanted)
  const x = Math.max(part?.x ?? 0, region.x)
  const y = Math.max(part?.y ?? 0, region.y)
  const width = part ? Math.min(part.x + part.width, region.x + region.width) - x : 0
  const height = part ? Math.min(part.y + part.height, region.y + region.height) - y : 0
  const words = `${wanted.x},${wanted.y},${wanted.width},${wanted.height}`
  if (width <= 0 || height <= 0)
    throw new EngineError('INVALID_PARAMETER', `expected a part of the run’s region to verify but received ${words}`)
  if (width * height > maxPixels)
    throw new EngineError(
      'INVALID_PARAMETER',
      `expected at most ${maxPixels / 2 ** 20} megapixels of the analysed image to verify at once but received ${words}: it is computed in one window`,
    )
  return { x, y, width, height }
}

/** `unread`, level-0 px: what of the run stands on parts that could not be read, and is held against nothing. */
export async function verified(
  analysis: Analysis,
  objects: ObjectStore,
  parts: readonly PixelRect[],
  threads: number,
  token: CancelToken | undefined,
  within?: RunOrder['within'],
  unread: readonly PixelRect[] = [],
): Promise<RunVerification> {
  const from = performance.now()
  const found: RunVerification['parts'] = []
  for (const part of parts) found.push(await verifiedPart(analysis, objects, part, threads, token, within, unread))
  return { equal: found.every(({ equal }) => equal), ms: performance.now() - from, parts: found }
}

/** Throws INVALID_PARAMETER. */
export function requireVerifiable({ state, purpose, imported }: RunStatus, analysis: Analysis | undefined): Analysis {
  if (imported)
    throw new EngineError(
      'INVALID_PARAMETER',
      `The objects came in with ${imported.from}: no recipe found them that could do so again.`,
    )
  if (state === 'done' && analysis && purpose === 'run') return analysis
  throw new EngineError('INVALID_PARAMETER', 'Only a finished run can be verified, and no preview. Wait for its end.')
}

/** `regions`: level-0 px; `random`: as many squares of its region. Throws INVALID_PARAMETER. */
export function verifiedRun(
  analysis: Analysis,
  objects: ObjectStore,
  { region, threads, within }: RunOrder,
  { regions, random }: { readonly regions: readonly Region[]; readonly random: number },
  token: CancelToken | undefined,
  unread: readonly PixelRect[],
): Promise<RunVerification> {
  const parts = [...regions.map((each) => partOf(analysis, region, each)), ...randomParts(region, random)]
  return verified(analysis, objects, parts, threads, token, within, unread)
}

async function verifiedPart(
  analysis: Analysis,
  objects: ObjectStore,
  part: PixelRect,
  threads: number,
  token: CancelToken | undefined,
  within: RunOrder['within'],
  unread: readonly PixelRect[],
): Promise<RunVerification['parts'][number]> {
  const { grid } = analysis
  // All of it needs nothing from outside: a whole slide's background is then computed untiled too.
  const isAll = part.width === grid.widthPx && part.height === grid.heightPx
  // Another frame than a run's windows have: what depends on it shows.
  const alone = { ...analysis, device: 'cpu', haloPx: 2 * analysis.haloPx + 64, ground: isAll ? null : analysis.ground }
  const tiled = tilesIn(grid, part)
  const block = { core: part, tiles: analysis.tissue ? tiled.filter(analysis.tissue.has) : tiled }
  const { tiles, certainty } = await computeBlock(alone, block, { wanted: 'objects', threads, token })
  const left = [...unread, ...tiles.flatMap(({ trust }) => [...trust.unreadable, ...trust.uncertain])]
  const isRead = ({ minX, minY, maxX, maxY }: RunObject): boolean => {
    const box = regionOnSlide(grid, { x: minX, y: minY, width: maxX - minX + 1, height: maxY - minY + 1 })
    return !left.some((each) => intersects(each, box))
  }
  const isHere = (object: RunObject): boolean =>
    contains(part, object.firstX, object.firstY) &&
    (!within || within(object.centroidX, object.centroidY)) &&
    (left.length === 0 || isRead(object))
  const expected = tiles
    .flatMap(({ owned }) => Array.from({ length: owned.count }, (_, row) => owned.object(row)))
    .filter(isHere)
    .sort((a, b) => a.firstY - b.firstY || a.firstX - b.firstX)
  const actual = objects.inRect(part, true).filter(isHere)
  const difference = firstDifference(actual, expected)
  const onSlide = (x: number, y: number) => regionOnSlide(grid, { x, y, width: 1, height: 1 })
  const place = difference && onSlide(difference.object.firstX, difference.object.firstY)
  return {
    region: regionOnSlide(grid, part),
    objects: actual.length,
    equal: difference === null,
    certain: certainty && analysis.unread === null && certainty.certainPixels >= areaOf(part),
    difference: difference && place && { x: place.x, y: place.y, words: difference.words },
  }
}

/** Both in raster order of their first pixels. */
export function firstDifference(
  run: readonly RunObject[],
  untiled: readonly RunObject[],
): { object: RunObject; words: string } | null {
  for (let i = 0; i < Math.max(run.length, untiled.length); i++) {
    const [a, b] = [run[i], untiled[i]]
    const order = !a ? 1 : !b ? -1 : a.firstY - b.firstY || a.firstX - b.firstX
    if (order > 0) return { object: b!, words: 'an object is missing in the run' }
    if (order < 0) return { object: a!, words: 'the run has an object too many' }
    const words = differenceOf(a!, b!)
    if (words !== null) return { object: a!, words }
  }
  return null
}

const noCell = new Int32Array(0)

function differenceOf(a: RunObject, b: RunObject): string | null {
  const [runs, others] = [a.runs, b.runs]
  if (runs.length !== others.length || runs.some((value, i) => value !== others[i]))
    return `an object has another outline: ${a.area} px in the run, ${b.area} px untiled`
  const [cell, untiledCell] = [a.cellRuns ?? noCell, b.cellRuns ?? noCell]
  if (cell.length !== untiledCell.length || cell.some((value, i) => value !== untiledCell[i]))
    return 'an object has a cell of another outline in the run than untiled'
  for (const key of numbers)
    if (!Object.is(a[key], b[key])) return `an object's ${key} is ${a[key]} in the run, ${b[key]} untiled`
  for (const statistic of stainStatisticKeys)
    for (let channel = 0; channel < 3; channel++) {
      const [one, other] = [a.stain(statistic, channel), b.stain(statistic, channel)]
      if (!Object.is(one, other))
        return `an object's ${statistic} of channel ${channel + 1} is ${one} in the run, ${other} untiled`
    }
  const [own, untiled] = [a.channelFigures ?? [], b.channelFigures ?? []]
  const apart = own.findIndex((figure, i) => !Object.is(figure, untiled[i]))
  if (own.length !== untiled.length || apart >= 0)
    return `an object's figure ${apart + 1} of the slide's channels is ${own[apart]} in the run, ${untiled[apart]} untiled`
  return null
}
