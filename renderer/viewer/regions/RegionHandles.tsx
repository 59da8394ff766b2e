// The handles of the selected region, by which it is reshaped.
import type { PointerEvent } from 'react'
import type { RegionOfInterest } from '../../../app/contract'
import { toScreen, type View } from '../../arithmetic/geometry'
import { handlesOf, pulled, withoutVertex, type Handle, type Handled } from '../../arithmetic/regionShapes'
import { reshape } from '../../store/document/projectActions'
import { hold, pull, settle } from './dragging'

interface Props {
  readonly region: RegionOfInterest
  readonly shape: Handled
  readonly view: View
}

export function RegionHandles({ region, shape, view }: Props) {
  const grab = (event: PointerEvent<SVGElement>, handle: Handle): void => {
    if (event.altKey) {
      event.stopPropagation()
      const less = withoutVertex(shape, handle)
      if (less) void reshape(region.id, less)
      return
    }
    pull(
      event,
      view,
      (to) => hold(region.id, pulled(shape, handle, to)),
      (_, far) => far && void settle(region.id),
    )
  }
  return handlesOf(shape).map((handle) => {
    const at = toScreen(view, handle)
    return (
      <rect
        key={`${handle.part} ${handle.ring} ${handle.at}`}
        className="region-handle"
        data-testid="region-handle"
        x={at.x - 4}
        y={at.y - 4}
        width={8}
        height={8}
        onPointerDown={(event) => grab(event, handle)}
      />
    )
  })
}
