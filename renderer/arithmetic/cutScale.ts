// A slider under the table's histogram on which a cut-off is dragged: hundredths of an OD for a stain, else parts of a bin. Pure.
import { histogramBins, leastCutStep, type TableView } from '../../app/contract'
import { binAxis } from './binAxis'

/** So much finer than the histogram's bins. */
const step = 0.25

export interface CutScale {
  readonly min: number
  readonly max: number
  readonly step: number
  /** Does it have any length? */
  readonly spans: boolean
  readonly valueOf: (place: number) => number
  /** A value that lies beyond stands at the end. */
  readonly placeOf: (value: number) => number
  /** How far apart two cut-offs stay at least. */
  readonly leastStep: number
}

export function cutScale(histogram: Pick<TableView['histogram'], 'low' | 'high' | 'log'>, isDensity: boolean): CutScale {
  const { low, high } = histogram
  if (isDensity) {
    const [min, max] = [
      Math.floor(low / leastCutStep),
      Math.max(Math.ceil(high / leastCutStep), Math.floor(low / leastCutStep) + 1),
    ]
    const valueOf = (place: number): number => Math.round(place) / Math.round(1 / leastCutStep)
    const placeOf = (value: number): number => Math.max(min, Math.min(max, Math.round(value / leastCutStep)))
    return { min, max, step: 1, spans: true, valueOf, placeOf, leastStep: leastCutStep }
  }
  const { valueOf, binOf, spans } = binAxis(histogram)
  const placeOf = (value: number): number =>
    spans ? Math.max(step, Math.min(histogramBins - step, Math.round(binOf(value) / step) * step)) : step
  const leastStep = Math.max((high - low) / histogramBins / 100, Number.EPSILON * Math.max(1, Math.abs(high)))
  return { min: step, max: histogramBins - step, step, spans, valueOf, placeOf, leastStep }
}
