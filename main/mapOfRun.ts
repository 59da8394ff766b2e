// The map of density of a run, and regions of the document where it is high.
import { randomUUID } from 'node:crypto'
import { DocumentCommand, regionTitle } from '../app/contract'
import type { DensityMapAsk, HotSpotsAsk, HotSpotsMade, RegionOfInterest } from '../app/contract'
import { EngineError } from './base/errors'
import { classesIn } from './project/regions/measure'
import type { Projects } from './project/projects'
import type { Run } from './run/run'
import { highPlaces } from './spatial/highPlaces'
import type { DensityMap, DensityMaps } from './spatial/maps'

/** At once: more are noise of a map, and no places that anybody looks at. */
const mostPlaces = 1000

/** Throws INVALID_PARAMETER, CancelledError. */
export const mapOfRun = (maps: DensityMaps, run: Run, asked: DensityMapAsk, signal: AbortSignal): Promise<DensityMap> =>
  maps.make(run, asked, classesIn(run), signal)

/** One step of the document's history. Throws INVALID_PARAMETER where there is no such place, or there are too many; CancelledError. */
export async function hotSpotsOfRun(
  maps: DensityMaps,
  document: Projects,
  run: Run,
  { map: asked, limit: wanted, leastMm2 }: HotSpotsAsk,
  signal: AbortSignal,
): Promise<HotSpotsMade> {
  const { slide } = run.draft
  const map = await mapOfRun(maps, run, asked, signal)
  const { umPerPx, cellPx, info } = map
  const limit = 'atLeast' in wanted ? wanted.atLeast : percentileOf(map, wanted.percentile)
  const cellArea = (cellPx * cellPx * (umPerPx ? umPerPx.x * umPerPx.y : 1)) / 1e6
  // What is 0 everywhere is nowhere high.
  const high = limit > 0 ? limit : Number.MIN_VALUE
  const { places, leftOut } = highPlaces(map, high, leastMm2 / cellArea, { x: slide.info.widthPx, y: slide.info.heightPx })
  const what = `of at least ${Number(limit.toPrecision(4))}`
  if (places.length === 0)
    throw new EngineError(
      'INVALID_PARAMETER',
      `There is no place ${what} that is large enough: ${leftOut} are smaller, and the highest value is ${Number(info.highest.toPrecision(4))}.`,
    )
  if (places.length > mostPlaces)
    throw new EngineError(
      'INVALID_PARAMETER',
      `There are ${places.length} places ${what}; ${mostPlaces} can be made at once. Choose a higher limit, or a larger area.`,
    )
  signal.throwIfAborted()
  const state = await document.state(slide)
  const key = state.slide ?? (await document.keyOf(slide))
  const taken = new Set(state.regions.map((region) => regionTitle(region, state.regions, state.classes)))
  let number = 0
  const createdAt = new Date().toISOString()
  const regions = places.map(({ shape }): RegionOfInterest => {
    do number++
    while (taken.has(`Hot spot ${number}`))
    const made = { classId: null, locked: false, madeBy: 'program' as const, createdAt }
    return { ...made, id: randomUUID(), slide: key, name: `Hot spot ${number}`, shape }
  })
  const command = DocumentCommand.safeParse({ type: 'regions:add', regions })
  if (!command.success)
    throw new EngineError('INVALID_PARAMETER', 'An outline has more points than a region can have: choose a larger radius.')
  await document.do(command.data, slide)
  return { limit, made: places.length, leftOut }
}

function percentileOf({ values }: DensityMap, percentile: number): number {
  const known = values.filter((value) => !Number.isNaN(value)).sort()
  return known.length === 0 ? 0 : known[Math.round((percentile / 100) * (known.length - 1))]!
}
