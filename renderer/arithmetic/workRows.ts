// Where a run's stages have algorithms to choose among, and their queues in words. Pure.
import { workRows, type ChosenOperation, type StageTiming, type WorkRow, noun } from '../../app/contract'
import { formatCount } from './format'

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

/** "1 234 px in queues, at most 56 at once" */
export function queueWords({ device, queued, longest }: WorkRow): string {
  if (queued === 0) return ''
  const entries = `${formatCount(queued)} ${device === 'cpu' ? 'px' : noun(queued, 'tile')}`
  return longest > 0 ? `${entries}, up to ${formatCount(longest)} at once` : entries
}
