// `morphoscope project summary`: one table over a project's slides and their regions.
import { summaryGroups } from '../../../main/engine'
import type { Engine } from '../../../main/engine'
import {
  counted,
  cutWords,
  differingCuts,
  intervalText,
  isArea,
  isPartialRun,
  positiveShareOf,
  shareIntervalOf,
} from '../../contract'
import type { ProjectSummary, Recipe, RunStatus, SummaryFrom, SummaryGroup, SummaryRow } from '../../contract'
import { asCliError, CliError, ExitCode } from '../exitCodes'
import { opened, slideOf, stateOf } from './projectSlides'
import { finished } from '../run/followed'
import { recipeOf } from '../run/run'
import { table } from '../terminal'
import type { Shown, Terminal } from '../terminal'

export interface SummaryOptions {
  readonly recipe?: string
  readonly threads?: number
  readonly json?: boolean
  readonly csv?: boolean
  /** Regions added up by class in place of the rows. */
  readonly byClass?: boolean
  /** Cores of tissue microarrays alone, as CSV. */
  readonly byCore?: boolean
  /** Which results the figures come from: own, imported, newest, or a name. */
  readonly result?: string
  /** Slides under their pseudonyms. */
  readonly deidentify?: boolean
}

/** Returns partial where a slide is not there, could not be run, or has parts that could not be read: its row says so. */
export async function summary(
  engine: Engine,
  shown: Shown,
  folder: string,
  options: SummaryOptions,
  signal: AbortSignal,
): Promise<ExitCode> {
  const { terminal, rows: print } = shown
  await opened(engine, folder, shown)
  const { recipe: wanted, deidentify = false } = options
  const from = fromOf(options.result)
  const recipe = wanted === undefined ? null : await recipeOf(engine, await engine.invoke('recipe:list', undefined), wanted)
  let isPartial = false
  const found: ProjectSummary[] = []
  // What is run inside regions is counted slide by slide: not all of them can be held at once.
  for (const slide of recipe ? await engine.invoke('project:slides', undefined) : []) {
    const slideId = slide.regions > 0 && !slide.missing ? await slideOf(engine, terminal, folder, slide) : null
    const inside =
      slideId === null ? null : await runInside(engine, terminal, slideId, { recipe: recipe!, threads: options.threads }, signal)
    if (inside?.isPartial) isPartial = true
    found.push(
      await engine.invoke('project:summary', { keys: [slide.key], runIds: inside?.runIds ?? [], deidentify, from }, signal),
    )
    if (slideId !== null) await engine.call('slide:close', { slideId })
  }
  if (!recipe) found.push(await engine.invoke('project:summary', { deidentify, from }, signal))
  const rows = found.flatMap((each) => each.rows)
  const notes = found.flatMap((each) => each.notes)
  for (const note of notes) terminal.note(note)
  if (typeof from === 'object' && rows.length > 0 && rows.every(({ result }) => result === null))
    throw new CliError(
      ExitCode.badSlide,
      `No slide of the project has a result called ${from.name}: \`project show\` lists them.`,
    )
  const differing = differingCuts(rows)
  if (differing !== null) terminal.note(differing)
  if (options.byCore) print(byCore(found, rows, options))
  else if (options.byClass) print(await byClass(rows, options))
  else if (options.json) print(JSON.stringify(rows, null, 2))
  else if (options.csv) print(joined(found.map(({ csv }) => csv)))
  else print(table([textHeader, ...rows.map(textCells)]))
  if (rows.some(({ state }) => state === 'partial')) isPartial = true
  return notes.length > 0 || isPartial ? ExitCode.partial : ExitCode.ok
}

const fromOf = (result: string | undefined): SummaryFrom =>
  result === undefined || result === 'own' || result === 'imported' || result === 'newest' ? (result ?? 'own') : { name: result }

/** Files of the same columns as one. */
const joined = (files: readonly string[]): string =>
  files
    .flatMap((csv, i) =>
      csv
        .trimEnd()
        .split('\n')
        .slice(i > 0 ? 1 : 0),
    )
    .join('\n')

function byCore(found: readonly ProjectSummary[], rows: readonly SummaryRow[], { json, csv }: SummaryOptions): string {
  const cores = rows.filter(({ core }) => core !== undefined)
  if (cores.length === 0)
    throw new CliError(ExitCode.badSlide, 'No slide of the project has cores of a tissue microarray: `project cores` finds them.')
  if (json) return JSON.stringify(cores, null, 2)
  if (csv) return joined(found.flatMap(({ coresCsv }) => (coresCsv === '' ? [] : [coresCsv])))
  return table([textHeader, ...cores.map(textCells)])
}

async function byClass(rows: readonly SummaryRow[], { json, csv }: SummaryOptions): Promise<string> {
  const { csvOfGroups, groupsOf } = await summaryGroups()
  const groups = groupsOf(rows)
  if (json) return JSON.stringify(groups, null, 2)
  if (csv) return csvOfGroups(groups).trimEnd()
  return table([groupHeader, ...groups.map(groupCells)])
}

const groupHeader = [
  'slide',
  'class',
  'recipe',
  'regions',
  'analysed',
  'objects',
  'per mm² of area',
  'per mm² of tissue',
  'positive',
  'H-score',
  '',
]
const groupCells = (group: SummaryGroup): string[] => [
  group.slide ?? `all ${group.slides} slides`,
  group.class === '' ? 'no class' : group.class,
  `${group.recipe ?? ''} (${group.values ?? ''})`,
  ...[String(group.regions), known(group.analysedMm2, (mm2) => `${mm2.toFixed(4)} mm²`), String(group.objects)],
  known(group.perMm2, (value) => value.toFixed(0)),
  known(group.perMm2Tissue, (value) => value.toFixed(0)),
  shareText(group),
  known(group.hScore, (score) => score.toFixed(0)),
  [
    ...(group.partial ? ['partial'] : []),
    ...(group.shared ? [`overlaps counted once (${counted(group.shared.objects, 'object')})`] : []),
  ].join('; '),
]

/** The recipe once in each region of a slide. */
async function runInside(
  engine: Engine,
  terminal: Terminal,
  slideId: string,
  { recipe, threads }: { recipe: Recipe; threads: number | undefined },
  signal: AbortSignal,
): Promise<{ runIds: string[]; isPartial: boolean }> {
  const runIds: string[] = []
  let isPartial = false
  for (const { shape, core } of (await stateOf(engine, slideId)).regions) {
    // Points and lines have no area to look at, and cores that are missing no tissue.
    if (!isArea(shape) || core?.missing) continue
    const arg = { slideId, region: 'whole', within: [shape], recipe, purpose: 'run', ...(threads ? { threads } : {}) }
    const status: RunStatus = await finished(engine, terminal, { call: 'run:start', arg }, signal)
    if (status.state === 'failed') throw asCliError(status.error)
    if (status.state === 'cancelled') throw new CliError(ExitCode.interrupted, 'Cancelled.')
    if (isPartialRun(status)) isPartial = true
    runIds.push(status.runId)
  }
  return { runIds, isPartial }
}

const textHeader = [
  'slide',
  'region',
  'class',
  'state',
  'result',
  'area',
  'tissue',
  'objects',
  'points',
  'length',
  'per mm² of area',
  'per mm² of tissue',
  'positive',
  'hot spot',
  'H-score',
  'cut-offs',
  '',
]
const known = (value: number | null, words: (value: number) => string): string => (value === null ? '' : words(value))
/** "42.1 % (36.5 to 47.9 %)": with what counting so many cells leaves open. */
function shareText({ positiveShare, classes = [] }: Pick<SummaryRow, 'positiveShare' | 'classes'>): string {
  const interval = shareIntervalOf(classes)
  return known(positiveShare, (share) => `${(100 * share).toFixed(1)} %${interval ? ` (${intervalText(interval)})` : ''}`)
}

/** "62.1 % (57.8 to 66.2 %) of 512 in 500 µm". */
const hotSpotText = ({ hotSpot }: SummaryRow): string =>
  hotSpot
    ? `${shareText({ positiveShare: positiveShareOf(hotSpot.classes), classes: hotSpot.classes })} of ${hotSpot.objects} in ${hotSpot.diameterUm} µm`
    : ''

function textCells(row: SummaryRow): string[] {
  const {
    slide,
    region,
    state,
    areaPx,
    areaMm2,
    tissueMm2,
    objects,
    points,
    lengthPx,
    lengthUm,
    perMm2,
    perMm2Tissue,
    hScore,
    why,
  } = row
  return [
    slide,
    region ?? '',
    row.class,
    region === null || state === 'partial' ? state : '',
    row.result ?? '',
    points !== undefined || lengthPx !== undefined
      ? ''
      : areaMm2 === null
        ? `${areaPx.toFixed(0)} px²`
        : `${areaMm2.toFixed(4)} mm²`,
    known(tissueMm2, (mm2) => `${mm2.toFixed(4)} mm²`),
    known(objects, String),
    known(points ?? null, String),
    lengthPx === undefined ? '' : lengthUm ? `${lengthUm.toFixed(1)} µm` : `${lengthPx.toFixed(0)} px`,
    known(perMm2, (value) => value.toFixed(0)),
    known(perMm2Tissue, (value) => value.toFixed(0)),
    shareText(row),
    hotSpotText(row),
    known(hScore, (score) => score.toFixed(0)),
    row.cuts ? cutWords(row.cuts) : '',
    [why, row.unfit].filter(Boolean).join('; '),
  ]
}
