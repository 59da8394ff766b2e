// What is done to objects of a run that is done: the engine is asked, and makes a step of the document's history of it.
import {
  isArea,
  isOver,
  type ObjectChoice,
  type ObjectClass,
  type ObjectEdit,
  type ObjectRule,
  type RegionOfInterest,
  type RunStatus,
} from '../../../app/contract'
import { api } from '../../api'
import { words } from '../../words'
import { keysOf } from '../base/commandKeys'
import { lassoNow } from '../selection/lassoActions'
import { tell, tellError, tellStep } from '../base/notify'
import { reachedSince, revisionNow } from '../document/documentActions'
import { ask } from '../base/questions'
import { changeableRun } from '../slices/runSlice'
import { clearSelection, selectNumbered } from '../selection/selectionActions'
import { getState, patch, type State } from '../store'

/** The run whose objects are shown and can be changed. */
export const changeable = ({ runs }: State): RunStatus | null => changeableRun(runs)

/** The run of the selected object, where that can be changed. */
export const selectedRun = ({ runs, selection }: State): RunStatus | null => {
  const run = selection.object && selection.source === 'run' && selection.runId !== null ? runs.byId[selection.runId] : undefined
  return run?.purpose === 'run' && isOver(run) && run.state === 'done' ? run : null
}

/** What an object can be called by hand: what its run's rule says, then the document's classes. The first nine have the keys 1 to 9. */
export function handClasses({ project }: State, run: RunStatus | null): ObjectClass[] {
  const own = project.doc?.classes ?? []
  const ruled = (run?.classes ?? [])
    .filter(({ id }) => !own.some((each) => each.id === id))
    .map(({ objects: _, ...each }) => each)
  return [
    ...ruled,
    ...own.map(({ id, name, color }): ObjectClass => {
      const number = Number.parseInt(color.slice(1), 16)
      return { id, label: name, color: [number >> 16, (number >> 8) & 255, number & 255] }
    }),
  ]
}

async function edit(runId: string, choice: ObjectChoice, what: ObjectEdit): Promise<boolean> {
  const before = revisionNow()
  const answer = await api().call('object:edit', { runId, choice, edit: what })
  if (!answer.ok) {
    if (answer.error.code === 'INVALID_PARAMETER' || answer.error.code === 'NOT_FOUND')
      tell(answer.error.message, words.names.objects, 9000)
    else tellError(answer.error, words.names.objects)
    return false
  }
  tellStep(words.objects.undoWith(answer.value.name, keysOf('undo')[0]))
  await reachedSince(before)
  return true
}

/** All objects of a result at one stroke: a filter that was forgotten, or a loop that was too large, looks the same. */
function unlessAll(runId: string, objects: number, what: ObjectEdit, act: () => Promise<void>): void {
  const run = getState().runs.byId[runId]
  if (what.type !== 'delete' || !run || objects < 2 || objects < run.objects) return void act()
  ask({
    title: words.objects.deleteAllTitle(objects),
    text: words.objects.deleteAllText(run.name, keysOf('undo')[0]),
    yes: words.buttons.deleteAll,
    no: words.buttons.keepThem,
    act: () => void act(),
  })
}

/** Of all rows that the table's filter and brush leave. */
export function editRows(what: ObjectEdit): void {
  const { view } = getState().table
  if (!view || view.rows === 0) return
  unlessAll(view.runId, view.rows, what, async () => {
    if ((await edit(view.runId, { view: view.view }, what)) && what.type === 'delete') clearSelection()
  })
}

export async function editSelected(what: ObjectEdit): Promise<void> {
  const state = getState()
  const run = selectedRun(state)
  const { object } = state.selection
  if (!run || !object || !(await edit(run.runId, { ids: [object.id] }, what))) return
  if (what.type === 'delete') return clearSelection()
  // Its class is another now.
  await selectNumbered(run.runId, object.id)
}

/** Of all objects in the lasso. Deleted, there is nothing left to hold. */
export function editLassoed(what: ObjectEdit): void {
  const lasso = lassoNow(getState())
  if (!lasso?.objects) return
  unlessAll(lasso.runId, lasso.objects, what, async () => {
    if (!(await edit(lasso.runId, { shape: lasso.shape }, what)) || what.type !== 'delete') return
    if (getState().project.lasso?.shape === lasso.shape) patch('project', { lasso: null })
  })
}

/** Returns whether there are objects in the lasso that the key for deleting means. */
export function deleteLassoed(): boolean {
  const state = getState()
  if (state.project.selected.length > 0 || !lassoNow(state)?.objects) return false
  editLassoed({ type: 'delete' })
  return true
}

/** Returns whether an object is selected; where it is of no result that can be changed, that is said. */
export function deleteObject(): boolean {
  const state = getState()
  const { object, source } = state.selection
  if (!object) return false
  if (selectedRun(state)) void editSelected({ type: 'delete' })
  else if (source === 'click') tell(words.objects.ofClick, words.names.objects)
  else tell(words.objects.ofUnfinished, words.names.objects)
  return true
}

/** Of all objects whose centroids the region holds. */
export async function editInRegion({ shape }: RegionOfInterest, what: ObjectEdit): Promise<void> {
  if (!isArea(shape)) return tell(words.objects.notInPoints, words.names.objects)
  const run = changeable(getState())
  if (!run) return tell(words.objects.chooseResult, words.names.objects)
  const act = async () => {
    if ((await edit(run.runId, { shape }, what)) && what.type === 'delete') clearSelection()
  }
  if (what.type !== 'delete') return act()
  const inside = await api().call('object:count', { runId: run.runId, choice: { shape } })
  if (!inside.ok) return tellError(inside.error, words.names.objects)
  unlessAll(run.runId, inside.value.objects, what, act)
}

export async function setRule(rule: ObjectRule | null): Promise<void> {
  const run = changeable(getState())
  if (!run) return
  const before = revisionNow()
  const answer = await api().call('object:rule', { runId: run.runId, rule })
  if (!answer.ok) return tellError(answer.error, words.about.classes)
  await reachedSince(before)
}

/** The document holds the run from now on. */
export async function keepRun(runId: string): Promise<void> {
  const before = revisionNow()
  const answer = await api().call('project:keep', { runId })
  if (!answer.ok) return tellError(answer.error, words.buttons.keep)
  tell(words.objects.saved, words.about.kept)
  await reachedSince(before)
}

/** A digit on a selected object, or on those in the lasso: their class, or with 0 what the rule says. Returns whether it meant any. */
export function classKey(key: string): boolean {
  if (!/^[0-9]$/.test(key)) return false
  const state = getState()
  const one = selectedRun(state)
  const run = one ?? (lassoNow(state)?.objects ? changeable(state) : null)
  if (!run) return false
  const wanted = key === '0' ? null : handClasses(state, run)[Number(key) - 1]
  if (wanted === undefined) return false
  const what: ObjectEdit = { type: 'classify', classId: wanted?.id ?? null }
  if (one) void editSelected(what)
  else editLassoed(what)
  return true
}
