// What a run's files tell beside what it found: the document's regions, how its slide is shown, and the run's hot spot.
import { asksSpatial, isBlended, usualBands, usualMap, type ExportFile, type HotSpotField } from '../app/contract'
import type { Beside } from './export/exporter'
import type { Gathering } from './export/exports'
import type { Parts } from './parts'
import { mapOfRun } from './mapOfRun'
import type { Run } from './run/run'
import { findHotSpot } from './project/objects/hotSpot'
import { looksOf } from './project/kept/looks'
import type { Projects } from './project/projects'
import { regionRows, regionsOfObjects } from './project/regions/regionRows'
import { bandsOfRun, spatialOfRun } from './spatialOfRun'

/** Those that have a column for each of an object's spatial measures. */
const tablesOfObjects: readonly ExportFile[] = ['objects.csv', 'objects.parquet', 'objects.h5ad', 'spatialdata.zarr']

/** As far as `files` want it. `document`: null where none is open. Throws CancelledError. */
export async function besideRun(
  document: Projects | null,
  { spatial, maps, settings }: Pick<Parts, 'spatial' | 'maps' | 'settings'>,
  run: Run,
  files: readonly ExportFile[],
  field: HotSpotField,
  hidden: boolean,
  { signal, progress }: Gathering,
): Promise<Beside> {
  const wants = (begin: string): boolean => files.some((name) => name.startsWith(begin))
  const regions = document && wants('report.') ? await regionRows(document, run, hidden, field, signal) : []
  progress(1 / 3)
  const objectRegions =
    document && (wants('objects.') || wants('shapes.') || wants('spatialdata.'))
      ? await regionsOfObjects(document, run, hidden, signal)
      : null
  const wantsTable = files.some((name) => tablesOfObjects.includes(name))
  const { spatial: measures } = await settings.get()
  const spatialColumns =
    wantsTable && asksSpatial(measures) ? await spatialOfRun(spatial, document, run, measures, hidden, signal) : null
  const wanted = measures.bands ?? usualBands
  const bands = wants('bands.') && {
    ...{ of: hidden ? null : wanted.of, limits: wanted.limitsUm },
    found: await bandsOfRun(spatial, document, run, wanted, hidden, signal),
  }
  const map = wants('density.') ? await mapOfRun(maps, run, measures.map ?? usualMap, signal) : null
  progress(2 / 3)
  const isSearched = wants('report.') || wants('run.json')
  const searched = (share: number): void => progress((2 + share) / 3)
  const looks = document && isBlended(run.draft.slide.info) ? await looksOf(document, run.draft.slide) : null
  return {
    regions,
    objectRegions,
    looks,
    spatial: spatialColumns,
    spatialMeasures: spatialColumns && measures,
    bands: bands || null,
    map,
    hotSpot: isSearched ? await findHotSpot(run, field, signal, searched) : null,
  }
}
