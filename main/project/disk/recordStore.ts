// The records of one project in its database: each step whole or not at all, checked before it is written. Nothing of folders and locks.
import { join } from 'node:path'
import type { Database } from 'libsql'
import { keptSteps, mostStepBytes, RegionClasses, Revision } from '../../../app/contract'
import type { DocumentCommand, DocumentSlide, KeptRun, RegionClass } from '../../../app/contract'
import { finished, goingOver, tooLate } from '../../base/breather'
import type { Waiting } from '../../base/breather'
import { EngineError, isCancelled, toAppError } from '../../base/errors'
import { messageOf } from '../../base/jsonFile'
import type { Written } from '../document'
import { libraryPath, tryTo } from '../lock'
import { Batch, insertion, untouched } from '../records/batch'
import type { Statement, Touched } from '../records/batch'
import { checked, requireKeepable } from '../records/check'
import { corrections } from '../records/corrections'
import * as kinds from '../records/kinds'
import type { Room } from '../records/room'
import { rowsOf } from '../records/rows'
import { stepName, steps as stepKind } from '../records/steps'
import type { NewStep, Step } from '../records/steps'
import { inflatedAside, leastReadAside } from './asideReader'
import { AsideWriter, leastAside, rowsAtOnce } from './asideWriter'
import { notWritten } from './draft'
import { damaged, stepsOf } from './load'
import { fileName, lookAt } from './look'
import { packing, unpacked, unpacking } from './packed'
import { ownPragmas } from './pragmas'

/** They are read with their run, and put without. */
const edited = corrections(() => undefined)

export class RecordStore {
  readonly #db: Database
  /** How much of each kind of record there is. */
  readonly #room: Room
  /** For messages. */
  readonly #folder: string
  #touched = untouched

  constructor(db: Database, room: Room, folder: string) {
    this.#db = db
    this.#room = room
    this.#folder = folder
  }

  /** What the last change that was written put and took out. */
  get touched(): Touched {
    return this.#touched
  }

  /** One step, whole or not at all, and on the disk when it returns. Throws OUTPUT_FAILED, INVALID_PARAMETER, and then the file is as it was. */
  commit(written: Written, slide: DocumentSlide | null, step: NewStep, revision: number): Step {
    return finished(this.committing(written, slide, step, revision))
  }

  /** The same in small steps, as `#writing` is. `aside`: what is large may be written in a thread of its own, which is waited for. */
  *committing(
    written: Written,
    slide: DocumentSlide | null,
    step: NewStep,
    revision: number,
    aside = false,
  ): Generator<Waiting, Step, void> {
    const name = stepName(step.name)
    const [forward, inverse] = [yield* packing(step.forward), yield* packing(step.inverse)]
    const batch = yield* this.#batchOf(written)
    if (slide) batch.put(kinds.slides, slide)
    const [last] = this.#db.prepare('SELECT coalesce(max(seq), 0) FROM history WHERE undone = 0').raw().get() as [number]
    const done: Step = { seq: last + 1, at: step.at, name, undone: false, run: written.run ?? null }
    const row = requireKeepable('this step', () => stepKind.row({ ...done, forward, inverse }))
    const also: Statement[] = [
      ['DELETE FROM history WHERE undone = 1', []],
      insertion(stepKind.table, row),
      ['DELETE FROM history WHERE seq <= ?', [done.seq - keptSteps]],
    ]
    yield* this.#writing(revision, batch, also, aside)
    return done
  }

  /** Throws OUTPUT_FAILED, INVALID_PARAMETER. */
  putSlide(slide: DocumentSlide, revision: number): void {
    const batch = this.#batch()
    batch.put(kinds.slides, slide)
    finished(this.#writing(revision, batch))
  }

  /** A run whose objects lie in the folder from now on. Throws OUTPUT_FAILED, INVALID_PARAMETER. */
  keep(run: KeptRun, slide: DocumentSlide, revision: number): void {
    const batch = this.#batch()
    batch.put(kinds.slides, slide)
    batch.put(kinds.runs, run)
    finished(this.#writing(revision, batch))
  }

  /**
   * Runs that are let go of, with what was done to their objects and the steps that are about them; `slide` as it stands from then on.
   * The steps that are left. Throws OUTPUT_FAILED, INVALID_PARAMETER.
   */
  drop(runs: readonly string[], slide: DocumentSlide | null, revision: number): Step[] {
    const batch = this.#batch()
    for (const run of runs) {
      batch.take(kinds.runs, run)
      batch.take(edited, run)
    }
    if (slide) batch.put(kinds.slides, slide)
    finished(
      this.#writing(
        revision,
        batch,
        runs.map((run) => ['DELETE FROM history WHERE run = ?', [run]]),
      ),
    )
    return stepsOf(this.#db, this.#folder)
  }

  /** A step taken back, or done again, in steps as `committing`. Throws OUTPUT_FAILED, INVALID_PARAMETER. */
  *moving(written: Written, seq: number, undone: boolean, revision: number, aside = false): Generator<Waiting, void, void> {
    const batch = yield* this.#batchOf(written)
    yield* this.#writing(revision, batch, [['UPDATE history SET undone = ? WHERE seq = ?', [undone ? 1 : 0, seq]]], aside)
  }

  move(...args: [written: Written, seq: number, undone: boolean, revision: number]): void {
    finished(this.moving(...args))
  }

  /** What a step's command, or its inverse, is. Throws INVALID_PARAMETER where it is damaged. */
  commandOf(seq: number, which: 'forward' | 'inverse'): DocumentCommand {
    return finished(this.commanding(seq, which, false))
  }

  /** The same in small steps; `aside`: what is inflated beside the thread is waited for. */
  *commanding(seq: number, which: 'forward' | 'inverse', aside = true): Generator<Waiting, DocumentCommand, void> {
    try {
      const query = { table: 'history', mostRows: 1, mostBytes: mostStepBytes, where: { sql: 'seq = ?', value: seq } }
      const [size] = aside ? rowsOf(this.#db, { ...query, columns: { [which]: 'size' } }) : []
      if (size && size[which]! >= leastReadAside) {
        let whole: Buffer | null = null
        yield this.#inflatedAside(seq, which).then(
          (value) => void (whole = value),
          () => undefined,
        )
        if (whole) return yield* unpacked(whole)
      }
      const columns = { [which]: 'blob' } as { forward: 'blob' }
      const [row] = rowsOf(this.#db, { ...query, columns })
      if (row) return yield* unpacking(row[which as 'forward'], aside)
    } catch (error) {
      throw damaged(this.#folder, `history ${seq} ${messageOf(error)}`)
    }
    throw new EngineError('NOT_FOUND', `The project ${this.#folder} has no step ${seq}.`)
  }

  /** All of history, for a copy: without what is damaged, and what could be reached through that alone. */
  steps(): (NewStep & Step)[] {
    const whole: (NewStep & Step)[] = []
    for (const step of stepsOf(this.#db, this.#folder)) {
      try {
        const { seq } = step
        whole.push({ ...step, forward: this.commandOf(seq, 'forward'), inverse: this.commandOf(seq, 'inverse') })
      } catch (error) {
        if (toAppError(error).code !== 'INVALID_PARAMETER') throw error
        // What was done before it can be taken back no more, and what was taken back after it is out of reach.
        if (step.undone) break
        whole.length = 0
      }
    }
    return whole
  }

  /** A large step's text, read and inflated in a thread of its own; null: no thread could be had, or not read there. */
  async #inflatedAside(seq: number, which: 'forward' | 'inverse'): Promise<Buffer | null> {
    // The name is looked at again: another opens it.
    lookAt(this.#folder)
    const from = { library: libraryPath(), file: join(this.#folder, fileName), setup: ownPragmas }
    return inflatedAside({ ...from, sql: `SELECT ${which} FROM history WHERE seq = ?`, value: seq, mostBytes: mostStepBytes })
  }

  #batch(): Batch {
    return new Batch(this.#room)
  }

  /** What a command comes to, each record checked, in small steps. Throws INVALID_PARAMETER. */
  *#batchOf({ put, deleted, classes, edits, runs }: Written): Generator<void, Batch, void> {
    const batch = this.#batch()
    yield* goingOver(deleted, (id) => batch.take(kinds.regions, id))
    for (const placed of put) {
      batch.put(kinds.regions, placed)
      yield
    }
    for (const run of runs ?? []) batch.put(kinds.runs, run)
    for (const [run, each] of edits ?? []) batch.put(edited, { run, edits: each })
    if (classes) this.#putClasses(batch, classes)
    return batch
  }

  #putClasses(batch: Batch, classes: readonly RegionClass[]): void {
    requireKeepable(`${classes.length} classes`, () => checked(RegionClasses, classes))
    batch.replace(
      kinds.classes,
      classes.map((each, place) => ({ place, each })),
    )
  }

  /** In one transaction, with the revision, in small steps: nobody else may write to the store between them. */
  *#writing(revision: number, batch: Batch, also: readonly Statement[] = [], aside = false): Generator<Waiting, void, void> {
    const counts = yield* batch.fitting('all of this')
    const number = requireKeepable('more changes', () => checked(Revision, revision))
    const last = [...also, ['INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)', ['revision', String(number)]]] as const
    try {
      if (!aside || batch.size < leastAside || !(yield* this.#writtenAside(batch, last))) yield* this.#writtenHere(batch, last)
      yield* counts()
      this.#touched = batch.touched
    } catch (cause) {
      throw cause instanceof EngineError || isCancelled(cause) ? cause : notWritten(this.#folder, cause)
    }
  }

  *#writtenHere(batch: Batch, last: readonly Statement[]): Generator<Waiting, void, void> {
    const db = this.#db
    db.exec('BEGIN IMMEDIATE')
    try {
      yield* batch.written(db)
      for (const [sql, cells] of last) db.prepare(sql).run(...cells)
      yield tooLate
      db.exec('COMMIT')
    } catch (error) {
      // Where the disk was full it has gone back by itself.
      tryTo(() => db.exec('ROLLBACK'))
      throw error
    }
  }

  /** False: no thread could be had, and nothing is written. */
  *#writtenAside(batch: Batch, last: readonly Statement[]): Generator<Waiting, boolean, void> {
    // The name is looked at again: another opens it.
    lookAt(this.#folder)
    const [most] = this.#db.prepare('PRAGMA max_page_count').raw().get() as [number]
    const setup = `${ownPragmas}; PRAGMA max_page_count = ${most}`
    const writer = new AsideWriter({ library: libraryPath(), file: join(this.#folder, fileName), setup })
    let begun = false
    yield writer.begun.then((value) => void (begun = value))
    try {
      if (!begun) return false
      yield writer.exec('BEGIN IMMEDIATE')
      try {
        let some: Statement[] = []
        for (const statement of batch.statements()) {
          some.push(statement)
          if (some.length < rowsAtOnce) yield
          else {
            yield writer.run(some)
            some = []
          }
        }
        yield writer.run([...some, ...last])
        yield tooLate
        yield writer.exec('COMMIT')
      } catch (error) {
        yield writer.exec('ROLLBACK').catch(() => undefined)
        throw error
      }
      return true
    } finally {
      yield writer.end()
    }
  }
}
