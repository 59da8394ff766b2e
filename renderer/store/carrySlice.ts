// Corrections that can be carried over from an earlier result, and what became of them. Pure.
import type { CarriedCorrections, RunStatus } from '../../app/contract'
import { formatCount } from '../arithmetic/format'
import { changeableRun, keptRuns, type RunState } from './runSlice'

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
  const all = keptRuns(runs)
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

const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)!}`

/** "3 deleted and 2 with a class by hand". */
export const correctionWords = ({ deleted = 0, made = 0, byHand = 0, rule }: RunStatus): string =>
  listed([
    ...(deleted > 0 ? [`${formatCount(deleted)} deleted`] : []),
    ...(made > 0 ? [`${formatCount(made)} made by hand`] : []),
    ...(byHand > 0 ? [`${formatCount(byHand)} with a class by hand`] : []),
    ...(rule ? ['limits of classes'] : []),
  ])

/** Each count with its words; those of none are left out. */
export function carriedRows(found: CarriedCorrections): { readonly label: string; readonly count: number }[] {
  const rows = [
    { label: 'Deleted', count: found.deleted },
    { label: 'Classified', count: found.classified },
    { label: 'Made by hand', count: found.made },
    { label: 'So already', count: found.already },
    { label: 'Already have a class by hand', count: found.otherwise },
    { label: 'Outside this result', count: found.outside },
    { label: 'No longer fit', count: found.unfit },
  ]
  return rows.filter(({ count }) => count > 0)
}
