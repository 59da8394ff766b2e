// All that the palette offers: every command, each recipe, and each value of the one that is chosen.
import type { Command } from '../../../app/commands'
import { words } from '../../words'
import { keysOf } from '../base/commandKeys'
import { runCommand } from './commands'
import { commandRows, matchingRows, type Wordy } from './palette'
import { selectSpec } from '../recipe/recipeActions'
import { currentSpec, paramId } from '../slices/recipeSlice'
import { getState, patch } from '../store'

export interface PaletteRow extends Wordy {
  readonly id: string
  readonly key: string | null
  readonly act: () => void
}

const ofCommand = ({ command, ...row }: { command: Command } & Wordy): PaletteRow => ({
  ...row,
  id: command,
  key: keysOf(command)[0] ?? null,
  act: () => runCommand(command),
})

/** The palette gives the keyboard back to where it was, a moment after it has closed. */
const givenBackMs = 60

/** Shows the control of a value, which has the keyboard then. */
function goToParam(id: string): void {
  setTimeout(() => patch('ui', { leftOpen: true, paramWanted: id }), givenBackMs)
}

export function paletteRows(query: string): PaletteRow[] {
  const { recipe } = getState()
  const spec = currentSpec(recipe)
  const recipes = recipe.specs
    .filter(({ id }) => id !== spec?.id)
    .map(({ id, name, description }): PaletteRow => {
      const described = description.replace(/[^\p{L}\p{N}-]+/gu, ' ')
      return {
        id: `recipe-${id}`,
        label: words.palette.recipe(name),
        group: words.names.recipe,
        words: described,
        key: null,
        act: () => selectSpec(id),
      }
    })
  const values = (spec?.stages ?? []).flatMap(({ id: stage, label: of, params }) =>
    params.map(({ key, label }): PaletteRow => {
      const id = paramId(stage, key)
      return {
        id: `param-${stage}-${key}`,
        label: words.palette.value(of, label),
        group: words.names.recipe,
        words: stage === 'stains' ? words.palette.wordsForStains : '',
        key: null,
        act: () => goToParam(id),
      }
    }),
  )
  return matchingRows(query, [...commandRows.map(ofCommand), ...recipes, ...values])
}
