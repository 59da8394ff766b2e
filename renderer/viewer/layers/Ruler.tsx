// The measured line over the slide, with its length. Nothing of it is kept.
import { lengthWords } from '../../arithmetic/brushShape'
import { toScreen, type View } from '../../arithmetic/geometry'
import type { Drawing } from '../../store/slices/projectSlice'
import { useStore } from '../../store/store'

/** Half of a tick at the line's ends, CSS px. */
const tickPx = 6

/** "123 µm" of the line that is drawn; null: there is none. */
export const useRuler = (): string | null =>
  useStore(({ project: { drawing }, slide: { info } }) => {
    const [from, to] = drawing?.tool === 'ruler' ? drawing.points : []
    return from && to && info ? lengthWords(from, to, info.mppX, info.mppY) : null
  })

export function Ruler({ drawing, view }: { readonly drawing: Drawing; readonly view: View }) {
  const said = useRuler()
  const [first, last] = drawing.points
  if (!first || !last) return null
  const [a, b] = [toScreen(view, first), toScreen(view, last)]
  const length = Math.hypot(b.x - a.x, b.y - a.y)
  if (length === 0) return null
  const [tx, ty] = [(-(b.y - a.y) / length) * tickPx, ((b.x - a.x) / length) * tickPx]
  const tick = ({ x, y }: typeof a): string => `M${x - tx} ${y - ty}L${x + tx} ${y + ty}`
  const path = `M${a.x} ${a.y}L${b.x} ${b.y}${tick(a)}${tick(b)}`
  // The words stand beside the line, never under it.
  const up = ty > 0 ? -1 : 1
  return (
    <g data-testid="ruler">
      <path d={path} className="region-halo" />
      <path d={path} className="ruler-line" />
      <text x={(a.x + b.x) / 2 + up * tx * 2.5} y={(a.y + b.y) / 2 + up * ty * 2.5} className="region-label ruler-label">
        {said}
      </text>
    </g>
  )
}
