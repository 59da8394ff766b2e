// Objects made of others: those in the lasso as one, those under a line as their parts, and the chosen ones with other outlines. The engine makes a step of history of each.
import type { ObjectChoice, ObjectReshape, Result } from '../../../app/contract'
import { api } from '../../api'
import type { Point } from '../../arithmetic/geometry'
import { words } from '../../words'
import { keysOf } from '../base/commandKeys'
import { lassoNow } from '../selection/lassoActions'
import { tell, tellError, tellStep } from '../base/notify'
import { changeable, selectedRun } from './objectActions'
import { reachedSince, revisionNow } from '../document/documentActions'
import { reshapedWords } from './reshapeWords'
import { clearSelection, selectNumbered } from '../selection/selectionActions'
import { getState, patch, type State } from '../store'

/** Of a line, as the contract takes it. */
const mostPoints = 5000

/** What came of a step, in words; null: nothing. */
export async function told<T extends { readonly name: string }>(
  asked: Promise<Result<T>>,
  said?: (value: T) => string,
): Promise<T | null> {
  const before = revisionNow()
  const answer = await asked
  if (!answer.ok) {
    if (answer.error.code === 'INVALID_PARAMETER') tell(answer.error.message, words.names.objects, 9000)
    else tellError(answer.error, words.names.objects)
    return null
  }
  tellStep(words.objects.undoWith(said?.(answer.value) ?? answer.value.name, keysOf('undo')[0]))
  await reachedSince(before)
  return answer.value
}

/** Of all rows that the table's filter and brush leave. */
export async function mergeRows(): Promise<void> {
  const rows = rowsOf(getState())
  if (!rows) return tell(words.objects.noneListed, words.names.objects)
  const done = await told(api().call('object:merge', { runId: rows.runId, choice: rows.choice }))
  if (done) await selectNumbered(rows.runId, done.object)
}

/** The one that is made is selected. */
export async function mergeLassoed(): Promise<void> {
  const lasso = lassoNow(getState())
  if (!lasso?.objects) return tell(words.objects.drawLasso, words.names.objects)
  const { runId, shape } = lasso
  const done = await told(api().call('object:merge', { runId, choice: { shape } }))
  if (!done) return
  if (getState().project.lasso?.shape === shape) patch('project', { lasso: null })
  await selectNumbered(runId, done.object)
}

/** A drag of the tool that splits: its way is the line. */
export function cutDragged(from: Point, to: Point, finished: boolean): void {
  const points = [...(getState().project.drawing?.points ?? [from]), to]
  patch('project', { drawing: finished ? null : { tool: 'cut', points, how: 'new' } })
  if (finished) void splitAlong(points)
}

async function splitAlong(points: readonly Point[]): Promise<void> {
  const run = changeable(getState())
  if (!run) return tell(words.objects.chooseResultToSplit, words.names.objects)
  const every = Math.ceil(points.length / mostPoints)
  const line = points.filter((_, i) => i % every === 0 || i === points.length - 1).map(({ x, y }): [number, number] => [x, y])
  if (await told(api().call('object:split', { runId: run.runId, line }))) clearSelection()
}

/** The selected object, or those in the lasso; null: there are none. */
function chosen(state: State): Chosen | null {
  const run = selectedRun(state)
  const { object } = state.selection
  if (run && object) return { runId: run.runId, choice: { ids: [object.id] }, one: true }
  const lasso = lassoNow(state)
  return lasso?.objects ? { runId: lasso.runId, choice: { shape: lasso.shape }, one: false } : null
}

interface Chosen {
  readonly runId: string
  readonly choice: ObjectChoice
  readonly one: boolean
}

/** What the table lists; null: nothing. */
function rowsOf({ table }: State): Chosen | null {
  const { view } = table
  return view && view.rows > 0 ? { runId: view.runId, choice: { view: view.view }, one: view.rows === 1 } : null
}

const tellNone = (): void => tell(words.objects.selectOrLasso, words.names.objects)

/** By how much is asked first. */
export function askAmount(dialog: 'grow' | 'shrink', of: ReshapeOf = 'selected'): void {
  if (meant(of)) patch('ui', { dialog, reshapeOf: of })
  else tellNone()
}

type ReshapeOf = State['ui']['reshapeOf']
const meant = (of: ReshapeOf): Chosen | null => (of === 'rows' ? rowsOf : chosen)(getState())

export async function reshapeChosen(how: ObjectReshape, of: ReshapeOf = 'selected'): Promise<void> {
  const what = meant(of)
  if (!what) return tellNone()
  const { runId, choice, one } = what
  const done = await told(api().call('object:reshape', { runId, choice, how }), reshapedWords)
  if (!done || !one) return
  if (done.made === 1) await selectNumbered(runId, done.first)
  else clearSelection()
}
