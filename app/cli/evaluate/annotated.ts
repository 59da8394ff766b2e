// Annotated images: which a folder holds, and what a recipe finds on one.
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withSetOption } from '../../../main/engine'
import { readImageFile } from '../../../main/ops'
import type { Engine } from '../../../main/engine'
import type { FileImage } from '../../../main/ops'
import type { ExportResult, Recipe, RecipeSpec, RunStatus } from '../../contract'
import { asCliError, CliError, ExitCode, valueOf } from '../exitCodes'
import { openSlide } from '../info'
import { nowReading } from '../parent'
import { finished } from '../run/followed'
import { recipeOf } from '../run/run'
import type { Terminal } from '../terminal'

/** An annotated image: NAME.png with NAME_inst.png, whose values are the nuclei's numbers, and perhaps NAME_class.png. */
export interface Annotated {
  readonly name: string
  readonly image: string
  readonly truth: string
  readonly classes?: string
}

const endings = ['.png', '.tif', '.tiff']

/** By name. Throws where there is none, or where an image has an annotation and no picture. */
export async function annotatedIn(folder: string, only: string | undefined): Promise<Annotated[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    const { code = String(error) } = error as { code?: string }
    throw new CliError(ExitCode.noInput, `The folder ${folder} cannot be read (${code}).`)
  })
  const file = (stem: string, kinds = endings) => names.find((name) => kinds.some((ending) => name === stem + ending))
  const found: Annotated[] = []
  for (const name of names.sort()) {
    const stem = /^(.+)_inst\.(png|tiff?|npy)$/.exec(name)?.[1]
    if (stem === undefined || (only !== undefined && !stem.includes(only))) continue
    if (found.some((each) => each.name === stem))
      throw new CliError(ExitCode.noInput, `${folder} has two annotations of ${stem}: expected one.`)
    const image = file(stem)
    if (image === undefined)
      throw new CliError(ExitCode.noInput, `${name} has no image beside it: expected ${stem}${endings.join(` or ${stem}`)}.`)
    const classes = file(`${stem}_class`, [...endings, '.npy'])
    found.push({
      name: stem,
      image: join(folder, image),
      truth: join(folder, name),
      ...(classes === undefined ? {} : { classes: join(folder, classes) }),
    })
  }
  if (found.length === 0) {
    const which = only === undefined ? '' : ` whose name has ${only}`
    throw new CliError(
      ExitCode.noInput,
      `${folder} holds no annotated image${which}: expected NAME.png and NAME_inst.png (0 = background, a number for each nucleus).`,
    )
  }
  return found
}

export async function readLabels(path: string, { width, height }: { width: number; height: number }): Promise<FileImage> {
  nowReading(path)
  const labels = await readImageFile(path)
  if (labels.channels !== 1 || labels.width !== width || labels.height !== height) {
    const received = `${labels.width} × ${labels.height} px${labels.channels === 1 ? '' : ' in colour'}`
    throw new CliError(ExitCode.usage, `expected a grey image of ${width} × ${height} px for ${path} but received ${received}`)
  }
  const negative = labels.data.find((value) => value < 0)
  if (negative !== undefined) throw new CliError(ExitCode.usage, `expected values from 0 in ${path} but received ${negative}`)
  return labels
}

export const cancelled = (): CliError => new CliError(ExitCode.interrupted, 'Cancelled.')

/** What a recipe is run with. */
export interface Job {
  readonly engine: Engine
  readonly terminal: Terminal
  readonly recipe: Recipe
  readonly options: {
    readonly mpp?: number | undefined
    readonly channel?: string | undefined
    readonly threads?: number | undefined
    readonly device?: string | undefined
  }
  readonly signal: AbortSignal
  /** The slides' warnings were told already. */
  readonly silent?: boolean
}

/** The recipe's objects on the whole image, as labels at its own pixels: what `run` writes. */
export async function segmented(job: Job, path: string): Promise<FileImage> {
  const { engine, terminal, recipe, options, signal } = job
  const { mpp, channel, threads, device } = options
  const slide = await openSlide(engine, path, mpp, channel)
  if (job.silent !== true) for (const warning of slide.warnings) terminal.note(`warning: ${warning}`)
  const { slideId } = slide
  const folder = await mkdtemp(join(tmpdir(), 'morphoscope-evaluate-'))
  try {
    const request = {
      slideId,
      region: 'whole',
      recipe,
      purpose: 'run',
      ...(mpp === undefined ? {} : { mpp }),
      ...(threads === undefined ? {} : { threads }),
      ...(device === undefined ? {} : { device }),
    }
    const status: RunStatus = await finished(engine, terminal, { call: 'run:start', arg: request }, signal)
    if (status.state === 'failed') throw asCliError(status.error)
    if (status.state === 'cancelled' || signal.aborted) throw cancelled()
    const wanted = { runId: status.runId, directory: folder, files: ['labels.ome.tif'], overwrite: false, deidentify: true }
    const outcome = valueOf(await engine.call('export:start', wanted, signal)) as ExportResult
    const [written] = outcome.files
    if (outcome.cancelled || written === undefined) throw cancelled()
    return await readImageFile(written.path)
  } finally {
    await rm(folder, { recursive: true, force: true })
    await engine.call('slide:close', { slideId })
  }
}

/** The recipe that is asked for, with its options, and its spec. */
export async function wantedRecipe(
  engine: Engine,
  wanted: string | undefined,
  set: readonly string[] | undefined,
): Promise<{ recipe: Recipe; spec: RecipeSpec }> {
  const specs = valueOf(await engine.call('recipe:list', {})) as RecipeSpec[]
  let recipe = await recipeOf(engine, specs, wanted)
  const spec = specs.find(({ id }) => id === recipe.spec)
  if (!spec) {
    const known = specs.map(({ id }) => id).join(', ')
    throw new CliError(ExitCode.usage, `expected one of ${known} for the recipe's spec but received ${recipe.spec}`)
  }
  for (const option of set ?? []) recipe = withSetOption(recipe, spec, option)
  return { recipe, spec }
}
