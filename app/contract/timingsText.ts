// What the operations of a run's stages did, a row each, and as timings.csv: the same from the window, its exports and the command line. Pure.
import { csvRows } from './csvRows'
import type { StageTiming, StageWork } from './runs'

export interface WorkRow extends StageWork {
  readonly stage: string
  readonly device: string
}

/** In the order of the stages; the operation as users call it. */
export const workRows = (timings: readonly StageTiming[]): WorkRow[] =>
  timings.flatMap(({ stage, device, work = [] }) =>
    work.map((each) => ({ ...each, op: each.op.replaceAll('_', '-'), stage, device })),
  )

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
