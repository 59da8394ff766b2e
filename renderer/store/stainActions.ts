// Asks the engine for the stains of the open slide, or of a region of it, and puts them into the recipe's stage as one step that can be taken back.
import { isArea, type StainMethod } from '../../app/contract'
import { api } from '../api'
import { change } from './historyActions'
import { tell, tellError } from './notify'
import { areaSelected } from './projectSlice'
import { valuesChanged } from './recipeActions'
import { currentSpec, recipeOf, setParam } from './recipeSlice'
import { getState } from './store'

/** What the stains are taken from: the slide's sample, or one of the selected region alone. */
export type StainSource = 'slide' | 'region'

const words = {
  slide: {
    title: 'Stains from the slide',
    step: 'stains from the slide',
    untold: 'Its sample has too little stain, or one stain alone: the values stay as they are.',
  },
  region: {
    title: 'Stains from the selected region',
    step: 'stains from the region',
    untold:
      'It has too little stain, or one stain alone: the values stay as they are. A larger region, or one with nuclei and what is around them, tells more.',
  },
} as const satisfies Record<StainSource, object>

export async function takeStains(method: StainMethod, source: StainSource): Promise<void> {
  const { slide, recipe, project } = getState()
  const asked = recipeOf(recipe)
  const slideId = slide.info?.slideId
  const shape = source === 'region' ? areaSelected(project)?.shape : undefined
  if (!asked || slideId === undefined || (source === 'region' && !shape)) return
  const { title, step, untold } = words[source]
  const mpp = slide.mppGiven === null ? {} : { mpp: slide.mppGiven }
  const within = shape && isArea(shape) ? { within: shape } : {}
  const result = await api().call('slide:stains', { slideId, recipe: asked, method, ...mpp, ...within })
  // Meant for what was open when it was asked for.
  if (getState().slide.info?.slideId !== slideId || currentSpec(getState().recipe)?.id !== asked.spec) return
  if (!result.ok) return tellError(result.error, title)
  const values = result.value
  if (!values) return tell(untold, title, 8000)
  const put = change('recipe', step, (state) =>
    Object.entries(values).reduce((changed, [key, value]) => setParam(changed, 'stains', key, value), state),
  )
  if (put) valuesChanged()
}
