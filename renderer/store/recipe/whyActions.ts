// Asks why a point is kept or dropped: under the pointer as it moves, or where it was clicked, again whenever values change.
import type { Offer } from '../../../app/contract'
import { api } from '../../api'
import type { Point } from '../../arithmetic/geometry'
import { words } from '../../words'
import { change } from './historyActions'
import { beginWatch, bindWatch, dropWatch, endWatch } from '../base/latency'
import { tellError } from '../base/notify'
import { valuesChanged } from './recipeActions'
import * as recipe from '../slices/recipeSlice'
import { tellAtControl } from '../runs/runErrors'
import { getState, patch, update, useStore } from '../store'
import { noWhy, offerWords } from '../slices/whySlice'

let asking = false
/** The newest point or values came while an answer was under way. */
let again = false
let questions = 0

/** One question at a time; the newest is asked next. */
async function ask(): Promise<void> {
  again = asking
  if (asking) return
  const { slide, why, recipe: state } = getState()
  const value = recipe.recipeOf(state)
  if (!why.on || !why.at || !slide.info || !value) return
  asking = true
  patch('why', { busy: true })
  const token = String(++questions)
  bindWatch('point-to-why', token)
  const { slideId } = slide.info
  const result = await api().call('object:why', { slideId, recipe: value, ...why.at, offers: why.pinned })
  asking = false
  if (again) return ask()
  if (getState().slide.info?.slideId !== slideId || !getState().why.on) return
  if (result.ok) {
    patch('why', { busy: false, found: result.value })
    requestAnimationFrame(() => endWatch('point-to-why', token))
    return
  }
  dropWatch('point-to-why')
  update('why', () => noWhy)
  if (!tellAtControl(result.error) && result.error.code !== 'ENGINE_LOST') tellError(result.error, words.buttons.why)
}

/** Of this point, which stays. */
export function askWhy(at: Point): void {
  if (!getState().slide.info) return
  beginWatch('point-to-why')
  patch('why', { on: true, pinned: true, at })
  void ask()
}

/** On: of what is under the pointer, else of the middle of the view. */
export function toggleWhy(): void {
  if (leaveWhy()) return
  const { ui } = getState()
  const at = ui.pointer ?? ui.view?.center
  if (at) askWhy(at)
}

export const followPointer = (): void => patch('why', { pinned: false })

/** Returns whether there was something to leave. */
export function leaveWhy(): boolean {
  if (!getState().why.on) return false
  update('why', () => noWhy)
  return true
}

export function whyHovered(at: Point | null): void {
  const { why } = getState()
  if (!why.on || why.pinned || !at) return
  beginWatch('point-to-why')
  patch('why', { at })
  void ask()
}

/** All of its values in one step, which undo takes back. */
export function takeOffer(offer: Offer): void {
  const spec = recipe.currentSpec(getState().recipe)
  if (!spec) return
  const name = offerWords(spec, offer)
  change('recipe', name.charAt(0).toLowerCase() + name.slice(1), (state) =>
    offer.changes.reduce((value, { stage, param, value: next }) => recipe.setParam(value, stage, param, next), state),
  )
  valuesChanged()
}

useStore.subscribe((state, before) => {
  if (!state.why.on) return
  if (state.slide.info?.slideId !== before.slide.info?.slideId) return update('why', () => noWhy)
  const { specId, valuesBySpec } = before.recipe
  if (state.recipe.specId !== specId || state.recipe.valuesBySpec !== valuesBySpec) void ask()
})
