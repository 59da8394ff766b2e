// Feeds the overlay canvases from the store.
import { useEffect, type RefObject } from 'react'
import { resultTiles } from '../store/runs/resultTiles'
import { useStore, type State } from '../store/store'
import type { OverlayCanvas } from './overlayCanvas'
import { sceneOf } from './scene'

export function useOverlay(canvas: RefObject<OverlayCanvas | null>, crosshair: boolean): void {
  useEffect(() => {
    const show = (state: State) => canvas.current?.setScene(sceneOf(state, crosshair))
    show(useStore.getState())
    const offStore = useStore.subscribe((state, before) => {
      const changed = state.runs !== before.runs || state.overlay !== before.overlay || state.selection !== before.selection
      if (changed || state.compare !== before.compare || state.ui.layer !== before.ui.layer || state.ui.drawn !== before.ui.drawn)
        show(state)
    })
    const offTiles = resultTiles.onChange(() => canvas.current?.tilesChanged())
    return () => {
      offStore()
      offTiles()
    }
  }, [canvas, crosshair])
}
