// A file of GeoJSON as it comes in: detections, cells and tiles are objects, annotations stay text until they become regions.
import type { Undecided } from '../../../app/contract'
import { inSteps } from '../../base/breather'
import { statedOrigin } from '../../base/corner'
import type { Corner } from '../../base/corner'
import type { Draft } from '../../run/analysis/analysis'
import { regionFor } from '../../run/request/extent'
import { originIn } from '../geojsonFile/origin'
import { Reasons } from '../geojsonFile/reasons'
import { FeatureThread } from './features/aside'
import { objectsOf } from './features/packed'
import type { Pack } from './features/packed'
import type { Unsaid } from './features/thread'
import { ImportedOutlines } from './objects'
import type { FoundClass } from './objects'
import type { Found, Reading } from './reading'

export interface GeoJsonAsked {
  readonly file: string
  readonly unsaid: Unsaid
  /** Where coordinates begin if the file does not say so. */
  readonly corner: Corner | null
  readonly tail: string
  /** Each character of a part is a byte of UTF-8. */
  readonly isBytes: boolean
}

/** Between two looks at the clock. */
const objectsAtOnce = 16

export class GeoJsonReading implements Reading {
  readonly comeShare = 0.5
  readonly #asked: GeoJsonAsked
  readonly #breathe: () => Promise<void>
  readonly #outlines: ImportedOutlines
  readonly #unread = new Reasons()
  readonly #regions: string[] = []
  /** Those that the thread has told of. */
  readonly #classes: FoundClass[] = []
  #thread: FeatureThread | null = null
  #corner: Corner | null = null

  constructor(draft: Draft, asked: GeoJsonAsked, breathe: () => Promise<void>) {
    this.#asked = asked
    this.#breathe = breathe
    this.#outlines = new ImportedOutlines(draft.grid, regionFor(draft, 'whole'), asked.file)
  }

  get undecided(): Undecided | undefined {
    return this.#thread?.isUndecided ? 'features' : undefined
  }

  async take(text: string): Promise<void> {
    let given = text
    if (this.#thread === null) {
      given = text.replace(/^(\ufeff|\u00ef\u00bb\u00bf)/, '')
      this.#corner = originIn(given.slice(0, 4096)) ?? originIn(this.#asked.tail) ?? this.#asked.corner
      const { unsaid, isBytes } = this.#asked
      this.#thread = new FeatureThread({ unsaid, corner: this.#corner, isBytes })
    }
    for await (const pack of this.#thread.take(given)) await this.#taken(pack)
  }

  async end(): Promise<Found> {
    if (this.#thread === null) await this.take('')
    for await (const pack of this.#thread!.end()) await this.#taken(pack)
    return this.#outlines
  }

  regions({ gathered, leftOut }: Found): string | null {
    const isEmpty = gathered.count === 0 && !leftOut.any
    if (this.#regions.length === 0 && !isEmpty) return null
    return `{"type":"FeatureCollection",${statedOrigin(this.#corner)}"features":[${this.#regions.join(',')}]}`
  }

  unread(): string[] {
    return this.#unread.words()
  }

  notes(): string[] {
    return []
  }

  async dispose(): Promise<void> {
    await this.#thread?.dispose()
    await this.#outlines.gathered.dispose()
  }

  async #taken(pack: Pack): Promise<void> {
    for (const each of pack.newClasses) this.#classes.push(each)
    for (const text of pack.regions) this.#regions.push(text)
    for (const [why, count] of pack.unread) this.#unread.add(why, count)
    await inSteps(this.#filled(pack), this.#breathe)
    await this.#outlines.gathered.relieve()
  }

  *#filled(pack: Pack): Generator<void, void, void> {
    let done = 0
    for (const { outline, cell, classAt } of objectsOf(pack)) {
      this.#outlines.addOutline(outline, cell, classAt > 0 ? this.#classes[classAt - 1]! : classAt === 0 ? null : 'too many')
      if (++done % objectsAtOnce === 0) yield
    }
  }
}
