// The regions of a slide by name, as a run's table by region has them.
import { isArea, regionTitle } from '../../../app/contract'
import type { Run } from '../../run/run'
import type { NamedArea } from '../../table/groups'
import type { Projects } from '../projects'
import { regionResults } from './regionResults'

/** A slide's areas by what lists call them, with what of each a run looked at. */
export async function namedAreas(projects: Projects, key: string, run: Run): Promise<NamedArea[]> {
  const regions = projects.regionsOn(key).map(({ region }) => region)
  const measures = await projects.measured(key, regionResults([run], run))
  return regions.flatMap((region, i) => {
    if (!isArea(region.shape)) return []
    const { analysedMm2: mm2 = null, tissueMm2 = null, objects } = measures[i]!
    const name = regionTitle(region, regions, projects.content.classes)
    return [{ name, shape: region.shape, mm2, tissueMm2, isLookedAt: objects !== null }]
  })
}
