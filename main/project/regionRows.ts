// The regions of a run's slide for what is exported: by name and class with what the run found in each, and which of them hold each object.
import type { RegionMeasure } from '../../app/contract'
import type { Run } from '../run/run'
import type { Projects } from './projects'
import { namelessClasses, namelessRegions } from './nameless'
import { regionResults } from './regionResults'
import { regionGroups } from './regionGroups'
import type { RegionGroups } from './regionGroups'

/** Those of a run's slide, and the classes; `hidden`: without what people have typed. */
async function regionsOf(projects: Projects, run: Run, hidden: boolean) {
  const { slide: key, regions, classes } = await projects.state(run.draft.slide)
  return hidden ? { key, regions: namelessRegions(regions), classes: namelessClasses(classes) } : { key, regions, classes }
}

/** The lowest first. */
export async function regionRows(
  projects: Projects,
  run: Run,
  hidden: boolean,
): Promise<{ name: string; className: string | null; measure: RegionMeasure }[]> {
  const { key, regions, classes } = await regionsOf(projects, run, hidden)
  if (key === null || regions.length === 0) return []
  const measures = projects.measure(key, regionResults([run], run))
  return regions.flatMap(({ id, name, classId }) => {
    const measure = measures.find((each) => each.id === id)
    return measure ? [{ name, className: classes.find((each) => each.id === classId)?.name ?? null, measure }] : []
  })
}

/** Which regions of the run's slide hold each of its objects; null: it has none. */
export async function regionsOfObjects(projects: Projects, run: Run, hidden: boolean): Promise<RegionGroups | null> {
  const { regions, classes } = await regionsOf(projects, run, hidden)
  return regionGroups(run, regions, classes)
}
