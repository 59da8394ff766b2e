// `morphoscope run SLIDE`: a recipe on a slide or a region of it, and every file that it leaves.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { checkOutput, defaultRecipe, withSetOption } from '../../../main/engine'
import type { Engine, JournalPlace } from '../../../main/engine'
import { choiceOf, counted, exportFiles, usualExportFiles, writableExportFiles } from '../../contract'
import type {
  ExportFile,
  HotSpotField,
  LaserRequest,
  Origin,
  Recipe,
  RecipeSpec,
  RecipeVersion,
  Region,
  RunEstimate,
  RunStatus,
  ShardRef,
  SpatialMeasures,
} from '../../contract'
import { deviceList } from '../deviceName'
import { finished } from './followed'
import { memoryWords } from './runWords'
import { withSpatialFiles } from '../spatialOption'
import { stageVariants } from './stageVariants'
import { asCliError, CliError, ExitCode, valueOf } from '../exitCodes'
import { openSlide } from '../info'
import { journalIn, noteOf, partOf, refuseToForget, requireSameRun } from './resume'
import type { JournalEntry, RunNote } from './resume'
import { classedBy, ruleOf } from './classBy'
import { withClassLimit, type ClassLimitOptions } from './classLimit'
import { laserOf } from './laser'
import type { LaserOptions } from './laser'
import { withStains } from './stains'
import type { StainOptions } from './stains'
import { parseRegion, parseVerify } from './verify'
import { cancelled, written } from './written'
import type { Terminal } from '../terminal'

export interface RunOptions extends StainOptions, ClassLimitOptions, LaserOptions {
  recipe?: string | undefined
  set?: string[] | undefined
  region?: string | undefined
  mpp?: number | undefined
  /** The channel that is analysed, by its name or number. */
  channel?: string | undefined
  /** "MEASUREMENT > LIMIT", each: classes by all of them together. */
  classBy?: string[] | undefined
  /** Where the hot spot is looked for. */
  hotSpot?: HotSpotField | undefined
  /** Columns of tables beside what is measured of the objects. */
  spatial?: SpatialMeasures | undefined
  threads?: number | undefined
  device?: string | undefined
  /** "stage/operation=variant", each. */
  variant?: string[] | undefined
  /** In place of `device`: "all", or names. */
  devices?: string | undefined
  /** MiB. */
  memory?: number | undefined
  files?: string | undefined
  simplify?: number | undefined
  origin?: Origin | undefined
  /** Absent only where `resume` names the folder. */
  out?: string | undefined
  /** True: goes on with what the same command began; text: with what a run into that folder began. */
  resume?: string | true | undefined
  /** Regions to compute once more, or how many random ones. */
  verify?: string[] | undefined
  /** These tiles alone, for `merge`. */
  shard?: ShardRef | undefined
  /** What is final is written where the run does not come to its end, too. */
  partial?: boolean | undefined
  overwrite?: boolean | undefined
  deidentify?: boolean | undefined
  /** report.html calls the slide by its name. */
  named?: boolean | undefined
  json?: boolean | undefined
}

export function parseFiles(text: string | undefined): ExportFile[] {
  if (text === undefined) return [...usualExportFiles]
  return text.split(',').map((name) => {
    const file = exportFiles.find((each) => each === name.trim())
    if (file === 'report.pdf')
      throw new CliError(
        ExitCode.usage,
        'report.pdf is printed by the desktop app alone: ask for report.html here, open it in a browser and print it there',
      )
    if (!file)
      throw new CliError(
        ExitCode.usage,
        `expected some of ${writableExportFiles(false).join(',')} for --files but received ${name}`,
      )
    return file
  })
}

/** As recipeOf finds it, with values set. Throws CliError, INVALID_PARAMETER. */
export async function recipeWith(engine: Engine, wanted: string | undefined, set: readonly string[]): Promise<Recipe> {
  const specs = await engine.invoke('recipe:list', undefined)
  const recipe = await recipeOf(engine, specs, wanted)
  const spec = specs.find(({ id }) => id === recipe.spec)
  return spec ? set.reduce((changed, option) => withSetOption(changed, spec, option), recipe) : recipe
}

/** A bundled recipe by its id or name, else a file, else a version that is kept under that name. */
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
  if (!existsSync(wanted)) {
    const kept = valueOf(await engine.call('recipe:versions', null)) as RecipeVersion[]
    const version = kept.find(({ name }) => name.toLowerCase() === wanted.toLowerCase())
    if (version) return version.recipe
    if (/[/\\.]/.test(wanted)) return valueOf(await engine.call('recipe:load', { path: resolve(wanted) })) as Recipe
    throw new CliError(
      ExitCode.usage,
      `expected one of ${[...specs.map(({ id }) => id), ...kept.map(({ name }) => name)].join(', ')} or a file for --recipe but received ${wanted}`,
    )
  }
  return valueOf(await engine.call('recipe:load', { path: resolve(wanted) })) as Recipe
}

/** The folder that a run's files go into, and its journal while it goes on. */
export function outputDirectory({ out, resume }: RunOptions): string {
  const directory = typeof resume === 'string' ? resume : out
  if (directory === undefined) throw new CliError(ExitCode.usage, 'expected a folder for --out, or --resume FOLDER')
  // A shell leaves "~" alone where it is quoted, or behind a "=".
  return directory === '~' || /^~[/\\]/.test(directory) ? directory : resolve(directory)
}

/** Where the run's journal lies, and what it says for whoever goes on with it. */
export function journalPlace(options: RunOptions): JournalPlace {
  const { simplify, origin, classBy, hotSpot, spatial, deidentify = false, overwrite = false } = options
  const files = withSpatialFiles(parseFiles(options.files), spatial)
  const laser = laserOf(options, files) ?? undefined
  const note: RunNote = { files, simplify, origin, classBy, hotSpot, spatial, laser, deidentify, overwrite }
  return { directory: outputDirectory(options), note, nameless: deidentify, keepsOver: true }
}

/** What the command asks for, its options checked. */
interface Wanted {
  readonly path: string
  readonly recipe: Recipe
  readonly region: Region | 'whole'
  readonly mpp: number | undefined
  readonly channel: string | undefined
  readonly classBy: readonly string[] | undefined
  readonly hotSpot: HotSpotField | undefined
  readonly spatial: SpatialMeasures | undefined
  readonly files: ExportFile[]
  readonly simplify: number | undefined
  readonly origin: Origin | undefined
  readonly laser: LaserRequest | null
  readonly overwrite: boolean
  readonly deidentify: boolean
  /** The run to go on with. */
  readonly entry: JournalEntry | null
}

/** `morphoscope run --resume FOLDER`: all is as it was asked for then, but for what the command says again. */
async function askedThen(engine: Engine, directory: string, path: string | undefined, options: RunOptions): Promise<Wanted> {
  const entry = await journalIn(engine, directory)
  if (!entry) {
    throw new CliError(
      ExitCode.noInput,
      `${directory} holds no journal of an interrupted run: the run is finished, another process goes on with it, or none of its tiles was final.`,
    )
  }
  const note = noteOf(entry)
  // What is shown has been decided by now.
  if (note?.deidentify === true && options.deidentify !== true)
    throw new CliError(
      ExitCode.usage,
      `The run was begun with --deidentify: morphoscope run SLIDE --resume ${directory} --deidentify`,
    )
  const slide = path ?? entry.slidePath
  if (slide === null)
    throw new CliError(
      ExitCode.usage,
      `The journal does not say which slide it is of: morphoscope run SLIDE --resume ${directory}`,
    )
  const named = options.files === undefined ? (note?.files ?? usualExportFiles) : parseFiles(options.files)
  const files = withSpatialFiles(named, options.spatial ?? note?.spatial)
  return {
    path: slide,
    recipe: entry.recipe,
    region: entry.region,
    mpp: entry.mpp,
    channel: options.channel ?? (entry.channel === undefined ? undefined : choiceOf(entry.channel)),
    classBy: options.classBy ?? note?.classBy,
    hotSpot: options.hotSpot ?? note?.hotSpot,
    spatial: options.spatial ?? note?.spatial,
    files,
    simplify: options.simplify ?? note?.simplify,
    origin: options.origin ?? note?.origin,
    laser: options.lmdCalibration ? laserOf(options, files) : (note?.laser ?? null),
    overwrite: options.overwrite ?? note?.overwrite ?? false,
    deidentify: options.deidentify ?? note?.deidentify ?? false,
    entry,
  }
}

/** With all that the options say of it, and ask of the slide. Throws CliError, INVALID_PARAMETER. */
export async function recipeFor(engine: Engine, terminal: Terminal, path: string, options: RunOptions): Promise<Recipe> {
  const specs = valueOf(await engine.call('recipe:list', {})) as RecipeSpec[]
  let recipe = await recipeOf(engine, specs, options.recipe)
  const spec = specs.find(({ id }) => id === recipe.spec)
  if (!spec)
    throw new CliError(
      ExitCode.usage,
      `expected one of ${specs.map(({ id }) => id).join(', ')} for the recipe's spec but received ${recipe.spec}`,
    )
  recipe = await withStains(engine, terminal, recipe, path, options)
  for (const option of options.set ?? []) recipe = withSetOption(recipe, spec, option)
  return withClassLimit(engine, terminal, recipe, spec, path, options)
}

async function askedNow(
  engine: Engine,
  terminal: Terminal,
  directory: string,
  path: string | undefined,
  options: RunOptions,
): Promise<Wanted> {
  if (path === undefined) throw new CliError(ExitCode.usage, 'expected a slide, or --resume FOLDER')
  const region = options.region === undefined ? 'whole' : parseRegion(options.region)
  const files = withSpatialFiles(parseFiles(options.files), options.spatial)
  const recipe = await recipeFor(engine, terminal, path, options)
  const { mpp, channel, classBy, hotSpot, spatial, simplify, origin, overwrite = false, deidentify = false } = options
  let entry = await journalIn(engine, directory)
  if (entry && options.resume === undefined) {
    if (!overwrite && entry.tilesDone > 0 && !entry.written) refuseToForget(entry, directory)
    valueOf(await engine.call('journal:delete', { journalId: entry.journalId }))
    entry = null
  }
  if (entry) requireSameRun(entry, { recipe, region, mpp })
  const laser = laserOf(options, files)
  return {
    path,
    recipe,
    region,
    mpp,
    channel,
    classBy,
    hotSpot,
    spatial,
    files,
    simplify,
    origin,
    laser,
    overwrite,
    deidentify,
    entry,
  }
}

export async function run(
  engine: Engine,
  terminal: Terminal,
  path: string | undefined,
  options: RunOptions,
  signal: AbortSignal,
): Promise<ExitCode> {
  const directory = outputDirectory(options)
  const then = typeof options.resume === 'string' && options.out === undefined
  const toVerify = parseVerify(options.verify)
  const asked = then
    ? await askedThen(engine, directory, path, options)
    : await askedNow(engine, terminal, directory, path, options)
  const { recipe, region, mpp, channel, classBy, files, simplify, origin, overwrite, deidentify, entry } = asked
  const { laser } = asked
  const output = { directory, files, overwrite, deidentify, ...(options.named && { named: true }), ...(laser && { laser }) }
  const slide = await openSlide(engine, asked.path, mpp, channel)
  // Now, and not when all is computed.
  await checkOutput(asked.path, output)
  const rule = ruleOf(
    classBy,
    slide,
    (await engine.invoke('recipe:list', undefined)).find(({ id }) => id === recipe.spec),
  )
  for (const warning of slide.warnings) terminal.note(`warning: ${warning}`)
  if (signal.aborted) throw cancelled()
  const { threads } = options
  const device = options.devices === undefined ? options.device : (await deviceList(options.devices)).join(',')
  const means = { ...(threads === undefined ? {} : { threads }), ...(device === undefined ? {} : { device }) }
  const where = { slideId: slide.slideId, region, recipe, ...(mpp === undefined ? {} : { mpp }) }
  if (asked.spatial) valueOf(await engine.call('settings:set', { spatial: asked.spatial }))
  if (asked.hotSpot) valueOf(await engine.call('settings:set', { hotSpot: asked.hotSpot }))
  if (options.memory !== undefined) valueOf(await engine.call('settings:set', { memoryMiB: options.memory }))
  const { memory } = valueOf(await engine.call('run:estimate', { ...where, ...means })) as RunEstimate
  terminal.note(memoryWords(memory))
  if (entry) terminal.note(`resuming: ${partOf(entry)} is there, ${entry.tilesDone} of ${counted(entry.tilesTotal, 'tile')}`)
  else if (options.resume !== undefined) terminal.note('resuming: nothing is there to go on with, so the run begins anew')
  const begin = entry
    ? { call: 'journal:resume' as const, arg: { journalId: entry.journalId, slideId: slide.slideId, ...means } }
    : { call: 'run:start' as const, arg: { ...where, ...means, ...stageVariants(options.variant), purpose: 'run' } }
  const status = await classedBy(engine, await finished(engine, terminal, begin, signal), rule)
  for (const warning of status.warnings) terminal.note(`warning: ${warning}`)
  const stopped = status.state !== 'done' || signal.aborted
  const goesOn = status.tilesDone > 0 && status.error?.code !== 'SLIDE_CHANGED'
  const hint = goesOn ? ` What is finished is kept: morphoscope run --resume ${directory} goes on with it.` : ''
  // Of a slide that is gone nothing more will come until its disk is back: what there is is written, as of one that can be read in part.
  const writes = status.tilesDone > 0 && (options.partial === true || (status.state === 'failed' && isGone(status)))
  if (stopped && !writes) {
    if (status.state !== 'failed') throw cancelled(hint)
    const { exitCode, message, detail } = asCliError(status.error)
    throw new CliError(exitCode, `${message}${hint}`, detail)
  }
  if (status.error) terminal.note(`error: ${status.error.message}`)

  const how = { output, simplify, origin, stopped, hint, toVerify, recipe: recipe.spec, memory, json: options.json === true }
  return written(engine, terminal, status, how, signal)
}

/** The slide went away while it was read. */
const isGone = ({ error }: RunStatus): boolean => error?.code === 'SLIDE_UNREADABLE' && error.message.includes('is gone since')
