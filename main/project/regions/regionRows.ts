// The regions of a run's slide for what is exported: by name and class with what the run found in each, and which of them hold each object.
import { isArea, regionTitle } from '../../../app/contract'
import type { HotSpotField, RegionMeasure, RegionOfInterest, Shape } from '../../../app/contract'
import { breather, inSteps } from '../../base/breather'
import type { Run } from '../../run/run'
import { regionHotSpots } from '../objects/regionHotSpots'
import type { RegionHotSpot } from '../objects/regionHotSpots'
import type { Projects } from '../projects'
import { namelessClasses, namelessRegions } from './nameless'
import { regionResults } from './regionResults'
import { regionGroups } from './regionGroups'
import type { RegionGroups } from './regionGroups'

/** Those of a run's slide, and the classes; `hidden`: without what people have typed. */
async function regionsOf(projects: Projects, run: Run, hidden: boolean) {
  const { slide: key, regions, classes } = await projects.state(run.draft.slide)
  return hidden ? { key, regions: namelessRegions(regions), classes: namelessClasses(classes) } : { key, regions, classes }
}

/** What a report says of a region of interest. */
interface RegionRow {
  /** As the window lists it. */
  readonly name: string
  readonly className: string | null
  /** Of its class. */
  readonly color?: string
  /** Of one that has an area. */
  readonly shape?: Shape
  readonly measure: RegionMeasure
  readonly hotSpot?: RegionHotSpot
}

/** The lowest first. `field`: of the circle that each is searched with. Throws CancelledError. */
export async function regionRows(
  projects: Projects,
  run: Run,
  hidden: boolean,
  field: HotSpotField,
  signal: AbortSignal,
): Promise<RegionRow[]> {
  const { key, regions, classes } = await regionsOf(projects, run, hidden)
  if (key === null || regions.length === 0) return []
  const measured = await projects.measured(key, regionResults([run], run), undefined, signal)
  const measures = new Map(measured.map((each) => [each.id, each]))
  const spots = await spotsOf(run, regions, measured, field, signal)
  return regions.flatMap((region) => {
    const measure = measures.get(region.id)
    if (!measure) return []
    const hotSpot = spots.get(region.id)
    const own = classes.find((each) => each.id === region.classId)
    return [
      {
        name: regionTitle(region, regions, classes),
        className: own?.name ?? null,
        ...(own && { color: own.color }),
        ...(isArea(region.shape) && { shape: region.shape }),
        measure,
        ...(hotSpot && { hotSpot }),
      },
    ]
  })
}

/** By regions' ids. */
async function spotsOf(
  run: Run,
  regions: readonly RegionOfInterest[],
  measured: readonly RegionMeasure[],
  field: HotSpotField,
  signal: AbortSignal,
): Promise<Map<string, RegionHotSpot>> {
  const enough = new Set(
    measured.flatMap(({ id, objects, runId }) => (runId === run.runId && objects! >= field.leastObjects ? [id] : [])),
  )
  const areas = regions.flatMap(({ id, shape }) => (enough.has(id) && isArea(shape) ? [{ id, shape }] : []))
  const spots = await regionHotSpots(
    run,
    areas.map(({ shape }) => shape),
    field,
    signal,
  )
  return new Map(areas.flatMap(({ id }, i) => (spots[i] ? [[id, spots[i]]] : [])))
}

/** Which regions of the run's slide hold each of its objects; null: it has none. Others have the thread meanwhile. Throws CancelledError. */
export async function regionsOfObjects(
  projects: Projects,
  run: Run,
  hidden: boolean,
  signal: AbortSignal,
): Promise<RegionGroups | null> {
  const { regions, classes } = await regionsOf(projects, run, hidden)
  return inSteps(regionGroups(run, regions, classes), breather(signal))
}
