// Asks the engine for runs: previews of the visible field while the user tunes, and runs for keeps.
import { isOver, type AppError, type ErrorCode, type Region, type RunRequest, type RunStatus } from '../../app/contract'
import { api } from '../api'
import { containsRegion, regionContains, visibleExactly, visibleField, type Point } from '../arithmetic/geometry'
import { goOnWithCpu, runDevice } from './deviceActions'
import { bindWatch, dropUnboundWatch, dropWatch } from './latency'
import { hideGpuTrouble, hideNotices, tell, tellError, tellGpuTrouble, type Remedy } from './notify'
import { Debounced, longestDelayMs, previewDelayMs, settleDelayMs } from './preview'
import { blame, currentSpec, recipeKey, recipeOf, valuesOf } from './recipeSlice'
import {
  beginRun,
  coveredBy,
  dropRun,
  isUnderKept,
  keptRun,
  keptRuns,
  runningRun,
  settleStack,
  showPreview,
  untune,
} from './runSlice'
import { analysisScale, megapixels } from './slideSlice'
import { getState, patch, update } from './store'
import type { Asked } from './uiSlice'

/** A preview must answer while the user looks: above this it says "zoom in". Analysed Mpx. */
export const previewLimitMpx = 40
/** Up to this a run for keeps starts without asking. Analysed Mpx. */
export const askAboveMpx = 100

let lastRequest: Asked | null = null
/** What a lost GPU failed, and nothing has replaced since. */
let lostByGpu: Asked | null = null
/** What the runs that there are were asked for; their statuses tell a region cut to the slide and its grid. */
const askedById = new Map<string, Asked>()
/** Runs for keeps that this window has started, on whatever slide. */
const startedHere = new Set<string>()
export const isStartedHere = (runId: string): boolean => startedHere.has(runId)

/** What the engine was busy with on this slide, or should have been: runs for keeps before a preview. */
export function lostRequests(): readonly Asked[] {
  const { runs, slide } = getState()
  const slidePath = slide.info?.path
  if (slidePath === undefined) return []
  const kept = keptRuns(runs).filter((run) => !isOver(run))
  const asked = kept.map((run): Asked => askedById.get(run.runId) ?? askedOf(run, slidePath))
  if (runs.starting === 'run' && lastRequest) asked.push(lastRequest)
  if (asked.length === 0 && lastRequest && (runningRun(runs) || runs.starting)) asked.push(lastRequest)
  if (asked.length === 0 && lostByGpu) asked.push(lostByGpu)
  return asked.filter((one) => one.slidePath === slidePath)
}

const askedOf = ({ region, purpose, name }: RunStatus, slidePath: string): Asked => ({ region, purpose, name, slidePath })

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
  const { slide, recipe: recipeState, ui } = getState()
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
  if (isShown(region, key, ui.layer.startsWith('layer:'))) return dropUnboundWatch('param-to-first-tile')
  const count = ++previewCount
  update('runs', (state) => ({ ...state, starting: state.starting ?? 'preview' }))
  const asked: Asked = { region, purpose: 'preview', slidePath: slide.info.path }
  lastRequest = asked
  const result = await api().call('run:start', {
    slideId: slide.info.slideId,
    region,
    recipe,
    purpose: 'preview',
    focus: focusIn(region),
    device: runDevice(),
  })
  if (getState().slide.info?.slideId !== slide.info.slideId) {
    if (result.ok) void api().call('run:cancel', { runId: result.value.runId })
    return
  }
  if (count === previewCount) took(result, key, asked)
}

/** Nothing new is to be computed for this region; what shows it is brought to the top. */
function isShown(region: Region, key: string, needPreview: boolean): boolean {
  const kept = keptRun(getState().runs)
  // The values are those of the chosen run again: it is what the recipe says.
  if (kept && getState().runs.keyById[kept.runId] === key) update('runs', (runs) => untune(runs, key))
  const covering = coveredBy(getState().runs, region, key, needPreview)
  if (covering?.purpose === 'preview') update('runs', (runs) => showPreview(runs, covering.runId))
  else if (covering) update('runs', (runs) => untune(runs, key))
  return covering !== null || (!needPreview && isUnderKept(getState().runs, region))
}

function took(result: Awaited<ReturnType<typeof startCall>>, key: string, asked: Asked): void {
  if (result.ok) {
    const status = result.value
    bindWatch('param-to-first-tile', status.runId)
    update('runs', (state) => beginRun(state, status, key))
    for (const id of askedById.keys()) if (!getState().runs.byId[id]) askedById.delete(id)
    askedById.set(status.runId, asked)
    if (asked.purpose === 'run') {
      startedHere.add(status.runId)
      lostByGpu = null
      hideGpuTrouble()
      // What an earlier run could not do, and the engine's end before it, are no news any more.
      hideNotices(({ runId }) => runId !== undefined)
      patch('ui', { banner: null })
    }
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
  if (result.error.code !== 'ENGINE_LOST') tellRunError(result.error, asked, '')
}

const gpuTrouble: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['GPU_UNAVAILABLE', 'GPU_LOST', 'GPU_OUT_OF_MEMORY'])

function tellRunError(error: AppError, asked: Asked, runId: string): void {
  const about = asked.purpose === 'preview' ? 'Preview' : 'Segment'
  if (!gpuTrouble.has(error.code)) return tellError(error, about, { slidePath: asked.slidePath, runId })
  if (error.code === 'GPU_LOST') lostByGpu = asked
  const remedies: Remedy[] = [
    {
      label: 'Run on the CPU',
      testId: 'run-on-cpu',
      act: () => {
        goOnWithCpu()
        runAgain(asked)
      },
    },
  ]
  if (error.code === 'GPU_LOST') {
    remedies.push({
      label: 'Start the engine again and run again',
      testId: 'restart-and-run',
      act: () => {
        hideGpuTrouble()
        for (const listener of restartListeners) listener(asked)
      },
    })
  }
  // It outlives its run, and the engine, which may be replaced for it.
  tellGpuTrouble(error, about, remedies, { slidePath: asked.slidePath })
}

/** Who can replace the engine: it knows of runs, so runs cannot know it. */
const restartListeners = new Set<(asked: Asked) => void>()
export const onRestartWanted = (listener: (asked: Asked) => void): void => void restartListeners.add(listener)

/** What failed or was lost, once more: the same region for keeps, or the preview of what is in view by now. Never on another slide. */
export function runAgain(asked: Asked): void {
  if (getState().slide.info?.path !== asked.slidePath) return
  if (asked.purpose === 'run') segment(asked.region, true, asked.name)
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

async function start(region: Region | 'whole', name: string): Promise<void> {
  const { slide, recipe: recipeState, runs } = getState()
  const recipe = recipeOf(recipeState)
  if (!slide.info || !recipe) return
  previews.cancel()
  previewCount++
  // What the user asked for by name has the machine to itself.
  const shown = runs.previewId ? runs.byId[runs.previewId] : undefined
  if (shown && !isOver(shown)) void api().call('run:cancel', { runId: shown.runId })
  patch('ui', { armed: true, previewNote: null, dialog: null, tool: 'pan', drawn: null })
  update('runs', (state) => ({ ...state, starting: 'run' }))
  const asked: Asked = { region, purpose: 'run', slidePath: slide.info.path, name }
  lastRequest = asked
  const box = region === 'whole' ? slide.info.bounds : region
  const result = await startCall({
    slideId: slide.info.slideId,
    region,
    recipe,
    purpose: 'run',
    focus: focusIn(box),
    device: runDevice(),
    name,
  })
  if (getState().slide.info?.slideId === slide.info.slideId) took(result, recipeKey(recipe), asked)
  else if (result.ok) startedHere.add(result.value.runId)
}

/** The visible field, for keeps. */
export function segmentVisible(): void {
  const { slide, ui } = getState()
  if (!slide.info || !ui.view) return
  const region = visibleExactly(ui.view, slide.info.widthPx, slide.info.heightPx)
  if (!region) return tell('No part of the slide is in view. Press F to fit it.')
  segment(region, false, 'Visible field')
}

const sameRegion = (a: Region, b: Region): boolean => containsRegion(a, b) && containsRegion(b, a)

/** Enter held down, or a second press while the first one waits, must not start the same work twice. */
function isUnderWay(region: Region | 'whole'): boolean {
  const { slide, recipe, runs } = getState()
  const asked = recipeOf(recipe)
  if (!slide.info || !asked) return false
  const { bounds } = slide.info
  const boxOf = (of: Region | 'whole') => (of === 'whole' ? bounds : of)
  const box = boxOf(region)
  if (runs.starting === 'run' && lastRequest?.purpose === 'run' && sameRegion(boxOf(lastRequest.region), box)) return true
  const key = recipeKey(asked)
  return keptRuns(runs).some((run) => !isOver(run) && runs.keyById[run.runId] === key && sameRegion(run.region, box))
}

/** What a question about a long run is to be called, if it is answered with yes. */
let askedName: string | undefined

/** For keeps; asks first where it will take long. */
export function segment(region: Region | 'whole', confirmed = false, name?: string): void {
  const { slide, ui } = getState()
  if (!slide.info) return
  const known = confirmed && ui.dialog === 'longRun' && ui.asked === region ? askedName : undefined
  const called = name ?? known ?? (region === 'whole' ? 'Whole slide' : 'Rectangle')
  if (isUnderWay(region)) {
    patch('ui', { dialog: null, tool: 'pan', drawn: null })
    return tell('This is being segmented with these values already.')
  }
  const mpx = analysedMegapixels(region === 'whole' ? slide.info.bounds : region)
  if (!confirmed && mpx > askAboveMpx) {
    askedName = called
    return patch('ui', { dialog: 'longRun', asked: region, tool: 'pan', drawn: null })
  }
  void start(region, called)
}

/** Nothing that waits to be asked for is asked for any more. */
export function stopPreviews(): void {
  previews.cancel()
}

/** Listeners that act on a result that is complete: the selection asks again for its object. */
const endListeners = new Set<(status: RunStatus) => void>()
export function onRunEnd(listener: (status: RunStatus) => void): () => void {
  endListeners.add(listener)
  return () => void endListeners.delete(listener)
}

export function ended(status: RunStatus): void {
  const { runs, slide } = getState()
  if (!runs.stack.includes(status.runId)) return
  const slidePath = slide.info?.path ?? ''
  if (status.state === 'failed') {
    const asked = askedById.get(status.runId) ?? askedOf(status, slidePath)
    if (status.error) tellRunError(status.error, asked, status.runId)
    // There is nothing in it that could be looked at: its notice says why.
    if (status.tilesDone === 0) {
      update('runs', (state) => dropRun(state, status.runId))
      if (status.purpose === 'run') void api().call('run:delete', { runId: status.runId })
    }
  }
  if (status.purpose === 'run' && status.state === 'done' && status.unreadableTiles > 0) {
    tell(
      `${status.unreadableTiles} tiles of the file could not be read: they are marked on the overlay and left out of the result.`,
      'Partial result',
      4500,
      { slidePath, runId: status.runId },
    )
  }
  for (const listener of endListeners) listener(status)
}

/** Every tile of a finished run that is in view has been drawn: what lies under it may go. */
export function shown(runId: string): void {
  const status = getState().runs.byId[runId]
  if (status?.state === 'done') update('runs', (state) => settleStack(state, runId))
}
