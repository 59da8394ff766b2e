// Undo and redo as the user asks for them: a step of whatever slice, and what has to follow it.
import { step } from '../recipe/historyActions'
import { valuesChanged } from '../recipe/recipeActions'
import { redoDocument, undoDocument } from '../document/projectActions'
import { getState, type State, type UndoableParts } from '../store'

const follow: Readonly<Record<keyof UndoableParts, () => void>> = { recipe: valuesChanged }

/**
 * The newest step is taken back first, whichever history has it: values of the recipe are this window's, the document is everybody's. Of steps
 * to be done again the oldest comes first.
 */
function isOfDocument({ history, project }: State, from: 'past' | 'future'): boolean {
  const other = from === 'past' ? project.doc?.undo : project.doc?.redo
  const own = history[from].at(-1)
  if (!other) return false
  if (!own) return true
  return from === 'past' ? other.at > (own.at ?? 0) : other.at < (own.at ?? Infinity)
}

function take(from: 'past' | 'future'): void {
  if (isOfDocument(getState(), from)) return void (from === 'past' ? undoDocument() : redoDocument())
  const slice = step(from)
  if (slice) follow[slice]()
}
/** What the next step is called; undefined: there is none. */
export const stepName =
  (from: 'past' | 'future') =>
  (state: State): string | undefined =>
    isOfDocument(state, from)
      ? (from === 'past' ? state.project.doc?.undo : state.project.doc?.redo)?.name
      : state.history[from].at(-1)?.name

export const undo = (): void => take('past')
export const redo = (): void => take('future')
