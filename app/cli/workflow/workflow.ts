// `morphoscope workflow SLIDES… --out DIR` and `project run --workflow DIR`: a folder from which a scheduler runs a cohort's slides in shards.
import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { writeTextFile } from '../../../main/engine'
import type { Engine } from '../../../main/engine'
import { counted } from '../../contract'
import type { Recipe, RunEstimate } from '../../contract'
import { asCliError, CliError, ExitCode, valueOf } from '../exitCodes'
import { openSlide } from '../info'
import { installation } from '../installation'
import { parseFiles, recipeWith } from '../run/run'
import { table } from '../terminal'
import type { Terminal } from '../terminal'
import { plainNames, settingsText, slidesText } from './workflowFiles'
import type { SlideRow } from './workflowFiles'

export interface WorkflowOptions {
  readonly out: string
  readonly recipe?: string | undefined
  readonly set?: string[] | undefined
  readonly files?: string | undefined
  readonly threads?: number | undefined
  readonly device?: string | undefined
  /** Analysed Mpx of a shard, at most. */
  readonly shardMegapixels?: number | undefined
  readonly overwrite?: boolean | undefined
  readonly deidentify?: boolean | undefined
  readonly json?: boolean | undefined
}
/** A slide that is to be run. */
export interface WorkflowSlide {
  readonly path: string
  readonly mpp?: number | undefined
  readonly channel?: string | undefined
}

export const usualShard = { threads: 4, megapixels: 1000 } as const
/** Before anything was measured: of one thread. Reading takes half of it on a slow file system. */
const secondsPerMegapixel = 0.5
/** What a step may take beyond what is expected: nodes differ, and a file system that others use. */
const patience = { minutes: 10, times: 4 } as const
/** Of what the steps need: Node itself and the buffers of files are not counted there. */
const memoryMargin = { mib: 400, times: 1.25 } as const
/** Where a slide cannot be opened here: its step says why. */
const unopened = { shards: 1, memoryMb: 4000, minutes: patience.minutes } as const

/** Slides as they are named, and of a folder all that lies in it. */
export async function slidesOf(paths: readonly string[]): Promise<WorkflowSlide[]> {
  const slides: WorkflowSlide[] = []
  for (const path of paths.map((each) => resolve(each))) {
    const isFolder = (await stat(path).catch(() => null))?.isDirectory() === true && !/\.zarr$/i.test(path)
    if (!isFolder) slides.push({ path })
    else
      for (const entry of (await readdir(path, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1)))
        if (!entry.name.startsWith('.') && (entry.isFile() || /\.zarr$/i.test(entry.name)))
          slides.push({ path: join(path, entry.name) })
  }
  return slides
}

export async function writeWorkflow(
  engine: Engine,
  terminal: Terminal,
  slides: readonly WorkflowSlide[],
  options: WorkflowOptions,
): Promise<ExitCode> {
  const folder = resolve(options.out)
  if (slides.length === 0) throw new CliError(ExitCode.noInput, 'There is no slide to run.')
  if (existsSync(join(folder, 'slides.tsv')) && options.overwrite !== true)
    throw new CliError(
      ExitCode.cannotCreate,
      `${folder} is a workflow already: --overwrite replaces its list and settings, and keeps what was computed.`,
    )
  const files = parseFiles(options.files)
  const recipe = await recipeWith(engine, options.recipe, options.set ?? [])
  // A folder's name may name a patient.
  const names = plainNames(slides.map(({ path }) => (options.deidentify ? 'slide' : basename(path).replace(/\.[^.]+$/, ''))))
  const rows: SlideRow[] = []
  for (const [k, slide] of slides.entries()) rows.push(await rowOf(engine, terminal, names[k]!, slide, recipe, options))
  // Slurm starts no job whose log has no folder.
  await mkdir(join(folder, 'logs'), { recursive: true })
  await cp(join(installation().root, 'assets', 'workflows'), folder, { recursive: true })
  const { deidentify = false, device } = options
  await writeTextFile(join(folder, 'recipe.json'), [JSON.stringify(recipe, null, 2)])
  await writeTextFile(join(folder, 'settings.sh'), [settingsText({ files, device, deidentify, launcher: launcher() })])
  // Last: with it the folder is a workflow.
  await writeTextFile(join(folder, 'slides.tsv'), [slidesText(rows)])
  if (options.json) terminal.print(JSON.stringify({ folder, slides: rows }, null, 2))
  else {
    terminal.print(
      table(
        rows.map(({ name, shards, threads, memoryMb, minutes }) => [
          name,
          counted(shards, 'shard'),
          counted(threads, 'thread'),
          `${memoryMb} MB`,
          `${minutes} min at most`,
        ]),
      ),
    )
    terminal.note(`${folder}: snakemake --profile profiles/slurm, or profiles/local, or ./submit.sh. README.md there says more.`)
  }
  return rows.some(({ isOpened }) => !isOpened) ? ExitCode.partial : ExitCode.ok
}

/** With what its steps need, by the run's own estimate. */
async function rowOf(
  engine: Engine,
  terminal: Terminal,
  name: string,
  { path, mpp, channel }: WorkflowSlide,
  recipe: Recipe,
  { threads = usualShard.threads, device, shardMegapixels = usualShard.megapixels }: WorkflowOptions,
): Promise<SlideRow> {
  const row = { name, path, threads }
  const ofChannel = channel === undefined ? [] : ['--channel', channel]
  if (/\s/.test(channel ?? ''))
    throw new CliError(ExitCode.usage, `A workflow cannot name the channel ${channel ?? ''}: choose it by its number.`)
  const withMpp = mpp === undefined ? ofChannel : ['--mpp', String(mpp), ...ofChannel]
  try {
    const { slideId, mppX } = await openSlide(engine, path, undefined, channel)
    // What the slide says itself need not be said.
    const options = mppX === mpp ? ofChannel : withMpp
    const asked = {
      slideId,
      region: 'whole',
      recipe,
      threads,
      ...(mpp !== undefined && { mpp }),
      ...(device !== undefined && { device }),
    }
    const { megapixels, ms, memory } = valueOf(await engine.call('run:estimate', asked)) as RunEstimate
    await engine.call('slide:close', { slideId })
    const shards = Math.max(1, Math.ceil(megapixels / shardMegapixels))
    const seconds = (ms ?? (megapixels * secondsPerMegapixel * 1000) / threads) / 1000 / shards
    return {
      ...{ ...row, options, shards },
      memoryMb: Math.ceil((memory.needBytes / 2 ** 20) * memoryMargin.times + memoryMargin.mib),
      minutes: Math.ceil(patience.minutes + (patience.times * seconds) / 60),
      isOpened: true,
    }
  } catch (error) {
    terminal.note(`${name} cannot be opened here, and its step will say so: ${asCliError(error).message}`)
    return { ...row, ...unopened, options: withMpp, isOpened: false }
  }
}

/** In a checkout or an npm package by its own Node; an installed package has its command on the path. */
function launcher(): string[] {
  const script = join(installation().root, 'app', 'cli', 'morphoscope.cjs')
  return existsSync(script) ? [process.execPath, script] : ['morphoscope']
}
