// Affine maps of the plane: applied, inverted, fitted to pairs of places. Pure.
import type { Affine } from '../../../app/contract'
import { EngineError } from '../../base/errors'

export type Place = readonly [number, number]
export interface Pair {
  readonly from: Place
  readonly to: Place
}

export const applied = ({ xx, xy, yx, yy, dx, dy }: Affine, [x, y]: Place): [number, number] => [
  xx * x + xy * y + dx,
  yx * x + yy * y + dy,
]

export const determinant = ({ xx, xy, yx, yy }: Affine): number => xx * yy - xy * yx

export function inverted(map: Affine): Affine {
  const { xx, xy, yx, yy, dx, dy } = map
  const of = determinant(map)
  const [ixx, ixy, iyx, iyy] = [yy / of, -xy / of, -yx / of, xx / of]
  return { xx: ixx, xy: ixy, yx: iyx, yy: iyy, dx: -ixx * dx - ixy * dy, dy: -iyx * dx - iyy * dy }
}

/** First `first`, then `then`. */
export function chained(first: Affine, then: Affine): Affine {
  const [dx, dy] = applied(then, [first.dx, first.dy])
  return {
    ...{ xx: then.xx * first.xx + then.xy * first.yx, xy: then.xx * first.xy + then.xy * first.yy, dx },
    ...{ yx: then.yx * first.xx + then.yy * first.yx, yy: then.yx * first.xy + then.yy * first.yy, dy },
  }
}

/** Of the spread of places along their longest way: what is less across it is a line. */
const leastAcross = 1e-3

/** The map with the least squares of what is left. Exact of three pairs. Throws INVALID_PARAMETER for fewer, and for places on one line. O(pairs). */
export function fitted(pairs: readonly Pair[]): Affine {
  const n = pairs.length
  if (n < 3)
    throw new EngineError('INVALID_PARAMETER', `expected three or more pairs of places but received ${n}. Mark more of them.`)
  const mean = (of: (pair: Pair) => number): number => pairs.reduce((sum, pair) => sum + of(pair), 0) / n
  const [fx, fy] = [mean(({ from }) => from[0]), mean(({ from }) => from[1])]
  const [tx, ty] = [mean(({ to }) => to[0]), mean(({ to }) => to[1])]
  const [sxx, sxy, syy] = [
    mean(({ from }) => (from[0] - fx) ** 2),
    mean(({ from }) => (from[0] - fx) * (from[1] - fy)),
    mean(({ from }) => (from[1] - fy) ** 2),
  ]
  const of = sxx * syy - sxy * sxy
  if (!(of > (leastAcross * (sxx + syy)) ** 2))
    throw new EngineError(
      'INVALID_PARAMETER',
      'expected places that do not lie on one line, or in one spot. Mark one beside it on both slides.',
    )
  const row = (to: (pair: Pair) => number, centre: number): [number, number] => {
    const px = mean((pair) => (pair.from[0] - fx) * (to(pair) - centre))
    const py = mean((pair) => (pair.from[1] - fy) * (to(pair) - centre))
    return [(syy * px - sxy * py) / of, (sxx * py - sxy * px) / of]
  }
  const [xx, xy] = row(({ to }) => to[0], tx)
  const [yx, yy] = row(({ to }) => to[1], ty)
  const map = { xx, xy, yx, yy, dx: tx - xx * fx - xy * fy, dy: ty - yx * fx - yy * fy }
  if (Math.abs(determinant(map)) < 1e-6)
    throw new EngineError('INVALID_PARAMETER', 'The second slide’s places lie on one line, or in one spot. Mark one beside it.')
  return map
}

/** How far each pair lies apart once the first is mapped. */
export const apart = (map: Affine, pairs: readonly Pair[]): number[] =>
  pairs.map(({ from, to }) => {
    const [x, y] = applied(map, from)
    return Math.hypot(x - to[0], y - to[1])
  })

/** What a person can picture of a map between µm. */
export function described(map: Affine): { readonly turnDeg: number; readonly scale: number; readonly mirrored: boolean } {
  const of = determinant(map)
  return {
    turnDeg: (Math.atan2(map.yx, map.xx) * 180) / Math.PI,
    scale: Math.sqrt(Math.abs(of)),
    mirrored: of < 0,
  }
}
