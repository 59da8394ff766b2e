// Undo and redo as the user asks for them: a step of whatever slice, and what has to follow it.
import { step } from './historyActions'
import { valuesChanged } from './recipeActions'
import type { UndoableParts } from './store'

const follow: Readonly<Record<keyof UndoableParts, () => void>> = { recipe: valuesChanged }

function take(from: 'past' | 'future'): void {
  const slice = step(from)
  if (slice) follow[slice]()
}
export const undo = (): void => take('past')
export const redo = (): void => take('future')
