// The lasso: which objects are selected by drawing around them, and how many they are.
import type { Shape } from '../../../app/contract'
import { api } from '../../api'
import { words } from '../../words'
import { tell } from '../base/notify'
import { withLoop, type Lasso } from '../slices/projectSlice'
import { changeableRun } from '../slices/runSlice'
import { clearSelection } from './selectionActions'
import { getState, patch, type State } from '../store'

/** null: none, or its run is no longer the one that is shown. */
export const lassoNow = ({ project: { lasso }, runs }: State): Lasso | null =>
  lasso && changeableRun(runs)?.runId === lasso.runId ? lasso : null

/** A loop is closed. What was selected otherwise is not any more: a key means one thing. */
export function lassoed(loop: Shape, more: boolean): void {
  patch('project', { drawing: null })
  const state = getState()
  const run = changeableRun(state.runs)
  if (!run) return tell(words.lasso.chooseResultToSelect, words.lasso.title)
  if (loop.kind !== 'polygon') return
  clearSelection()
  patch('project', { lasso: withLoop(state.project.lasso, run.runId, loop, more), selected: [] })
}

/** Asks again how many there are, and where: some were deleted, or came back. */
export async function countLassoed(): Promise<void> {
  const lasso = lassoNow(getState())
  if (!lasso) return
  const { runId, shape } = lasso
  const answer = await api().call('object:count', { runId, choice: { shape }, outlines: true })
  // Another loop has an answer of its own.
  if (!answer.ok || getState().project.lasso?.shape !== shape) return
  patch('project', { lasso: { runId, shape, ...answer.value } })
}
