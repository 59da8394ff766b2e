// The grid over the slide, and how long its squares are.
import { gridLines } from '../../arithmetic/gridLines'
import { toScreen } from '../../arithmetic/geometry'
import { useStore } from '../../store/store'

/** What the grid's squares are long; null: there is none. */
export const useGridWords = (): string | null =>
  useStore(({ ui, slide }) => (ui.grid && ui.view && slide.info ? gridLines(ui.view, slide.info).label : null))

export function GridLayer() {
  const view = useStore((state) => state.ui.view)
  const info = useStore((state) => state.slide.info)
  const shown = useStore((state) => state.ui.grid)
  if (!shown || !view || !info) return null
  const { xs, ys } = gridLines(view, info)
  const line = (x1: number, y1: number, x2: number, y2: number): string => {
    const [a, b] = [toScreen(view, { x: x1, y: y1 }), toScreen(view, { x: x2, y: y2 })]
    return `M${a.x} ${a.y}L${b.x} ${b.y}`
  }
  const path = [...xs.map((x) => line(x, 0, x, info.heightPx)), ...ys.map((y) => line(0, y, info.widthPx, y))].join('')
  return (
    <svg className="fill through grid-layer" data-testid="grid" data-lines={xs.length + ys.length} aria-hidden>
      <path d={path} className="grid-halo" />
      <path d={path} className="grid-line" />
    </svg>
  )
}
