// Shapes put together and cut: the one importer of polygon-clipping. What comes out crosses neither itself nor its holes.
import polygonClipping from 'polygon-clipping'
import type { Geom, MultiPolygon } from 'polygon-clipping'
import type { Ring, Shape } from '../../app/contract'
import { partsOf } from '../base/shapes'
import { EngineError } from '../base/errors'

const { union, difference } = polygonClipping

const geometryOf = (shape: Shape): Geom => partsOf(shape).map((rings) => rings.map((ring) => [...ring, ring[0]!]))

/** The library closes its rings; ours are closed by their meaning. */
function shapeOf(found: MultiPolygon): Shape | null {
  const parts = found.map((rings) => rings.map((ring): Ring => ring.slice(0, -1)))
  return parts.length === 0 ? null : { kind: 'polygon', parts }
}

function tried<T>(work: () => T): T {
  try {
    return work()
  } catch (cause) {
    throw new EngineError(
      'INVALID_PARAMETER',
      'The shape could not be worked out: its lines lie too close upon each other. Draw it a little differently.',
      undefined,
      { cause },
    )
  }
}

const pointsOf = (shape: Shape): string[] => partsOf(shape).flatMap((rings) => rings.flatMap((ring) => ring.map(String)))

/**
 * A drawn polygon with its crossings resolved, as the even-odd rule has it; to the point as it was where it has none; null where nothing is
 * left. Rectangles and ellipses are as they should be. Throws INVALID_PARAMETER. Cost: n log n of its points.
 */
export function resolved(shape: Shape): Shape | null {
  if (shape.kind !== 'polygon') return shape
  const found = tried(() => shapeOf(union(geometryOf(shape))))
  if (!found) return null
  const before = pointsOf(shape)
  const known = new Set(before)
  const after = pointsOf(found)
  return after.length === before.length && after.every((point) => known.has(point)) ? shape : found
}

/** null: nothing is left. Throws INVALID_PARAMETER. */
export function combined(shape: Shape, how: 'add' | 'subtract', other: Shape): Shape | null {
  return tried(() => shapeOf((how === 'add' ? union : difference)(geometryOf(shape), geometryOf(other))))
}
