// Measured objects of a file as a result of the document: held as a run's are, with a step of history that brings it in and takes it back.
import { randomBytes } from 'node:crypto'
import {
  analysedChannel,
  intensityClasses,
  mostSets,
  noCertainty,
  noun,
  positiveClasses,
  type DocumentCommand,
  type KeptRun,
} from '../../../app/contract'
import { EngineError } from '../../base/errors'
import { areaOf } from '../../base/rect'
import type { Analysis } from '../../run/analysis/analysis'
import { tissueFigure } from '../../run/analysis/tissueOfRun'
import { analysedHead, headRecord } from '../../run/journal/journal'
import type { JournalHead } from '../../run/journal/journal'
import { writeKept } from '../../run/journal/kept'
import type { KeptNote } from '../../run/journal/kept'
import { Plan, regionOnSlide } from '../../run/plan/plan'
import { regionFor } from '../../run/request/extent'
import type { Run } from '../../run/run'
import { importedRecipe, numberedName, plainName } from '../../run/runNames'
import { Classes } from '../geojsonFile/classes'
import type { KeptRuns } from '../kept/keptRuns'
import { rankSetOf } from '../objects/edits'
import type { Projects } from '../projects'
import { nameOfImport } from '../wholes/wholes'
import type { Measured } from './measured'
import type { FoundClass } from './objects'

export interface ImportingTools {
  readonly projects: Projects
  readonly keptRuns: KeptRuns
  readonly program: string
  /** The slide's name and place must not stand in files. */
  readonly nameless: boolean
}

export interface Came {
  /** The file's name. */
  readonly file: string
  readonly startedAt: string
  readonly elapsedMs: number
  /** What was not taken, or otherwise, in words. */
  readonly said: readonly string[]
  readonly classes: readonly FoundClass[]
  /** 0: no cells came. */
  readonly cellReachPx: number
}

/** Which part of the slide a file is of, it does not say. */
const wholeSlide = 'Densities are of the whole slide: where the file has objects of a part alone, they are too low.'

/** The document is changed meanwhile: what it holds decides which classes are new. */
const mostTries = 3

/** The run that it is from now on. Throws OUTPUT_FAILED, INVALID_PARAMETER. */
export async function broughtIn(
  tools: ImportingTools,
  analysis: Analysis,
  { store, classes }: Measured,
  came: Came,
): Promise<{ readonly keptId: string; readonly run: Run }> {
  const { projects, keptRuns, program } = tools
  const { slide, grid, spec, recipe, resolution } = analysis
  const { info, identity } = slide
  const gone = await identity.check()
  if (gone !== null) throw new EngineError('SLIDE_UNREADABLE', gone)
  const imported = { from: namedFile(came.file, 300) }
  const held = await projects.runsOn(slide)
  const own = namedFile(came.file, 100)
  const like = held.filter((run) => run.imported && (run.name === own || run.name.startsWith(`${own}, run `)))
  const name = numberedName(own, like.length + 1)
  const channel = analysedChannel(info)
  const mpp = analysis.mpp ?? (info.mppSource === 'given' && info.mppX !== null ? info.mppX : undefined)
  const region = regionFor(analysis, 'whole')
  const plan = new Plan(grid, region)
  const note: KeptNote = {
    objects: store.count,
    ...{ cutObjects: 0, unreadableTiles: 0, unreadable: [], elapsedMs: came.elapsedMs },
    ...{ certainty: { ...noCertainty }, timings: [], warnings: [wholeSlide, ...came.said], error: null },
  }
  const head: JournalHead = {
    format: 'morphoscope-run-journal',
    version: 1,
    layout: headRecord.layout,
    program,
    journalId: `j${randomBytes(8).toString('hex')}`,
    startedAt: came.startedAt,
    slide: {
      ...(tools.nameless ? { path: null, name: null } : { path: info.path, name: info.name }),
      fingerprint: await identity.fingerprint(),
    },
    request: {
      region: 'whole',
      recipe,
      purpose: 'run',
      name,
      ...(mpp !== undefined && { mpp }),
      ...(channel !== null && { channel }),
    },
    recipeName: spec.name,
    ...analysedHead(analysis),
    tilesTotal: plan.tileCount,
    imported: { ...imported, ...(came.cellReachPx > 0 && { cellReachPx: came.cellReachPx }) },
    note,
  }
  const tissuePx = tissueFigure(analysis, analysis.tissue, region)
  const mppOnSlide = resolution.analysedMpp === null ? null : resolution.analysedMpp / resolution.scale
  const about: Omit<KeptRun, 'id' | 'slide'> = {
    ...{ name, recipeName: importedRecipe(spec.name), startedAt: came.startedAt, objects: store.count },
    asked: {
      ...{ recipe, whole: true },
      ...(channel !== null && { channel, ...(info.channelGiven && { channelGiven: true as const }) }),
    },
    tissueMm2: tissuePx === null || mppOnSlide === null ? null : (tissuePx * mppOnSlide * mppOnSlide) / 1e6,
    analysedPx: areaOf(regionOnSlide(grid, region)),
    imported,
    takenBack: true,
  }
  const ids = await classIds(projects, analysis, came.classes)
  const keptId = await projects.keep(about, slide, (path) => writeKept(path, head, plan.tiles(), store))
  const sets = setsOf(store.all().ids, classes, ids).map(([classId, mask]) => ({ classId, ranks: rankSetOf(mask) }))
  const command: DocumentCommand = {
    type: 'together',
    name: nameOfImport(store.count),
    commands: [
      { type: 'runs:bring', run: keptId, in: true },
      ...(sets.length > 0 ? [{ type: 'objects:classify' as const, run: keptId, sets: sets.slice(0, mostSets) }] : []),
    ],
  }
  await projects.do(command, slide)
  const run = await keptRuns.restoring.one(projects, keptId, slide)
  await run?.ended
  if (!run) throw new EngineError('NOT_FOUND', `The objects of ${came.file} are in the project, but could not be shown.`)
  const { state, error } = run.status()
  if (state !== 'done') throw new EngineError(error?.code ?? 'INTERNAL', error?.message ?? `${name} could not be shown.`)
  return { keptId, run }
}

/** What a list calls it: the file's name, without what steers a terminal. */
function namedFile(file: string, most: number): string {
  const name = plainName(file).trim() || 'Imported'
  return name.length <= most ? name : `${name.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

/** Of each class of the file its id: one of the recipe's of that name, else the document's, which gets what is new. */
async function classIds(
  projects: Projects,
  { slide, classes: own }: Analysis,
  found: readonly FoundClass[],
): Promise<(string | null)[]> {
  if (found.length === 0) return []
  for (let attempt = 1; attempt <= mostTries; attempt++) {
    const content = await projects.now((open) => open.content)
    const all = new Classes(content.classes)
    const idOf = ({ name, color }: FoundClass): string | null =>
      own?.classes.find(({ label }) => label === name)?.id ??
      content.classes.find((each) => each.name === name)?.id ??
      [...positiveClasses, ...intensityClasses].find(({ label }) => label === name)?.id ??
      all.idOf(name, color)
    const ids = found.map(idOf)
    const added = all.all.length - content.classes.length
    if (added === 0) return ids
    const name = `Import ${added.toLocaleString('en')} ${noun(added, 'class', 'classes')}`
    const command: DocumentCommand = { type: 'together', name, commands: [{ type: 'classes:set', classes: all.all }] }
    if (await projects.doOn(content, command, slide)) return ids
  }
  throw new EngineError(
    'INVALID_PARAMETER',
    'The project was changed again and again while the file was read. Nothing was imported: import it once the project rests.',
  )
}

/** By class, a 1 for each of its objects by rank. `ids`: the store's, by rank. */
function setsOf(ids: Uint32Array, classes: Uint8Array, classIds: readonly (string | null)[]): [string, Uint8Array][] {
  const sets = new Map<string, Uint8Array>()
  for (let rank = 0; rank < ids.length; rank++) {
    const at = classes[ids[rank]!]!
    const classId = at === 0 ? null : (classIds[at - 1] ?? null)
    if (classId === null) continue
    let set = sets.get(classId)
    if (!set) sets.set(classId, (set = new Uint8Array(ids.length)))
    set[rank] = 1
  }
  return [...sets]
}
