// Two columns against each other: points one by one, or of very many how many lie in each cell of a raster, class by class.
import { mostScatterPoints, scatterBins, scatterSteps } from '../../app/contract'
import type { Axis, Scatter } from '../../app/contract'

/** A column by rank, and where its axis begins and ends. */
export interface PlotAxis extends Axis {
  readonly values: Float64Array
  readonly log: boolean
}

/** `classAt`: by rank, those of no class at `classes` or above; null: none has one. O(ranks). */
export function scatterOf(ranks: Uint32Array, x: PlotAxis, y: PlotAxis, classAt: Float64Array | null, classes: number): Scatter {
  const ends = { classes, x: { low: x.low, high: x.high }, y: { low: y.low, high: y.high } }
  const classOf = (rank: number): number => (classAt ? Math.min(classAt[rank]!, classes) : classes)
  if (ranks.length > mostScatterPoints) {
    const { width, height } = scatterBins
    const [across, up] = [placer(x, width), placer(y, height)]
    const counts = new Uint32Array(width * height * (classes + 1))
    let points = 0
    for (const rank of ranks) {
      const [px, py] = [across(x.values[rank]!), up(y.values[rank]!)]
      if (px < 0 || py < 0) continue
      counts[(classOf(rank) * height + py) * width + px]! += 1
      points += 1
    }
    return { ...ends, kind: 'density', points, counts }
  }
  const [across, up] = [placer(x, scatterSteps + 1), placer(y, scatterSteps + 1)]
  const numbers = new Uint32Array(ranks.length)
  const [xs, ys] = [new Uint16Array(ranks.length), new Uint16Array(ranks.length)]
  const own = new Uint8Array(ranks.length)
  let n = 0
  for (const rank of ranks) {
    const [px, py] = [across(x.values[rank]!), up(y.values[rank]!)]
    if (px < 0 || py < 0) continue
    numbers[n] = rank + 1
    xs[n] = px
    ys[n] = py
    own[n++] = classOf(rank)
  }
  const [first, end] = [0, n] as const
  return {
    ...{ ...ends, kind: 'points' },
    numbers: numbers.subarray(first, end),
    xs: xs.subarray(first, end),
    ys: ys.subarray(first, end),
    classAt: own.subarray(first, end),
  }
}

/** Of a value its step on an axis of so many, what lies beyond at the ends; -1: it was not measured. */
function placer({ low, high, log }: PlotAxis, steps: number): (value: number) => number {
  const from = log ? Math.log(low) : low
  const perValue = high > low ? steps / ((log ? Math.log(high) : high) - from) : 0
  const last = steps - 1
  return (value) => {
    if (!(value > -Infinity)) return -1
    const step = log && value <= 0 ? 0 : Math.floor(((log ? Math.log(value) : value) - from) * perValue)
    return step >= last ? last : step > 0 ? step : 0
  }
}
