// Closing the window ends the engine, and what it is busy with or alone has: the desktop asks first. In a browser the engine goes on without the page.
import { isOver, type RunEntry } from '../../../app/contract'
import { comesAgain } from '../base/loadAgain'
import { listedRuns, workAsksAfterMs } from '../runs/runList'
import { fullRuns } from '../slices/runSlice'
import { getState, useStore } from '../store'

/** Runs whose files are on disk: nothing is lost with them. */
const exported = new Set<string>()

/** Whether the end of the program would end a run, or lose a result that took more than a minute. `saved`: by an export; the project holds others. */
export function wouldLose(entries: readonly RunEntry[], saved: ReadonlySet<string>): boolean {
  return entries.some(
    ({ status }) =>
      status.purpose === 'run' &&
      (!isOver(status) ||
        (status.objects > 0 && status.elapsedMs > workAsksAfterMs && status.keptId === undefined && !saved.has(status.runId))),
  )
}

const isBusy = (): boolean => {
  const { runs, exporting } = getState()
  return exporting.running || fullRuns(runs).some((run) => !isOver(run)) || wouldLose(listedRuns(), exported)
}

/** The window's owner shows the question: app/desktop/window.ts. */
export function askBeforeLeaving(): void {
  useStore.subscribe(({ exporting: { result, runId } }) => {
    if (result && !result.cancelled && runId !== null) exported.add(runId)
  })
  window.addEventListener('beforeunload', (event) => {
    if (getState().ui.app?.shell === 'desktop' && !comesAgain() && isBusy()) event.preventDefault()
  })
}
