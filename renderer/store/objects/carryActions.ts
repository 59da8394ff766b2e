// Carries corrections over from an earlier result to the one that is shown, and goes to those that do not fit.
import type { Region } from '../../../app/contract'
import { api } from '../../api'
import { words } from '../../words'
import { carrySource, noCarry } from '../slices/carrySlice'
import { tell, tellError, tellStep } from '../base/notify'
import { reachedSince, revisionNow } from '../document/documentActions'
import { changeableRun } from '../slices/runSlice'
import { getState, patch, update, useStore } from '../store'
import { viewer } from '../base/viewerHandle'

/** What the newest earlier result has, to the one that is shown. */
export async function carryOver(): Promise<void> {
  const { runs, carry, slide } = getState()
  if (carry.busy || !slide.info) return
  const to = changeableRun(runs)
  const from = carrySource(runs, to)
  if (!to) return tell(words.carry.chooseResult, words.about.corrections)
  if (!from) return tell(words.carry.noSource, words.about.corrections)
  patch('carry', { ...noCarry, busy: true })
  const before = revisionNow()
  const answer = await api().call('object:carry', { from: from.runId, to: to.runId })
  patch('carry', { busy: false })
  if (!answer.ok) {
    if (answer.error.code === 'INVALID_PARAMETER') tell(answer.error.message, words.about.corrections, 9000)
    else tellError(answer.error, words.about.corrections)
    return
  }
  if (getState().slide.info?.slideId !== to.slideId) return
  patch('carry', { found: { ...answer.value, to: to.runId } })
  // Without a step nothing is another.
  if (answer.value.step === null) return
  tellStep(answer.value.step)
  await reachedSince(before)
}

/** Of those that do not fit the next, or the one before it, in the middle of the view. */
export function goToUnfit(step: 1 | -1): void {
  const { found, at } = getState().carry
  const count = found?.places.length ?? 0
  if (!found || count === 0) return
  const next = at === null ? (step === 1 ? 0 : count - 1) : (at + step + count) % count
  patch('carry', { at: next })
  viewer()?.fitRegion(around(found.places[next]!))
}

/** With as much of its surroundings as tells what it was. */
function around({ x, y, width, height }: Region): Region {
  const side = 16 * Math.max(width, height)
  return {
    x: Math.round(x + width / 2 - side / 2),
    y: Math.round(y + height / 2 - side / 2),
    ...{ width: side, height: side },
  }
}

/** Returns whether there was something to leave. */
export function leaveCarry(): boolean {
  if (!getState().carry.found) return false
  update('carry', () => noCarry)
  return true
}

// The report is about one result: it goes with it, and when another is looked at.
useStore.subscribe((state, before) => {
  if (state.carry.found && state.runs !== before.runs && changeableRun(state.runs)?.runId !== state.carry.found.to) leaveCarry()
})
