// The brush over the slide: its tip under the pointer, and the stroke that is painted.
import { toScreen, type View } from '../arithmetic/geometry'
import { brushRadius } from '../store/brushActions'
import { isBrush, type Drawing } from '../store/projectSlice'
import { useStore } from '../store/store'
import { transformOf } from './svgPaths'

export function Stroke({ drawing, view }: { readonly drawing: Drawing; readonly view: View }) {
  const radius = useStore(brushRadius)
  const [first] = drawing.points
  if (!first) return null
  // A line of no length has round ends, where it has two points.
  const way = drawing.points.length > 1 ? drawing.points : [first, first]
  return (
    <g transform={transformOf(view)} data-testid="brush-stroke">
      <path
        d={`M${way.map(({ x, y }) => `${x} ${y}`).join('L')}`}
        className={`brush-stroke ${drawing.how}`}
        style={{ strokeWidth: 2 * radius }}
      />
    </g>
  )
}

export function BrushTip({ view }: { readonly view: View }) {
  const on = useStore((state) => isBrush(state.project.tool))
  const pointer = useStore((state) => (isBrush(state.project.tool) ? state.ui.pointer : null))
  const cuts = useStore((state) => state.brush.subtracts)
  const radius = useStore(brushRadius)
  if (!on || !pointer) return null
  const at = toScreen(view, pointer)
  return (
    <>
      <circle cx={at.x} cy={at.y} r={radius * view.zoom} className="region-halo" />
      <circle cx={at.x} cy={at.y} r={radius * view.zoom} className={`brush-tip ${cuts ? 'subtract' : 'add'}`} />
    </>
  )
}
