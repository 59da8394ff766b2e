// A label image as it comes in: kept until it is whole, then read from top to bottom, and each of its labels is one object.
import { noun } from '../../../../app/contract'
import type { ImagePlace, Unplaced } from '../../../../app/contract'
import type { Corner } from '../../../base/corner'
import { contains } from '../../../base/rect'
import type { Draft } from '../../../run/analysis/analysis'
import { regionFor } from '../../../run/request/extent'
import { Reasons } from '../../geojsonFile/reasons'
import { firstCentre } from '../../objects/drawnPixels'
import { Gathered } from '../gathered'
import { why } from '../objects'
import { largestPiece } from '../pieces'
import { mostBoxPx, mostSidePx } from '../raster'
import type { Found, Reading } from '../reading'
import { openLabelImage, sized } from './labelImage'
import type { LabelImage } from './labelImage'
import { LabelRuns } from './labelRuns'
import type { LabelPixels } from './labelRuns'
import { placeOf } from './place'
import type { Place } from './place'
import { WorkingFile } from '../workingFile'
import { openZarrImage } from './zarrImage'

export interface LabelsAsked {
  readonly file: string
  readonly place?: ImagePlace | undefined
  /** It is a folder of this machine's; absent: its bytes come in parts. */
  readonly folder?: string | undefined
  /** Where coordinates begin. */
  readonly corner: Corner | null
  readonly threads: number
}

/** Between two looks at what memory holds of them. */
const objectsHeld = 4096

export class LabelReading implements Reading {
  readonly comeShare = 0.1
  readonly #draft: Draft
  readonly #asked: LabelsAsked
  readonly #breathe: () => Promise<void>
  readonly #signal: AbortSignal
  readonly #file: WorkingFile
  readonly #gathered: Gathered
  readonly #notes: string[] = []
  unplaced: Unplaced | null = null

  constructor(draft: Draft, asked: LabelsAsked, breathe: () => Promise<void>, signal: AbortSignal) {
    this.#draft = draft
    this.#asked = asked
    this.#breathe = breathe
    this.#signal = signal
    this.#file = new WorkingFile(asked.file)
    this.#gathered = new Gathered(asked.file)
  }

  take(text: string): Promise<void> {
    return this.#file.append(Buffer.from(text, 'base64'))
  }

  async end(onRead: (share: number) => void): Promise<Found> {
    const { file: called, threads } = this.#asked
    const found = { gathered: this.#gathered, leftOut: new Reasons('label'), repaired: new Reasons('label'), classes: [] }
    const image = await this.#opened(called, threads)
    try {
      const placed = placeOf(called, image, this.#draft.slide.info, this.#asked)
      if (!('x' in placed)) this.unplaced = placed
      else await this.#gather(image, placed, found, onRead)
    } finally {
      await image.close()
    }
    return found
  }

  async #opened(called: string, threads: number): Promise<LabelImage> {
    const { folder } = this.#asked
    if (folder !== undefined) return sized(called, await openZarrImage(folder, called, this.#signal))
    if (this.#file.path === null) await this.#file.append(new Uint8Array(0))
    return openLabelImage({ path: this.#file.path!, called, threads, signal: this.#signal })
  }

  async #gather(
    image: LabelImage,
    place: Place,
    { gathered, leftOut, repaired }: Found,
    onRead: (share: number) => void,
  ): Promise<void> {
    const runs = await this.#runsOf(image, place, onRead)
    const region = regionFor(this.#draft, 'whole')
    const { labels } = runs
    let inPieces = 0
    let done = 0
    for (const pixels of runs.taken()) {
      if (++done % 64 === 0) await this.#breathe()
      if (done % objectsHeld === 0) await gathered.relieve()
      const object = pixelsOfObject(pixels)
      if (typeof object === 'string') leftOut.add(why[object])
      else if (!contains(region, object.runs[1]!, object.runs[0]!)) leftOut.add(why.beyond)
      else if (gathered.isFull) leftOut.add('has no room: the objects before it take all the memory that an import may have')
      else {
        if (pixels.clipped) repaired.add('reaches beyond the slide: what lies on it was taken')
        if (object.pieces > 1) repaired.add('is in several pieces, of which the largest was taken')
        inPieces += object.pieces - 1
        gathered.add(object.runs, 0)
      }
    }
    const { odd } = runs
    if (odd > 0)
      this.#notes.push(
        `${odd.toLocaleString('en')} px hold no label’s number: negative, a fraction, or no number at all. They were taken as empty`,
      )
    if (image.others > 0)
      this.#notes.push(
        `it has ${image.others.toLocaleString('en')} further ${noun(image.others, 'page')} of that size: the first alone was read`,
      )
    if (place.note !== null) this.#notes.push(place.note)
    if (labels === 1 && inPieces > 0)
      this.#notes.push(
        'all of it has one number: it is a mask, and no label image. Give each piece a number of its own, as skimage.measure.label does',
      )
  }

  async #runsOf(image: LabelImage, { x, y, scale }: Place, onRead: (share: number) => void): Promise<LabelRuns> {
    const { width, height } = image
    const { grid } = this.#draft
    const lefts = new Int32Array(width + 1)
    const outside = new Uint8Array(width)
    for (let i = 0; i <= width; i++) {
      const left = firstCentre(x + i * scale, grid.scale)
      lefts[i] = Math.max(0, Math.min(grid.widthPx, left))
      if (i > 0 && (firstCentre(x + (i - 1) * scale, grid.scale) < 0 || left > grid.widthPx)) outside[i - 1] = 1
    }
    const runs = new LabelRuns(this.#asked.file, { lefts, outside })
    for await (const band of image.bands()) {
      for (let row = 0; row < band.rows; row++) {
        await this.#breathe()
        const top = firstCentre(y + (band.y + row) * scale, grid.scale)
        const bottom = firstCentre(y + (band.y + row + 1) * scale, grid.scale)
        const within = (at: number): number => Math.max(0, Math.min(grid.heightPx, at))
        runs.row(band.values, row * width, width, within(top), within(bottom), top < 0 || bottom > grid.heightPx)
      }
      onRead((band.y + band.rows) / height)
    }
    return runs
  }

  regions(): null {
    return null
  }

  unread(): string[] {
    return []
  }

  notes(): readonly string[] {
    return this.#notes
  }

  async dispose(): Promise<void> {
    await this.#file.remove()
    await this.#gathered.dispose()
  }
}

/** Its largest piece, or why there is none. */
function pixelsOfObject({
  runs,
  clipped,
}: LabelPixels): { readonly runs: Int32Array; readonly pieces: number } | keyof typeof why {
  if (runs.length === 0) return clipped ? 'beyond' : 'none'
  const object = largestPiece(runs)
  let [left, right] = [Infinity, -Infinity]
  for (let r = 0; r < object.runs.length; r += 3) {
    left = Math.min(left, object.runs[r + 1]!)
    right = Math.max(right, object.runs[r + 2]!)
  }
  const [width, height] = [right - left, object.runs[object.runs.length - 3]! + 1 - object.runs[0]!]
  return width > mostSidePx || height > mostSidePx || width * height > mostBoxPx ? 'large' : object
}
