// One region of interest as SVG: its line, and the grip by which it is selected and moved.
import { memo, useMemo, type PointerEvent } from 'react'
import { isArea, isPoints, type RegionOfInterest, type RegionShape } from '../../../app/contract'
import type { View } from '../../arithmetic/geometry'
import { moved, nearestPoint, pathOf, withVertexNear } from '../../arithmetic/regionShapes'
import { movePoint, removePoint } from '../../store/document/pointActions'
import { reshape } from '../../store/document/projectActions'
import { colourOf, isSelected, toggled } from '../../store/slices/projectSlice'
import { getState, patch, useStore } from '../../store/store'
import { hold, pointOf, pull, settle } from './dragging'

/** A point of a selected region: pulled elsewhere, taken away with Alt, or chosen for the key that deletes. */
function grabPoint(event: PointerEvent<SVGElement>, region: RegionOfInterest, view: View): void {
  if (region.locked || !isPoints(region.shape)) return
  const { points } = region.shape
  const at = nearestPoint(points, pointOf(event, view), 12 / view.zoom)
  if (at === null) return
  event.stopPropagation()
  if (event.altKey) return void removePoint(region, at)
  pull(
    event,
    view,
    (to) => hold(region.id, { kind: 'points', points: points.with(at, [to.x, to.y]) }),
    (to, far) => (far ? void movePoint(region, at, to) : patch('project', { point: { id: region.id, at } })),
  )
}

/** Not drawn anew while the view moves: a hand-drawn outline has thousands of points. */
export const Region = memo(function Region({
  region,
  shape,
}: {
  readonly region: RegionOfInterest
  readonly shape: RegionShape
}) {
  const selected = useStore((state) => isSelected(state.project, region.id))
  const colour = useStore((state) => colourOf(state.project, region))
  const point = useStore((state) => (state.project.point?.id === region.id ? state.project.point.at : null))
  const path = useMemo(() => pathOf(shape), [shape])
  const chosen = !isPoints(shape) || point === null ? undefined : shape.points[point]
  const grab = (event: PointerEvent<SVGElement>): void => {
    const more = event.shiftKey || event.ctrlKey || event.metaKey
    if (!selected || more) {
      event.stopPropagation()
      return patch('project', { selected: toggled(getState().project.selected, region.id, more) })
    }
    const { view } = getState().ui
    if (view && isPoints(shape)) return grabPoint(event, region, view)
    if (region.locked || !view || isPoints(shape)) return
    const from = pointOf(event, view)
    pull(
      event,
      view,
      (to) => hold(region.id, moved(shape, to.x - from.x, to.y - from.y)),
      (_, far) => far && void settle(region.id),
    )
  }
  const split = (event: React.MouseEvent<SVGElement>): void => {
    const { view } = getState().ui
    if (region.locked || !selected || shape.kind !== 'polygon' || !view) return
    void reshape(region.id, withVertexNear(shape, pointOf(event, view)))
  }
  return (
    <g
      className={`region ${isArea(shape) ? '' : shape.kind} ${selected ? 'selected' : ''} ${region.locked ? 'locked' : ''} ${region.core?.missing ? 'missing' : ''}`}
      data-testid="region-shape"
      data-region={region.id}
    >
      <path d={path} className="region-halo" />
      <path d={path} className="region-line" style={{ stroke: colour, fill: colour }} />
      {chosen && <path d={pathOf({ kind: 'points', points: [chosen] })} className="region-point" data-testid="region-point" />}
      <path d={path} className="region-grip" onPointerDown={grab} onDoubleClick={split} />
    </g>
  )
})
