// Reads "stage.param=value" as the command line writes it, with types from the recipe's spec.
import type { ParamSpec, ParamValue, Recipe, RecipeSpec } from '../../app/contract'
import { invalid, invalidParam } from '../base/errors'
import { expectedValue, isLegal, unknownParam, unknownStage } from './validate'

function parseValue(param: ParamSpec, text: string): ParamValue | undefined {
  switch (param.kind) {
    case 'number': {
      // Number('') is 0 and Number('0x10') is 16: neither is what anyone means on a command line.
      const value = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : undefined
      return value
    }
    case 'choice':
      return text
    case 'toggle':
      return /^(true|on|yes|1)$/i.test(text) ? true : /^(false|off|no|0)$/i.test(text) ? false : undefined
  }
}

/** The recipe with one value changed. Throws INVALID_PARAMETER. */
export function withSetOption(recipe: Recipe, spec: RecipeSpec, option: string): Recipe {
  const match = /^([^.=]+)\.([^=]+)=(.*)$/s.exec(option)
  if (!match) throw invalid('stage.param=value', '--set', option)
  const [, stageId = '', key = '', text = ''] = match
  const stage = spec.stages.find((candidate) => candidate.id === stageId.trim())
  if (!stage) throw unknownStage(stageId, spec)
  const param = stage.params.find((candidate) => candidate.key === key.trim())
  if (!param) throw unknownParam(stage, key.trim(), spec)
  const value = parseValue(param, text.trim())
  if (!isLegal(param, value)) throw invalidParam(expectedValue(param), stage.id, param.key, text)
  return { ...recipe, params: { ...recipe.params, [stage.id]: { ...recipe.params[stage.id], [param.key]: value } } }
}
