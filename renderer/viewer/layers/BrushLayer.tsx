// The brush over the slide: its tip under the pointer, and the stroke that is painted.
import { toScreen, type View } from '../../arithmetic/geometry'
import { useShallow } from 'zustand/react/shallow'
import { brushTip } from '../../store/objects/brushActions'
import { isBrush, type Drawing } from '../../store/slices/projectSlice'
import { useStore } from '../../store/store'
import { transformOf } from '../svgPaths'

export function Stroke({ drawing, view }: { readonly drawing: Drawing; readonly view: View }) {
  const tip = useStore(useShallow(brushTip))
  const [first] = drawing.points
  if (!first) return null
  // A line of no length has round ends, where it has two points.
  const way = drawing.points.length > 1 ? drawing.points : [first, first]
  return (
    <g transform={transformOf(view)} data-testid="brush-stroke">
      {/* In units of the tip, so that a line of one width is as wide as the tip along each axis. */}
      <path
        transform={`scale(${tip.x} ${tip.y})`}
        d={`M${way.map(({ x, y }) => `${x / tip.x} ${y / tip.y}`).join('L')}`}
        className={`brush-stroke ${drawing.how}`}
        style={{ strokeWidth: 2 }}
      />
    </g>
  )
}

export function BrushTip({ view }: { readonly view: View }) {
  const on = useStore((state) => isBrush(state.project.tool))
  const pointer = useStore((state) => (isBrush(state.project.tool) ? state.ui.pointer : null))
  const cuts = useStore((state) => state.brush.subtracts)
  const tip = useStore(useShallow(brushTip))
  if (!on || !pointer) return null
  const at = toScreen(view, pointer)
  // It turns with the slide; a flip turns it the other way.
  const turn = `rotate(${view.flipped ? -view.rotation : view.rotation} ${at.x} ${at.y})`
  const shape = { cx: at.x, cy: at.y, rx: tip.x * view.zoom, ry: tip.y * view.zoom, transform: turn }
  return (
    <>
      <ellipse {...shape} className="region-halo" />
      <ellipse {...shape} className={`brush-tip ${cuts ? 'subtract' : 'add'}`} data-testid="brush-tip" />
    </>
  )
}
