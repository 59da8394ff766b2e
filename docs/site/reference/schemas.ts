// JSON Schemas of the program's own files, from the checks that read them: an editor or a script can hold a file against one.
import { Recipe, RecipeSpec } from '../../../app/contract'
import * as z from '../../../app/contract/zod'
import { RunDocument } from '../../../main/compare/runRecord'

const told = {
  'morphoscope-recipe': { title: 'A recipe with its values', schema: Recipe },
  'morphoscope-recipe-spec': { title: 'A bundled recipe', schema: RecipeSpec },
  'morphoscope-run': { title: 'run.json, what a comparison reads of it', schema: RunDocument },
} as const
export type SchemaName = keyof typeof told
export const schemaNames = Object.keys(told) as readonly SchemaName[]

/** On the site. */
export const schemaPlace = (name: SchemaName): string => `schemas/${name}.json`

export function schemaOf(name: SchemaName): object {
  const { title, schema } = told[name]
  return { ...z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), title }
}
