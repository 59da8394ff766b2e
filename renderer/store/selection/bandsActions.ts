// Bands along the border of regions: which are asked for, kept for the next time and for exports, and what they hold.
import { bandsCsv, isOver, noSpatial, usualBands, type BandsAsk, type BandsOfRun } from '../../../app/contract'
import { api } from '../../api'
import { words } from '../../words'
import { tellError } from '../base/notify'
import { saveText } from '../base/saveText'
import { saveSettings } from '../base/settingsActions'
import { activeRun } from '../slices/runSlice'
import { getState, patch } from '../store'

/** From now on, in all windows and exports. */
export async function setBands(change: Partial<BandsAsk>): Promise<void> {
  // Two values that are typed in haste are both kept.
  const result = await saveSettings((kept) => ({
    spatial: { ...(kept?.spatial ?? noSpatial), bands: { ...(kept?.spatial.bands ?? usualBands), ...change } },
  }))
  if (!result.ok) tellError(result.error, words.bands.title)
}

export const toggleBands = (): void => {
  const { open, choosesBands } = getState().table
  patch('table', { open: true, choosesBands: !open || !choosesBands })
}
export const closeBands = (): void => patch('table', { choosesBands: false })

/** Of the run that is shown; a text: why there is nothing; null: nobody waits any more. */
export async function bandsOfShown(bands: BandsAsk, signal: AbortSignal): Promise<BandsOfRun | string | null> {
  const run = activeRun(getState().runs)
  if (!run || !isOver(run)) return words.bands.noResult
  const answer = await api().call('run:bands', { runId: run.runId, bands }, signal)
  if (signal.aborted) return null
  return answer.ok ? answer.value : answer.error.message
}

export async function saveBands(found: BandsOfRun): Promise<void> {
  const { info } = getState().slide
  const name = info && (await api().call('slide:fileName', { slideId: info.slideId }))
  if (name && !name.ok) return tellError(name.error, words.bands.title)
  // Its pseudonym, where that is chosen.
  await saveText('bands.csv', 'text/csv', bandsCsv(found, name?.value ?? ''))
}
