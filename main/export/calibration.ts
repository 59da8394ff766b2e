// In which units an export speaks: µm where the run was calibrated, else level-0 px.
import type { RunResult } from '../run/objects/result'

export interface Calibration {
  readonly unit: 'um' | 'px'
  /** Of `unit` per analysed px. */
  readonly perAnalysedPx: number
  /** µm per level-0 px; null = uncalibrated. */
  readonly umPerPxX: number | null
  readonly umPerPxY: number | null
}

export function calibrationOf(result: RunResult): Calibration {
  const mpp = result.status.analysedMpp
  if (mpp === null) return { unit: 'px', perAnalysedPx: result.scale, umPerPxX: null, umPerPxY: null }
  const level0 = mpp / result.scale
  const { mppX, mppY } = result.slide
  // The slide's own two values are finer than their one mean, unless the request has overridden it, even by a value between the two.
  const own = mppX !== null && mppY !== null && Math.abs(level0 / Math.sqrt(mppX * mppY) - 1) < 1e-6
  return { unit: 'um', perAnalysedPx: mpp, umPerPxX: own ? mppX : level0, umPerPxY: own ? mppY : level0 }
}
