// The regions of a run's slide by name and class, with what the run found in each: for a report.
import type { RegionMeasure } from '../../app/contract'
import type { Run } from '../run/run'
import type { Projects } from './projects'

/** The lowest first. */
export async function regionRows(
  projects: Projects,
  run: Run,
): Promise<{ name: string; className: string | null; measure: RegionMeasure }[]> {
  const { slide: key, regions, classes } = await projects.state(run.draft.slide)
  if (key === null || regions.length === 0) return []
  const measures = projects.measure(key, [run])
  return regions.flatMap(({ id, name, classId }) => {
    const measure = measures.find((each) => each.id === id)
    return measure ? [{ name, className: classes.find((each) => each.id === classId)?.name ?? null, measure }] : []
  })
}
