// A region's shape laid on another slide: what an affine map makes of it. Pure.
import { isArea } from '../../../app/contract'
import type { Affine, RegionShape } from '../../../app/contract'
import { partsOf } from '../../base/shapes'
import { applied } from './affine'

/** Areas become polygons, an ellipse by points of its rim: turned, it is no ellipse of the document's. O(points). */
export function movedShape(shape: RegionShape, map: Affine): RegionShape {
  const moved = (points: readonly (readonly [number, number])[]): [number, number][] => points.map((point) => applied(map, point))
  if (!isArea(shape)) return { ...shape, points: moved(shape.points) }
  return { kind: 'polygon', parts: partsOf(shape).map((rings) => rings.map(moved)) }
}
