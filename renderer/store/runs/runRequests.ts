// One request for a run, from the call to what its answer changes: the same for previews and for full runs.
import { isOver, type Recipe, type Region, type Result, type RunStatus } from '../../../app/contract'
import { api } from '../../api'
import { regionContains, type Point } from '../../arithmetic/geometry'
import { askFor, begun, type RequestedRun } from '../slices/requestSlice'
import { runDevice } from './deviceActions'
import { bindWatch, paramWatches } from '../base/latency'
import { hideGpuTrouble, hideNotices } from '../base/notify'
import { recipeKey, recipeOf } from '../slices/recipeSlice'
import { ended } from './runEnds'
import { tellRefused } from './runErrors'
import { answered, asking, beginRun, showFigures } from '../slices/runSlice'
import { getState, patch, update } from '../store'

/** This page among all that show the slide: its previews take the place of its own alone. */
const page = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** A preview that takes no longer has nothing to say before its end. */
const quietMs = 250

/** Where the user looks within a region: what is computed first. */
function focusIn(region: Region): Point {
  const { pointer, view } = getState().ui
  if (pointer && regionContains(region, pointer.x, pointer.y)) return pointer
  return view?.center ?? { x: region.x + region.width / 2, y: region.y + region.height / 2 }
}

let count = 0

/** null: another slide is open by now; `left` hears of a run that has begun on the one before. */
export async function requestRun(
  asked: RequestedRun,
  recipe: Recipe,
  left: (runId: string) => void,
): Promise<Result<RunStatus> | null> {
  const { info } = getState().slide
  if (!info) return null
  const id = ++count
  update('asked', (state) => askFor(state, asked))
  update('runs', (state) => asking(state, { id, purpose: asked.purpose }))
  const { region, purpose, name, within, variants, layers } = asked
  const result = await api().call('run:start', {
    slideId: info.slideId,
    region,
    recipe,
    purpose,
    focus: focusIn(region === 'whole' ? info.bounds : region),
    device: runDevice(),
    ...(name === undefined ? {} : { name }),
    ...(within === undefined ? {} : { within }),
    ...(variants === undefined ? {} : { variants }),
    ...(purpose === 'preview' ? { page, ...(layers && { layers }) } : {}),
  })
  update('runs', (state) => answered(state, id))
  if (getState().slide.info?.slideId === info.slideId) return result
  if (result.ok) left(result.value.runId)
  return null
}

export function took(result: Result<RunStatus>, asked: RequestedRun, recipe: Recipe): void {
  if (!result.ok) return tellRefused(result.error, asked)
  const status = result.value
  for (const watch of paramWatches) bindWatch(watch, status.runId)
  const now = recipeOf(getState().recipe) ?? recipe
  update('runs', (state) => beginRun(state, status, recipeKey(recipe), recipeKey(now)))
  update('asked', (state) => begun(state, status.runId, asked, getState().runs.byId))
  if (asked.purpose === 'run') {
    hideGpuTrouble()
    // What an earlier run could not do, and the engine's end before it, are no news any more.
    hideNotices(({ runId }) => runId !== undefined)
    patch('ui', { banner: null })
  }
  if (asked.purpose === 'preview') setTimeout(() => update('runs', (runs) => showFigures(runs, status.runId)), quietMs)
  const known = getState().runs.byId[status.runId]
  // The end may have overtaken the answer to run:start.
  if (known && isOver(known)) ended(known)
}
