// The outline of a feature as flat rings, or why it has none. Pure: it runs in a thread of its own.
import type { Corner } from '../../../base/corner'
import { partsOf } from '../../../base/shapes'
import type { Geometry } from '../../geojsonFile/features'
import { shapeIn } from '../../geojsonFile/geometry'
import { movedBy } from '../../geojsonFile/origin'
import { QuickRing } from '../../geojsonFile/quickFeature'

/** Level-0 px of the slide. In each part the first ring without the others, x, y by twos. */
export interface Outline {
  readonly parts: readonly (readonly Float64Array[])[]
  /** Parts or holes without an area are not in it. */
  readonly lessened: boolean
}

/** `corner`: where the file's coordinates begin; null: at the slide's corner. */
export function outlineOf(geometry: Geometry, corner: Corner | null): Outline | string {
  const quick = ringOf(geometry, corner)
  if (quick !== null) return { parts: [[quick]], lessened: false }
  const found = shapeIn(geometry)
  if (typeof found === 'string') return found
  const { shape, lessened } = found
  if (shape.kind === 'points' || shape.kind === 'line')
    return `is ${shape.kind === 'line' ? 'a line' : 'points'}, and no outline of an object`
  const placed = corner ? movedBy(shape, corner.x, corner.y) : shape
  if (placed.kind === 'points' || placed.kind === 'line') return 'has no outline'
  return { parts: partsOf(placed).map((rings) => rings.map((ring) => Float64Array.from(ring.flat()))), lessened }
}

/** Of one ring that encloses something; null: of another geometry, and where there is something to say. */
function ringOf({ type, coordinates, isEllipse, plane }: Geometry, corner: Corner | null): Float64Array | null {
  if (!(coordinates instanceof QuickRing) || type !== 'Polygon' || isEllipse === true || plane !== undefined) return null
  const ring = coordinates.opened(null)
  if (ring.length < 6 || !isBroad(ring, 0) || !isBroad(ring, 1)) return null
  return corner ? coordinates.opened(corner) : ring
}

function isBroad(ring: Float64Array, axis: 0 | 1): boolean {
  for (let i = axis + 2; i < ring.length; i += 2) if (ring[i] !== ring[axis]) return true
  return false
}
