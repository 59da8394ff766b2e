// What a run's files tell beside what it found: the document's regions, and the run's hot spot.
import type { ExportFile, HotSpotField } from '../app/contract'
import type { Beside } from './export/exporter'
import type { Run } from './run/run'
import { findHotSpot } from './project/hotSpot'
import type { Projects } from './project/projects'
import { regionRows, regionsOfObjects } from './project/regionRows'

/** As far as `files` want it. `document`: null where none is open. */
export async function besideRun(
  document: Projects | null,
  run: Run,
  files: readonly ExportFile[],
  field: HotSpotField,
  hidden: boolean,
): Promise<Beside> {
  const wants = (begin: string): boolean => files.some((name) => name.startsWith(begin))
  return {
    regions: document && wants('report.') ? await regionRows(document, run, hidden) : [],
    objectRegions: document && wants('objects.') ? await regionsOfObjects(document, run, hidden) : null,
    hotSpot: run.over && (wants('report.') || wants('run.json')) ? await findHotSpot(run, field) : null,
  }
}
