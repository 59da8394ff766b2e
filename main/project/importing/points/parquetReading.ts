// Points of a Parquet file as it comes in: kept until it is whole, then its rows are taken as a table's are.
import type { Undecided } from '../../../../app/contract'
import { EngineError } from '../../../base/errors'
import type { Draft } from '../../../run/analysis/analysis'
import type { Found, Reading } from '../reading'
import { WorkingFile } from '../workingFile'
import { parquetRows } from './parquet/aside'
import { PointReading } from './pointReading'
import type { PointsAsked } from './pointReading'

export class ParquetReading implements Reading {
  readonly comeShare = 0.2
  readonly #points: PointReading
  readonly #called: string
  readonly #signal: AbortSignal
  readonly #file: WorkingFile

  constructor(draft: Draft, asked: PointsAsked, breathe: () => Promise<void>, signal: AbortSignal) {
    this.#points = new PointReading(draft, asked, breathe)
    this.#called = asked.file
    this.#signal = signal
    this.#file = new WorkingFile(asked.file)
  }

  get undecided(): Undecided | undefined {
    return this.#points.undecided
  }

  take(text: string): Promise<void> {
    return this.#file.append(Buffer.from(text, 'base64'))
  }

  async end(): Promise<Found> {
    if (this.#file.path === null) throw new EngineError('INVALID_PARAMETER', `${this.#called} is empty.`)
    for await (const rows of parquetRows(this.#file.path, this.#called, this.#signal)) {
      await this.#points.rows(rows)
      if (this.undecided) break
    }
    return this.#points.end()
  }

  regions(): null {
    return null
  }

  unread(): string[] {
    return []
  }

  notes(): string[] {
    return this.#points.notes()
  }

  async dispose(): Promise<void> {
    await this.#file.remove()
    await this.#points.dispose()
  }
}
