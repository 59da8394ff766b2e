// What an import has of its file, whatever the file is: it comes in by parts, and then has objects, regions, or why there are none.
import type { Undecided, Unplaced } from '../../../app/contract'
import type { Reasons } from '../geojsonFile/reasons'
import type { Gathered } from './gathered'
import type { FoundClass } from './objects'

/** Objects that a file has, their pixels not yet measured. */
export interface Found {
  readonly gathered: Gathered
  readonly leftOut: Reasons
  readonly repaired: Reasons
  readonly classes: readonly FoundClass[]
  /** So far, in px of the analysed image, reach the cells that came with them; absent or 0: none came. */
  readonly cellReachPx?: number
}

export interface Reading {
  /** Of the import, when all parts have come. */
  readonly comeShare: number
  /** Resolves when it is read. Throws INVALID_PARAMETER where the file is none of its kind. */
  take(text: string): Promise<void>
  /** There is no more. `onRead`: which share of what is left to read has been. Once. */
  end(onRead: (share: number) => void): Promise<Found>
  /** Annotations of the file, as GeoJSON; null: it has none to speak of. After its end. */
  regions(found: Found): string | null
  /** Parts of the file that are no object, in words. After its end. */
  unread(): readonly string[]
  /** What else is to be said of how it was taken. After its end. */
  notes(): readonly string[]
  /** Nobody knows where on the slide it lies. After its end. */
  readonly unplaced?: Unplaced | null
  /** What a person is to say first, as far as it was read; absent: nothing. */
  readonly undecided?: Undecided | undefined
  /** Nothing of it is needed any more, whether it ended or not. */
  dispose(): Promise<void>
}
