// What a document holds, and what a change of it has to write: types alone.
import type { KeptRun, RegionClass, RegionOfInterest } from '../../app/contract'
import type { ObjectEdits } from './objects/edits'

export interface Placed {
  readonly region: RegionOfInterest
  /** Regions lie over each other in this order. */
  readonly place: number
}
export interface Content {
  readonly regions: ReadonlyMap<string, Placed>
  readonly classes: readonly RegionClass[]
  /** Whose objects it holds. They come and go outside of history, with the steps that are about them. */
  readonly runs: ReadonlyMap<string, KeptRun>
  /** What was done to their objects; a run that is not named is as it was found. */
  readonly edits: ReadonlyMap<string, ObjectEdits>
}
/** What a store has to write so that it holds the next content. */
export interface Written {
  readonly put: readonly Placed[]
  readonly deleted: readonly string[]
  /** null: as they were. */
  readonly classes: readonly RegionClass[] | null
  /** Runs of which something else is said. */
  readonly runs?: readonly KeptRun[]
  /** By the runs' ids. */
  readonly edits?: ReadonlyMap<string, ObjectEdits>
  /** The run that a step is about. */
  readonly run?: string
}
