// A file that comes in a part at a time: its objects become a result, and its annotations regions.
import type { AppEvent, ImportedFile, ImportedObjects, ImportedRegions, Undecided } from '../../../app/contract'
import { breather } from '../../base/breather'
import { CancelledError } from '../../base/errors'
import type { Analysis, Draft } from '../../run/analysis/analysis'
import { measuredCells } from '../../run/analysis/cells'
import { Throttle } from '../../run/schedule/throttle'
import { importRegions } from '../geojsonFile/importing'
import { measuredOf } from './measured'
import type { Found, Reading } from './reading'
import { broughtIn } from './result'
import type { ImportingTools } from './result'

const progressMs = 200
/** Of an import of objects, reading the file. */
const readShare = 0.5

export interface ImportAsked {
  readonly file: string
  /** Of the whole text, about. */
  readonly length: number
}

export interface FileTools extends ImportingTools {
  readonly analysisOf: (draft: Draft, signal: AbortSignal) => Promise<Analysis>
  readonly threads: number
  readonly storeBytes: number
  readonly emit: (event: AppEvent) => void
}

/** What reads the file: it may rest by `breathe`, and ends where `signal` says so. */
export type ReadingOf = (breathe: () => Promise<void>, signal: AbortSignal) => Reading

export class FileImport {
  readonly #tools: FileTools
  readonly #draft: Draft
  readonly #asked: ImportAsked
  readonly #reading: Reading
  readonly #stop = new AbortController()
  readonly #progress: Throttle
  readonly #begun = performance.now()
  readonly #startedAt = new Date().toISOString()
  #read = 0
  #fraction = 0
  /** One part after the other. */
  #tail: Promise<void> = Promise.resolve()
  /** When it was last heard of. */
  heardAt = performance.now()

  constructor(tools: FileTools, draft: Draft, asked: ImportAsked, readingOf: ReadingOf) {
    this.#tools = tools
    this.#draft = draft
    this.#asked = asked
    this.#reading = readingOf(breather(this.#stop.signal), this.#stop.signal)
    const { slideId } = draft.slide.info
    this.#progress = new Throttle(progressMs, () => tools.emit({ type: 'import:progress', slideId, fraction: this.#fraction }))
  }

  /** Resolves when it is read, with what is undecided. Throws INVALID_PARAMETER where it is no file of its kind, CancelledError. */
  async part(text: string): Promise<Undecided | null> {
    await this.#inTurn(async () => {
      await this.#reading.take(text)
      this.#read += text.length
      this.#progressed((this.#reading.comeShare * this.#read) / Math.max(this.#read, this.#asked.length))
    })
    return this.#reading.undecided ?? null
  }

  /** Of all that came. Nothing has changed where it throws before regions are taken. */
  async end(signal: AbortSignal): Promise<ImportedFile> {
    if (signal.aborted) this.cancel()
    signal.addEventListener('abort', () => this.cancel(), { once: true })
    const reading = this.#reading
    try {
      let found: Found | undefined
      const { comeShare } = reading
      const onRead = (share: number): void => this.#progressed(comeShare + (readShare - comeShare) * share)
      await this.#inTurn(async () => void (found = await reading.end(onRead)))
      if (reading.undecided) return { regions: null, objects: null, leftOut: [], undecided: reading.undecided }
      if (reading.unplaced) return { regions: null, objects: null, leftOut: [], unplaced: reading.unplaced }
      const hasObjects = found!.gathered.count > 0
      // What a person waits for longest comes first: ended there, nothing was imported.
      const objects = hasObjects ? await this.#objectsOf(found!) : null
      const text = reading.regions(found!)
      const regions = text === null ? null : await this.#regionsOf(text)
      const said = [...reading.unread(), ...found!.leftOut.words()]
      return { regions, objects, leftOut: objects ? [] : [...said, ...(regions ? [] : reading.notes())] }
    } finally {
      this.cancel()
      await reading.dispose()
    }
  }

  cancel(): void {
    this.#progress.stop()
    this.#stop.abort()
    // Whatever reads it still comes to its end first.
    void this.#tail.catch(() => undefined).then(() => this.#reading.dispose())
  }

  async #objectsOf(found: Found): Promise<ImportedObjects> {
    const { file } = this.#asked
    const { signal } = this.#stop
    const { threads, storeBytes } = this.#tools
    await this.#tools.projects.requireChangeable()
    const analysis = await this.#tools.analysisOf(this.#draft, signal)
    const { count } = found.gathered
    const onMeasured = (n: number): void => this.#progressed(readShare + (1 - readShare) * (n / count))
    const { cellReachPx = 0 } = found
    const cells = cellReachPx === 0 ? null : measuredCells(analysis.params, cellReachPx, analysis.resolution.nominalMpp)
    const measured = await measuredOf(found.gathered, { analysis, threads, storeBytes, signal, cells, onMeasured })
    signal.throwIfAborted()
    const leftOut = [...this.#reading.unread(), ...found.leftOut.words()]
    const repaired = [...this.#reading.notes(), ...found.repaired.words()]
    const said = [
      ...leftOut.map((why) => `Not taken from the file: ${why}.`),
      ...repaired.map((what) => `Taken otherwise: ${what}.`),
    ]
    const elapsedMs = performance.now() - this.#begun
    const came = { file, startedAt: this.#startedAt, elapsedMs, said, classes: found.classes, cellReachPx }
    const { keptId, run } = await broughtIn(this.#tools, analysis, measured, came)
    const { name, objects } = run.status()
    return { keptId, runId: run.runId, name, objects, leftOut, repaired }
  }

  #regionsOf(text: string): Promise<ImportedRegions> {
    const { projects, emit } = this.#tools
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
