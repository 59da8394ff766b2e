// Changes of slices that can be undone, and undoing them: what is to follow is the business of whoever asks (undoActions).
import { move, pause, record, type Edit, type Undoables } from '../slices/history'
import { undoableRecipe } from '../slices/recipeSlice'
import { useStore, type State, type UndoableParts } from '../store'

const undoables: Undoables<State, UndoableParts> = { recipe: undoableRecipe }

/** Changes a slice, by one step of history where that touches what can be undone; returns whether it does. */
export function change<K extends keyof UndoableParts>(
  slice: K,
  name: string,
  by: (value: State[K]) => State[K],
  edit: Edit | null = null,
): boolean {
  const state = useStore.getState()
  const value = by(state[slice])
  if (value === state[slice]) return false
  const { partOf, same } = undoables[slice]
  const before = partOf(state[slice])
  const after = partOf(value)
  const stays = same(before, after)
  const history = stays ? pause(state.history, edit) : record(state.history, { slice, name, before, after, at: Date.now() }, edit)
  useStore.setState({ [slice]: value, history })
  return !stays
}

/** Returns the slice that changed; null: there is nothing to take back, or to do again. */
export function step(from: 'past' | 'future'): keyof UndoableParts | null {
  const state = useStore.getState()
  if (state.history[from].length === 0) return null
  const { history, to } = move(state.history, from, state, undoables)
  useStore.setState({ history, ...(to ? { [to.slice]: to.value } : {}) })
  return to?.slice ?? null
}
