// The spatial measures of a run with the regions of its slide: for the table, and for files.
import { asksSpatial, isArea } from '../app/contract'
import type {
  BandsAsk,
  BandsOfRun,
  RegionClass,
  RegionOfInterest,
  Shape,
  SpatialMeasures,
  TableRequest,
  TableView,
} from '../app/contract'
import { EngineError } from './base/errors'
import type { Parts } from './parts'
import type { Projects } from './project/projects'
import { classesIn } from './project/regions/measure'
import { namelessClasses } from './project/regions/nameless'
import type { Run } from './run/run'
import type { SpatialColumn } from './spatial/columns'
import type { ClassRegions, Spatial } from './spatial/spatial'

/** `document`: null where none is open. `hidden`: without the names of classes that people have typed. Throws INVALID_PARAMETER, CancelledError. */
export async function spatialOfRun(
  spatial: Spatial,
  document: Projects | null,
  run: Run,
  measures: SpatialMeasures,
  hidden: boolean,
  signal: AbortSignal,
): Promise<readonly SpatialColumn[]> {
  const asksDocument = asksSpatial(measures) && document !== null
  const { regions, classes } = asksDocument ? await ofDocument(document, run) : { regions: [], classes: [] }
  // Columns are the same whatever bands and maps are asked for.
  const asked = {
    measures: { ...measures, bands: null, map: null },
    rule: classesIn(run),
    regions: classRegions(regions, classes),
  }
  const columns = await spatial.make(run, asked, signal)
  if (!hidden) return columns
  const namelessNames = new Map(namelessClasses(classes).map(({ id, name }) => [id, name]))
  return spatial.renamed(run, asked, (id, name) => namelessNames.get(id) ?? name)
}

/** The same of bands along the border of regions; a class that has no region with an area here is not there. Throws as `spatialOfRun`. */
export async function bandsOfRun(
  spatial: Spatial,
  document: Projects | null,
  run: Run,
  { of, limitsUm }: BandsAsk,
  hidden: boolean,
  signal: AbortSignal,
): Promise<BandsOfRun> {
  if (!run.over) throw new EngineError('INVALID_PARAMETER', `The run ${run.runId} is still going on: wait for its end.`)
  const { regions, classes } = document ? await ofDocument(document, run) : { regions: [], classes: [] }
  const wanted = of?.toLowerCase()
  const meant = classRegions(regions, classes).filter(
    ({ id, name }) => wanted === undefined || name.toLowerCase() === wanted || id === wanted,
  )
  const found = await spatial.bands(run, limitsUm, { rule: classesIn(run), regions: meant }, signal)
  if (!hidden) return found
  const names = new Map(namelessClasses(classes).map(({ id, name }) => [id, name]))
  return { ...found, of: found.of.map((each) => ({ ...each, name: names.get(each.id) ?? each.name })) }
}

async function ofDocument(document: Projects, run: Run) {
  const key = await document.keyOf(run.draft.slide)
  return document.now(() => ({
    regions: document.regionsOn(key).map(({ region }) => region),
    classes: document.content.classes,
  }))
}

/** Classes without a region that has an area are not among them. */
function classRegions(regions: readonly RegionOfInterest[], classes: readonly RegionClass[]): ClassRegions[] {
  const shapes = new Map<string, Shape[]>()
  for (const { classId, shape } of regions) {
    if (classId === null || !isArea(shape)) continue
    const own = shapes.get(classId)
    if (own) own.push(shape)
    else shapes.set(classId, [shape])
  }
  return classes.flatMap(({ id, name }) => (shapes.has(id) ? [{ id, name, shapes: shapes.get(id)! }] : []))
}

/** A view of the table with the columns that the settings ask for. `document`: null where none is open. Throws as Tables.view and spatialOfRun. */
export async function viewOf(
  { spatial, settings, runs, tables }: Parts,
  document: () => Promise<Projects | null>,
  request: TableRequest,
  signal: AbortSignal,
): Promise<TableView> {
  const run = runs.get(request.runId)
  const { spatial: measures } = await settings.get()
  if (!asksSpatial(measures)) spatial.forget(run.runId)
  else if (run.over) await spatialOfRun(spatial, await document(), run, measures, false, signal)
  return tables.view(run, request)
}
