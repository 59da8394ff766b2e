// `morphoscope project add|run`: slides into a project, and a recipe over all of them or some.
import { resolve } from 'node:path'
import { withSetOption } from '../../../main/engine'
import type { Engine } from '../../../main/engine'
import { choiceOf, counted, isOver, noun, unfitWords } from '../../contract'
import type { CallValue, CohortRequest, CohortState, Origin, ProjectSlide, RunStatus, SpatialMeasures } from '../../contract'
import { asCliError, CliError, ExitCode, valueOf } from '../exitCodes'
import { nowReading } from '../parent'
import { pauseOnSignal } from '../run/pause'
import { askSpatial, exportNewest } from './projectFiles'
import { inOrder, stemsOf } from './projectNames'
import { opened, openedOrMade } from './projectSlides'
import { checkLimits, classedSlides } from './projectClasses'
import { classCounts, classWords } from '../run/classWords'
import { parseFiles, recipeOf } from '../run/run'
import { withSpatialFiles } from '../spatialOption'
import { duration, table } from '../terminal'
import type { Shown, Terminal } from '../terminal'

/** `project add FOLDER SLIDE…`: a slide that cannot be opened is said, and the others are added. */
export async function addSlides(
  engine: Engine,
  terminal: Terminal,
  folder: string,
  slides: readonly string[],
  { mpp, channel }: { mpp?: number; channel?: string },
): Promise<ExitCode> {
  await openedOrMade(engine, folder)
  let code: ExitCode = ExitCode.ok
  for (const path of slides) {
    try {
      nowReading(resolve(path))
      const how = { ...(mpp === undefined ? {} : { mpp }), ...(channel === undefined ? {} : { channel }) }
      const file = { path: resolve(path), ...how }
      const { isNew, name, knownAs } = valueOf(await engine.call('project:addFile', file)) as CallValue<'project:addFile'>
      const as = knownAs ? `, as ${knownAs.name} (${knownAs.path})` : ''
      terminal.print(`${name}: ${isNew ? 'added' : 'is there already'}${as}`)
    } catch (error) {
      const { message, exitCode } = asCliError(error)
      terminal.note(`error: ${message}`)
      code = slides.length === 1 ? exitCode : ExitCode.partial
    }
  }
  return code
}

export interface ProjectRunOptions {
  readonly recipe?: string
  readonly set?: string[]
  readonly only?: string[]
  /** In which its slides are analysed from now on, by its name or number. */
  readonly channel?: string
  /** "MEASUREMENT > LIMIT", each: classes by all of them together. */
  readonly classBy?: string[]
  readonly again?: boolean
  readonly carry?: boolean
  readonly threads?: number
  readonly device?: string
  readonly out?: string
  readonly files?: string
  readonly overwrite?: boolean
  /** A folder for a cluster, in place of running here. */
  readonly workflow?: string
  readonly shardMegapixels?: number
  readonly byRegion?: boolean
  readonly spatial?: SpatialMeasures
  readonly origin?: Origin
  readonly deidentify?: boolean
  readonly json?: boolean
}

/** `project run FOLDER`: cancelled, what is done is kept; again, only the rest is run. Returns partial where a slide failed, or a part of one could not be read. */
export async function runProject(
  engine: Engine,
  shown: Shown,
  folder: string,
  options: ProjectRunOptions,
  signal: AbortSignal,
): Promise<ExitCode> {
  const { only, again = false, carry = false, threads, device, out, deidentify = false } = options
  if (
    out === undefined &&
    options.workflow === undefined &&
    (options.files ?? options.overwrite ?? options.byRegion ?? options.origin ?? options.spatial) !== undefined
  )
    throw new CliError(
      ExitCode.usage,
      'expected a folder for --out, which --files, --by-region, --spatial, --density-map, --origin and --overwrite speak of',
    )
  const files = withSpatialFiles(parseFiles(options.files), options.spatial)
  await askSpatial(engine, options.spatial)
  const specs = await engine.invoke('recipe:list', undefined)
  let recipe = await recipeOf(engine, specs, options.recipe)
  const spec = specs.find(({ id }) => id === recipe.spec)
  for (const option of spec ? (options.set ?? []) : []) recipe = withSetOption(recipe, spec!, option)
  await opened(engine, folder, shown)
  const all = valueOf(await engine.call('project:slides', {})) as ProjectSlide[]
  const asked = all.filter(({ name }) => only?.some((text) => name.includes(text)) ?? true)
  const pseudonyms = deidentify ? await stemsOf(engine, folder, asked, deidentify) : new Map<string, string>()
  const chosen = inOrder(asked, pseudonyms, deidentify)
  if (chosen.length === 0) {
    const which = only ? ` whose name has ${only.join(' or ')}` : ': morphoscope project add FOLDER SLIDES… adds some'
    throw new CliError(ExitCode.noInput, `${folder} holds no slide${which}.`)
  }
  if (options.workflow !== undefined) {
    const { writeWorkflow } = await import('../workflow/workflow')
    const slides = chosen.map(({ path, mppX, channel }) => ({
      path,
      mpp: mppX ?? undefined,
      channel: channel === undefined ? options.channel : choiceOf(channel),
    }))
    return writeWorkflow(engine, shown.terminal, slides, { ...options, out: options.workflow })
  }
  const { classBy } = options
  if (classBy) await checkLimits(engine, folder, chosen, classBy, spec)
  const request: CohortRequest = {
    slides: chosen.map(({ key, path }) => ({ key, path })),
    ...{ recipe, again, carry },
    ...(threads === undefined ? {} : { threads }),
    ...(device === undefined ? {} : { device }),
  }
  // The project has it from then on. Of a slide that is away its run says so.
  for (const { path, missing } of options.channel === undefined ? [] : chosen)
    if (!missing) valueOf(await engine.call('project:addFile', { path, channel: options.channel }))
  const names = new Map(chosen.map(({ key, name }) => [key, pseudonyms.get(key) ?? name]))
  for (const { key, stain } of chosen) {
    const unfit = spec ? unfitWords(stain, spec) : null
    if (unfit !== null) shown.terminal.note(`${names.get(key)!} ${unfit}: it is run all the same.`)
  }
  const { slides } = await cohortEnded(engine, shown.terminal, request, names, signal)
  const there = slides.filter(({ state }) => state === 'done' || state === 'there').map(({ key }) => key)
  const toClass = chosen.filter(({ key }) => there.includes(key)).map((slide) => ({ ...slide, name: names.get(slide.key)! }))
  const classed = classBy ? await classedSlides(engine, shown.terminal, folder, toClass, classBy, spec) : null
  // Why one failed may name it.
  const named = slides.map((each) => ({
    name: names.get(each.key)!,
    ...each,
    why: each.why === null ? null : shown.hide(each.why),
    ...(classed?.has(each.key) && { classes: classCounts(classed.get(each.key)!) }),
  }))
  if (options.json)
    shown.rows(
      JSON.stringify(
        named.map(({ fraction: _, ...each }) => each),
        null,
        2,
      ),
    )
  else
    shown.rows(
      table(
        named.map(({ key, name, state, objects, why, lacks, corrections, reclassed, unfit }) => [
          name,
          [words[state], ...(lacks === undefined ? [] : ['partial']), ...(reclassed ? ['now by these cut-offs'] : [])].join(', '),
          [lacks ?? '', why ?? foundWords(objects, classed?.get(key)), correctionWords(corrections), unfit ?? '']
            .filter(Boolean)
            .join('; '),
        ]),
      ),
    )
  const left = slides.filter(({ state }) => state === 'cancelled').length
  if (signal.aborted)
    throw new CliError(
      ExitCode.interrupted,
      `Cancelled: ${left} of ${slides.length} ${noun(slides.length, 'slide')} are left, the others are kept. The same command goes on.`,
    )
  const isWhole = left === 0 && slides.every(({ state, lacks }) => state !== 'failed' && lacks === undefined)
  const written =
    out === undefined
      ? ExitCode.ok
      : await exportNewest(
          engine,
          shown,
          folder,
          {
            ...{ out: resolve(out), files, deidentify, overwrite: options.overwrite === true },
            ...{ byRegion: options.byRegion === true, origin: options.origin ?? 'slide' },
          },
          there,
        )
  return isWhole ? written : ExitCode.partial
}

/** '' where nothing was computed, and nobody asked for classes. */
function foundWords(objects: number | null, run: RunStatus | undefined): string {
  if (run) return `${counted(run.objects, 'object')}${classWords(run)}`
  return objects === null ? '' : counted(objects, 'object')
}

const words: Readonly<Record<CohortState['slides'][number]['state'], string>> = {
  queued: 'not run',
  running: 'not run',
  done: 'done',
  there: 'done before',
  failed: 'failed',
  cancelled: 'not run',
}

/** '' where there were none. */
function correctionWords(corrections: CohortState['slides'][number]['corrections']): string {
  if (!corrections) return ''
  const { from, objects, carried, unfit } = corrections
  if (carried === null) return `${objects} corrected on ${from}, not carried over (--again --carry does)`
  return `${carried} of ${objects} ${noun(objects, 'correction')} carried over from ${from}${unfit > 0 ? `, ${unfit} do not fit` : ''}`
}

/** Begins it and waits for its end; an abort cancels it, and the terminal's Ctrl-Z pauses the run of the slide that it is at. */
async function cohortEnded(
  engine: Engine,
  terminal: Terminal,
  request: CohortRequest,
  names: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<CohortState> {
  const paths = new Map(request.slides.map(({ key, path }) => [key, path]))
  let reading: string | undefined
  let wake = (_: CohortState): void => undefined
  const ended = new Promise<CohortState>((resolve) => (wake = resolve))
  const stop = engine.onEvent((event) => {
    if (event.type !== 'cohort:changed') return
    const { cohort } = event
    const now = cohort.slides.find(({ state }) => state === 'running')?.key
    // Before it is opened: the cohort tells at once which is next.
    if (now !== undefined && now !== reading) nowReading(paths.get((reading = now))!)
    terminal.progress(progressLine(cohort, names), 0)
    if (!cohort.going) wake(cohort)
  })
  const cancel = (): void => void engine.call('cohort:cancel', {})
  signal.addEventListener('abort', cancel)
  const letGo = pauseOnSignal(engine, terminal, async () =>
    (await engine.invoke('run:list', undefined)).filter(({ status }) => !isOver(status)).map(({ status }) => status.runId),
  )
  try {
    valueOf(await engine.call('cohort:run', request))
    if (signal.aborted) cancel()
    return await ended
  } finally {
    stop()
    letGo()
    signal.removeEventListener('abort', cancel)
    terminal.endProgress()
  }
}

function progressLine({ slides, etaMs }: CohortState, names: ReadonlyMap<string, string>): string {
  const over = slides.filter(({ state }) => state !== 'queued' && state !== 'running').length
  const now = slides.find(({ state }) => state === 'running')
  const at = now
    ? `, ${names.get(now.key) ?? ''} ${Math.floor(100 * now.fraction)} %, ${now.objects ?? 0} ${noun(now.objects ?? 0, 'object')}`
    : ''
  return `${over}/${slides.length} ${noun(slides.length, 'slide')}${at}${etaMs === null || !now ? '' : `, ${duration(etaMs)} left`}`
}
