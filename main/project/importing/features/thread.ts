// What runs in a thread of its own (dist/featureThread.mjs): a GeoJSON text comes in parts, packs of its features go back.
import { parentPort } from 'node:worker_threads'
import { mostImportBytes } from '../../../../app/contract'
import type { Corner } from '../../../base/corner'
import { EngineError } from '../../../base/errors'
import { FeatureStream } from '../../geojsonFile/featureStream'
import type { StreamedFeature } from '../../geojsonFile/featureStream'
import { featureOf } from '../../geojsonFile/features'
import type { Geometry } from '../../geojsonFile/features'
import { quickFeature, utf8Of } from '../../geojsonFile/quickFeature'
import { outlineOf } from './outline'
import type { Outline } from './outline'
import { buffersOf, Packer } from './packed'
import type { Pack } from './packed'

/** What a feature becomes that does not say what it is. `ask`: a person is to say it, if it is an area. */
export type Unsaid = 'regions' | 'objects' | 'ask'
/** `isBytes`: each character of a text is a byte of UTF-8. */
export interface AskedOfThread {
  readonly unsaid: Unsaid
  readonly corner: Corner | null
  readonly isBytes: boolean
}
export type ToFeatures = AskedOfThread | { readonly text: string } | { readonly end: true }
/** `read`: all of a part, or of the end. */
export type FromFeatures =
  | { readonly pack: Pack }
  | { readonly read: true }
  | { readonly undecided: true }
  | { readonly refused: string }
  | { readonly failed: string }

const objectKinds = /^(detection|cell|tile|Path(Detection|Cell|Tile)Object)$/
const port = parentPort!
const say = (what: FromFeatures, transfer: ArrayBuffer[] = []): void => port.postMessage(what, transfer)
const stream = new FeatureStream(quickFeature, true)
const packer = new Packer()
let asked: AskedOfThread = { unsaid: 'regions', corner: null, isBytes: false }
let regionsLength = 0
let isUndecided = false
/** The first half of a character whose second half comes with the next part. */
let half = ''

function bytesOf(text: string): string {
  if (asked.isBytes) return text
  const whole = half + text
  const end = /[\ud800-\udbff]$/.test(whole) ? whole.length - 1 : whole.length
  half = whole.slice(end)
  return Buffer.from(whole.slice(0, end), 'utf8').toString('latin1')
}

function send(): void {
  const pack = packer.take()
  say({ pack }, buffersOf(pack))
}

function taken({ value, text }: StreamedFeature): void {
  if (value === undefined) return packer.unread(text === '' ? 'is longer than a feature can be' : 'is no JSON')
  const feature = featureOf(value)
  if (feature?.kind === '' && asked.unsaid === 'ask' && /^(Multi)?Polygon$/.test(String(feature.geometry?.type))) {
    isUndecided = true
    return say({ undecided: true })
  }
  if (feature && (objectKinds.test(feature.kind) || (feature.kind === '' && asked.unsaid === 'objects'))) {
    const { nucleus, geometry, className, color } = feature
    const outline = (of: Geometry | null): Outline | string => (of ? outlineOf(of, asked.corner) : 'has no geometry')
    return packer.object(outline(nucleus ?? geometry), nucleus && outline(geometry), className, color)
  }
  if (regionsLength + text.length > mostImportBytes / 2)
    return packer.unread(`has no room: an import takes ${mostImportBytes / 2 ** 21} million characters of annotations`)
  regionsLength += text.length
  packer.region(utf8Of(text))
}

port.on('message', (message: ToFeatures) => {
  if ('unsaid' in message) {
    asked = message
    return
  }
  // Whatever else it says, it is to be read anew.
  if (isUndecided) return say({ read: true })
  try {
    for (const feature of 'end' in message ? stream.end() : stream.take(bytesOf(message.text))) {
      if (feature) taken(feature)
      if (isUndecided) break
      if (packer.isFull) send()
    }
    send()
    say({ read: true })
  } catch (error) {
    if (error instanceof EngineError) say({ refused: error.message })
    else say({ failed: String((error as Error).stack ?? error) })
    port.close()
  }
})
