// Versions of recipes that people keep under a name: one recipe file each in a folder of the settings, the same for window, browser and command line.
import { createHash } from 'node:crypto'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { maxRecipeVersions, VersionName } from '../../app/contract'
import type { Recipe, RecipeVersion } from '../../app/contract'
import { EngineError } from '../base/errors'
import { messageOf } from '../base/jsonFile'
import type { Log } from '../base/log'
import { loadRecipe, saveRecipe } from './recipeFile'
import type { SpecTable } from './specs'

/** Names that differ in case alone are one: a file system may think so too. */
const sameName = (name: string): string => name.normalize('NFC').toLowerCase()

/** Readable, and of no other name: what a file system does not take is left out, and the sum tells such names apart. */
function fileOf(name: string): string {
  const readable = name
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}_-]+/gu, '-')
    .slice(0, 40)
  return `recipe-${readable}-${createHash('sha256').update(sameName(name)).digest('hex').slice(0, 12)}.json`
}

interface Found extends RecipeVersion {
  readonly file: string
}

export class RecipeVersions {
  readonly #folder: string
  readonly #specs: SpecTable
  readonly #log: Log

  constructor(folder: string, specs: SpecTable, log: Log) {
    this.#folder = folder
    this.#specs = specs
    this.#log = log
  }

  /** By name. Files that are none, or not of this program's recipes, are named in the log and left alone. Reads them all: some ms a hundred. */
  async list(): Promise<RecipeVersion[]> {
    return (await this.#read()).map(({ name, recipe }) => ({ name, recipe }))
  }

  /** Throws INVALID_PARAMETER for values that the recipe does not take, OUTPUT_EXISTS where the name is taken and `replace` is not said. */
  async keep(name: string, recipe: Recipe, replace: boolean): Promise<void> {
    const known = await this.#read()
    const before = known.filter((each) => sameName(each.name) === sameName(name))
    if (before.length > 0 && !replace)
      throw new EngineError(
        'OUTPUT_EXISTS',
        `There is a version “${before[0]!.name}” already. Replace it, or choose another name.`,
      )
    if (before.length === 0 && known.length >= maxRecipeVersions)
      throw new EngineError('INVALID_PARAMETER', `There are ${known.length} versions already: delete one that is not needed.`)
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const file = fileOf(name)
    await saveRecipe(join(this.#folder, file), { ...recipe, name }, this.#specs)
    // One that somebody has copied here has a file name of its own.
    for (const each of before) if (each.file !== file) await rm(join(this.#folder, each.file), { force: true })
  }

  /** Throws NOT_FOUND. */
  async forget(name: string): Promise<void> {
    const gone = (await this.#read()).filter((each) => sameName(each.name) === sameName(name))
    if (gone.length === 0) throw new EngineError('NOT_FOUND', `There is no version “${name}” any more.`)
    for (const { file } of gone) await rm(join(this.#folder, file), { force: true })
  }

  async #read(): Promise<Found[]> {
    const names = await readdir(this.#folder).catch(() => [])
    const found: Found[] = []
    for (const file of names.filter((each) => each.endsWith('.json') && !each.startsWith('.')).sort()) {
      if (found.length >= maxRecipeVersions) break
      try {
        const recipe = await loadRecipe(join(this.#folder, file), this.#specs)
        const name = VersionName.parse(recipe.name)
        if (!found.some((each) => sameName(each.name) === sameName(name))) found.push({ name, recipe, file })
      } catch (error) {
        this.#log({ level: 'warn', message: `A version of a recipe was left out: ${messageOf(error)}` })
      }
    }
    return found.sort((a, b) => a.name.localeCompare(b.name, 'en'))
  }
}
