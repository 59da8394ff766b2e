// What a run says of its own doubts, in words.
import { noun } from '../../../app/contract'
import type { Ground } from '../../../native/index'

export function cutWarning(objects: number, haloPx: number): string[] {
  if (objects === 0) return []
  const which = `${objects} ${noun(objects, 'object reaches', 'objects reach')}`
  return [
    `${which} farther than the ${haloPx} px around a tile that are computed with it, and may be cut there or split: its size and shape are uncertain.`,
  ]
}

export function unreadableWarning({ tiles, of, reason }: { tiles: number; of: number; reason: string | undefined }): string[] {
  if (reason === undefined) return []
  return [
    `${tiles} of ${of} ${noun(of, 'tile')} could not be read in full and ${noun(tiles, 'is', 'are')} marked on the overlay: ${reason}`,
  ]
}

/** Of tiles that were read in full. */
export function uncertainWarning(tiles: number, of: number): string[] {
  if (tiles === 0) return []
  return [
    `${tiles} more of ${of} ${noun(of, 'tile')} may be wrong because of parts that could not be read: what these could change is marked on the overlay, and listed in run.json. Run again once the file can be read.`,
  ]
}

/** Of what its windows stand on. */
export function groundNotes({ notes, unreadable }: Pick<Ground, 'notes' | 'unreadable'>): string[] {
  const failed = notes.map((why) => `A device failed at the whole slide's background, and others computed its part. ${why}`)
  const [first] = unreadable
  if (!first) return failed
  return [
    ...failed,
    `${unreadable.length} ${noun(unreadable.length, 'part')} of the slide could not be read for the background, which takes glass in ${noun(unreadable.length, 'its', 'their')} place, and calls uncertain what that could change: ${first.reason}`,
  ]
}

/** `reason`: why not all of the overview could be read where the run is; null: it was, or nobody asked. */
export function tissueWarning(reason: string | null): string[] {
  if (reason === null) return []
  return [
    `The slide’s overview could not be read in full (${reason}), so that the area of tissue is not known: densities are of all that was analysed. Run again once the file can be read.`,
  ]
}
