// When the visible field is previewed while the user tunes and looks around, and when what is there already will do.
import { isOver, tissueLayer, type Region } from '../../../app/contract'
import { api } from '../../api'
import { visibleField } from '../../arithmetic/geometry'
import { words } from '../../words'
import { voidPreviews, type RequestedRun } from '../slices/requestSlice'
import { analysedMegapixels } from './estimate'
import { dropUnboundWatch, dropWatch, paramWatches } from '../base/latency'
import { Debounced, settleDelayMs } from './preview'
import { recipeKey, recipeOf } from '../slices/recipeSlice'
import { onRunEnd } from './runEnds'
import { requestRun, took } from './runRequests'
import { coveredBy, isStarting, isUnderKept, chosenRun, runningRun, showPreview, untune } from '../slices/runSlice'
import { layersLookedAt } from '../slices/secondSlice'
import { getState, patch, update } from '../store'

/** A preview must answer while the user looks: above this it says "zoom in". Analysed Mpx. */
export const previewLimitMpx = 40

async function preview(): Promise<void> {
  const { slide, recipe: recipeState, ui } = getState()
  const recipe = recipeOf(recipeState)
  if (!slide.info || !recipe || !ui.view) return
  const region = visibleField(ui.view, slide.info.widthPx, slide.info.heightPx)
  if (!region) return patch('ui', { previewNote: null })
  const mpx = analysedMegapixels(region)
  if (mpx > previewLimitMpx) {
    paramWatches.forEach(dropWatch)
    return patch('ui', {
      previewNote: words.segment.zoomToPreview(Math.round(mpx), previewLimitMpx),
    })
  }
  patch('ui', { previewNote: null, armed: true })
  const layers = layersLookedAt(getState())
  const shown = isShown(region, recipeKey(recipe), layers)
  // Of other values, or of another place: its answer must not take the place of what is right.
  update('asked', voidPreviews)
  if (shown) return paramWatches.forEach(dropUnboundWatch)
  const mine = getState().asked.previews
  const asked: RequestedRun = {
    region,
    purpose: 'preview',
    slidePath: slide.info.path,
    layers: layers.some((layer) => layer !== tissueLayer),
  }
  const end = (runId: string) => void api().call('run:cancel', { runId })
  const result = await requestRun(asked, recipe, end)
  if (result && mine === getState().asked.previews) took(result, asked, recipe)
  else if (result?.ok) end(result.value.runId)
}

/** Nothing new is to be computed for this region; what shows it is brought to the top. */
function isShown(region: Region, key: string, layers: readonly string[]): boolean {
  const kept = chosenRun(getState().runs)
  // The values are those of the chosen run again: it is what the recipe says.
  if (kept && getState().runs.keyById[kept.runId] === key) update('runs', (runs) => untune(runs, key))
  const covering = coveredBy(getState().runs, region, key, layers)
  if (covering?.purpose === 'preview') update('runs', (runs) => showPreview(runs, covering.runId))
  else if (covering) update('runs', (runs) => untune(runs, key))
  return covering !== null || (layers.length === 0 && isUnderKept(getState().runs, region))
}

const previews = new Debounced(() => void preview())

function isComputing(): boolean {
  const { runs } = getState()
  const latest = runs.previewId === null ? undefined : runs.byId[runs.previewId]
  return isStarting(runs, 'preview') || (latest !== undefined && !isOver(latest))
}
// A drag is answered as fast as answers come, and none is begun that the next would cut off.
onRunEnd(({ purpose }) => {
  if (purpose === 'preview') previews.free()
})

/** `burst`: more changes may follow; `settled`: the view came to rest; `now`: the user let go. */
export function previewSoon(when: 'burst' | 'settled' | 'now', byUser: boolean): void {
  const { ui } = getState()
  if (!ui.livePreview || (!byUser && !ui.armed)) return
  if (when === 'now') previews.fire()
  else if (when === 'burst') previews.eager(isComputing())
  else previews.soon(settleDelayMs)
}

/** Asked for by name (key P, or a layer that only a preview has): live preview may be off. */
export function previewNow(): void {
  previews.fire()
}

/** The view came to rest somewhere: preview there, unless a full run has the machine. */
export function viewSettled(): void {
  const running = runningRun(getState().runs)
  if (running?.purpose === 'run') return
  previewSoon('settled', false)
}

/** What is shown is not yet that of the newest values. */
export const previewPending = (): boolean => previews.waiting || isComputing()

/** Nothing that waits to be asked for is asked for any more. */
export function stopPreviews(): void {
  previews.cancel()
}
