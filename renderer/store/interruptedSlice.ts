// Runs that died with their engine, as the page knows them.
import type { CallValue } from '../../app/contract'

export type JournalEntry = CallValue<'journal:list'>[number]

export interface InterruptedState {
  readonly entries: readonly JournalEntry[]
  /** The journal that is being gone on with. */
  readonly resuming: string | null
}
export const noInterrupted: InterruptedState = { entries: [], resuming: null }

export const percentDone = ({ tilesDone, tilesTotal }: JournalEntry): number =>
  tilesTotal > 0 ? Math.floor((100 * tilesDone) / tilesTotal) : 0
