// The brush in hand: how large it is, and whether it adds or takes away. Pure.
import type { Tip } from '../../arithmetic/brushShape'

export interface BrushState {
  /** µm, on slides without a pixel size px; null: not chosen yet. */
  readonly radius: number | null
  /** The same of the brush for objects, which is a smaller one. */
  readonly objectRadius: number | null
  readonly subtracts: boolean
}
export const firstBrush: BrushState = { radius: null, objectRadius: null, subtracts: false }

export const radiusRange = { min: 0.5, max: 20_000 } as const
const firstRadiusPx = { region: 40, object: 8 } as const
export type BrushFor = keyof typeof firstRadiusPx
const step = 1.25

/** In the unit that `mpp` gives: µm, or px where it is null. Not chosen: as large as it is well seen at this zoom. */
export function radiusOf(brush: BrushState, mpp: number | null, zoom: number, what: BrushFor = 'region'): number {
  const radius = what === 'object' ? brush.objectRadius : brush.radius
  return radius ?? rounded((firstRadiusPx[what] / zoom) * (mpp ?? 1))
}

/** Level-0 px along each axis: a circle in µm. `size`: µm per px; null along an axis: nobody knows, and px count as they are. */
export function tipOf(brush: BrushState, size: PixelSize, zoom: number, what: BrushFor = 'region'): Tip {
  const radius = radiusOf(brush, size.mpp, zoom, what)
  const mean = size.mpp ?? 1
  return { x: radius / (size.x ?? mean), y: radius / (size.y ?? mean) }
}

/** `mpp`: their mean, in whose unit a radius is told. */
export interface PixelSize {
  readonly x: number | null
  readonly y: number | null
  readonly mpp: number | null
}

export const withRadius = (radius: number, what: BrushFor): Partial<BrushState> =>
  what === 'object' ? { objectRadius: radius } : { radius }

/** By so many steps; below 0 smaller. */
export const grown = (radius: number, steps: number): number =>
  Math.min(radiusRange.max, Math.max(radiusRange.min, rounded(radius * step ** steps)))

const rounded = (value: number): number => Number(value.toPrecision(3))
