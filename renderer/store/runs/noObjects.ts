// A run without objects: nothing was found and what is likely, or all that was found was deleted. Pure.
import { isOver, type RecipeSpec, type RunStatus } from '../../../app/contract'
import { words } from '../../words'

/** Of a recipe that looks for what is darker than its surroundings. */
export const darkSlideWords = (recipe: string): string => words.recognition.darkSlide(recipe)

export interface Advice {
  readonly text: string
  /** An intermediate image that shows where the objects are lost. */
  readonly layer: { readonly id: string; readonly label: string } | null
}

/** Of a result whose objects a person deleted, all of them; null: it is no such result. */
export const deletedWords = ({ objects, deleted }: RunStatus): string | null =>
  objects === 0 && deleted ? words.noObjects.allDeleted(deleted) : null

/** null: there is nothing to explain. `dark`: how the slide looks. */
export function adviceForNone(run: RunStatus, spec: RecipeSpec | null, dark: boolean): Advice | null {
  if (run.objects > 0 || run.deleted || !isOver(run) || run.state === 'failed' || run.tilesDone === 0) return null
  if (run.tilesTotal > 0 && run.unreadableTiles >= run.tilesDone)
    return {
      text: words.noObjects.unreadable,
      layer: null,
    }
  if (dark && spec?.stainSet !== 'rgb')
    return {
      text: words.noObjects.darkSlide(spec?.name ?? words.noObjects.theRecipe),
      layer: null,
    }
  const threshold = spec?.stages.find(({ id }) => id === 'threshold')?.label
  const layer = spec?.layers.find(({ id }) => id === 'mask') ?? null
  const ways = [
    words.noObjects.glass,
    words.noObjects.otherStain(spec?.name),
    threshold ? words.noObjects.strictThreshold(threshold) : words.noObjects.strict,
    ...(run.analysedMpp === null ? [words.noObjects.noPixelSize] : []),
  ]
  return { text: words.noObjects.why(ways), layer }
}
