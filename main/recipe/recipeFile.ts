// Recipes as files: what a user saves, sends to a colleague, and finds again inside every export.
import { mkdir, readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import writeFileAtomic from 'write-file-atomic'
import { Recipe } from '../../app/contract'
import { EngineError, describe, schemaError } from '../errors'
import { messageOf } from '../jsonFile'
import type { SpecTable } from './specs'
import { completeRecipe } from './validate'

const maxBytes = 1024 * 1024

/** Checks the form and version, not the values: those need the spec. */
export function parseRecipe(source: string, text: string): Recipe {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new EngineError(
      'INVALID_PARAMETER',
      `${source} is no recipe: it is not JSON (${messageOf(cause)}). Choose a recipe that was saved by Morphoscope.`,
      undefined,
      { cause },
    )
  }
  // An export's run.json: the run can be repeated from it.
  const run = (value ?? {}) as { format?: unknown; recipe?: unknown }
  if (run.format === 'morphoscope-run') value = run.recipe
  const { format, version } = (value ?? {}) as { format?: unknown; version?: unknown }
  if (format !== 'morphoscope-recipe') {
    throw new EngineError(
      'INVALID_PARAMETER',
      `${source} is no recipe: expected "morphoscope-recipe" for format but received ${describe(format)}. Choose a recipe that was saved by Morphoscope.`,
    )
  }
  if (version !== 1) {
    throw new EngineError(
      'INVALID_PARAMETER',
      `${source} has recipe version ${describe(version)}, and this program reads version 1. Open it with a newer Morphoscope.`,
    )
  }
  const checked = Recipe.safeParse(value)
  if (!checked.success)
    throw new EngineError('INVALID_PARAMETER', `${source} is damaged: ${schemaError('recipe', value, checked.error).message}`)
  return checked.data
}

export async function loadRecipe(path: string, specs: SpecTable): Promise<Recipe> {
  let text: string
  try {
    const { size } = await stat(path)
    if (size > maxBytes)
      throw new EngineError(
        'INVALID_PARAMETER',
        `${path} has ${size} bytes, and a recipe has at most ${maxBytes}. Choose a recipe that was saved by Morphoscope.`,
      )
    text = await readFile(path, 'utf8')
  } catch (cause) {
    if (cause instanceof EngineError) throw cause
    throw new EngineError('NOT_FOUND', `The recipe ${path} could not be read (${messageOf(cause)}). Check the path.`, undefined, {
      cause,
    })
  }
  const recipe = parseRecipe(path, text)
  return completeRecipe(recipe, await specs.get(recipe.spec))
}

export async function saveRecipe(path: string, recipe: Recipe, specs: SpecTable): Promise<void> {
  const complete = completeRecipe(recipe, await specs.get(recipe.spec))
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFileAtomic(path, `${JSON.stringify(complete, null, 2)}\n`)
  } catch (cause) {
    throw new EngineError(
      'OUTPUT_FAILED',
      `The recipe could not be written to ${path} (${messageOf(cause)}). Choose another folder.`,
      undefined,
      { cause },
    )
  }
}
