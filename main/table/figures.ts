// What a column looks like: its statistics and its histogram.
import { histogramBins } from '../../app/contract'
import type { ColumnStatistics, TableView } from '../../app/contract'

/** The values of these ranks that were measured. O(ranks · log ranks). */
export function ascendingOf(ranks: Uint32Array, values: Float64Array): Float64Array {
  const sorted = new Float64Array(ranks.length)
  for (let i = 0; i < sorted.length; i++) sorted[i] = values[ranks[i]!]!
  sorted.sort()
  let end = sorted.length
  // They come last.
  while (end > 0 && Number.isNaN(sorted[end - 1]!)) end--
  return sorted.subarray(0, end)
}

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

/** Of all values and of those that are left, both ascending. `log`: bins are equal by the logarithm. */
export function histogramOf(all: Float64Array, left: Float64Array, log = false): TableView['histogram'] {
  const { low, high } = rangeOf(all, log)
  const count = (sorted: Float64Array): number[] => {
    const bins = Array.from({ length: histogramBins }, () => 0)
    const binOf = binner(low, high, histogramBins, log)
    for (const value of sorted) bins[binOf(value)]! += 1
    return bins
  }
  return { log, low, high, all: count(all), left: count(left) }
}

/** Where an axis over ascending values begins and ends: the few that lie far out would leave no room for the others. */
export function rangeOf(sorted: Float64Array, log: boolean): { readonly low: number; readonly high: number } {
  const known = log ? sorted.subarray(firstAbove(sorted, 0)) : sorted
  return known.length === 0 ? { low: 0, high: 0 } : { low: quantile(known, 0.001), high: quantile(known, 0.999) }
}

/** Of a value its bin on an axis; the first and the last have what lies beyond. A loop's own, as it is asked by the million. */
export function binner(low: number, high: number, bins: number, log: boolean): (value: number) => number {
  const from = log ? Math.log(low) : low
  const perValue = high > low ? bins / ((log ? Math.log(high) : high) - from) : 0
  const last = bins - 1
  // Neither the logarithm of what is not above 0 nor what was not measured is a place on it.
  return (value) => {
    const bin = Math.floor(((log ? Math.log(value) : value) - from) * perValue)
    return bin >= last ? last : bin > 0 ? bin : 0
  }
}

/** How many of ascending values are not above the limit. */
function firstAbove(sorted: Float64Array, limit: number): number {
  let [from, to] = [0, sorted.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (sorted[middle]! > limit) to = middle
    else from = middle + 1
  }
  return from
}
