// A project's folder on disk: opened, checked, locked, and written one step at a time.
import { join, resolve } from 'node:path'
import type { Database } from 'libsql'
import { DocumentSlide, KeptRun } from '../../app/contract'
import type { DocumentCommand, RegionClass } from '../../app/contract'
import { finished } from '../base/breather'
import { EngineError, toAppError } from '../base/errors'
import { messageOf } from '../base/jsonFile'
import { weightOf } from '../base/jsonWeight'
import { editBytes, editWeight } from './edits'
import type { Written } from './document'
import { inflated, makeFolder, notWritten } from './disk/draft'
import { packing } from './disk/packed'
import { formatOf } from './disk/firstPage'
import { damaged, loadedFrom, stepsOf } from './disk/load'
import type { Found } from './disk/load'
import { fileName, holderName, isProjectFolder, isThere, lookAt, mostFileBytes, requireWritable } from './disk/look'
import { privateCopy } from './disk/privateCopy'
import type { PrivateCopy } from './disk/privateCopy'
import * as records from './disk/records'
import type { Loaded, NewStep, Step } from './disk/records'
import { rowsOf } from './disk/rows'
import { forgetStrangers } from './runFiles'
import { lockOf, openDatabase, sayGone, sayWho, tryTo } from './lock'
import { migrate } from './schema'

export type { Loaded, NewStep, Step } from './disk/records'
export const projectSuffix = '.morphoscope'
export { keptSteps } from './disk/records'

/** What is open: the document's own file, or a copy of one that cannot be written. */
interface Door {
  readonly db: Database
  /** null: it is read only. */
  readonly lock: Database | null
  /** Of what is read only. */
  readonly copy: PrivateCopy | null
}

/** A project that is open: no other process can change it until it is closed or this one ends. */
export class ProjectStore {
  readonly folder: string
  /** The process that had it last ended without closing it. */
  readonly recovered: boolean
  /** Why nothing can be changed; null: all can. */
  readonly readOnly: string | null
  readonly #door: Door
  #weights: ReadonlyMap<string, number>
  #edited: ReadonlyMap<string, number>

  private constructor(folder: string, door: Door, found: Found, recovered: boolean, readOnly: string | null) {
    this.folder = folder
    this.#door = door
    this.recovered = recovered
    this.readOnly = readOnly
    this.#weights = found.weights
    this.#edited = new Map([...found.content.edits].map(([run, edits]) => [run, editWeight(edits)]))
  }

  /** A new one: its folder appears whole or not at all. Throws OUTPUT_EXISTS, OUTPUT_FAILED. */
  static create(
    folder: string,
    program: string,
    from: Loaded | null,
    steps: readonly (NewStep & Step)[] = [],
    runsFrom: string | null = null,
  ): { store: ProjectStore; loaded: Loaded } {
    const path = resolve(folder)
    makeFolder(path, from, steps, runsFrom)
    return ProjectStore.open(path, program)
  }

  /**
   * The folder may be a stranger's. Its names are looked at first; its file is read in a copy of our own, whole and checked; only what has
   * stood that is opened where it lies. Throws NOT_FOUND, or INVALID_PARAMETER where it is no project, is damaged, or somebody else has it.
   */
  static open(folder: string, program: string): { store: ProjectStore; loaded: Loaded } {
    const path = resolve(folder)
    if (!isProjectFolder(path) && !isThere(join(path, fileName)))
      throw new EngineError('NOT_FOUND', `${path} is no project: it has no file ${fileName}.`)
    const readOnly = whyReadOnly(path)
    const lock = readOnly === null ? lockOf(path) : null
    try {
      // Whoever had it until now may have left another state than the one that was looked at.
      lookAt(path)
      const { copy, db, found } = readInCopy(path)
      if (!lock) {
        const store = new ProjectStore(path, { db, lock, copy }, found, false, readOnly)
        return { store, loaded: found }
      }
      tryTo(() => db.close())
      copy.remove()
      const recovered = isThere(join(path, holderName))
      const door = { db: openOwn(path), lock, copy: null }
      tryTo(() => forgetStrangers(path, found.content.runs))
      sayWho(path, program)
      return { store: new ProjectStore(path, door, found, recovered, null), loaded: found }
    } catch (error) {
      lock?.close()
      throw notOpened(path, error)
    }
  }

  /** What it holds; nothing of it is changed. Throws as `open`. */
  static peek(folder: string): Loaded {
    const path = resolve(folder)
    const lock = whyReadOnly(path) === null ? lockOf(path) : null
    try {
      lookAt(path)
      const { copy, db, found } = readInCopy(path)
      tryTo(() => db.close())
      copy.remove()
      return found
    } catch (error) {
      throw notOpened(path, error)
    } finally {
      lock?.close()
    }
  }

  /** Throws OUTPUT_FAILED where it is read only. */
  requireChangeable(): void {
    if (this.readOnly !== null) throw new EngineError('OUTPUT_FAILED', this.readOnly)
  }

  /** One step, whole or not at all, and on the disk when it returns. Throws OUTPUT_FAILED, INVALID_PARAMETER, and then the file is as it was. */
  commit(written: Written, slide: DocumentSlide | null, step: NewStep, revision: number): Step {
    return finished(this.committing(written, slide, step, revision))
  }

  /** The same in small steps, as `#writing` is. */
  *committing(written: Written, slide: DocumentSlide | null, step: NewStep, revision: number): Generator<void, Step, void> {
    this.requireChangeable()
    const name = step.name.slice(0, 600)
    const [forward, inverse] = [yield* packing(step.forward), yield* packing(step.inverse)]
    return yield* this.#writing(revision, written, () => {
      if (slide) this.#putSlide(slide)
      this.#run('DELETE FROM history WHERE undone = 1')
      const sql = 'INSERT INTO history (at, name, forward, inverse, undone, run) VALUES (?, ?, ?, ?, 0, ?)'
      const done = this.#door.db.prepare(sql).run(step.at, name, forward, inverse, written.run ?? null)
      const seq = Number(done.lastInsertRowid)
      this.#run('DELETE FROM history WHERE seq <= ?', seq - records.keptSteps)
      return { seq, at: step.at, name, undone: false, run: written.run ?? null }
    })
  }

  /** Throws OUTPUT_FAILED, INVALID_PARAMETER. */
  putSlide(slide: DocumentSlide, revision: number): void {
    finished(this.#writing(revision, null, () => this.#putSlide(slide)))
  }

  /** A run whose objects lie in the folder from now on. Throws OUTPUT_FAILED, INVALID_PARAMETER. */
  keep(run: KeptRun, slide: DocumentSlide, revision: number): void {
    const write = (): void => {
      this.#putSlide(slide)
      const body = records.recordText(KeptRun, run, 'this result')
      this.#run('INSERT INTO runs (id, slide, body) VALUES (?, ?, ?)', run.id, run.slide, body)
    }
    finished(this.#writing(revision, null, write))
  }

  /**
   * Runs that are let go of, with what was done to their objects and the steps that are about them; `slide` as it stands from then on.
   * The steps that are left. Throws OUTPUT_FAILED, INVALID_PARAMETER.
   */
  drop(runs: readonly string[], slide: DocumentSlide | null, revision: number): Step[] {
    const write = (): Step[] => {
      for (const run of runs) {
        this.#run('DELETE FROM runs WHERE id = ?', run)
        this.#run('DELETE FROM edits WHERE run = ?', run)
        this.#run('DELETE FROM history WHERE run = ?', run)
      }
      if (slide) this.#putSlide(slide)
      return stepsOf(this.#door.db, this.folder)
    }
    const steps = finished(this.#writing(revision, null, write))
    this.#edited = new Map([...this.#edited].filter(([run]) => !runs.includes(run)))
    return steps
  }

  /** A step taken back, or done again. Throws OUTPUT_FAILED, INVALID_PARAMETER. */
  move(written: Written, seq: number, undone: boolean, revision: number): void {
    finished(
      this.#writing(revision, written, () => this.#run('UPDATE history SET undone = ? WHERE seq = ?', undone ? 1 : 0, seq)),
    )
  }

  /** What a step's command, or its inverse, is. Throws INVALID_PARAMETER where it is damaged. */
  commandOf(seq: number, which: 'forward' | 'inverse'): DocumentCommand {
    try {
      const where = { sql: 'seq = ?', value: seq }
      const columns = { [which]: 'blob' } as { forward: 'blob' }
      const [row] = rowsOf(this.#door.db, { table: 'history', columns, mostRows: 1, mostBytes: records.mostStepBytes, where })
      if (row) return inflated(row[which as 'forward'])
    } catch (error) {
      throw damaged(this.folder, `history ${seq} ${messageOf(error)}`)
    }
    throw new EngineError('NOT_FOUND', `The project ${this.folder} has no step ${seq}.`)
  }

  /** All of history, for a copy: without what is damaged, and what could be reached through that alone. */
  steps(): (NewStep & Step)[] {
    const whole: (NewStep & Step)[] = []
    for (const step of stepsOf(this.#door.db, this.folder)) {
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

  close(): void {
    const { db, lock, copy } = this.#door
    if (lock) tryTo(() => db.exec('PRAGMA wal_checkpoint(TRUNCATE)'))
    tryTo(() => db.close())
    copy?.remove()
    if (!lock) return
    sayGone(this.folder)
    lock.close()
  }

  *#write({ put, deleted, classes, edits, runs }: Written, texts: ReadonlyMap<string, string>): Generator<void, void, void> {
    for (const run of runs ?? [])
      this.#run('UPDATE runs SET body = ? WHERE id = ?', records.recordText(KeptRun, run, 'this result'), run.id)
    for (const [run, each] of edits ?? [])
      this.#run(
        'INSERT OR REPLACE INTO edits (run, body) VALUES (?, ?)',
        run,
        records.requireKeepable('this step', () => editBytes(each)),
      )
    const { db } = this.#door
    const drop = db.prepare('DELETE FROM regions WHERE id = ?')
    for (const id of deleted) {
      drop.run(id)
      yield
    }
    const add = db.prepare('INSERT OR REPLACE INTO regions (id, slide, place, body) VALUES (?, ?, ?, ?)')
    for (const { region, place } of put) {
      add.run(region.id, region.slide, place, texts.get(region.id)!)
      yield
    }
    if (classes) this.#putClasses(classes)
  }

  #putClasses(classes: readonly RegionClass[]): void {
    records.requireKeepable(`${classes.length} classes`, () => records.checked(records.Classes, classes))
    this.#run('DELETE FROM classes')
    const addClass = this.#door.db.prepare('INSERT INTO classes (place, body) VALUES (?, ?)')
    classes.forEach((each, i) => addClass.run(i, JSON.stringify(each)))
  }

  #putSlide(slide: DocumentSlide): void {
    const body = records.recordText(DocumentSlide, slide, slide.name)
    this.#run('INSERT OR REPLACE INTO slides (key, body) VALUES (?, ?)', slide.key, body)
  }

  #run(sql: string, ...parameters: (string | number | Buffer)[]): void {
    this.#door.db.prepare(sql).run(...parameters)
  }

  /**
   * In one transaction, with the revision, in small steps: nobody else may use the store between them. What could not be read again is refused before
   * it is written.
   */
  *#writing<T>(revision: number, written: Written | null, work: () => T): Generator<void, T, void> {
    this.requireChangeable()
    try {
      const texts = new Map<string, string>()
      for (const placed of written?.put ?? []) {
        texts.set(placed.region.id, records.regionText(placed))
        yield
      }
      const weights = yield* this.#weightsWith(written, texts)
      const edited = new Map([
        ...this.#edited,
        ...[...(written?.edits ?? [])].map(([run, each]) => [run, editWeight(each)] as const),
      ])
      records.requireKeepable('these corrections', () => records.requireEdited([...edited.values()]))
      const { db } = this.#door
      db.exec('BEGIN IMMEDIATE')
      let value: T
      try {
        if (written) yield* this.#write(written, texts)
        value = work()
        this.#run(
          'INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)',
          'revision',
          String(records.checked(records.Revision, revision)),
        )
        db.exec('COMMIT')
      } catch (error) {
        // Where the disk was full it has gone back by itself.
        tryTo(() => db.exec('ROLLBACK'))
        throw error
      }
      this.#weights = weights
      this.#edited = edited
      return value
    } catch (cause) {
      throw cause instanceof EngineError ? cause : notWritten(this.folder, cause)
    }
  }

  *#weightsWith(written: Written | null, texts: ReadonlyMap<string, string>): Generator<void, ReadonlyMap<string, number>, void> {
    if (!written || (texts.size === 0 && written.deleted.length === 0)) return this.#weights
    const weights = new Map(this.#weights)
    for (const id of written.deleted) weights.delete(id)
    for (const [id, text] of texts) {
      weights.set(id, weightOf(text))
      yield
    }
    let sum = 0
    for (const weight of weights.values()) sum += weight
    records.requireKeepable('these regions', () => records.requireWeight(sum))
    return weights
  }
}

/** null: it can be written. */
function whyReadOnly(folder: string): string | null {
  try {
    requireWritable(folder)
    return null
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // A log that has just gone is none that cannot be written.
    if (code !== 'EACCES' && code !== 'EPERM' && code !== 'EROFS') return null
    return `The project ${folder} can be read here, and not be changed: its folder cannot be written to (${code}). Save it under another name to change it.`
  }
}

/** The file's content, checked from the first page to the last row, in a copy that is as the newest version has it. The caller lets go of both. */
function readInCopy(folder: string): { copy: PrivateCopy; db: Database; found: Found } {
  const copy = privateCopy(folder)
  let db: Database | undefined
  try {
    formatOf(copy.file, folder)
    db = openDatabase(copy.file)
    db.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON')
    // Its words may name what is no text.
    const [check] = db.prepare('SELECT CAST(quick_check AS BLOB) FROM pragma_quick_check(1)').raw().get() as [Buffer]
    if (Buffer.from(check).toString('latin1') !== 'ok') throw new Error(Buffer.from(check).toString('utf8'))
    migrate(db)
    return { copy, db, found: loadedFrom(db, folder) }
  } catch (error) {
    tryTo(() => db?.close())
    copy.remove()
    throw error
  }
}

/** What was read in the copy, where it lies. */
function openOwn(folder: string): Database {
  const db = openDatabase(join(folder, fileName))
  try {
    const pages = `SELECT ${mostFileBytes} / page_size FROM pragma_page_size`
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON')
    const [most] = db.prepare(pages).raw().get() as [number]
    // What is written can be read again: a change beyond it is refused as one on a full disk.
    db.exec(`PRAGMA max_page_count = ${most}`)
    migrate(db)
    return db
  } catch (error) {
    tryTo(() => db.close())
    throw error
  }
}

function notOpened(path: string, error: unknown): EngineError {
  if (error instanceof EngineError) return error
  // What is read is read in a copy: the disk, or a limit, may have no room for it.
  const isFull = /^(ENOSPC|EDQUOT|EFBIG|EIO)$/.test((error as NodeJS.ErrnoException).code ?? '')
  const message = `The project ${path} cannot be opened: ${messageOf(error)}.`
  return new EngineError(isFull ? 'OUTPUT_FAILED' : 'INVALID_PARAMETER', message, undefined, { cause: error })
}
