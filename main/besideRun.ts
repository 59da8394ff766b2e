// What a run's files tell beside what it found: the document's regions, how its slide is shown, and the run's hot spot.
import { isBlended, type ExportFile, type HotSpotField } from '../app/contract'
import type { Beside } from './export/exporter'
import type { Gathering } from './export/exports'
import type { Run } from './run/run'
import { findHotSpot } from './project/objects/hotSpot'
import { looksOf } from './project/kept/looks'
import type { Projects } from './project/projects'
import { regionRows, regionsOfObjects } from './project/regions/regionRows'

/** As far as `files` want it. `document`: null where none is open. Throws CancelledError. */
export async function besideRun(
  document: Projects | null,
  run: Run,
  files: readonly ExportFile[],
  field: HotSpotField,
  hidden: boolean,
  { signal, progress }: Gathering,
): Promise<Beside> {
  const wants = (begin: string): boolean => files.some((name) => name.startsWith(begin))
  const regions = document && wants('report.') ? await regionRows(document, run, hidden, signal) : []
  progress(1 / 3)
  const objectRegions =
    document && (wants('objects.') || wants('shapes.')) ? await regionsOfObjects(document, run, hidden, signal) : null
  progress(2 / 3)
  const isSearched = wants('report.') || wants('run.json')
  const searched = (share: number): void => progress((2 + share) / 3)
  const looks = document && isBlended(run.draft.slide.info) ? await looksOf(document, run.draft.slide) : null
  return { regions, objectRegions, looks, hotSpot: isSearched ? await findHotSpot(run, field, signal, searched) : null }
}
