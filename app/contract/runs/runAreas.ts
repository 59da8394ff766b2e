// The areas that a run's densities are of: what it looked at, and the tissue in it.
import type { Areas } from '../results/density'
import { lookedAtPx } from './runs'
import type { RunStatus } from './runs'

type Looked = Pick<RunStatus, 'region' | 'withinPx' | 'analysedPx' | 'grid' | 'analysedMpp' | 'tissue'>

/** mm² that a run looked at, in the calibration that its own objects were measured with; null = uncalibrated. */
export function runMm2(run: Looked): number | null {
  if (run.analysedMpp === null) return null
  const mpp = run.analysedMpp / run.grid.scale
  return (lookedAtPx(run) * mpp * mpp) / 1e6
}

export const runAreas = (run: Looked): Areas => ({ mm2: runMm2(run), tissueMm2: run.tissue?.mm2 ?? null })
