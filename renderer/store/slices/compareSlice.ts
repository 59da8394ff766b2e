// Two results held against each other: which, and what the engine found. Pure.
import type { RunComparison, RunStatus } from '../../../app/contract'
import { fullRuns, type RunState } from './runSlice'

export interface CompareState {
  readonly on: boolean
  readonly a: string | null
  readonly b: string | null
  readonly busy: boolean
  readonly found: RunComparison | null
  /** Why the two cannot be compared, in words. */
  readonly refused: string | null
}
export const noCompare: CompareState = { on: false, a: null, b: null, busy: false, found: null, refused: null }

/** The oldest first. */
export const comparable = (runs: RunState): RunStatus[] => fullRuns(runs).filter(({ state }) => state === 'done')

/** The chosen result against the newest of the others that saw the same part, or else any. */
export function firstSides(runs: RunState): { a: string; b: string } | null {
  const all = comparable(runs)
  const chosen = all.find(({ runId }) => runId === runs.activeId) ?? all.at(-1)
  const others = all.filter((run) => run !== chosen)
  const key = ({ region }: RunStatus) => [region.x, region.y, region.width, region.height].join()
  const other = others.findLast((run) => chosen && key(run) === key(chosen)) ?? others.at(-1)
  if (!chosen || !other) return null
  // As they came: what was first is A.
  return all.indexOf(other) < all.indexOf(chosen) ? { a: other.runId, b: chosen.runId } : { a: chosen.runId, b: other.runId }
}
