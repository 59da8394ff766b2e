// Which measures of where objects lie the table and exports tell: asked for, and stopped while they are made.
import { noSpatial, type SpatialMeasures } from '../../../app/contract'
import { words } from '../../words'
import { tellError } from '../base/notify'
import { saveSettings } from '../base/settingsActions'
import { getState, patch } from '../store'

/** From now on, in all windows and exports. */
export async function setSpatial(change: Partial<SpatialMeasures>): Promise<void> {
  const result = await saveSettings((kept) => ({ spatial: { ...(kept?.spatial ?? noSpatial), ...change } }))
  if (!result.ok) tellError(result.error, words.spatial.title)
}

/** What the table shows stays; where that was made already, it is made no more. */
export function stopMeasuring(): void {
  const { shownSpatial } = getState().table
  const now = getState().ui.settings?.spatial
  const isShown = JSON.stringify(shownSpatial) === JSON.stringify(now)
  const { bands: _, ...back } = isShown || !shownSpatial ? noSpatial : shownSpatial
  void setSpatial(back)
}

/** The choice of measures, in the table's bar. */
export const toggleSpatial = (): void => {
  const { open, choosesSpatial } = getState().table
  patch('table', { open: true, choosesSpatial: !open || !choosesSpatial })
}
export const closeSpatial = (): void => patch('table', { choosesSpatial: false })
