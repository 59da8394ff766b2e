// Where a run's stages have algorithms to choose among. Pure.
import { workRows, type ChosenOperation, type StageTiming } from '../../app/contract'

/** What a choice of variants for an operation is called by: what derives from reconstruction follows its choice. */
const choiceOf: Readonly<Record<string, ChosenOperation>> = {
  reconstruct: 'reconstruct',
  'fill-holes': 'reconstruct',
  'clear-border': 'reconstruct',
  'extended-extrema': 'reconstruct',
  'max-tree': 'max-tree',
  watershed: 'watershed',
}
/** Where a run's stages have variants to choose among. */
export const choicesIn = (timings: readonly StageTiming[]): { place: string; op: ChosenOperation }[] => {
  const places = workRows(timings).flatMap(({ stage, op }) => (choiceOf[op] ? [{ stage, op: choiceOf[op] }] : []))
  return [...new Map(places.map(({ stage, op }) => [`${stage}/${op}`, op]))].map(([place, op]) => ({ place, op }))
}
