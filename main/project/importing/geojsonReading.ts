// A file of GeoJSON as it comes in: detections, cells and tiles are objects, annotations stay text until they become regions.
import { mostImportBytes } from '../../../app/contract'
import { inSteps } from '../../base/breather'
import { statedOrigin } from '../../base/corner'
import type { Corner } from '../../base/corner'
import type { Draft } from '../../run/analysis/analysis'
import { regionFor } from '../../run/request/extent'
import { FeatureStream } from '../geojsonFile/featureStream'
import type { StreamedFeature } from '../geojsonFile/featureStream'
import { featureOf } from '../geojsonFile/features'
import { originIn } from '../geojsonFile/origin'
import { quickFeature } from '../geojsonFile/quickFeature'
import { Reasons } from '../geojsonFile/reasons'
import { ImportedOutlines } from './objects'
import type { Found, Reading } from './reading'

const objectKinds = /^(detection|cell|tile|Path(Detection|Cell|Tile)Object)$/

export interface GeoJsonAsked {
  readonly unsaid: 'regions' | 'objects'
  /** Where coordinates begin if the file does not say so. */
  readonly corner: Corner | null
  readonly tail: string
}

export class GeoJsonReading implements Reading {
  readonly comeShare = 0.5
  readonly #draft: Draft
  readonly #asked: GeoJsonAsked
  readonly #breathe: () => Promise<void>
  readonly #stream = new FeatureStream(quickFeature)
  readonly #unread = new Reasons()
  readonly #regions: string[] = []
  #regionsLength = 0
  #outlines: ImportedOutlines | null = null
  #corner: Corner | null = null

  constructor(draft: Draft, asked: GeoJsonAsked, breathe: () => Promise<void>) {
    this.#draft = draft
    this.#asked = asked
    this.#breathe = breathe
  }

  async take(text: string): Promise<void> {
    const isFirst = this.#outlines === null
    const given = isFirst && text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
    if (isFirst) {
      const { grid } = this.#draft
      this.#corner = originIn(given.slice(0, 4096)) ?? originIn(this.#asked.tail) ?? this.#asked.corner
      this.#outlines = new ImportedOutlines(grid, regionFor(this.#draft, 'whole'), this.#corner)
    }
    await inSteps(this.#stream.take(given), this.#breathe, (feature) => feature && this.#taken(feature))
  }

  async end(): Promise<Found> {
    if (this.#outlines === null) await this.take('')
    await inSteps(this.#stream.end(), this.#breathe, (feature) => feature && this.#taken(feature))
    return this.#outlines!
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

  dispose(): Promise<void> {
    return Promise.resolve()
  }

  #taken({ value, text }: StreamedFeature): void {
    if (value === undefined) return this.#unread.add(text === '' ? 'is longer than a feature can be' : 'is no JSON')
    const feature = featureOf(value)
    if (feature && (objectKinds.test(feature.kind) || (feature.kind === '' && this.#asked.unsaid === 'objects')))
      return this.#outlines!.add(feature)
    if (this.#regionsLength + text.length > mostImportBytes / 2)
      return this.#unread.add(`has no room: an import takes ${mostImportBytes / 2 ** 21} million characters of annotations`)
    this.#regionsLength += text.length
    this.#regions.push(text)
  }
}
