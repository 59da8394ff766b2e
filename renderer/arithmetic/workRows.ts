// What the operations of a run's stages did, a row each: which algorithm `auto` came to, its rounds and its queues. Pure.
import { csvRows, type ChosenOperation, type StageTiming, type StageWork } from '../../app/contract'
import { formatCount } from './format'

export interface WorkRow extends StageWork {
  readonly stage: string
  readonly device: string
}

/** In the order of the stages; the operation as users call it. */
export const workRows = (timings: readonly StageTiming[]): WorkRow[] =>
  timings.flatMap(({ stage, device, work = [] }) =>
    work.map((each) => ({ ...each, op: each.op.replaceAll('_', '-'), stage, device })),
  )

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
  const entries = `${formatCount(queued)} ${device === 'cpu' ? 'px' : queued === 1 ? 'tile' : 'tiles'}`
  return longest > 0 ? `${entries}, up to ${formatCount(longest)} at once` : entries
}

/** Every stage of every device, whether an operation of it chose or not. */
export function timingsCsv(timings: readonly StageTiming[]): string {
  const heads = ['stage', 'device', 'variant', 'ms', 'megapixels']
  const did = ['operation', 'algorithm', 'calls', 'rounds', 'queue_entries', 'longest_queue']
  return csvRows([
    [...heads, ...did],
    ...timings.flatMap((timing) => {
      const { stage, device, variant, ms, megapixels } = timing
      const works = workRows([timing])
      const first = [stage, device, variant, Number(ms.toFixed(3)), Number(megapixels.toFixed(6))]
      if (works.length === 0) return [[...first, ...did.map(() => '')]]
      // The stage's cost once: sums over the column stay right.
      return works.map(({ op, variant: algorithm, calls, rounds, queued, longest }, i) => [
        ...(i === 0 ? first : [stage, device, variant, '', '']),
        ...[op, algorithm, calls, rounds, queued, longest],
      ])
    }),
  ])
}
