// The map of density over the slide: asked for, shown as a layer, made anew when the objects change, and made into regions where it is high.
import { isOver, noSpatial, runOfMapLayer, usualMap, type DensityMapAsk, type HotSpotsAsk } from '../../../app/contract'
import { api } from '../../api'
import { words } from '../../words'
import { latest } from '../base/latest'
import { tell, tellError } from '../base/notify'
import { saveSettings } from '../base/settingsActions'
import { setLayer } from './overlayActions'
import { activeRun } from '../slices/runSlice'
import { layerOf } from '../slices/uiSlice'
import { getState, patch, useStore } from '../store'

const newest = latest()

export const toggleMap = (): void => {
  const { open, choosesMap } = getState().table
  patch('table', { open: true, choosesMap: !open || !choosesMap })
}
export const closeMap = (): void => patch('table', { choosesMap: false })

/** Kept for the next time, and for exports. What is shown follows. */
export async function setMap(change: Partial<DensityMapAsk>): Promise<void> {
  // Two values that are typed in haste are both kept.
  const result = await saveSettings((kept) => ({
    spatial: { ...(kept?.spatial ?? noSpatial), map: { ...(kept?.spatial.map ?? usualMap), ...change } },
  }))
  if (!result.ok) return tellError(result.error, words.map.title)
  const { map, mapBusy } = getState().table
  if (map || mapBusy) await showMap()
}

/** Over the slide, as it is asked for now. */
export async function showMap(): Promise<void> {
  const { runs, ui } = getState()
  const run = activeRun(runs)
  if (!run || !isOver(run)) return tell(words.map.noResult, words.map.title)
  const asked = ui.settings?.spatial.map ?? usualMap
  const signal = newest.begin()
  patch('table', { mapBusy: true })
  const answer = await api().call('run:map', { runId: run.runId, map: asked }, signal)
  if (signal.aborted) return
  patch('table', { mapBusy: false })
  if (!answer.ok) {
    hideMap()
    return tellError(answer.error, words.map.title)
  }
  patch('table', { map: { ...answer.value, runId: run.runId, asked, state: stateOf(run) } })
  setLayer(`layer:${answer.value.layer}`)
}

export function hideMap(): void {
  newest.stop()
  patch('table', { map: null, mapBusy: false })
  if (runOfMapLayer(layerOf(getState().ui.layer) ?? '') !== null) setLayer('slide')
}

/** Of what the map is made of: another one needs another map. */
const stateOf = ({ runId, objects, edits, rule }: NonNullable<ReturnType<typeof activeRun>>): string =>
  JSON.stringify([runId, objects, edits, rule])

/** Where the map that is shown is high, as regions. */
export async function makeHotSpots(limit: HotSpotsAsk['limit'], leastMm2: number): Promise<void> {
  const { map } = getState().table
  if (!map) return
  patch('table', { mapBusy: true })
  const answer = await api().call('run:hotSpots', { runId: map.runId, map: map.asked, limit, leastMm2 })
  patch('table', { mapBusy: false })
  if (!answer.ok) return tellError(answer.error, words.map.title)
  tell(words.map.made(answer.value.made, answer.value.leftOut), words.map.title)
}

/** The map of a result whose objects are others now is made anew; with the result it goes. */
export const watchMap = (): (() => void) =>
  useStore.subscribe((state, before) => {
    const { map, mapBusy } = state.table
    if (state.runs === before.runs || !map || mapBusy) return
    const run = activeRun(state.runs)
    if (!run || run.runId !== map.runId || !isOver(run)) return hideMap()
    if (stateOf(run) !== map.state) void showMap()
  })
