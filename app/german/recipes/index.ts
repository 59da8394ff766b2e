// The bundled recipes in German.
import type { ParamSpec, RecipeSpec } from '../../contract'
import { cellDetection } from './cellDetection'
import { fluorescenceNuclei } from './fluorescenceNuclei'
import { heNuclei } from './heNuclei'
import { ihcNuclei } from './ihcNuclei'
import { iwppNuclei } from './iwppNuclei'
import { maxTreeNuclei } from './maxTreeNuclei'
import type { GermanParam, GermanRecipe } from './shape'

/** By the recipe's id. */
export const recipes: Readonly<Record<string, GermanRecipe>> = {
  'cell-detection': cellDetection,
  'fluorescence-nuclei': fluorescenceNuclei,
  'he-nuclei': heNuclei,
  'ihc-nuclei': ihcNuclei,
  'iwpp-nuclei': iwppNuclei,
  'max-tree-nuclei': maxTreeNuclei,
}

function paramInGerman(param: ParamSpec, german: GermanParam | undefined): ParamSpec {
  if (!german) return param
  const { label, help, zero, choices = {} } = german
  if (param.kind === 'choice')
    return {
      ...param,
      label,
      help,
      choices: param.choices.map((each) => ({ ...each, label: choices[each.value] ?? each.label })),
    }
  if (param.kind === 'number' && zero !== undefined) return { ...param, label, help, zero }
  return { ...param, label, help }
}

/** The same recipe, whose texts are German. Classes keep their labels, which files have too: germanTitle says them. */
export function germanRecipe(spec: RecipeSpec): RecipeSpec {
  const german = Object.hasOwn(recipes, spec.id) ? recipes[spec.id] : undefined
  if (!german) return spec
  const { name, description, stages, layers } = german
  return {
    ...spec,
    name,
    description,
    stages: spec.stages.map((stage) => {
      const own = stages[stage.id]
      if (!own) return stage
      const params = stage.params.map((param) => paramInGerman(param, own.params[param.key]))
      return { ...stage, label: own.label, help: own.help, params }
    }),
    layers: spec.layers.map((layer) => ({ ...layer, label: layers[layer.id] ?? layer.label })),
  }
}
