// Asks where the field turns by the slider that is looked at; what its drag then colours needs no further question.
import { tilePaths } from '../../../app/contract'
import { api } from '../../api'
import { latest } from '../base/latest'
import { visibleExactly } from '../../arithmetic/geometry'
import { beginWatch, dropWatch, endWatch } from '../base/latency'
import { countsOf } from '../slices/cutsSlice'
import { paramId, recipeKey, recipeOf } from '../slices/recipeSlice'
import { getState, patch } from '../store'

const newest = latest()
/** What is coloured stays so long after it was let go. */
const lingersMs = 1200
let lingering: ReturnType<typeof setTimeout> | undefined

/** The pointer or the keyboard came to a slider: its histogram, where the recipe cuts by it. */
export async function lookAtCuts(stage: string, key: string): Promise<void> {
  const { slide, recipe: state, ui, cuts } = getState()
  const recipe = recipeOf(state)
  if (!slide.info || !recipe || !ui.view) return
  const region = visibleExactly(ui.view, slide.info.widthPx, slide.info.heightPx)
  if (!region) return
  const { slideId } = slide.info
  const { [key]: _own, ...others } = recipe.params[stage] ?? {}
  const asked = JSON.stringify([
    slideId,
    region,
    stage,
    key,
    recipeKey({ ...recipe, params: { ...recipe.params, [stage]: others } }),
  ])
  if (cuts.key === asked) return
  const signal = newest.begin()
  const param = paramId(stage, key)
  beginWatch('slider-to-histogram')
  patch('cuts', { key: asked, ...(cuts.param === param ? {} : { param, cuts: null, values: null, counts: null, moving: false }) })
  const found = await api().call('field:cuts', { slideId, recipe, region, stage, param: key }, signal)
  if (signal.aborted) return
  // An error is the preview's to tell.
  if (!found.ok || !found.value) {
    dropWatch('slider-to-histogram')
    return patch('cuts', { cuts: null, values: null, counts: null })
  }
  try {
    const response = await fetch(api().tileUrl(tilePaths.cuts(slideId, found.value.cutsId)), { signal })
    if (!response.ok) throw new Error(response.statusText)
    const values = new Uint8Array(await response.arrayBuffer())
    patch('cuts', { cuts: found.value, values, counts: countsOf(values) })
    requestAnimationFrame(() => endWatch('slider-to-histogram'))
  } catch {
    if (!signal.aborted) patch('cuts', { key: null })
  }
}

/** `final`: let go. */
export function cutMoves(stage: string, key: string, final: boolean): void {
  void lookAtCuts(stage, key)
  clearTimeout(lingering)
  if (!getState().cuts.moving) patch('cuts', { moving: true })
  if (final) lingering = setTimeout(() => patch('cuts', { moving: false }), lingersMs)
}
