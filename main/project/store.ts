// A project's folder on disk: opened, checked, locked, and written one step at a time.
import { join, resolve } from 'node:path'
import type { Database } from 'libsql'
import type { DocumentCommand } from '../../app/contract'
import { EngineError } from '../base/errors'
import { messageOf } from '../base/jsonFile'
import { countedAnew } from './disk/countedAnew'
import { makeFolder } from './disk/draft'
import { formatOf } from './disk/firstPage'
import { loadedFrom } from './disk/load'
import type { Found } from './disk/load'
import { fileName, holderName, isProjectFolder, isThere, lookAt, mostFileBytes, requireWritable } from './disk/look'
import { ownPragmas } from './disk/pragmas'
import { privateCopy } from './disk/privateCopy'
import type { PrivateCopy } from './disk/privateCopy'
import { RecordStore } from './disk/recordStore'
import type { Touched } from './records/batch'
import type { Loaded, NewStep, Step } from './records/steps'
import { forgetStrangers } from './kept/runFiles'
import { lockOf, openDatabase, sayGone, sayWho, tryTo } from './lock'
import { migrate } from './schema'

export type { Loaded, NewStep, Step } from './records/steps'
export const projectSuffix = '.morphoscope'

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
  readonly #records: RecordStore

  private constructor(folder: string, door: Door, { room }: Found, recovered: boolean, readOnly: string | null) {
    this.folder = folder
    this.#door = door
    this.recovered = recovered
    this.readOnly = readOnly
    this.#records = new RecordStore(door.db, room, folder)
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
      const counted = countedAnew(door.db, found)
      tryTo(() => forgetStrangers(path, found.content.runs))
      sayWho(path, program)
      return { store: new ProjectStore(path, door, counted, recovered, null), loaded: counted }
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

  /** What the last change that was written put and took out. */
  get touched(): Touched {
    return this.#records.touched
  }

  /** Throws OUTPUT_FAILED where it is read only. */
  requireChangeable(): void {
    if (this.readOnly !== null) throw new EngineError('OUTPUT_FAILED', this.readOnly)
  }

  /** One step, whole or not at all, and on the disk when it returns. Throws OUTPUT_FAILED, INVALID_PARAMETER, and then the file is as it was. */
  commit(...args: Parameters<RecordStore['commit']>): Step {
    return this.#changing().commit(...args)
  }

  /** The same in small steps. */
  committing(...args: Parameters<RecordStore['committing']>): ReturnType<RecordStore['committing']> {
    return this.#changing().committing(...args)
  }

  /** Throws OUTPUT_FAILED, INVALID_PARAMETER. */
  putSlide(...args: Parameters<RecordStore['putSlide']>): void {
    this.#changing().putSlide(...args)
  }

  /** A run whose objects lie in the folder from now on. Throws OUTPUT_FAILED, INVALID_PARAMETER. */
  keep(...args: Parameters<RecordStore['keep']>): void {
    this.#changing().keep(...args)
  }

  /** Runs that are let go of. The steps that are left. Throws OUTPUT_FAILED, INVALID_PARAMETER. */
  drop(...args: Parameters<RecordStore['drop']>): Step[] {
    return this.#changing().drop(...args)
  }

  /** A step taken back, or done again. Throws OUTPUT_FAILED, INVALID_PARAMETER. */
  move(...args: Parameters<RecordStore['move']>): void {
    this.#changing().move(...args)
  }

  /** The same in small steps. */
  moving(...args: Parameters<RecordStore['moving']>): ReturnType<RecordStore['moving']> {
    return this.#changing().moving(...args)
  }

  /** What a step's command, or its inverse, is. Throws INVALID_PARAMETER where it is damaged. */
  commandOf(seq: number, which: 'forward' | 'inverse'): DocumentCommand {
    return this.#records.commandOf(seq, which)
  }

  /** The same in small steps. */
  commanding(...args: Parameters<RecordStore['commanding']>): ReturnType<RecordStore['commanding']> {
    return this.#records.commanding(...args)
  }

  /** All of history, for a copy: without what is damaged, and what could be reached through that alone. */
  steps(): (NewStep & Step)[] {
    return this.#records.steps()
  }

  #changing(): RecordStore {
    this.requireChangeable()
    return this.#records
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
    db.exec(ownPragmas)
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
