// `morphoscope project summary`: one table over a project's slides and their regions.
import { csvText } from '../../main/engine'
import type { Engine } from '../../main/engine'
import { hScoreOf, positiveShareOf, wholeRunOf } from '../contract'
import type { DocumentState, ProjectSlide, Recipe, RegionMeasure, RunStatus } from '../contract'
import { asCliError, CliError, ExitCode, valueOf } from './exitCodes'
import { opened, slideOf, stateOf } from './projectSlides'
import { finished, recipeOf } from './run'
import { table } from './terminal'
import type { Terminal } from './terminal'

export interface SummaryOptions {
  readonly recipe?: string
  readonly threads?: number
  readonly json?: boolean
  readonly csv?: boolean
}

/** A slide, or a region of it. What is not known is null. */
interface Row {
  readonly slide: string
  /** null: all of the slide. */
  readonly region: string | null
  readonly class: string
  readonly state: string
  readonly recipe: string | null
  readonly areaPx: number
  readonly areaMm2: number | null
  readonly tissueMm2: number | null
  readonly objects: number | null
  readonly perMm2: number | null
  readonly positiveShare: number | null
  readonly hScore: number | null
  readonly classes?: { readonly id: string; readonly label: string; readonly objects: number }[]
  readonly why: string | null
}

/** Returns partial where a slide is not there or could not be run: its row says what the project holds of it. */
export async function summary(
  engine: Engine,
  terminal: Terminal,
  folder: string,
  options: SummaryOptions,
  signal: AbortSignal,
): Promise<ExitCode> {
  const document = await opened(engine, folder)
  const recipe =
    options.recipe === undefined ? null : await recipeOf(engine, await engine.invoke('recipe:list', undefined), options.recipe)
  const rows: Row[] = []
  let code: ExitCode = ExitCode.ok
  for (const slide of valueOf(await engine.call('project:slides', {})) as ProjectSlide[]) {
    const run = wholeRunOf(document.runs, slide.key)
    const slideId = await slideOf(engine, terminal, folder, slide)
    if (slideId === null) {
      code = ExitCode.partial
      rows.push(slideRow(slide, null, run?.tissueMm2 ?? null))
      continue
    }
    const kept = run ? (valueOf(await engine.call('project:restore', { slideId })) as RunStatus[]) : []
    const found = kept.find(({ keptId, state }) => keptId === run?.id && state === 'done') ?? null
    if (run && !found) {
      terminal.note(`The objects of ${slide.name} could not be read.`)
      code = ExitCode.partial
    }
    rows.push(slideRow(slide, found, run?.tissueMm2 ?? null))
    if (slide.regions > 0) {
      const inside = recipe ? await runInside(engine, terminal, slideId, { recipe, threads: options.threads }, signal) : null
      if (inside?.isPartial) code = ExitCode.partial
      const runIds = inside?.runIds ?? (found ? [found.runId] : [])
      const measures = valueOf(await engine.call('project:measure', { runIds, key: slide.key })) as RegionMeasure[]
      const { regions } = await stateOf(engine, slideId)
      regions.forEach((region, i) => {
        const named = { name: region.name || region.id.slice(0, 8), class: classOf(document, region.classId) }
        rows.push(regionRow(slide, named, measures[i]!, recipe === null ? slide.recipeName : recipe.name))
      })
    }
    await engine.call('slide:close', { slideId })
  }
  if (options.json) terminal.print(JSON.stringify(rows, null, 2))
  else if (options.csv) terminal.print([csvHeader, ...rows.map(csvCells)].map((cells) => cells.map(csvText).join(',')).join('\n'))
  else terminal.print(table([textHeader, ...rows.map(textCells)]))
  return code
}

const classOf = ({ classes }: DocumentState, id: string | null): string => classes.find((each) => each.id === id)?.name ?? ''

/** The recipe once in each region of a slide, in their order. */
async function runInside(
  engine: Engine,
  terminal: Terminal,
  slideId: string,
  { recipe, threads }: { recipe: Recipe; threads: number | undefined },
  signal: AbortSignal,
): Promise<{ runIds: string[]; isPartial: boolean }> {
  const runIds: string[] = []
  let isPartial = false
  for (const { shape } of (await stateOf(engine, slideId)).regions) {
    const arg = { slideId, region: 'whole', within: [shape], recipe, purpose: 'run', ...(threads ? { threads } : {}) }
    const status: RunStatus = await finished(engine, terminal, { call: 'run:start', arg }, signal)
    if (status.state === 'failed') throw asCliError(status.error)
    if (status.state === 'cancelled') throw new CliError(ExitCode.interrupted, 'Cancelled.')
    if (status.unreadableTiles > 0) isPartial = true
    runIds.push(status.runId)
  }
  return { runIds, isPartial }
}

type Counted = Pick<Row, 'positiveShare' | 'hScore' | 'classes'>
function shares(classes: Row['classes']): Counted {
  if (!classes) return { positiveShare: null, hScore: null }
  const counts = classes.map(({ id, label, objects }) => ({ id, label, objects }))
  return { positiveShare: positiveShareOf(classes), hScore: hScoreOf(classes), classes: counts }
}

/** `found`: its newest run's objects; null: they are not there, and what the project says of them stands. */
function slideRow(slide: ProjectSlide, found: RunStatus | null, tissueMm2: number | null): Row {
  const { name, state, recipeName, widthPx, heightPx, mppX, mppY, why } = slide
  return {
    ...{ slide: name, region: null, class: '', state, recipe: recipeName, areaPx: widthPx * heightPx },
    areaMm2: mppX && mppY ? (widthPx * heightPx * mppX * mppY) / 1e6 : null,
    tissueMm2,
    objects: found?.objects ?? slide.objects,
    perMm2: slide.perMm2,
    ...shares(found?.classes),
    why,
  }
}

function regionRow(
  { name }: ProjectSlide,
  region: { name: string; class: string },
  { areaPx, areaMm2, objects, classes }: RegionMeasure,
  recipe: string | null,
): Row {
  return {
    ...{
      slide: name,
      region: region.name,
      class: region.class,
      state: objects === null ? 'not run' : 'done',
      recipe: objects === null ? null : recipe,
      areaPx,
      areaMm2,
    },
    tissueMm2: null,
    objects,
    perMm2: objects === null || !areaMm2 ? null : objects / areaMm2,
    ...shares(classes),
    why: null,
  }
}

const csvHeader = 'slide,region,class,state,recipe,area_px,area_mm2,tissue_mm2,objects,per_mm2,positive_share,h_score,why'.split(
  ',',
)
const csvCells = (row: Row): string[] => {
  const { slide, region, state, recipe, areaPx, areaMm2, tissueMm2, objects, perMm2, positiveShare, hScore, why } = row
  const cells = [slide, region, row.class, state, recipe, areaPx, areaMm2, tissueMm2, objects, perMm2, positiveShare, hScore, why]
  return cells.map((each) => (each === null ? '' : String(each)))
}

const textHeader = ['slide', 'region', 'class', 'state', 'area', 'tissue', 'objects', 'per mm²', 'positive', 'H-score', '']
const known = (value: number | null, words: (value: number) => string): string => (value === null ? '' : words(value))
function textCells(row: Row): string[] {
  const { slide, region, state, areaPx, areaMm2, tissueMm2, objects, perMm2, positiveShare, hScore, why } = row
  return [
    slide,
    region ?? '',
    row.class,
    region === null ? state : '',
    areaMm2 === null ? `${areaPx.toFixed(0)} px²` : `${areaMm2.toFixed(4)} mm²`,
    known(tissueMm2, (mm2) => `${mm2.toFixed(4)} mm²`),
    known(objects, String),
    known(perMm2, (value) => value.toFixed(0)),
    known(positiveShare, (share) => `${(100 * share).toFixed(1)} %`),
    known(hScore, (score) => score.toFixed(0)),
    why ?? '',
  ]
}
