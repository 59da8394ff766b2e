// Feeds the overlay canvases from the store.
import { useEffect, type RefObject } from 'react'
import type { RunStatus } from '../../app/contract'
import { resultTiles } from '../store/resultTiles'
import { drawOrder, keptRun } from '../store/runSlice'
import { useStore, type State } from '../store/store'
import type { OverlayCanvas, Scene } from './overlayCanvas'

let lastStack: { runs: State['runs']; list: readonly RunStatus[] } | null = null
/** The same list while the statuses in it are the same: the canvas compares by identity. */
function stackOf(runs: State['runs']): readonly RunStatus[] {
  if (lastStack?.runs === runs) return lastStack.list
  const list = drawOrder(runs)
  const old = lastStack?.list
  const same = old?.length === list.length && list.every((run, i) => run === old[i])
  lastStack = { runs, list: same && old ? old : list }
  return lastStack.list
}

export function sceneOf(state: State, crosshair: boolean): Scene {
  return {
    runs: stackOf(state.runs),
    chosen: keptRun(state.runs)?.runId ?? null,
    overlay: state.overlay,
    layer: state.ui.layer.startsWith('layer:') ? state.ui.layer.slice('layer:'.length) : null,
    selected: state.selection.object,
    clickedAt: state.selection.state === 'none' ? null : state.selection.at,
    drawn: state.ui.drawn,
    crosshair,
  }
}

export function useOverlay(canvas: RefObject<OverlayCanvas | null>, crosshair: boolean): void {
  useEffect(() => {
    const show = (state: State) => canvas.current?.setScene(sceneOf(state, crosshair))
    show(useStore.getState())
    const offStore = useStore.subscribe((state, before) => {
      const changed = state.runs !== before.runs || state.overlay !== before.overlay || state.selection !== before.selection
      if (changed || state.ui.layer !== before.ui.layer || state.ui.drawn !== before.ui.drawn) show(state)
    })
    const offTiles = resultTiles.onChange(() => canvas.current?.schedule())
    return () => {
      offStore()
      offTiles()
    }
  }, [canvas, crosshair])
}
