// Click to segment: the object under a point, from a result that is there, else by running the recipe around it.
import type { ObjectDetails } from '../../../app/contract'
import { api } from '../../api'
import { latest } from '../base/latest'
import type { Point } from '../../arithmetic/geometry'
import { words } from '../../words'
import { beginWatch, dropWatch } from '../base/latency'
import { tellError } from '../base/notify'
import { recipeKey, recipeOf } from '../slices/recipeSlice'
import { onRunEnd } from '../runs/runEnds'
import { tellAtControl } from '../runs/runErrors'
import { runsAt } from '../slices/runSlice'
import { getState, patch, update } from '../store'
import { noSelection } from '../slices/uiSlice'

/** The click that is being looked up: a newer one, or another slide or calibration, takes it back. */
const looking = latest()

export function clearSelection(): void {
  looking.stop()
  update('selection', () => noSelection)
}

/** The object that a result on show has at a point. Returns whether there is one. */
async function selectFound(at: Point, started: number, signal: AbortSignal): Promise<boolean> {
  const { recipe: recipeState, runs } = getState()
  const recipe = recipeOf(recipeState)
  if (!recipe) return false
  const key = recipeKey(recipe)
  // While values are being changed, a result of other values is what the user sees there, but no longer what the recipe says.
  const current = runsAt(runs, at.x, at.y).filter(
    (status) => status.state !== 'failed' && (!runs.tuning || runs.keyById[status.runId] === key),
  )
  for (const status of current) {
    const found = await api().call('object:at', { runId: status.runId, x: at.x, y: at.y }, signal)
    if (signal.aborted) return false
    if (found.ok && found.value) {
      const { runId } = status
      const elapsedMs = performance.now() - started
      patch('selection', {
        at,
        object: found.value,
        state: 'found',
        source: 'run',
        elapsedMs,
        runId,
        outlined: null,
        recipes: null,
      })
      return true
    }
  }
  return false
}

/** Selects what a result on show has at a point, and computes nothing. Returns whether there was something. */
export async function selectShownAt(at: Point): Promise<boolean> {
  const signal = looking.begin()
  if (await selectFound(at, performance.now(), signal)) return true
  // A click that was being looked up was taken back by this.
  if (!signal.aborted && getState().selection.state === 'busy') update('selection', () => noSelection)
  return false
}

export async function selectAt(at: Point): Promise<void> {
  const { slide, recipe: recipeState } = getState()
  const recipe = recipeOf(recipeState)
  if (!slide.info || !recipe) return
  if (at.x < 0 || at.y < 0 || at.x >= slide.info.widthPx || at.y >= slide.info.heightPx) return clearSelection()
  const signal = looking.begin()
  const started = performance.now()
  beginWatch('click-to-outline')
  patch('selection', { at, state: 'busy', outlined: null, recipes: null })
  if (await selectFound(at, started, signal)) return
  if (signal.aborted) return
  const segmented = await api().call('object:segment', { slideId: slide.info.slideId, recipe, x: at.x, y: at.y }, signal)
  if (signal.aborted) return
  if (!segmented.ok) {
    dropWatch('click-to-outline')
    update('selection', () => noSelection)
    if (!tellAtControl(segmented.error) && segmented.error.code !== 'ENGINE_LOST') {
      tellError(segmented.error, words.selected.about, { slidePath: slide.info.path })
    }
    return
  }
  const { object: recipes, outlined, elapsedMs } = segmented.value
  const object = outlined?.object ?? recipes
  if (!object) dropWatch('click-to-outline')
  patch('selection', { object, state: object ? 'found' : 'empty', source: 'click', elapsedMs, runId: null, outlined, recipes })
}

/** Of a click that has two outlines, the other one. */
export function showOtherOutline(): void {
  const { outlined, recipes, object } = getState().selection
  if (outlined && recipes) patch('selection', { object: object === recipes ? outlined.object : recipes })
}

/** The object of a run by its number, as a row of the table names it. */
export async function selectNumbered(runId: string, id: number): Promise<ObjectDetails | null> {
  const signal = looking.begin()
  const found = await api().call('object:numbered', { runId, id }, signal)
  if (signal.aborted || !found.ok) return null
  const object = found.value
  update('selection', () => ({ ...noSelection, at: object.centroid, object, state: 'found', source: 'run', runId }))
  return object
}

/** New values were previewed: the selected object's outline and figures follow them. */
async function follow(runId: string): Promise<void> {
  const { selection, runs } = getState()
  const status = runs.byId[runId]
  if (!selection.at || selection.state === 'busy' || status?.state !== 'done') return
  const { x, y } = selection.at
  if (!runsAt(runs, x, y).some((other) => other.runId === runId)) return
  // While no value is changed, the result that it was found in says the same, under the number that its table has.
  const from = selection.runId
  if (from !== null && from !== runId && runs.byId[from] && !runs.tuning) return
  const signal = looking.begin()
  const found = await api().call('object:at', { runId, x, y }, signal)
  if (signal.aborted || !found.ok) return
  // A click's own outline is no run's.
  if (selection.outlined && !found.value) return
  const state = found.value ? 'found' : 'empty'
  update('selection', ({ at }) => ({ ...noSelection, at, object: found.value, state, source: 'run', runId }))
}

onRunEnd((status) => void follow(status.runId))
