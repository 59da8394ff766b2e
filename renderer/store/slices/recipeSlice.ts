// The recipe's state and every change to it, as pure functions: values by spec, errors at a control.
import type { AppError, ParamSpec, ParamValue, Recipe, RecipeSpec } from '../../../app/contract'
import { words } from '../../words'
import { nameInFiles } from '../../words/named'
import type { Undoable } from './history'
import { withPushed } from './recipeCuts'
import type { Values } from './recipeCuts'

export interface RecipeState {
  readonly specs: readonly RecipeSpec[]
  readonly specId: string
  /** What the user changed away from a default, for every spec: switching recipes keeps both. */
  readonly valuesBySpec: Readonly<Record<string, Values>>
  /** Messages at a control, by "stage.key". */
  readonly errors: Readonly<Record<string, string>>
}

export const emptyRecipe: RecipeState = {
  specs: [],
  specId: '',
  valuesBySpec: {},
  errors: {},
}

export const paramId = (stage: string, key: string): string => `${stage}.${key}`

export function currentSpec(state: RecipeState): RecipeSpec | null {
  return state.specs.find((spec) => spec.id === state.specId) ?? null
}

export function findParam(spec: RecipeSpec, stage: string, key: string): ParamSpec | null {
  return spec.stages.find((s) => s.id === stage)?.params.find((p) => p.key === key) ?? null
}

export function valuesOf(state: RecipeState): Values {
  return state.valuesBySpec[state.specId] ?? {}
}

export function valueOf(state: RecipeState, stage: string, param: ParamSpec): ParamValue {
  return valuesOf(state)[stage]?.[param.key] ?? param.default
}

export function isDirty(state: RecipeState, stage: string, param: ParamSpec): boolean {
  return valueOf(state, stage, param) !== param.default
}

export function dirtyCount(state: RecipeState): number {
  const spec = currentSpec(state)
  return spec ? spec.stages.reduce((n, stage) => n + stage.params.filter((p) => isDirty(state, stage.id, p)).length, 0) : 0
}

/** Why a value cannot be used, in the words of the contract's errors; null = it can. */
export function problemOf(param: ParamSpec, value: ParamValue): string | null {
  if (param.kind === 'toggle') return typeof value === 'boolean' ? null : words.problems.onOrOff(String(value))
  if (param.kind === 'choice') {
    return param.choices.some((c) => c.value === value)
      ? null
      : words.problems.oneOf(param.choices.map((c) => c.value).join(', '), String(value))
  }
  if (typeof value !== 'number' || !Number.isFinite(value)) return words.problems.numberFrom(param.min, param.max)
  if (value < param.min || value > param.max) return words.problems.outside(param.min, param.max, value)
  if (param.integer && !Number.isInteger(value)) return words.problems.whole(value)
  return null
}

/** What the parameter takes in place of a number that it does not: the nearest in its range; null where there is no number. */
export function nearestValue(param: ParamSpec, value: number): number | null {
  if (param.kind !== 'number' || Number.isNaN(value)) return null
  const inRange = Math.min(param.max, Math.max(param.min, value))
  return param.integer ? Math.round(inRange) : inRange
}

/** The nearest value that the parameter takes: on its step, inside its range, without binary noise. */
export function snapToStep(param: Extract<ParamSpec, { kind: 'number' }>, value: number): number {
  const steps = Math.round((value - param.min) / param.step)
  const snapped = Number((param.min + steps * param.step).toPrecision(12))
  return Math.min(param.max, Math.max(param.min, param.integer ? Math.round(snapped) : snapped))
}

/** Absent where it is the default, so that a later version's better default reaches the user. */
function withValue(spec: RecipeSpec, values: Values, stage: string, key: string, value: ParamValue): Values {
  const kept = { ...values[stage] }
  if (findParam(spec, stage, key)?.default === value) delete kept[key]
  else kept[key] = value
  return { ...values, [stage]: kept }
}

const withoutError = (errors: RecipeState['errors'], id: string): RecipeState['errors'] => {
  if (!(id in errors)) return errors
  return Object.fromEntries(Object.entries(errors).filter(([other]) => other !== id))
}

export function setParam(state: RecipeState, stage: string, key: string, value: ParamValue): RecipeState {
  const spec = currentSpec(state)
  const param = spec && findParam(spec, stage, key)
  if (!spec || !param || problemOf(param, value) !== null) return state
  const id = paramId(stage, key)
  const errors = withoutError(state.errors, id)
  if (valueOf(state, stage, param) === value) return { ...state, errors }
  return withValues({ ...state, errors }, spec, withPushed(spec, valuesOf(state), id, value))
}

/** Several at once, by "stage.param", each of which it takes. */
export function setParams(state: RecipeState, values: Readonly<Record<string, ParamValue>>): RecipeState {
  const spec = currentSpec(state)
  return spec ? withValues(state, spec, values) : state
}

function withValues(state: RecipeState, spec: RecipeSpec, changes: Readonly<Record<string, ParamValue>>): RecipeState {
  let values = valuesOf(state)
  for (const [id, value] of Object.entries(changes)) {
    const [stage = '', key = ''] = id.split('.')
    const param = findParam(spec, stage, key)
    if (param && valueOf(state, stage, param) !== value) values = withValue(spec, values, stage, key, value)
  }
  return values === valuesOf(state) ? state : { ...state, valuesBySpec: { ...state.valuesBySpec, [spec.id]: values } }
}

export function resetParam(state: RecipeState, stage: string, key: string): RecipeState {
  const spec = currentSpec(state)
  const param = spec && findParam(spec, stage, key)
  return param ? setParam(state, stage, key, param.default) : state
}

export function resetAll(state: RecipeState): RecipeState {
  if (dirtyCount(state) === 0) return { ...state, errors: {} }
  return { ...state, valuesBySpec: { ...state.valuesBySpec, [state.specId]: {} }, errors: {} }
}

export function selectSpec(state: RecipeState, specId: string): RecipeState {
  if (specId === state.specId || !state.specs.some((spec) => spec.id === specId)) return state
  return { ...state, specId, errors: {} }
}

export type RecipePart = Pick<RecipeState, 'specId' | 'valuesBySpec'>

/** A step holds all values, of which it shares what it does not change. The engine may have come back with other recipes since. */
export const undoableRecipe: Undoable<RecipeState, RecipePart> = {
  partOf: ({ specId, valuesBySpec }) => ({ specId, valuesBySpec }),
  same: (a, b) => a.specId === b.specId && a.valuesBySpec === b.valuesBySpec,
  withPart(state, part) {
    const fits = state.specs.every((spec) => valuesProblem(spec, part.valuesBySpec[spec.id] ?? {}) === null)
    return fits && state.specs.some(({ id }) => id === part.specId) ? { ...state, ...part, errors: {} } : null
  },
}

/** Why a recipe from a file cannot be taken as it is, naming the parameter; null = it can. */
export const recipeProblem = (spec: RecipeSpec, recipe: Recipe): string | null => valuesProblem(spec, recipe.params)

function valuesProblem(spec: RecipeSpec, values: Values): string | null {
  for (const [stage, ofStage] of Object.entries(values)) {
    for (const [key, value] of Object.entries(ofStage)) {
      const param = findParam(spec, stage, key)
      const problem = param ? problemOf(param, value) : words.recipe.unknownParam(spec.name)
      if (problem !== null) return `${paramId(stage, key)}: ${problem}`
    }
  }
  return null
}

/** Labels of the parameters of which a recipe has other values than those that are set; null: it is another recipe altogether. */
export function differences(state: RecipeState, recipe: Recipe): string[] | null {
  const spec = currentSpec(state)
  if (spec?.id !== recipe.spec) return null
  return spec.stages.flatMap((stage) =>
    stage.params
      .filter((param) => (recipe.params[stage.id]?.[param.key] ?? param.default) !== valueOf(state, stage.id, param))
      .map(({ label }) => label),
  )
}

/** Keeps of `values` what the spec still knows and allows: stored values may come from another version. */
function validValues(spec: RecipeSpec, values: Values): Values {
  let valid: Values = {}
  for (const stage of spec.stages) {
    for (const param of stage.params) {
      const value = values[stage.id]?.[param.key]
      if (value !== undefined && problemOf(param, value) === null) valid = withValue(spec, valid, stage.id, param.key, value)
    }
  }
  return valid
}

export function setSpecs(state: RecipeState, specs: readonly RecipeSpec[], preferred: string): RecipeState {
  const has = (id: string) => specs.some((spec) => spec.id === id)
  const specId = [state.specId, preferred].find((id) => id !== '' && has(id)) ?? specs[0]?.id ?? ''
  const valuesBySpec = Object.fromEntries(specs.map((spec) => [spec.id, validValues(spec, state.valuesBySpec[spec.id] ?? {})]))
  return { ...state, specs, specId, valuesBySpec }
}

export function loadRecipe(state: RecipeState, recipe: Recipe): RecipeState {
  const spec = state.specs.find((s) => s.id === recipe.spec)
  if (!spec) return state
  return {
    ...state,
    specId: spec.id,
    valuesBySpec: { ...state.valuesBySpec, [spec.id]: validValues(spec, recipe.params) },
    errors: {},
  }
}

/** The recipe as the engine takes it and exports carry it: every value is written out. */
export function recipeOf(state: RecipeState): Recipe | null {
  const spec = currentSpec(state)
  if (!spec) return null
  const params = Object.fromEntries(
    spec.stages.map((stage) => [stage.id, Object.fromEntries(stage.params.map((p) => [p.key, valueOf(state, stage.id, p)]))]),
  )
  return { format: 'morphoscope-recipe', version: 1, spec: spec.id, name: nameInFiles(spec), params }
}

const sorted = <T>(record: Readonly<Record<string, T>>): [string, T][] =>
  Object.entries(record).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))

/** Two recipes with the same key give the same result, in whatever order their values were written. */
export const recipeKey = ({ spec, params }: Recipe): string =>
  JSON.stringify([spec, sorted(params).map(([stage, values]) => [stage, sorted(values)])])

/** Puts an error at the control that it is about; null: it is about none of this recipe's. */
export function blame(state: RecipeState, { where, message }: AppError): RecipeState | null {
  const spec = currentSpec(state)
  if (!spec || where?.param === undefined || !findParam(spec, where.stage, where.param)) return null
  return { ...state, errors: { ...state.errors, [paramId(where.stage, where.param)]: message } }
}
