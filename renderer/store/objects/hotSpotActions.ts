// The hot spot of a result: looked for where its figures are on show, gone to, and kept as a region.
import { usualHotSpot, type HotSpotField, type RunStatus } from '../../../app/contract'
import { api } from '../../api'
import { words } from '../../words'
import { latest } from '../base/latest'
import { tell, tellError } from '../base/notify'
import { saveSettings } from '../base/settingsActions'
import { viewer } from '../base/viewerHandle'
import { addRegion } from '../document/projectActions'
import { hasHotSpot, hotSpotKey } from '../slices/hotSpotSlice'
import { activeRun } from '../slices/runSlice'
import { getState, patch } from '../store'

const asked = latest()

/** Once for each state of the result. */
export async function lookForHotSpot(run: RunStatus): Promise<void> {
  const key = hotSpotKey(run, getState().ui.settings?.hotSpot)
  if (getState().hotSpot.key === key) return
  const signal = asked.begin()
  patch('hotSpot', { key, looking: true })
  const result = await api().call('run:hotSpot', { runId: run.runId }, signal)
  if (signal.aborted) return
  patch('hotSpot', { found: result.ok ? result.value : null, looking: false })
  if (!result.ok && result.error.code !== 'NOT_FOUND') tellError(result.error, words.hotSpot.title)
}

/** The view goes there; where there is none it is said why. */
export function showHotSpot(): void {
  const { hotSpot, runs } = getState()
  const run = activeRun(runs)
  if (!run || !hasHotSpot(run)) return tell(words.hotSpot.needsClasses, words.hotSpot.title)
  const shape = hotSpot.found?.shape
  if (!shape || shape.kind === 'polygon') return tell(words.hotSpot.none(getState().ui.settings?.hotSpot), words.hotSpot.title)
  const { x, y, width, height } = shape
  viewer()?.fitRegion({ x: x - 0.1 * width, y: y - 0.1 * height, width: 1.2 * width, height: 1.2 * height })
}

export function keepHotSpot(): void {
  const { found } = getState().hotSpot
  if (found) void addRegion(found.shape, null, words.hotSpot.title)
}

/** From now on, in all windows and exports. */
export async function setHotSpotField(change: Partial<HotSpotField>): Promise<void> {
  const result = await saveSettings((kept) => ({ hotSpot: { ...(kept?.hotSpot ?? usualHotSpot), ...change } }))
  if (!result.ok) tellError(result.error, words.hotSpot.title)
}
