// Asks the engine for runs: previews of the visible field while the user tunes, and runs for keeps.
import { isOver, type AppError, type ErrorCode, type Region, type RunRequest, type RunStatus } from '../../app/contract'
import { api } from '../api'
import { containsRegion, regionContains, visibleExactly, visibleField, type Point } from '../viewer/geometry'
import { goOnWithCpu, runDevice } from './deviceActions'
import { bindWatch, dropUnboundWatch, dropWatch } from './latency'
import { tell, tellError, tellGpuTrouble } from './notify'
import { Debounced, longestDelayMs, previewDelayMs, settleDelayMs } from './preview'
import { blame, currentSpec, recipeKey, recipeOf, valuesOf } from './recipeSlice'
import { beginRun, dropRun, isCovered, runningRun, settleStack } from './runSlice'
import { analysisScale, megapixels } from './slideSlice'
import { getState, patch, update } from './store'

/** A preview must answer while the user looks: above this it says "zoom in". Analysed Mpx. */
export const previewLimitMpx = 40
/** Up to this a run for keeps starts without asking. Analysed Mpx. */
export const askAboveMpx = 100

type Asked = Pick<RunRequest, 'region' | 'purpose'>
let lastRequest: Asked | null = null
export const lostRequest = (): Asked | null => lastRequest
/** What the runs that there are were asked for; their statuses tell a region cut to the slide and its grid. */
const askedById = new Map<string, Asked>()

function focusIn(region: Region): Point {
  const { pointer, view } = getState().ui
  if (pointer && regionContains(region, pointer.x, pointer.y)) return pointer
  return view?.center ?? { x: region.x + region.width / 2, y: region.y + region.height / 2 }
}

export function analysedMegapixels(region: Region): number {
  const { slide, recipe } = getState()
  const spec = currentSpec(recipe)
  return slide.info && spec ? megapixels(region, analysisScale(slide.info, spec, valuesOf(recipe))) : 0
}

/** Counts requests, so that the answer to an older preview is not taken for the newest. */
let previewCount = 0

async function preview(): Promise<void> {
  const { slide, recipe: recipeState, runs, ui } = getState()
  const recipe = recipeOf(recipeState)
  if (!slide.info || !recipe || !ui.view) return
  const region = visibleField(ui.view, slide.info.widthPx, slide.info.heightPx)
  if (!region) return patch('ui', { previewNote: null })
  const mpx = analysedMegapixels(region)
  if (mpx > previewLimitMpx) {
    dropWatch('param-to-first-tile')
    return patch('ui', {
      previewNote: `Zoom in to preview: ${Math.round(mpx)} Mpx are in view, a preview takes up to ${previewLimitMpx}.`,
    })
  }
  patch('ui', { previewNote: null, armed: true })
  const key = recipeKey(recipe)
  if (isCovered(runs, region, key, ui.layer.startsWith('layer:'))) return dropUnboundWatch('param-to-first-tile')
  const count = ++previewCount
  update('runs', (state) => ({ ...state, starting: state.starting ?? 'preview' }))
  lastRequest = { region, purpose: 'preview' }
  const result = await api().call('run:start', {
    slideId: slide.info.slideId,
    region,
    recipe,
    purpose: 'preview',
    focus: focusIn(region),
    device: runDevice(),
  })
  if (count !== previewCount || getState().slide.info?.slideId !== slide.info.slideId) return
  took(result, key, { region, purpose: 'preview' })
}

function took(result: Awaited<ReturnType<typeof startCall>>, key: string, asked: Asked): void {
  if (result.ok) {
    const status = result.value
    bindWatch('param-to-first-tile', status.runId)
    update('runs', (state) => beginRun(state, status, key))
    for (const id of askedById.keys()) if (!getState().runs.byId[id]) askedById.delete(id)
    askedById.set(status.runId, asked)
    const known = getState().runs.byId[status.runId]
    // The end may have overtaken the answer to run:start.
    if (known && isOver(known)) ended(known)
    return
  }
  update('runs', (state) => ({ ...state, starting: null }))
  if (result.error.code === 'INVALID_PARAMETER') {
    const blamed = blame(getState().recipe, result.error.message)
    if (blamed) return update('recipe', () => blamed)
  }
  // The banner says it already.
  if (result.error.code !== 'ENGINE_LOST') tellRunError(result.error, asked)
}

const gpuTrouble: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['GPU_UNAVAILABLE', 'GPU_LOST', 'GPU_OUT_OF_MEMORY'])

function tellRunError(error: AppError, asked: Asked): void {
  const about = asked.purpose === 'preview' ? 'Preview' : 'Segment'
  if (!gpuTrouble.has(error.code)) return tellError(error, about)
  const path = getState().slide.info?.path
  tellGpuTrouble(error, about, () => {
    goOnWithCpu()
    // The notice can outlive its slide.
    if (path !== undefined && getState().slide.info?.path === path) runAgain(asked)
  })
}

/** What failed or was lost, once more: the same region for keeps, or the preview of what is in view by now. */
export function runAgain(asked: Asked | null): void {
  if (asked?.purpose === 'run') segment(asked.region, true)
  else previewNow()
}

const startCall = (request: RunRequest) => api().call('run:start', request)

const previews = new Debounced(() => void preview())

/** `burst`: more changes may follow; `settled`: the view came to rest; `now`: the user let go. */
export function previewSoon(when: 'burst' | 'settled' | 'now', byUser: boolean): void {
  const { ui } = getState()
  if (!ui.livePreview || (!byUser && !ui.armed)) return
  if (when === 'now') previews.fire()
  else if (when === 'burst') previews.eager(previewDelayMs, longestDelayMs)
  else previews.soon(settleDelayMs)
}

/** Asked for by name (key P, or a layer that only a preview has): live preview may be off. */
export function previewNow(): void {
  previews.fire()
}

/** The view came to rest somewhere: preview there, unless a run for keeps has the machine. */
export function viewSettled(): void {
  const running = runningRun(getState().runs)
  if (running?.purpose === 'run') return
  previewSoon('settled', false)
}

async function start(region: Region | 'whole'): Promise<void> {
  const { slide, recipe: recipeState } = getState()
  const recipe = recipeOf(recipeState)
  if (!slide.info || !recipe) return
  previews.cancel()
  previewCount++
  // What the user asked for by name has the machine to itself.
  const running = runningRun(getState().runs)
  if (running?.purpose === 'preview') void api().call('run:cancel', { runId: running.runId })
  patch('ui', { armed: true, previewNote: null, dialog: null, tool: 'pan', drawn: null })
  update('runs', (state) => ({ ...state, starting: 'run' }))
  lastRequest = { region, purpose: 'run' }
  const box = region === 'whole' ? slide.info.bounds : region
  const result = await startCall({
    slideId: slide.info.slideId,
    region,
    recipe,
    purpose: 'run',
    focus: focusIn(box),
    device: runDevice(),
  })
  if (getState().slide.info?.slideId !== slide.info.slideId) return
  took(result, recipeKey(recipe), { region, purpose: 'run' })
}

/** The visible field, for keeps. */
export function segmentVisible(): void {
  const { slide, ui } = getState()
  if (!slide.info || !ui.view) return
  const region = visibleExactly(ui.view, slide.info.widthPx, slide.info.heightPx)
  if (!region) return tell('No part of the slide is in view. Press F to fit it.')
  const running = runningRun(getState().runs)
  // Enter held down must not start the same work twice.
  if (running?.purpose === 'run' && containsRegion(running.region, region) && containsRegion(region, running.region)) return
  segment(region)
}

/** For keeps; asks first where it will take long. */
export function segment(region: Region | 'whole', confirmed = false): void {
  const { slide } = getState()
  if (!slide.info) return
  const mpx = analysedMegapixels(region === 'whole' ? slide.info.bounds : region)
  if (!confirmed && mpx > askAboveMpx) return patch('ui', { dialog: 'longRun', asked: region, tool: 'pan', drawn: null })
  void start(region)
}

export async function cancelRun(): Promise<void> {
  const running = runningRun(getState().runs)
  if (!running) return
  previews.cancel()
  const result = await api().call('run:cancel', { runId: running.runId })
  if (!result.ok) return tellError(result.error, 'Cancel')
  update('runs', (state) => ({ ...state, byId: { ...state.byId, [running.runId]: result.value } }))
}

export function clearResults(): void {
  const { runs } = getState()
  for (const id of runs.stack) update('runs', (state) => dropRun(state, id))
  patch('ui', { armed: false })
}

/** Listeners that act on a result that is complete: the selection asks again for its object. */
const endListeners = new Set<(status: RunStatus) => void>()
export function onRunEnd(listener: (status: RunStatus) => void): () => void {
  endListeners.add(listener)
  return () => void endListeners.delete(listener)
}

export function ended(status: RunStatus): void {
  const { runs } = getState()
  if (!runs.stack.includes(status.runId)) return
  if (status.state === 'failed') {
    if (status.error) tellRunError(status.error, askedById.get(status.runId) ?? status)
    if (status.tilesDone === 0) update('runs', (state) => dropRun(state, status.runId))
  }
  if (status.purpose === 'run' && status.state === 'done' && status.unreadableTiles > 0) {
    tell(
      `${status.unreadableTiles} tiles of the file could not be read: they are marked on the overlay and left out of the result.`,
      'Partial result',
    )
  }
  for (const listener of endListeners) listener(status)
}

/** Every tile of a finished run that is in view has been drawn: what lies under it may go. */
export function shown(runId: string): void {
  const status = getState().runs.byId[runId]
  if (status?.state === 'done') update('runs', (state) => settleStack(state, runId))
}
