// A run's end: what failed is told, what is complete settles, and who waits for a result hears of it.
import { isPartialRun } from '../../../app/contract'
import type { RunStatus } from '../../../app/contract'
import { api } from '../../api'
import { words } from '../../words'
import { askedOf } from '../slices/requestSlice'
import { tell } from '../base/notify'
import { tellRunError } from './runErrors'
import { dropRun, settleStack } from '../slices/runSlice'
import { getState, update } from '../store'

/** Wiring: the selection asks again for its object when a result is complete. */
const endListeners = new Set<(status: RunStatus) => void>()
export function onRunEnd(listener: (status: RunStatus) => void): () => void {
  endListeners.add(listener)
  return () => void endListeners.delete(listener)
}

export function ended(status: RunStatus): void {
  const { runs, slide, asked } = getState()
  if (!runs.stack.includes(status.runId)) return
  const slidePath = slide.info?.path ?? ''
  if (status.state === 'failed') {
    if (status.error) tellRunError(status.error, askedOf(asked, status, slidePath), status.runId)
    // There is nothing in it that could be looked at: its notice says why.
    if (status.tilesDone === 0) {
      update('runs', (state) => dropRun(state, status.runId))
      if (status.purpose === 'run') void api().call('run:delete', { runId: status.runId })
    }
  }
  if (status.purpose === 'run' && status.state === 'done' && isPartialRun(status)) {
    const { unreadableTiles: unread, uncertainTiles: beside = 0 } = status
    const what =
      unread > 0
        ? words.segment.unreadableTiles(unread)
        : beside > 0
          ? words.segment.uncertainTiles(beside)
          : words.segment.uncertainValues
    tell(what, words.segment.partial, 4500, { slidePath, runId: status.runId })
  }
  for (const listener of endListeners) listener(status)
}

/** Every tile of a finished run that is in view has been drawn: what lies under it may go. */
export function shown(runId: string): void {
  const status = getState().runs.byId[runId]
  if (status?.state === 'done') update('runs', (state) => settleStack(state, runId))
}
