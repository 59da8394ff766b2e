// An axis of the table's histogram: which value a place on it stands for, counted in bins from its low end. Pure.
import { histogramBins, type TableView } from '../../app/contract'

export interface BinAxis {
  readonly valueOf: (bin: number) => number
  readonly binOf: (value: number) => number
  /** Does it have any length? */
  readonly spans: boolean
}

export function binAxis({ low, high, log }: Pick<TableView['histogram'], 'low' | 'high' | 'log'>): BinAxis {
  const from = log ? Math.log(low) : low
  const perBin = high > low ? ((log ? Math.log(high) : high) - from) / histogramBins : 0
  return {
    valueOf: (bin) => (log ? Math.exp(from + bin * perBin) : from + bin * perBin),
    binOf: (value) => (perBin > 0 ? ((log ? Math.log(value) : value) - from) / perBin : 0),
    spans: perBin > 0,
  }
}
