// Magnification as an objective would give it: 10× is 1 µm/px by convention, and what the file says of its own objective comes first.
import type { SlideInfo } from '../../../app/contract'
import { slideMpp } from '../slices/slideSlice'
import { getState } from '../store'
import { viewer } from '../base/viewerHandle'

export const usualPowers = [1, 2.5, 5, 10, 20, 40, 60] as const

/** Of level 0, a px of it on a CSS px; null: nobody knows. As `magnification` in arithmetic/format shows it. */
export function objectiveOf(info: SlideInfo): number | null {
  const mpp = slideMpp(info)
  return info.objectivePower ?? (mpp === null ? null : 10 / mpp)
}

export function zoomToPower(power: number): void {
  const { info } = getState().slide
  const objective = info && objectiveOf(info)
  if (objective) viewer()?.zoomTo(power / objective)
}
