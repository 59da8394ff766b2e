// The regions of a run's slide for what is exported: by name and class with what the run found in each, and which of them hold each object.
import { isArea, regionTitle } from '../../../app/contract'
import type { RegionMeasure, Shape } from '../../../app/contract'
import { breather, inSteps } from '../../base/breather'
import type { Run } from '../../run/run'
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
}

/** The lowest first. Throws CancelledError. */
export async function regionRows(projects: Projects, run: Run, hidden: boolean, signal: AbortSignal): Promise<RegionRow[]> {
  const { key, regions, classes } = await regionsOf(projects, run, hidden)
  if (key === null || regions.length === 0) return []
  const measured = await projects.measured(key, regionResults([run], run), undefined, signal)
  const measures = new Map(measured.map((each) => [each.id, each]))
  return regions.flatMap((region) => {
    const measure = measures.get(region.id)
    if (!measure) return []
    const own = classes.find((each) => each.id === region.classId)
    return [
      {
        name: regionTitle(region, regions, classes),
        className: own?.name ?? null,
        ...(own && { color: own.color }),
        ...(isArea(region.shape) && { shape: region.shape }),
        measure,
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
