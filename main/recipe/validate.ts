// Checks a recipe's values against its spec and fills in what is absent: the only place that decides whether a value is legal.
import { cutsOfRecipe, rises, unitSymbols } from '../../app/contract'
import type { ParamSpec, ParamValue, Recipe, RecipePlace, RecipeSpec, StageSpec, Unit } from '../../app/contract'
import { EngineError, describe, invalid, invalidParam } from '../base/errors'

/** Grey values are named by what they are compared with. */
const unitText = (unit: Unit): string => (unit === 'level' || unitSymbols[unit] === '' ? '' : ` ${unitSymbols[unit]}`)

/** What a parameter takes, in words: "a number from 0 to 20 µm". */
export function expectedValue(spec: ParamSpec): string {
  switch (spec.kind) {
    case 'number':
      return `${spec.integer ? 'a whole number' : 'a number'} from ${spec.min} to ${spec.max}${unitText(spec.unit)}`
    case 'choice':
      return `one of ${spec.choices.map((choice) => describe(choice.value)).join(', ')}`
    case 'toggle':
      return 'true or false'
  }
}

export type NumberSpec = Extract<ParamSpec, { kind: 'number' }>
/** The number that a recipe has at this place; null: none is there. */
export function numberAt(spec: RecipeSpec, stage: string, key: string): NumberSpec | null {
  const param = spec.stages.find(({ id }) => id === stage)?.params.find((each) => each.key === key)
  return param?.kind === 'number' ? param : null
}

export function isLegal(spec: ParamSpec, value: unknown): value is ParamValue {
  switch (spec.kind) {
    case 'number':
      // The comparisons refuse NaN as well.
      return typeof value === 'number' && value >= spec.min && value <= spec.max && (!spec.integer || Number.isInteger(value))
    case 'choice':
      return typeof value === 'string' && spec.choices.some((choice) => choice.value === value)
    case 'toggle':
      return typeof value === 'boolean'
  }
}

/** The recipe with a value for every parameter of its spec, in the spec's order. Throws INVALID_PARAMETER. */
export function completeRecipe(recipe: Recipe, spec: RecipeSpec): Recipe {
  if (recipe.spec !== spec.id) throw invalid(describe(spec.id), 'recipe.spec', recipe.spec)
  const given = new Map(Object.entries(recipe.params))
  const params: Record<string, Record<string, ParamValue>> = {}
  for (const stage of spec.stages) {
    const values = new Map(Object.entries(given.get(stage.id) ?? {}))
    given.delete(stage.id)
    const complete: Record<string, ParamValue> = {}
    for (const param of stage.params) {
      const value = values.has(param.key) ? values.get(param.key) : param.default
      values.delete(param.key)
      if (!isLegal(param, value)) throw invalidParam(expectedValue(param), stage.id, param.key, value)
      complete[param.key] = value
    }
    for (const key of values.keys()) throw unknownParam(stage, key, spec)
    params[stage.id] = complete
  }
  for (const id of given.keys()) throw unknownStage(id, spec)
  requireRising(spec, params)
  return { ...recipe, params }
}

/** Cut-offs that do not rise would leave a class without objects, and an H-score without sense. */
function requireRising(spec: RecipeSpec, params: Recipe['params']): void {
  const cuts = cutsOfRecipe(spec, params)
  if (!cuts || rises(cuts.limits)) return
  const at = cuts.limits.findIndex((limit, i) => i > 0 && limit <= cuts.limits[i - 1]!)
  const [stage = '', param = ''] = spec.classes!.others!.grades[at - 1]!.split('.')
  throw new EngineError(
    'INVALID_PARAMETER',
    `expected cut-offs that rise for 1+, 2+ and 3+ but received ${cuts.limits.join(', ')} OD: set ${stage}.${param} above ${cuts.limits[at - 1]}`,
    undefined,
    { where: { stage, param } },
  )
}

export function unknownStage(stage: string, spec: RecipeSpec): EngineError {
  const known = spec.stages.map(({ id }) => id)
  return unknownName('stage', stage, known, spec, { stage })
}

export function unknownParam(stage: StageSpec, param: string, spec: RecipeSpec): EngineError {
  const known = stage.params.map(({ key }) => `${stage.id}.${key}`)
  return unknownName('parameter', `${stage.id}.${param}`, known, spec, { stage: stage.id, param })
}

function unknownName(what: string, name: string, known: readonly string[], spec: RecipeSpec, where: RecipePlace): EngineError {
  return new EngineError(
    'INVALID_PARAMETER',
    `expected a ${what} of the recipe ${describe(spec.id)} (${known.join(', ')}) but received ${describe(name)}`,
    undefined,
    { where },
  )
}

/** A recipe of nothing but defaults. */
export function defaultRecipe(spec: RecipeSpec): Recipe {
  return completeRecipe({ format: 'morphoscope-recipe', version: 1, spec: spec.id, name: spec.name, params: {} }, spec)
}
