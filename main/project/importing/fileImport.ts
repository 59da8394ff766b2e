// A GeoJSON file that comes in a part at a time: annotations become regions, detections, cells and tiles the objects of a result.
import { mostImportBytes } from '../../../app/contract'
import type { AppEvent, ImportedFile, ImportedObjects, ImportedRegions } from '../../../app/contract'
import { breather, inSteps } from '../../base/breather'
import { statedOrigin } from '../../base/corner'
import type { Corner } from '../../base/corner'
import { CancelledError } from '../../base/errors'
import type { Analysis, Draft } from '../../run/analysis/analysis'
import { regionFor } from '../../run/request/extent'
import { Throttle } from '../../run/schedule/throttle'
import { FeatureStream } from '../geojsonFile/featureStream'
import type { StreamedFeature } from '../geojsonFile/featureStream'
import { featureOf } from '../geojsonFile/features'
import { importRegions } from '../geojsonFile/importing'
import { originIn } from '../geojsonFile/origin'
import { Reasons } from '../geojsonFile/reasons'
import { measuredOf } from './measured'
import { ImportedOutlines } from './objects'
import { broughtIn } from './result'
import type { ImportingTools } from './result'

const progressMs = 200
/** Of an import of objects, reading the file. */
const readShare = 0.5
const objectKinds = /^(detection|cell|tile|Path(Detection|Cell|Tile)Object)$/

export interface ImportAsked {
  readonly file: string
  readonly unsaid: 'regions' | 'objects'
  /** Where coordinates begin if the file does not say so. */
  readonly corner: Corner | null
  readonly tail: string
  /** Of the whole text, about. */
  readonly length: number
}

export interface FileTools extends ImportingTools {
  readonly analysisOf: (draft: Draft, signal: AbortSignal) => Promise<Analysis>
  readonly threads: number
  readonly storeBytes: number
  readonly emit: (event: AppEvent) => void
}

export class FileImport {
  readonly #tools: FileTools
  readonly #draft: Draft
  readonly #asked: ImportAsked
  readonly #stream = new FeatureStream()
  readonly #stop = new AbortController()
  readonly #breathe: () => Promise<void>
  readonly #progress: Throttle
  readonly #begun = performance.now()
  readonly #startedAt = new Date().toISOString()
  readonly #unread = new Reasons()
  readonly #regions: string[] = []
  #regionsLength = 0
  #outlines: ImportedOutlines | null = null
  #corner: Corner | null = null
  #read = 0
  #fraction = 0
  /** One part after the other. */
  #tail: Promise<void> = Promise.resolve()
  /** When it was last heard of. */
  heardAt = performance.now()

  constructor(tools: FileTools, draft: Draft, asked: ImportAsked) {
    this.#tools = tools
    this.#draft = draft
    this.#asked = asked
    this.#breathe = breather(this.#stop.signal)
    const { slideId } = draft.slide.info
    this.#progress = new Throttle(progressMs, () => tools.emit({ type: 'import:progress', slideId, fraction: this.#fraction }))
  }

  get slideId(): string {
    return this.#draft.slide.info.slideId
  }

  /** Resolves when it is read. Throws INVALID_PARAMETER where it is no GeoJSON, CancelledError. */
  part(text: string): Promise<void> {
    return this.#inTurn(async () => {
      const isFirst = this.#outlines === null
      const given = isFirst && text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
      if (isFirst) {
        const { grid } = this.#draft
        this.#corner = originIn(given.slice(0, 4096)) ?? originIn(this.#asked.tail) ?? this.#asked.corner
        this.#outlines = new ImportedOutlines(grid, regionFor(this.#draft, 'whole'), this.#corner)
      }
      await inSteps(this.#stream.take(given), this.#breathe, (feature) => feature && this.#take(feature))
      this.#read += text.length
      this.#progressed((readShare * this.#read) / Math.max(this.#read, this.#asked.length))
    })
  }

  /** Of all that came. Nothing has changed where it throws before regions are taken. */
  async end(signal: AbortSignal): Promise<ImportedFile> {
    if (signal.aborted) this.cancel()
    signal.addEventListener('abort', () => this.cancel(), { once: true })
    try {
      if (this.#outlines === null) await this.part('')
      await this.#inTurn(async () => {
        await inSteps(this.#stream.end(), this.#breathe, (feature) => feature && this.#take(feature))
      })
      const found = this.#outlines!
      const hasObjects = found.gathered.count > 0
      // What a person waits for longest comes first: ended there, nothing was imported.
      const objects = hasObjects ? await this.#objectsOf(found) : null
      const isEmpty = !hasObjects && !found.leftOut.any
      const regions = this.#regions.length > 0 || isEmpty ? await this.#regionsOf() : null
      const said = [...this.#unread.words(), ...found.leftOut.words()]
      return { regions, objects, leftOut: objects ? [] : said }
    } finally {
      this.cancel()
    }
  }

  cancel(): void {
    this.#progress.stop()
    this.#stop.abort()
  }

  #take({ value, text }: StreamedFeature): void {
    if (value === undefined) return this.#unread.add(text === '' ? 'is longer than a feature can be' : 'is no JSON')
    const feature = featureOf(value)
    if (feature && (objectKinds.test(feature.kind) || (feature.kind === '' && this.#asked.unsaid === 'objects')))
      return this.#outlines!.add(feature)
    if (this.#regionsLength + text.length > mostImportBytes / 2)
      return this.#unread.add(`has no room: an import takes ${mostImportBytes / 2 ** 21} million characters of annotations`)
    this.#regionsLength += text.length
    this.#regions.push(text)
  }

  async #objectsOf(found: ImportedOutlines): Promise<ImportedObjects> {
    const { file } = this.#asked
    const { signal } = this.#stop
    const { threads, storeBytes } = this.#tools
    await this.#tools.projects.requireChangeable()
    const analysis = await this.#tools.analysisOf(this.#draft, signal)
    const { count } = found.gathered
    const onMeasured = (n: number): void => this.#progressed(readShare + (1 - readShare) * (n / count))
    const measured = await measuredOf(found.gathered, { analysis, threads, storeBytes, signal, onMeasured })
    signal.throwIfAborted()
    const [leftOut, repaired] = [[...this.#unread.words(), ...found.leftOut.words()], found.repaired.words()]
    const said = [
      ...leftOut.map((why) => `Not taken from the file: ${why}.`),
      ...repaired.map((what) => `Taken otherwise: ${what}.`),
    ]
    const elapsedMs = performance.now() - this.#begun
    const came = { file, startedAt: this.#startedAt, elapsedMs, said, classes: found.classes }
    const { keptId, run } = await broughtIn(this.#tools, analysis, measured, came)
    const { name, objects } = run.status()
    return { keptId, runId: run.runId, name, objects, leftOut, repaired }
  }

  #regionsOf(): Promise<ImportedRegions> {
    const { projects, emit } = this.#tools
    const text = `{"type":"FeatureCollection",${statedOrigin(this.#corner)}"features":[${this.#regions.join(',')}]}`
    this.#progress.stop()
    // It goes on from where reading ended.
    const before = this.#fraction
    const onEvent = (event: AppEvent): void =>
      emit(event.type === 'import:progress' ? { ...event, fraction: before + (1 - before) * event.fraction } : event)
    return importRegions(projects, text, this.#draft.slide, this.#stop.signal, onEvent)
  }

  #progressed(fraction: number): void {
    this.#fraction = Math.max(0, Math.min(fraction, 0.99))
    this.#progress.poke()
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    this.heardAt = performance.now()
    const next = this.#tail.then(() => {
      if (this.#stop.signal.aborted) throw new CancelledError('the import was ended')
      return work()
    })
    this.#tail = next.catch((error: unknown) => {
      // What comes after it has no place.
      this.cancel()
      throw error
    })
    this.#tail.catch(() => undefined)
    return next
  }
}
