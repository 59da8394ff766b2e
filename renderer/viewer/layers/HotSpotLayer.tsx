// The circle of the hot spot, on the slide.
import { activeRun } from '../../store/slices/runSlice'
import { hasHotSpot, hotSpotKey } from '../../store/slices/hotSpotSlice'
import { useStore } from '../../store/store'
import { transformOf } from '../svgPaths'

export function HotSpotLayer() {
  const view = useStore((state) => state.ui.view)
  const shape = useStore(({ hotSpot, runs, ui, overlay }) => {
    const run = activeRun(runs)
    const isShown = overlay.visible && run && hasHotSpot(run) && hotSpot.key === hotSpotKey(run, ui.settings?.hotSpot)
    return isShown ? (hotSpot.found?.shape ?? null) : null
  })
  if (!view || !shape || shape.kind === 'polygon') return null
  const ellipse = { cx: shape.x + shape.width / 2, cy: shape.y + shape.height / 2, rx: shape.width / 2, ry: shape.height / 2 }
  return (
    <svg className="fill through hot-spot-layer" data-testid="hot-spot-layer" aria-hidden>
      <g transform={transformOf(view)}>
        <ellipse {...ellipse} className="hot-spot-halo" />
        <ellipse {...ellipse} className="hot-spot-rim" />
      </g>
    </svg>
  )
}
