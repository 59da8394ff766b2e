// The bundled recipes: reads assets/recipes/*.json once and checks each against the contract.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { RecipeSpec } from '../../app/contract'
import { EngineError, describe, schemaError } from '../base/errors'
import { messageOf } from '../base/jsonFile'

export interface SpecTable {
  list(): Promise<RecipeSpec[]>
  /** Throws INVALID_PARAMETER with the ids there are. */
  get(id: string): Promise<RecipeSpec>
}

/** The first recipe that a newcomer sees comes first, whatever the files are called. */
const order = ['he-nuclei', 'ihc-nuclei', 'fluorescence-nuclei', 'iwpp-nuclei', 'max-tree-nuclei', 'cell-detection']

async function loadSpecs(directory: string): Promise<RecipeSpec[]> {
  let names: string[]
  try {
    names = (await readdir(directory)).filter((name) => name.endsWith('.json')).sort()
  } catch (cause) {
    throw new EngineError(
      'NOT_FOUND',
      `The bundled recipes are not at ${directory} (${messageOf(cause)}). Install the program again.`,
      undefined,
      { cause },
    )
  }
  const specs: RecipeSpec[] = []
  for (const name of names) {
    const path = join(directory, name)
    specs.push(parseSpec(path, await readFile(path, 'utf8')))
  }
  const rank = (id: string): number => (order.includes(id) ? order.indexOf(id) : order.length)
  return specs.sort((a, b) => rank(a.id) - rank(b.id) || (a.id < b.id ? -1 : 1))
}

export function parseSpec(path: string, text: string): RecipeSpec {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new EngineError(
      'INTERNAL',
      `The bundled recipe ${path} is no JSON (${messageOf(cause)}). Install the program again.`,
      undefined,
      { cause },
    )
  }
  const checked = RecipeSpec.safeParse(value)
  if (!checked.success)
    throw new EngineError(
      'INTERNAL',
      `The bundled recipe ${path} is damaged: ${schemaError('recipe', value, checked.error).message}`,
    )
  for (const stage of checked.data.stages)
    for (const { key, changes } of stage.params)
      if (changes != null && !checked.data.layers.some(({ id }) => id === changes))
        throw new EngineError(
          'INTERNAL',
          `The bundled recipe ${path} is damaged: ${stage.id}.${key} changes ${describe(changes)}, which is no layer of it.`,
        )
  const { classes, stages } = checked.data
  const numbers = stages.flatMap(({ id, params }) => params.flatMap(({ kind, key }) => (kind === 'number' ? `${id}.${key}` : [])))
  for (const limit of classes ? [classes.limit, ...(classes.others ? [...classes.others.grades, classes.others.area] : [])] : [])
    if (!numbers.includes(limit))
      throw new EngineError(
        'INTERNAL',
        `The bundled recipe ${path} is damaged: its classes depend on ${describe(limit)}, which is no number of it.`,
      )
  return checked.data
}

export function openSpecs(assetsDir: string): SpecTable {
  let loaded: Promise<RecipeSpec[]> | undefined
  const list = (): Promise<RecipeSpec[]> => {
    loaded ??= loadSpecs(join(assetsDir, 'recipes')).catch((error: unknown) => {
      // A failure must not stick: the next call tries again.
      loaded = undefined
      throw error
    })
    return loaded
  }
  return {
    list,
    async get(id) {
      const specs = await list()
      const spec = specs.find((candidate) => candidate.id === id)
      if (spec) return spec
      throw new EngineError(
        'INVALID_PARAMETER',
        `expected one of ${specs.map((s) => s.id).join(', ')} for recipe.spec but received ${describe(id)}`,
      )
    },
  }
}
