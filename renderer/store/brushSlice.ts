// The brush in hand: how large it is, and whether it adds or takes away. Pure.

export interface BrushState {
  /** µm, on slides without a pixel size px; null: not chosen yet. */
  readonly radius: number | null
  readonly subtracts: boolean
}
export const firstBrush: BrushState = { radius: null, subtracts: false }

export const radiusRange = { min: 0.5, max: 20_000 } as const
const firstRadiusPx = 40
const step = 1.25

/** In the unit that `mpp` gives: µm, or px where it is null. Not chosen: as large as it is well seen at this zoom. */
export function radiusOf({ radius }: BrushState, mpp: number | null, zoom: number): number {
  if (radius !== null) return radius
  return rounded((firstRadiusPx / zoom) * (mpp ?? 1))
}

/** Level-0 px. */
export const radiusPx = (brush: BrushState, mpp: number | null, zoom: number): number => radiusOf(brush, mpp, zoom) / (mpp ?? 1)

/** By so many steps; below 0 smaller. */
export const grown = (radius: number, steps: number): number =>
  Math.min(radiusRange.max, Math.max(radiusRange.min, rounded(radius * step ** steps)))

const rounded = (value: number): number => Number(value.toPrecision(3))
