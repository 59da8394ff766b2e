// One object of a run, as its files, lists and pages read it.
import type { MeasurementKey, StainStatistic } from '../../../app/contract'

/** One object. Lengths are in analysed px of the run's grid: grid (0,0) is level-0 (0,0), times `scale` gives level-0 px. */
export interface RunObject extends Readonly<Record<MeasurementKey, number>> {
  readonly centroidX: number
  readonly centroidY: number
  readonly minX: number
  readonly minY: number
  /** Inclusive. */
  readonly maxX: number
  readonly maxY: number
  /** First pixel in raster order: it decides which tile owns the object, and the order of ids. */
  readonly firstX: number
  readonly firstY: number
  /** Its place in its run's store; absent where it is in none. */
  readonly id?: number | undefined
  /** Optical density of one of the stain set's channels, 0 … 2. */
  stain(statistic: StainStatistic, channel: number): number
  /** Mean, SD, min, max and sum of each channel, in the file's own units; none: it was measured in none. */
  readonly channelFigures?: readonly number[]
  /** Triples y, x0, x1 (x1 exclusive), raster order. */
  readonly runs: Int32Array
  /** Those of its cell, its nucleus among them; null or absent: it has none. */
  readonly cellRuns?: Int32Array | null
}
