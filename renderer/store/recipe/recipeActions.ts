// What the recipe panel does: changes values, and asks for a preview of what they mean.
import { runOfMapLayer, tissueLayer } from '../../../app/contract'
import type { ParamValue, Recipe } from '../../../app/contract'
import { api } from '../../api'
import { words } from '../../words'
import { change } from './historyActions'
import { beginWatch, paramWatches } from '../base/latency'
import { tell, tellError } from '../base/notify'
import { withdraw } from '../base/offer'
import * as recipe from '../slices/recipeSlice'
import { previewSoon } from '../runs/previewActions'
import { tune } from '../slices/runSlice'
import { saveSettings } from '../base/settingsActions'
import { getState, patch, update } from '../store'

const beginParamWatches = (): void => paramWatches.forEach(beginWatch)

/** The values changed by other means than a drag: preview at once. */
export function valuesChanged(): void {
  update('runs', tune)
  beginParamWatches()
  previewSoon('now', true)
}

export function setParam(stage: string, key: string, value: ParamValue, final: boolean): void {
  const edit = { id: recipe.paramId(stage, key), final }
  if (change('recipe', labelOf(stage, key), (state) => recipe.setParam(state, stage, key, value), edit)) {
    beginParamWatches()
    update('runs', tune)
  } else if (!final) return
  previewSoon(final ? 'now' : 'burst', true)
}

function labelOf(stage: string, key: string): string {
  const spec = recipe.currentSpec(getState().recipe)
  return (spec && recipe.findParam(spec, stage, key)?.label) ?? recipe.paramId(stage, key)
}

export function resetParam(stage: string, key: string): void {
  change('recipe', words.steps.reset(labelOf(stage, key)), (state) => recipe.resetParam(state, stage, key))
  valuesChanged()
}
export function resetAll(): void {
  change('recipe', words.steps.resetAll, recipe.resetAll)
  valuesChanged()
}

export function selectSpec(specId: string): void {
  change('recipe', words.steps.chooseRecipe, (state) => recipe.selectSpec(state, specId))
  leaveMissingLayer()
  void saveSettings({ recipeSpec: specId })
  // Whoever chooses is asked no more.
  withdraw('stain')
  valuesChanged()
}

/** An intermediate image of another recipe is not there any more; stain channels may differ too. */
function leaveMissingLayer(): void {
  const { ui, recipe: state } = getState()
  const [kind, id] = ui.layer.split(':')
  const has =
    id === tissueLayer || runOfMapLayer(id ?? '') !== null || recipe.currentSpec(state)?.layers.some((layer) => layer.id === id)
  if (kind === 'layer' && !has) patch('ui', { layer: 'slide' })
}

export async function loadRecipe(path?: string): Promise<void> {
  const from = path ?? (await askPath('open'))
  if (from === null) return
  const result = await api().call('recipe:load', { path: from })
  if (!result.ok) return tellError(result.error, words.recipe.load)
  takeRecipe(result.value)
}

/** All of it or nothing: a value that cannot be used is named, never left out in silence. */
export function takeRecipe(value: Recipe): void {
  const spec = getState().recipe.specs.find(({ id }) => id === value.spec)
  if (!spec) return tellError({ code: 'NOT_FOUND', message: words.recipe.unknownSpec(value.name, value.spec) }, words.recipe.load)
  const problem = recipe.recipeProblem(spec, value)
  if (problem !== null) return tellError({ code: 'INVALID_PARAMETER', message: `${problem}.` }, words.recipe.load)
  change('recipe', words.steps.load(value.name), (state) => recipe.loadRecipe(state, value))
  leaveMissingLayer()
  valuesChanged()
  tell(words.recipe.loaded(value.name))
}

export async function saveRecipe(path?: string): Promise<void> {
  const value = recipe.recipeOf(getState().recipe)
  if (!value) return
  const to = path ?? (await askPath('save'))
  if (to === null) return
  const result = await api().call('recipe:save', { path: to, recipe: value })
  if (!result.ok) return tellError(result.error, words.recipe.save)
  tell(words.recipe.saved(to))
}

async function askPath(mode: 'open' | 'save'): Promise<string | null> {
  const result = await api().call('dialog:recipe', { mode })
  if (!result.ok) {
    tellError(result.error, words.recipe.fileDialog)
    return null
  }
  return result.value
}
