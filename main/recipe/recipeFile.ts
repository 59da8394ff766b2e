// Recipes as files: what a user saves, sends to a colleague, and finds again inside every export.
import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { open, realpath, rename, rm } from 'node:fs/promises'
import { basename, dirname, extname, isAbsolute, join } from 'node:path'
import { Recipe } from '../../app/contract'
import { EngineError, describe, schemaError } from '../base/errors'
import { messageOf } from '../base/jsonFile'
import { kindOf } from '../base/regularFile'
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
      `${source} is no recipe: it is not JSON. Choose a recipe that was saved by Morphoscope.`,
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

/** Of a regular file alone: a pipe or a device would never end. */
async function readSmall(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const found = await file.stat()
    if (!found.isFile())
      throw new EngineError(
        'INVALID_PARAMETER',
        `${path} is ${kindOf(found)}, not a file. Choose a recipe that was saved by Morphoscope.`,
      )
    if (found.size > maxBytes)
      throw new EngineError(
        'INVALID_PARAMETER',
        `${path} has ${found.size} bytes, and a recipe has at most ${maxBytes}. Choose a recipe that was saved by Morphoscope.`,
      )
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}

export async function loadRecipe(path: string, specs: SpecTable): Promise<Recipe> {
  let text: string
  try {
    text = await readSmall(path)
  } catch (cause) {
    if (cause instanceof EngineError) throw cause
    throw new EngineError('NOT_FOUND', `The recipe ${path} could not be read (${messageOf(cause)}). Check the path.`, undefined, {
      cause,
    })
  }
  const recipe = parseRecipe(path, text)
  return completeRecipe(recipe, await specs.get(recipe.spec))
}

/** Only a recipe gives way to a recipe: whoever names the path may have picked any other file, or been made to. */
async function checkReplaceable(path: string): Promise<void> {
  let file
  try {
    // O_NONBLOCK: a pipe must not hold the call.
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (cause) {
    const { code } = cause as { code?: string }
    if (code === 'ENOENT') return
    if (code === 'ELOOP') throw notOver(path, 'it is a link')
    throw cause
  }
  try {
    const found = await file.stat()
    if (!found.isFile()) throw notOver(path, 'it is no regular file')
    if (found.size > maxBytes) throw notOver(path, 'it is no recipe')
    const text = await file.readFile('utf8')
    if (!isRecipe(text)) throw notOver(path, 'it is no recipe')
  } finally {
    await file.close()
  }
}

/** An export's run.json holds a recipe, and is none. */
function isRecipe(text: string): boolean {
  try {
    return Recipe.safeParse(JSON.parse(text)).success
  } catch {
    return false
  }
}

const notOver = (path: string, why: string): EngineError =>
  new EngineError('INVALID_PARAMETER', `The recipe was not saved over ${path}: ${why}. Choose another name.`)

/**
 * A new file, or a recipe in place of a recipe, whole or not at all; never through a link, and never anything but `*.json`. The folder
 * must be there.
 */
export async function saveRecipe(path: string, recipe: Recipe, specs: SpecTable): Promise<void> {
  const complete = completeRecipe(recipe, await specs.get(recipe.spec))
  const name = basename(path)
  if (!isAbsolute(path) || name.startsWith('.') || extname(name) !== '.json')
    throw new EngineError(
      'INVALID_PARAMETER',
      `expected an absolute path that ends in .json, of a file that is not hidden, for the recipe but received ${describe(path)}`,
    )
  try {
    // Links above the file are the caller's to judge: from here on the folder is this one.
    const target = join(await realpath(dirname(path)), name)
    await checkReplaceable(target)
    const draft = join(dirname(target), `.${name}.${randomBytes(8).toString('hex')}.part`)
    try {
      const file = await open(draft, 'wx')
      try {
        await file.writeFile(`${JSON.stringify(complete, null, 2)}\n`)
        await file.sync()
      } finally {
        await file.close()
      }
      // What came there meanwhile is looked at again.
      await checkReplaceable(target)
      await rename(draft, target)
    } catch (cause) {
      await rm(draft, { force: true })
      throw cause
    }
  } catch (cause) {
    if (cause instanceof EngineError) throw cause
    throw new EngineError(
      'OUTPUT_FAILED',
      `The recipe could not be written to ${path} (${messageOf(cause)}). Choose another folder.`,
      undefined,
      { cause },
    )
  }
}
