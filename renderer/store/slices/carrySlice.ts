// Corrections that can be carried over from an earlier result, and what became of them. Pure.
import type { CarriedCorrections, RunStatus } from '../../../app/contract'
import { words } from '../../words'
import { changeableRun, fullRuns, type RunState } from './runSlice'

export interface CarryState {
  /** What was carried last, and to which run; null: nothing, or its card was closed. */
  readonly found: (CarriedCorrections & { readonly to: string }) | null
  /** Of the places that do not fit the one that was gone to; null: none yet. */
  readonly at: number | null
  readonly busy: boolean
}
export const noCarry: CarryState = { found: null, at: null, busy: false }

const isCorrected = ({ deleted, made, byHand, rule }: RunStatus): boolean =>
  deleted !== undefined || made !== undefined || byHand !== undefined || rule !== undefined

/** The newest earlier result on the same pixels that has corrections; null: there is none. */
export function carrySource(runs: RunState, to: RunStatus | null = changeableRun(runs)): RunStatus | null {
  const all = fullRuns(runs)
  const before = to ? all.slice(0, Math.max(0, all.indexOf(to))) : []
  const isOf = (run: RunStatus): boolean => run.state === 'done' && run.grid.scale === to!.grid.scale && meets(run, to!)
  return before.findLast((run) => isCorrected(run) && isOf(run)) ?? null
}

const meets = ({ region: a }: RunStatus, { region: b }: RunStatus): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

/** What a new result is offered by itself: of one that was corrected, people ask for it. */
export function carryOffer(runs: RunState): RunStatus | null {
  const to = changeableRun(runs)
  return to && !isCorrected(to) ? carrySource(runs, to) : null
}

/** "3 deleted and 2 with a class by hand". */
export const correctionWords = ({ deleted = 0, made = 0, byHand = 0, rule }: RunStatus): string =>
  words.carry.list([
    ...(deleted > 0 ? [words.carry.deleted(deleted)] : []),
    ...(made > 0 ? [words.carry.made(made)] : []),
    ...(byHand > 0 ? [words.carry.byHand(byHand)] : []),
    ...(rule ? [words.carry.rule] : []),
  ])

/** Each count with its words; those of none are left out. */
export function carriedRows(found: CarriedCorrections): { readonly label: string; readonly count: number }[] {
  const rows = [
    { label: words.carry.rows.deleted, count: found.deleted },
    { label: words.carry.rows.classified, count: found.classified },
    { label: words.names.madeByHand, count: found.made },
    { label: words.carry.rows.already, count: found.already },
    { label: words.carry.rows.otherwise, count: found.otherwise },
    { label: words.carry.rows.outside, count: found.outside },
    { label: words.carry.rows.unfit, count: found.unfit },
  ]
  return rows.filter(({ count }) => count > 0)
}
