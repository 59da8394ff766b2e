// Says what a slide looks like where that asks for another recipe than the chosen one, and offers it: nothing is switched by itself.
import { stainTitles, unfitWords } from '../../../app/contract'
import type { SlideInfo } from '../../../app/contract'
import { api } from '../../api'
import { words } from '../../words'
import { offer, withdraw } from '../base/offer'
import { selectSpec } from './recipeActions'
import { currentSpec } from '../slices/recipeSlice'
import { getState } from '../store'
import { titled } from '../../words/named'

/** What went wrong is told by the slide's own tiles. */
export async function offerRecipe({ slideId }: SlideInfo): Promise<void> {
  withdraw('stain')
  const result = await api().call('slide:recognise', { slideId })
  if (!result.ok || getState().slide.info?.slideId !== slideId) return
  const { stain, percent, recipe } = result.value
  const { specs } = getState().recipe
  const fitting = specs.find(({ id }) => id === recipe)
  const current = currentSpec(getState().recipe)
  // Several recipes are made for one stain: whoever has chosen one of them is not asked.
  if (!fitting || !current || unfitWords(result.value, current) === null) return
  offer({
    about: 'stain',
    title: words.recognition.looksLike(titled(stainTitles[stain]), percent),
    text: words.recognition.otherStain(current.name),
    label: words.recognition.use(fitting.name),
    testId: 'offer-recipe',
    act: () => {
      if (getState().slide.info?.slideId === slideId) selectSpec(fitting.id)
    },
  })
}
