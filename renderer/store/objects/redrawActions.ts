// Objects that a person adds to the shown result or redraws: at a click, by the wand's outline, by strokes of the brush. The engine makes a step of history of each.
import type { DrawnObject, RunStatus, Shape } from '../../../app/contract'
import { api } from '../../api'
import type { Point } from '../../arithmetic/geometry'
import { words } from '../../words'
import { tell } from '../base/notify'
import { changeable, selectedRun } from './objectActions'
import { recipeOf } from '../slices/recipeSlice'
import { told } from './reshapeActions'
import { drawnWords } from './reshapeWords'
import { selectNumbered } from '../selection/selectionActions'
import { getState, type State } from '../store'

/** The result that the selected object is not of, and can be added to. */
export function addableTo(state: State): RunStatus | null {
  const run = changeable(state)
  const { object, source, runId } = state.selection
  return run && object && (source === 'click' || runId !== run.runId) ? run : null
}

async function add(what: DrawnObject): Promise<boolean> {
  const run = changeable(getState())
  if (!run) {
    tell(words.objects.chooseResultToAdd, words.names.objects)
    return false
  }
  const done = await told(api().call('object:add', { runId: run.runId, what }), drawnWords)
  if (done) await selectNumbered(run.runId, done.object)
  return done !== null
}

/** What the recipe finds there with its values as they are now. */
export async function addObjectAt(at: Point): Promise<void> {
  const recipe = recipeOf(getState().recipe)
  if (recipe) await add({ at: { x: at.x, y: at.y }, recipe })
}

/** Returns whether it was added. */
export const addObject = (shape: Shape): Promise<boolean> => add({ shape })

/** What was found at the click, by values that may be other ones now. */
export async function addSelected(): Promise<void> {
  const { object } = getState().selection
  if (object) await addObject({ kind: 'polygon', parts: [object.outline] })
}

/** A stroke on the selected object of a result that is done; where there is none, a new one. */
export async function strokeOnObject(shape: Shape, how: 'add' | 'subtract'): Promise<void> {
  const state = getState()
  const run = selectedRun(state)
  const { object } = state.selection
  if (!run || !object) {
    if (how === 'subtract') tell(words.objects.selectToTakeAway, words.brush.title)
    else await addObject(shape)
    return
  }
  const stroke = { id: object.id, how, shape }
  const done = await told(api().call('object:redraw', { runId: run.runId, stroke }), drawnWords)
  if (done) await selectNumbered(run.runId, done.object)
}
