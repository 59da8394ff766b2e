// `morphoscope optimize --truth DIR --vary …`: looks for values of a recipe that agree better with annotated images.
import { noun } from '../../contract'
import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { requireNoPipe, withSetOption } from '../../../main/engine'
import { compare, maxSearchSteps, patternSearch, stepsBetween, TrialFile } from '../../../main/ops'
import type { Engine } from '../../../main/engine'
import type { Axis, Point, Scores, SearchResult, SearchState, Trial } from '../../../main/ops'
import type { ParamSpec, ParamValue, Recipe, RecipeSpec } from '../../contract'
import { annotatedIn, cancelled, readLabels, segmented, wantedRecipe } from './annotated'
import type { Annotated, Job } from './annotated'
import { CliError, ExitCode, valueOf } from '../exitCodes'
import { installation } from '../installation'
import type { searchMeasures } from '../optionValues'
import { duration, table } from '../terminal'
import type { Terminal } from '../terminal'

export interface OptimizeOptions {
  truth: string
  vary: string[]
  only?: string | undefined
  holdOut?: string | undefined
  recipe?: string | undefined
  set?: string[] | undefined
  measure: (typeof searchMeasures)[number]
  most: number
  mpp?: number | undefined
  channel?: string | undefined
  threads?: number | undefined
  device?: string | undefined
  out?: string | undefined
  trials?: string | undefined
  overwrite?: boolean | undefined
  json?: boolean | undefined
}

interface Place {
  readonly stage: string
  readonly param: ParamSpec
  readonly value: ParamValue
}

function placeOf(name: string, recipe: Recipe, spec: RecipeSpec): Place {
  const [stage = '', key = ''] = name.split('.', 2)
  const param = spec.stages.find(({ id }) => id === stage)?.params.find((each) => each.key === key)
  if (!param) {
    // Says what there is.
    withSetOption(recipe, spec, `${name}=0`)
    throw new CliError(ExitCode.usage, `expected stage.param for --vary but received ${name}`)
  }
  return { stage, param, value: recipe.params[stage]?.[key] ?? param.default }
}

const numberOf = (text: string, option: string): number => {
  if (!/^[+-]?(\d+\.?\d*|\.\d+)$/.test(text.trim()))
    throw new CliError(
      ExitCode.usage,
      `expected stage.param, stage.param=low:high or stage.param=low:high:step for --vary but received ${option}`,
    )
  return Number(text)
}

/** One parameter that may change, by an option "stage.param", "stage.param=low:high[:step]" or "stage.param=a,b". */
export function axisOf(option: string, recipe: Recipe, spec: RecipeSpec): Axis {
  const [name = '', range] = option.split('=', 2)
  const { param, value } = placeOf(name, recipe, spec)
  const legal = (text: string): ParamValue => {
    const [stage = '', key = ''] = name.split('.', 2)
    return withSetOption(recipe, spec, `${name}=${text}`).params[stage]![key]!
  }
  if (param.kind !== 'number') {
    const all = param.kind === 'toggle' ? [false, true] : param.choices.map((choice) => choice.value)
    const values = range === undefined ? all : [...new Set(range.split(',').map((text) => legal(text.trim())))]
    return { name, kind: 'choice', values: values.includes(value) ? values : [value, ...values] }
  }
  const [low, high, by, ...more] = range === undefined ? [] : range.split(':')
  if (range !== undefined && (high === undefined || more.length > 0)) numberOf('', option)
  const min = low === undefined ? param.min : Number(legal(String(numberOf(low, option))))
  const max = high === undefined ? param.max : Number(legal(String(numberOf(high, option))))
  const step = by === undefined ? param.step : numberOf(by, option)
  if (!(step > 0) || (param.integer && !Number.isInteger(step)))
    throw new CliError(
      ExitCode.usage,
      `expected a ${param.integer ? 'whole ' : ''}step above 0 for --vary but received ${option}`,
    )
  if (!(min < max) || (value as number) < min || (value as number) > max)
    throw new CliError(
      ExitCode.usage,
      `expected a range with the recipe's ${name} of ${String(value)} in it, where the search begins, but received ${option}: --set ${name}=… begins elsewhere`,
    )
  if (stepsBetween(min, max, step) > maxSearchSteps)
    throw new CliError(ExitCode.usage, `expected at most ${maxSearchSteps} steps for --vary but received ${option}`)
  if (range !== undefined) return { name, kind: 'number', min, max, step }
  // Nobody has said where the steps begin: they go through the recipe's value.
  const below = stepsBetween(min, value as number, step)
  return { name, kind: 'number', min: Number(((value as number) - below * step).toPrecision(12)), max, step }
}

const withPoint = (recipe: Recipe, spec: RecipeSpec, point: Point): Recipe =>
  Object.entries(point).reduce((changed, [name, value]) => withSetOption(changed, spec, `${name}=${String(value)}`), recipe)

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await requireNoPipe(path)
  for await (const piece of createReadStream(path)) hash.update(piece as Buffer)
  return hash.digest('hex')
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** What is tried with one set of values: every image once. */
async function trialOf(job: Job, images: readonly Annotated[], point: Point): Promise<Trial> {
  const scores: Record<string, Scores> = {}
  for (const { name, image, truth } of images) {
    if (job.signal.aborted) throw cancelled()
    const objects = await segmented(job, image)
    const { dice, aji, pq, f1 } = compare((await readLabels(truth, objects)).data, objects.data)
    scores[name] = { dice, aji, pq, f1 }
  }
  return { params: point, scores }
}

interface Search {
  readonly job: Job
  readonly spec: RecipeSpec
  readonly options: OptimizeOptions
  readonly searched: readonly Annotated[]
  readonly heldOut: readonly Annotated[]
  readonly file: TrialFile
}

/** Scores points, those that the file has without computing. */
class Scorer {
  computed = 0
  private msSoFar = 0
  private readonly search: Search
  constructor(search: Search) {
    this.search = search
  }

  /** The scores of these images, and of others where they are known. */
  async trial(point: Point, images: readonly Annotated[]): Promise<Trial> {
    const { job, spec, file } = this.search
    const known = file.find(point)
    const missing = images.filter(({ name }) => known === undefined || !Object.hasOwn(known.scores, name))
    if (known && missing.length === 0) return known
    const begin = performance.now()
    const quiet: Terminal = { ...job.terminal, progress: () => undefined, endProgress: () => undefined }
    const recipe = withPoint(job.recipe, spec, point)
    const { scores } = await trialOf({ ...job, terminal: quiet, recipe, silent: this.computed > 0 }, missing, point)
    ++this.computed
    this.msSoFar += performance.now() - begin
    return file.add({ params: point, scores: { ...known?.scores, ...scores } })
  }

  /** Of the images that are searched on. */
  async score(point: Point): Promise<number> {
    const { searched, options } = this.search
    const { scores } = await this.trial(point, searched)
    return mean(searched.map(({ name }) => scores[name]![options.measure]))
  }

  get msPerTrial(): number {
    return this.computed > 0 ? this.msSoFar / this.computed : 0
  }
}

const pointText = (point: Point): string =>
  Object.entries(point)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(' ')

function progressOf({ trials, round, left, best }: SearchState, { options }: Search, scorer: Scorer): string {
  const rest = left > 0 && scorer.computed > 0 ? `, ${duration(left * scorer.msPerTrial)} left of this round at most` : ''
  const of = `${options.measure.toUpperCase()} ${best.score.toFixed(4)}`
  return `trial ${trials} of ${options.most} at most, round ${round}: best ${of} with ${pointText(best.point)}${rest}`
}

async function searchOf(search: Search, scorer: Scorer, axes: readonly Axis[], begin: Point): Promise<SearchResult> {
  const { job, options } = search
  try {
    return await patternSearch(
      axes,
      begin,
      (point) => scorer.score(point),
      options.most,
      (state) => job.terminal.progress(progressOf(state, search, scorer), state.trials / options.most),
    )
  } catch (error) {
    if (!job.signal.aborted) throw error
    const kept =
      options.trials === undefined ? '' : ` Trials so far are in ${options.trials}: the same command goes on from there.`
    throw new CliError(ExitCode.interrupted, `Cancelled after ${scorer.computed} ${noun(scorer.computed, 'trial')}.${kept}`)
  } finally {
    job.terminal.endProgress()
  }
}

/** Everything that a score depends on but for the values tried. */
async function headOf(
  { job, options }: Pick<Search, 'job' | 'options'>,
  images: readonly Annotated[],
): Promise<Record<string, unknown>> {
  const digests = await Promise.all(
    images.map(async ({ name, image, truth }) => [name, [await digestOf(image), await digestOf(truth)]]),
  )
  return {
    format: 'morphoscope-trials',
    version: 1,
    program: installation().version,
    recipe: job.recipe.spec,
    params: job.recipe.params,
    mpp: options.mpp ?? null,
    // Trials of before there was a choice have none.
    ...(options.channel !== undefined && { channel: options.channel }),
    images: Object.fromEntries(digests) as unknown,
  }
}

function tableOf(
  { searched, heldOut, options }: Search,
  before: Readonly<Record<string, Scores>>,
  after: Readonly<Record<string, Scores>>,
): string {
  const lines = (images: readonly Annotated[], title: string): string[][] => {
    if (images.length === 0) return []
    const row = (name: string, from: number, to: number) => [
      name,
      from.toFixed(4),
      to.toFixed(4),
      (to - from >= 0 ? '+' : '') + (to - from).toFixed(4),
    ]
    const of = (scores: Readonly<Record<string, Scores>>, name: string) => scores[name]![options.measure]
    const all = (scores: Readonly<Record<string, Scores>>) => mean(images.map(({ name }) => of(scores, name)))
    return [...images.map(({ name }) => row(name, of(before, name), of(after, name))), row(title, all(before), all(after))]
  }
  return table([
    [options.measure.toUpperCase(), 'before', 'after', ''],
    ...lines(searched, 'mean'),
    ...lines(heldOut, 'mean of those held out'),
  ])
}

function checkedOut(options: OptimizeOptions): { out: string | undefined; trials: string | undefined } {
  const out = options.out === undefined ? undefined : resolve(options.out)
  if (out !== undefined && (!out.endsWith('.json') || basename(out).startsWith('.')))
    throw new CliError(ExitCode.usage, `expected a file that ends in .json for --out but received ${options.out}`)
  if (out !== undefined && options.overwrite !== true && existsSync(out))
    throw new CliError(ExitCode.cannotCreate, `${out} is there already: name another file, or add --overwrite.`)
  const trials = options.trials ?? (out === undefined ? undefined : `${out.slice(0, -'.json'.length)}.trials.jsonl`)
  return { out, trials: trials === undefined ? undefined : resolve(trials) }
}

function partsOf(found: readonly Annotated[], holdOut: string | undefined): { searched: Annotated[]; heldOut: Annotated[] } {
  const isHeld = ({ name }: Annotated) => holdOut !== undefined && name.includes(holdOut)
  const searched = found.filter((each) => !isHeld(each))
  const heldOut = found.filter(isHeld)
  if (holdOut !== undefined && (searched.length === 0 || heldOut.length === 0))
    throw new CliError(
      ExitCode.usage,
      `expected some images, and not all, with ${holdOut} in their names for --hold-out but received ${heldOut.length} of ${found.length}`,
    )
  return { searched, heldOut }
}

export async function optimize(
  engine: Engine,
  terminal: Terminal,
  given: OptimizeOptions,
  signal: AbortSignal,
): Promise<ExitCode> {
  const { out, trials } = checkedOut(given)
  const options = { ...given, trials }
  const { recipe, spec } = await wantedRecipe(engine, options.recipe, options.set)
  const axes = options.vary.map((option) => axisOf(option, recipe, spec))
  const twice = axes.find(({ name }, k) => axes.findIndex((each) => each.name === name) !== k)
  if (twice) throw new CliError(ExitCode.usage, `expected each parameter once for --vary but received ${twice.name} twice`)
  const found = await annotatedIn(resolve(options.truth), options.only)
  const { searched, heldOut } = partsOf(found, options.holdOut)
  const job: Job = { engine, terminal, recipe, options, signal }
  const begin = Object.fromEntries(axes.map(({ name }) => [name, placeOf(name, recipe, spec).value]))
  const file = trials === undefined ? TrialFile.inMemory() : await TrialFile.open(trials, await headOf({ job, options }, found))
  try {
    if (file.size > 0)
      terminal.note(
        `${file.size} ${noun(file.size, 'trial is', 'trials are')} in ${trials} and ${noun(file.size, 'is', 'are')} not made again`,
      )
    const search: Search = { job, spec, options, searched, heldOut, file }
    const scorer = new Scorer(search)
    const result = await searchOf(search, scorer, axes, begin)
    // Those held out, too.
    const { scores: before } = await scorer.trial(result.begin.point, found)
    const { scores: after } = await scorer.trial(result.best.point, found)
    const best = { ...withPoint(recipe, spec, result.best.point), name: `${recipe.name}, optimized` }
    if (out !== undefined) valueOf(await engine.call('recipe:save', { path: out, recipe: best }))
    report(search, result, { before, after, best, out })
    return ExitCode.ok
  } finally {
    await file.close()
  }
}

interface Outcome {
  readonly before: Readonly<Record<string, Scores>>
  readonly after: Readonly<Record<string, Scores>>
  readonly best: Recipe
  readonly out: string | undefined
}

function report(search: Search, result: SearchResult, { before, after, best, out }: Outcome): void {
  const { terminal } = search.job
  const { options } = search
  const { trials, settled } = result
  if (options.json) {
    const [begin, found] = [result.begin, result.best].map(({ point, score }) => ({ params: point, score }))
    terminal.print(
      JSON.stringify({ measure: options.measure, trials, settled, begin, best: found, before, after, recipe: best }, null, 2),
    )
    return
  }
  terminal.print(tableOf(search, before, after))
  const changed = Object.entries(result.best.point).filter(([name, value]) => result.begin.point[name] !== value)
  const changes = changed.map(([name, value]) => `${name}: ${String(result.begin.point[name])} → ${String(value)}`)
  terminal.print(changes.length > 0 ? changes.join('\n') : 'Nothing that was tried agrees better than the recipe as it is.')
  const end = settled ? 'no single step from here is better' : `more may be found: --most ${options.most} ended the search`
  terminal.print(`${trials} ${noun(trials, 'trial')}; ${end}${out === undefined ? '' : `; the recipe is in ${out}`}`)
}
