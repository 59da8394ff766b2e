// The hot spot of the result on show, as the engine found it last. Pure.
import { isPositive, type HotSpot, type RunStatus } from '../../../app/contract'

export interface HotSpotState {
  /** Of which result, as it stood, in which field; null: nothing was asked. */
  readonly key: string | null
  /** null: there is none, or it is not known yet. */
  readonly found: HotSpot | null
  readonly looking: boolean
}
export const noHotSpot: HotSpotState = { key: null, found: null, looking: false }

/** What the hot spot follows: the result's objects and classes, and the field. */
export function hotSpotKey({ runId, objects, edits = 0, classes = [], cuts }: RunStatus, field: unknown): string {
  return JSON.stringify([runId, objects, edits, classes.map((each) => each.objects), cuts?.limits, field])
}

/** Whether there can be one: a result that is over, on a slide of known pixel size, with positive or negative objects. */
export const hasHotSpot = ({ purpose, state, classes = [], analysedMpp }: RunStatus): boolean =>
  purpose === 'run' &&
  (state === 'done' || state === 'cancelled') &&
  analysedMpp !== null &&
  classes.some(({ id, objects }) => objects > 0 && isPositive(id) !== null)
