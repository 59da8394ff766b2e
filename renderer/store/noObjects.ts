// A run without objects: nothing was found and what is likely, or all that was found was deleted. Pure.
import { isOver, type RecipeSpec, type RunStatus } from '../../app/contract'
import { formatCount } from '../arithmetic/format'

/** Of a recipe that looks for what is darker than its surroundings. */
export const darkSlideWords = (recipe: string): string =>
  `This slide has a dark background, as fluorescence (DAPI) has. “${recipe}” looks for dark nuclei on bright glass, so it will find little or nothing here: choose Fluorescence nuclei above.`

export interface Advice {
  readonly text: string
  /** An intermediate image that shows where the objects are lost. */
  readonly layer: { readonly id: string; readonly label: string } | null
}

/** Of a result whose objects a person deleted, all of them; null: it is no such result. */
export const deletedWords = ({ objects, deleted }: RunStatus): string | null =>
  objects === 0 && deleted
    ? `${deleted === 1 ? 'The one object' : `All ${formatCount(deleted)} objects`} of this result ${deleted === 1 ? 'was' : 'were'} deleted by hand.`
    : null

/** null: there is nothing to explain. `dark`: how the slide looks. */
export function adviceForNone(run: RunStatus, spec: RecipeSpec | null, dark: boolean): Advice | null {
  if (run.objects > 0 || run.deleted || !isOver(run) || run.state === 'failed' || run.tilesDone === 0) return null
  if (run.tilesTotal > 0 && run.unreadableTiles >= run.tilesDone)
    return {
      text: 'Nothing of this region could be read from the file, so nothing could be found: see the warnings.',
      layer: null,
    }
  if (dark && spec?.stainSet !== 'rgb')
    return {
      text: `Nothing was found: the background is dark, as in fluorescence (DAPI), and “${spec?.name ?? 'the recipe'}” looks for dark nuclei on bright glass. Choose the recipe Fluorescence nuclei.`,
      layer: null,
    }
  const threshold = spec?.stages.find(({ id }) => id === 'threshold')?.label
  const layer = spec?.layers.find(({ id }) => id === 'mask') ?? null
  const ways = [
    'the region may be glass without tissue',
    `the recipe may not suit the stain (now “${spec?.name ?? 'none'}”)`,
    threshold ? `its settings may be too strict (“${threshold}”, the smallest size)` : 'its settings may be too strict',
    ...(run.analysedMpp === null ? ['the slide states no pixel size, so sizes in µm may be far off: set it'] : []),
  ]
  return { text: `Nothing was found. ${ways.join('; ').replace(/^t/, 'T')}.`, layer }
}
