// What the stages of a run cost and did, in words, a row each, and as timings.csv: the same from the window, its exports and the command line. Pure.
import { csvRows } from '../base/csvRows'
import type { StageTiming, StageWork } from '../runs/runs'

export interface WorkRow extends StageWork {
  readonly stage: string
  readonly device: string
}

type Named = Pick<StageTiming, 'stage' | 'device' | 'part' | 'reader' | 'memory' | 'kept'>

/** Entries with one key add up: what their operations chose may differ from window to window. */
export const timingKey = ({ stage, device, part, reader, memory, kept = false }: Named): string =>
  [stage, device, part, reader, memory, kept].join('\0')

/** "ground: read", "upload" */
export const stageAndPart = ({ stage, part }: Pick<StageTiming, 'stage' | 'part'>): string =>
  part === undefined ? stage : `${stage}: ${part}`

/** By what: "sweeps + queue; graph", "openslide 4.0.0", "pinned memory", "kept"; empty: there is no choice. */
export function variantWords({
  variant,
  reader,
  memory,
  kept,
}: Pick<StageTiming, 'variant' | 'reader' | 'memory' | 'kept'>): string {
  if (kept) return 'kept'
  return reader ?? (memory === undefined ? variant : `${memory} memory`)
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
  const how = ['part', 'reader', 'memory', 'kept']
  return csvRows([
    [...heads, ...did, ...how],
    ...timings.flatMap((timing) => {
      const { stage, device, variant, ms, megapixels } = timing
      const works = workRows([timing])
      const first = [stage, device, variant, Number(ms.toFixed(3)), Number(megapixels.toFixed(6))]
      const last = [timing.part ?? '', timing.reader ?? '', timing.memory ?? '', timing.kept ? 'yes' : '']
      if (works.length === 0) return [[...first, ...did.map(() => ''), ...last]]
      // The stage's cost once: sums over the column stay right.
      return works.map(({ op, variant: algorithm, calls, rounds, queued, longest }, i) => [
        ...(i === 0 ? first : [stage, device, variant, '', '']),
        ...[op, algorithm, calls, rounds, queued, longest],
        ...last,
      ])
    }),
  ])
}
