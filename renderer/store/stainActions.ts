// Asks the engine for the stains of the open slide, and puts them into the recipe's stage as one step that can be taken back.
import type { StainMethod } from '../../app/contract'
import { api } from '../api'
import { change } from './historyActions'
import { tell, tellError } from './notify'
import { valuesChanged } from './recipeActions'
import { currentSpec, recipeOf, setParam } from './recipeSlice'
import { getState } from './store'

const title = 'Stains from the slide'

export async function stainsFromSlide(method: StainMethod): Promise<void> {
  const { slide, recipe } = getState()
  const asked = recipeOf(recipe)
  const slideId = slide.info?.slideId
  if (!asked || slideId === undefined) return
  const mpp = slide.mppGiven === null ? {} : { mpp: slide.mppGiven }
  const result = await api().call('slide:stains', { slideId, recipe: asked, method, ...mpp })
  // Meant for what was open when it was asked for.
  if (getState().slide.info?.slideId !== slideId || currentSpec(getState().recipe)?.id !== asked.spec) return
  if (!result.ok) return tellError(result.error, title)
  const values = result.value
  if (!values) return tell('Its sample has too little stain, or one stain alone: the values stay as they are.', title, 8000)
  const put = change('recipe', 'stains from the slide', (state) =>
    Object.entries(values).reduce((changed, [key, value]) => setParam(changed, 'stains', key, value), state),
  )
  if (put) valuesChanged()
}
