// `morphoscope run SLIDE`: a recipe on a slide or a region of it, and every file that it leaves.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { resourceUsage } from 'node:process'
import { checkOutput, defaultRecipe, withSetOption } from '../../main/engine'
import type { Engine } from '../../main/engine'
import { exportFiles, usualExportFiles } from '../contract'
import type {
  CallArg,
  ExportFile,
  ExportResult,
  Recipe,
  RecipeSpec,
  Region,
  RunEstimate,
  RunMemory,
  RunStatus,
} from '../contract'
import { asCliError, CliError, ExitCode, valueOf } from './exitCodes'
import { openSlide } from './info'
import { duration } from './terminal'
import type { Terminal } from './terminal'

export interface RunOptions {
  recipe?: string | undefined
  set?: string[] | undefined
  region?: string | undefined
  mpp?: number | undefined
  threads?: number | undefined
  device?: string | undefined
  /** MiB. */
  memory?: number | undefined
  files?: string | undefined
  simplify?: number | undefined
  out: string
  overwrite?: boolean | undefined
  deidentify?: boolean | undefined
  json?: boolean | undefined
}

export function parseRegion(text: string): Region {
  const match = /^\s*(-?\d{1,12})\s*,\s*(-?\d{1,12})\s*,\s*(\d{1,12})\s*,\s*(\d{1,12})\s*$/.exec(text)
  const [x, y, width, height] = (match ?? []).slice(1).map(Number)
  if (x === undefined || y === undefined || !width || !height) {
    throw new CliError(ExitCode.usage, `expected x,y,width,height in level-0 px for --region but received ${text}`)
  }
  return { x, y, width, height }
}

export function parseFiles(text: string | undefined): ExportFile[] {
  if (text === undefined) return [...usualExportFiles]
  return text.split(',').map((name) => {
    const file = exportFiles.find((each) => each === name.trim())
    if (!file) throw new CliError(ExitCode.usage, `expected some of ${exportFiles.join(',')} for --files but received ${name}`)
    return file
  })
}

/** A bundled recipe by its id or name, else a file. */
export async function recipeOf(engine: Engine, specs: readonly RecipeSpec[], wanted: string | undefined): Promise<Recipe> {
  const named = (name: string) =>
    specs.find((spec) => [spec.id, spec.name].some((each) => each.toLowerCase() === name.toLowerCase()))
  if (wanted === undefined) {
    const spec = named('he-nuclei') ?? specs[0]
    if (!spec) throw new CliError(ExitCode.notThere, 'No recipe is bundled with this build.')
    return defaultRecipe(spec)
  }
  const spec = named(wanted)
  if (spec) return defaultRecipe(spec)
  if (!existsSync(wanted) && !/[/\\.]/.test(wanted)) {
    throw new CliError(
      ExitCode.usage,
      `expected one of ${specs.map(({ id }) => id).join(', ')} or a file for --recipe but received ${wanted}`,
    )
  }
  return valueOf(await engine.call('recipe:load', { path: resolve(wanted) })) as Recipe
}

function progressLine({ tilesDone, tilesTotal, objects, megapixelsPerSecond, etaMs }: RunStatus): string {
  const percent = tilesTotal > 0 ? Math.floor((100 * tilesDone) / tilesTotal) : 0
  const eta = etaMs === null ? '' : `, ${duration(etaMs)} left`
  return `${percent} %  ${tilesDone}/${tilesTotal} tiles, ${objects} objects, ${megapixelsPerSecond.toFixed(1)} Mpx/s${eta}`
}

/** Starts the run and waits for its end; an abort cancels it. */
export async function finished(engine: Engine, terminal: Terminal, request: unknown, signal: AbortSignal): Promise<RunStatus> {
  const ended = new Map<string, RunStatus>()
  let runId: string | undefined
  let wake = (): void => undefined
  const stop = engine.onEvent((event) => {
    if (event.type === 'run:end') {
      ended.set(event.status.runId, event.status)
      wake()
    } else if (event.type === 'run:progress' && event.status.runId === runId) {
      terminal.progress(progressLine(event.status), event.status.tilesDone / Math.max(1, event.status.tilesTotal))
    }
  })
  const cancel = (): void => void (runId !== undefined && engine.call('run:cancel', { runId }))
  signal.addEventListener('abort', cancel)
  try {
    const started = valueOf(await engine.call('run:start', request)) as RunStatus
    runId = started.runId
    if (signal.aborted) cancel()
    // The end may have come before the answer to the start.
    while (!ended.has(runId)) await new Promise<void>((resolve) => (wake = resolve))
    return ended.get(runId)!
  } finally {
    stop()
    signal.removeEventListener('abort', cancel)
    terminal.endProgress()
  }
}

async function exported(
  engine: Engine,
  terminal: Terminal,
  request: CallArg<'export:start'>,
  signal: AbortSignal,
): Promise<ExportResult> {
  const stop = engine.onEvent((event) => {
    if (event.type === 'export:progress') terminal.progress(`writing ${event.file}: ${Math.floor(100 * event.fraction)} %`, 0)
  })
  const cancel = (): void => void engine.call('export:cancel', { runId: request.runId })
  signal.addEventListener('abort', cancel)
  try {
    return valueOf(await engine.call('export:start', request)) as ExportResult
  } finally {
    stop()
    signal.removeEventListener('abort', cancel)
    terminal.endProgress()
  }
}

const gigabytes = (bytes: number): string => `${(bytes / 2 ** 30).toFixed(1)} GiB`

export function memoryWords({ needBytes, budgetBytes, windowsAtOnce }: RunMemory): string {
  const windows = `${windowsAtOnce} ${windowsAtOnce === 1 ? 'window' : 'windows'} at once`
  return needBytes > budgetBytes
    ? `memory: about ${gigabytes(needBytes)} with ${windows}, which is more than the ${gigabytes(budgetBytes)} that it may hold: give it more with --memory`
    : `memory: about ${gigabytes(needBytes)} of ${gigabytes(budgetBytes)}, ${windows}`
}

const cancelled = (): CliError => new CliError(ExitCode.interrupted, 'Cancelled: no file was written.')

export async function run(
  engine: Engine,
  terminal: Terminal,
  path: string,
  options: RunOptions,
  signal: AbortSignal,
): Promise<ExitCode> {
  const region = options.region === undefined ? 'whole' : parseRegion(options.region)
  const files = parseFiles(options.files)
  const specs = valueOf(await engine.call('recipe:list', {})) as RecipeSpec[]
  let recipe = await recipeOf(engine, specs, options.recipe)
  const spec = specs.find(({ id }) => id === recipe.spec)
  if (!spec)
    throw new CliError(
      ExitCode.usage,
      `expected one of ${specs.map(({ id }) => id).join(', ')} for the recipe's spec but received ${recipe.spec}`,
    )
  for (const option of options.set ?? []) recipe = withSetOption(recipe, spec, option)

  const { overwrite = false, deidentify = false } = options
  // A shell leaves "~" alone where it is quoted, or behind a "=".
  const directory = options.out === '~' || /^~[/\\]/.test(options.out) ? options.out : resolve(options.out)
  const output = { directory, files, overwrite, deidentify }
  const slide = await openSlide(engine, path, options.mpp)
  // Now, and not when all is computed.
  await checkOutput(path, output)
  for (const warning of slide.warnings) terminal.note(`warning: ${warning}`)
  if (signal.aborted) throw cancelled()
  const { mpp, threads, device } = options
  const request = {
    slideId: slide.slideId,
    region,
    recipe,
    purpose: 'run',
    ...(mpp === undefined ? {} : { mpp }),
    ...(threads === undefined ? {} : { threads }),
    ...(device === undefined ? {} : { device }),
  }
  if (options.memory !== undefined) valueOf(await engine.call('settings:set', { memoryMiB: options.memory }))
  const { purpose: _, ...asked } = request
  const { memory } = valueOf(await engine.call('run:estimate', asked)) as RunEstimate
  terminal.note(memoryWords(memory))
  const status = await finished(engine, terminal, request, signal)
  for (const warning of status.warnings) terminal.note(`warning: ${warning}`)
  if (status.state === 'failed') throw asCliError(status.error)
  if (status.state === 'cancelled' || signal.aborted) throw cancelled()

  const { runId } = status
  const { simplify } = options
  const outcome = await exported(
    engine,
    terminal,
    { runId, ...output, ...(simplify === undefined ? {} : { simplifyPx: simplify }) },
    signal,
  ).catch((error: unknown) => {
    throw signal.aborted ? cancelled() : error
  })
  if (outcome.cancelled) throw cancelled()
  for (const warning of outcome.warnings) terminal.note(`warning: ${warning}`)
  const partial = status.unreadableTiles > 0
  if (options.json) {
    const { state, objects, elapsedMs, megapixelsPerSecond, unreadableTiles, analysedMpp, warnings, timings } = status
    terminal.print(
      JSON.stringify(
        {
          slide: outcome.slideName,
          recipe: recipe.spec,
          state,
          partial,
          region: status.region,
          analysedMpp,
          objects,
          unreadableTiles,
          elapsedMs,
          megapixelsPerSecond,
          timings,
          memory: { ...memory, peakRssBytes: resourceUsage().maxRSS * 1024 },
          ...outcome,
          warnings: [...warnings, ...outcome.warnings],
        },
        null,
        2,
      ),
    )
  } else {
    terminal.print(`${status.objects} objects in ${duration(status.elapsedMs)}`)
    for (const file of outcome.files) terminal.print(file.path)
  }
  if (partial) terminal.note(`partial: ${status.unreadableTiles} tiles of the slide could not be read; run.json names them`)
  return partial ? ExitCode.partial : ExitCode.ok
}
