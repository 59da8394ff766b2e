// The imports that are under way, by their ids: few, and none for ever.
import { randomBytes } from 'node:crypto'
import type { CallArg, ImportedFile, Undecided } from '../../../app/contract'
import { EngineError } from '../../base/errors'
import type { Draft } from '../../run/analysis/analysis'
import { FileImport } from './fileImport'
import type { FileTools, ReadingOf } from './fileImport'
import { GeoJsonReading } from './geojsonReading'
import { LabelReading } from './labels/labelReading'
import { ParquetReading } from './points/parquetReading'
import { PointReading } from './points/pointReading'

/** At once: more is nobody's who waits. */
const most = 4
/** Of one that nobody has sent a part of since, in ms. */
const patience = 600_000

export class FileImports {
  readonly #going = new Map<string, FileImport>()
  #count = 0

  /** Throws INVALID_PARAMETER where too many are under way. */
  begin(tools: FileTools, draft: Draft, asked: CallArg<'import:begin'>): string {
    for (const [id, { heardAt }] of this.#going) if (performance.now() - heardAt > patience) this.cancel(id)
    if (this.#going.size >= most)
      throw new EngineError('INVALID_PARAMETER', `${most} files are being imported already. Wait until one is done, or end it.`)
    const {
      called: file,
      unsaid,
      tail,
      length,
      origin,
      form,
      folder,
      place,
      radiusUm,
      bytes: isBytes = false,
      asks = false,
    } = asked
    const corner = origin === 'bounds' ? draft.slide.info.bounds : null
    const { threads } = tools
    const readingOf: ReadingOf = (breathe, signal) =>
      form === 'labels'
        ? new LabelReading(draft, { file, folder, place, corner, threads }, breathe, signal)
        : form === 'parquet'
          ? new ParquetReading(draft, { file, corner, radiusUm, asks }, breathe, signal)
          : form === 'points'
            ? new PointReading(draft, { file, corner, radiusUm, asks }, breathe)
            : new GeoJsonReading(draft, { file, unsaid: asks ? 'ask' : unsaid, tail, corner, isBytes }, breathe)
    const id = `i${++this.#count}-${randomBytes(8).toString('hex')}`
    this.#going.set(id, new FileImport(tools, draft, { file, length }, readingOf))
    return id
  }

  async part(id: string, text: string): Promise<Undecided | null> {
    const going = this.#get(id)
    try {
      return await going.part(text)
    } catch (error) {
      this.cancel(id)
      throw error
    }
  }

  async end(id: string, signal: AbortSignal): Promise<ImportedFile> {
    const going = this.#get(id)
    try {
      return await going.end(signal)
    } finally {
      this.cancel(id)
    }
  }

  cancel(id: string): void {
    this.#going.get(id)?.cancel()
    this.#going.delete(id)
  }

  #get(id: string): FileImport {
    const going = this.#going.get(id)
    if (!going) throw new EngineError('NOT_FOUND', 'That import has ended. Import the file again.')
    return going
  }
}
