// Opens, closes and turns the second view, and opens another slide for it: counted by the engine as any window's.
import { isOver, type SlideInfo } from '../../../app/contract'
import { api } from '../../api'
import { latest } from '../base/latest'
import { linkOf, type Place } from '../../arithmetic/linkedViews'
import { tellError } from '../base/notify'
import { previewNow } from '../runs/previewActions'
import { resultTiles } from '../runs/resultTiles'
import { refreshRuns, listedRuns } from '../runs/runList'
import { noSecond, type SecondState } from '../slices/secondSlice'
import { fileName } from './slideActions'
import { slideMpp } from '../slices/slideSlice'
import { getState, patch, update, useStore } from '../store'
import { layerOf, type LayerChoice } from '../slices/uiSlice'

const newest = latest()

const scaleBetween = (first: SlideInfo, second: SlideInfo): number => {
  const [a, b] = [slideMpp(first), slideMpp(second)]
  return a === null || b === null ? 1 : a / b
}
const middleOf = ({ bounds, widthPx, heightPx }: SlideInfo) => {
  const box = bounds ?? { x: 0, y: 0, width: widthPx, height: heightPx }
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}
/** Over each other as they are; of another slide, middle over middle. */
function firstLink(first: SlideInfo, second: SlideInfo | null) {
  const [from, to] = [middleOf(first), middleOf(second ?? first)]
  return { from, to, scale: second ? scaleBetween(first, second) : 1, turn: 0 }
}

function letGo({ slide }: SecondState): void {
  if (slide) void api().call('slide:close', { slideId: slide.slideId })
}

/** Returns whether there was one. */
export function leaveSecond(): boolean {
  const { second } = getState()
  if (!second.on) return false
  newest.stop()
  letGo(second)
  update('second', () => noSecond)
  return true
}

export function toggleSecond(): void {
  const { info } = getState().slide
  if (leaveSecond() || !info) return
  patch('second', { ...noSecond, on: true, link: firstLink(info, null) })
}

/** `path` null: the first view's own slide. */
export async function chooseSecondSlide(path: string | null): Promise<void> {
  const { info } = getState().slide
  const { second } = getState()
  if (!info || !second.on) return
  const signal = newest.begin()
  if (path === null || path === info.path) {
    letGo(second)
    return patch('second', { ...noSecond, on: true, link: firstLink(info, null) })
  }
  patch('second', { opening: path })
  const result = await api().call('slide:open', { path })
  if (signal.aborted) {
    if (result.ok) void api().call('slide:close', { slideId: result.value.slideId })
    return
  }
  patch('second', { opening: null })
  if (!result.ok) return tellError(result.error, fileName(path))
  letGo(getState().second)
  const slide = result.value
  patch('second', { ...noSecond, on: true, slide, link: firstLink(info, slide) })
  await learnRuns(slide)
}

/** Results that the engine has of another slide, and their tiles. */
async function learnRuns(slide: SlideInfo): Promise<void> {
  await refreshRuns()
  const runs = listedRuns()
    .map(({ status }) => status)
    .filter(({ slideId, purpose, state }) => slideId === slide.slideId && purpose === 'run' && state === 'done')
  for (const { runId } of runs) {
    const tiles = await api().call('run:tiles', { runId })
    if (tiles.ok) resultTiles.announce(runId, tiles.value)
  }
  if (getState().second.slide?.slideId === slide.slideId) patch('second', { runs })
}

export function setSecondLayer(layer: LayerChoice): void {
  patch('second', { layer })
  if (layerOf(layer) !== null) previewNow()
}
export const setSecondResults = (results: string): void => patch('second', { results })

/** Linked again they stay as they stand now: so a place of one is laid over the same place of the other by hand. */
export function linkViews(first: Place | null, second: Place | null): void {
  const state = getState()
  const { info } = state.slide
  if (state.second.link) return patch('second', { link: null })
  if (!info || !first || !second) return
  const other = state.second.slide
  patch('second', { link: linkOf(first, second, other ? scaleBetween(info, other) : 1) })
}

useStore.subscribe((state, before) => {
  const { second } = state
  if (!second.on) return
  // Another slide, or the same in a new engine: ids of the old one mean nothing there.
  if (state.slide.info?.slideId !== before.slide.info?.slideId) return void leaveSecond()
  if (second.results === 'same' || second.results === 'none' || second.slide) return
  const run = state.runs.byId[second.results]
  if (!run || (isOver(run) && run.state === 'failed')) patch('second', { results: 'same' })
})
