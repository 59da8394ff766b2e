// Read-only figures for tests and benchmarks: window.__morphoscope.
import { latencies } from '../store/base/latency'
import { previewPending } from '../store/runs/previewActions'
import { activeRun } from '../store/slices/runSlice'
import { useStore } from '../store/store'

interface Hooks {
  readonly overlayTiles: number
  /** The view rests, all of its tiles are drawn, and no preview is on its way. */
  readonly isSettled: boolean
  readonly latencies: Record<string, number>
  readonly view: unknown
  readonly run: unknown
  readonly slide: string | null
}

declare global {
  interface Window {
    __morphoscope?: Hooks
  }
}

export function publishHooks(overlayTiles: () => number, isDrawn: () => boolean): void {
  window.__morphoscope = Object.freeze({
    get overlayTiles() {
      return overlayTiles()
    },
    get isSettled() {
      return isDrawn() && !previewPending()
    },
    get latencies() {
      return latencies()
    },
    get view() {
      return useStore.getState().ui.view
    },
    get run() {
      return activeRun(useStore.getState().runs)
    },
    get slide() {
      return useStore.getState().slide.info?.name ?? null
    },
  })
}
