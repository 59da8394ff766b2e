// Places and shapes for a laser, and the way from one plane to another by three marks that both have.
import type { LaserMarks } from '../../../app/contract'

export type Point = readonly [x: number, y: number]
export type Move = (point: Point) => [x: number, y: number]

export interface LaserShape {
  /** The object's, as in all files. */
  readonly number: number
  /** As a line of text may hold it; '': it has none. */
  readonly className: string
  /** Where it is gathered; '': nobody said. */
  readonly well: string
  /** Closed: its last point is its first. Level-0 px from the slide's corner. */
  readonly ring: readonly Point[]
}

/** The one affine map that takes each mark of `from` to that of `to`. */
export function affineOf(from: LaserMarks, to: LaserMarks): Move {
  const [a, b, c] = from
  const [p, q, r] = to
  const [ux, uy, vx, vy] = [b[0] - a[0], b[1] - a[1], c[0] - a[0], c[1] - a[1]]
  const area = ux * vy - vx * uy
  return ([x, y]) => {
    const [dx, dy] = [x - a[0], y - a[1]]
    // How much of either side of the triangle.
    const [s, t] = [(dx * vy - vx * dy) / area, (ux * dy - dx * uy) / area]
    return [p[0] + s * (q[0] - p[0]) + t * (r[0] - p[0]), p[1] + s * (q[1] - p[1]) + t * (r[1] - p[1])]
  }
}
