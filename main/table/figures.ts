// What a column looks like: its statistics and its histogram.
import { histogramBins } from '../../app/contract'
import type { ColumnStatistics, TableView } from '../../app/contract'

/** Of ascending values; null without any. */
export function statisticsOf(sorted: Float64Array): ColumnStatistics | null {
  const n = sorted.length
  if (n === 0) return null
  let sum = 0
  for (const value of sorted) sum += value
  const mean = sum / n
  let squares = 0
  for (const value of sorted) squares += (value - mean) ** 2
  return {
    mean,
    sd: n > 1 ? Math.sqrt(squares / (n - 1)) : 0,
    min: sorted[0]!,
    lowerQuartile: quantile(sorted, 0.25),
    median: quantile(sorted, 0.5),
    upperQuartile: quantile(sorted, 0.75),
    max: sorted[n - 1]!,
  }
}

/** Between the two values that it falls between, in proportion (R's type 7, NumPy's default). */
function quantile(sorted: Float64Array, share: number): number {
  const at = (sorted.length - 1) * share
  const below = Math.floor(at)
  const low = sorted[below]!
  const high = sorted[Math.min(below + 1, sorted.length - 1)]!
  return low + (high - low) * (at - below)
}

/** Of all values and of those that are left, both ascending. */
export function histogramOf(all: Float64Array, left: Float64Array): TableView['histogram'] {
  const low = all.length === 0 ? 0 : quantile(all, 0.001)
  const high = all.length === 0 ? 0 : quantile(all, 0.999)
  const count = (sorted: Float64Array): number[] => {
    const bins = Array.from({ length: histogramBins }, () => 0)
    const perValue = high > low ? histogramBins / (high - low) : 0
    for (const value of sorted) {
      const bin = Math.floor((value - low) * perValue)
      bins[bin < 0 ? 0 : bin >= histogramBins ? histogramBins - 1 : bin]! += 1
    }
    return bins
  }
  return { low, high, all: count(all), left: count(left) }
}
