// The regions of a run's slide for what is exported: by name and class with what the run found in each, and which of them hold each object.
import { isArea, regionTitle } from '../../../app/contract'
import type { HotSpotField, RegionMeasure, Shape } from '../../../app/contract'
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
  const counted = regions.map(({ id, shape }) => {
    const { objects = null, runId } = measures.get(id) ?? {}
    return { shape, objects: runId === run.runId ? objects : null }
  })
  const spots = await regionHotSpots(run, counted, field, signal)
  return regions.flatMap((region, i) => {
    const measure = measures.get(region.id)
    if (!measure) return []
    const hotSpot = spots[i]
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
