// Runs that died with their engine, as the page knows them.
import type { CallValue } from '../../../app/contract'
import { words } from '../../words'
import type { RequestedRun } from './requestSlice'

export type JournalEntry = CallValue<'journal:list'>[number]

export interface InterruptedState {
  readonly entries: readonly JournalEntry[]
  /** The journal that is being gone on with. */
  readonly resuming: string | null
}
export const noInterrupted: InterruptedState = { entries: [], resuming: null }

export const isFinished = ({ tilesDone, tilesTotal }: JournalEntry): boolean => tilesTotal > 0 && tilesDone === tilesTotal

/**
 * Of the slide's runs that were asked for: those that go on from where they were, and those that have to begin again. An earlier run of the
 * same region that was ended by hand has a journal too: each that was asked for goes on with the newest. `entries`: the newest first.
 */
export function lostRuns(
  again: readonly RequestedRun[],
  entries: readonly JournalEntry[],
  slidePath: string | null,
): { cut: readonly JournalEntry[]; again: readonly RequestedRun[] } {
  const same = (asked: RequestedRun, entry: JournalEntry): boolean =>
    asked.purpose === 'run' && JSON.stringify(asked.region) === JSON.stringify(entry.region)
  const here = entries.filter((entry) => entry.slidePath === slidePath && !isFinished(entry))
  const cut: JournalEntry[] = []
  const anew = again.filter((asked) => {
    const entry = here.find((each) => same(asked, each) && !cut.includes(each))
    if (entry) cut.push(entry)
    return entry === undefined
  })
  return { cut, again: anew }
}

export const percentDone = ({ tilesDone, tilesTotal }: JournalEntry): number =>
  tilesTotal > 0 ? Math.floor((100 * tilesDone) / tilesTotal) : 0

export interface LeftOver {
  readonly title: string
  readonly entries: readonly JournalEntry[]
}

/** Runs of before by what became of them and where: each under a heading that is true of it, those of the slide on screen first. */
export function leftOver(entries: readonly JournalEntry[], slidePath: string | null): LeftOver[] {
  const groups = [
    { title: words.interrupted.doneHere, here: true, finished: true },
    { title: words.interrupted.interruptedHere, here: true, finished: false },
    { title: words.interrupted.doneElsewhere, here: false, finished: true },
    { title: words.interrupted.interruptedElsewhere, here: false, finished: false },
  ]
  return groups.flatMap(({ title, here, finished }) => {
    const own = entries.filter((entry) => (entry.slidePath === slidePath) === here && isFinished(entry) === finished)
    return own.length > 0 ? [{ title, entries: own }] : []
  })
}
