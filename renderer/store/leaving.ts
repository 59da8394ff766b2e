// Closing the window ends the engine, and what it is busy with: the desktop asks first. In a browser the engine goes on without the page.
import { isOver } from '../../app/contract'
import { getState } from './store'
import { keptRuns } from './runSlice'

/** Runs and exports that the end of the program would end. */
export function isBusy(): boolean {
  const { runs, exporting } = getState()
  return (
    exporting.running ||
    keptRuns(runs).some((run) => !isOver(run)) ||
    runs.elsewhere.some(({ status }) => status.purpose === 'run')
  )
}

/** The window's owner shows the question: app/desktop/window.ts. */
export function askBeforeLeaving(): void {
  window.addEventListener('beforeunload', (event) => {
    if (getState().ui.app?.shell === 'desktop' && isBusy()) event.preventDefault()
  })
}
