// A project's folder on disk: opened, checked, locked, and written one step at a time.
import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Database } from 'libsql'
import type * as z from 'zod'
import { DocumentCommand, DocumentSlide, KeptRun, RegionClass, RegionOfInterest } from '../../app/contract'
import { EngineError, describe } from '../base/errors'
import { messageOf } from '../base/jsonFile'
import { emptyContent } from './document'
import type { Content, Placed, Written } from './document'
import { editBytes, editsFrom } from './edits'
import type { ObjectEdits } from './edits'
import { copyRunFiles, forgetStrangers } from './runFiles'
import { holderName, lockOf, openDatabase, sayWho, tryTo } from './lock'
import { migrate, newestSchema } from './schema'

export const projectSuffix = '.morphoscope'
const fileName = 'project.sqlite'
/** Steps that are kept: the oldest beyond them can no longer be taken back. */
export const keptSteps = 1000
/** A step's command, deflated, and what it may become. */
const maxStepBytes = 2 ** 28

/** A step of history without its commands. */
export interface Step {
  readonly seq: number
  readonly at: number
  readonly name: string
  readonly undone: boolean
}
export interface NewStep {
  readonly at: number
  readonly name: string
  readonly forward: DocumentCommand
  readonly inverse: DocumentCommand
  /** The run that it is about. */
  readonly run?: string | null
}
export interface Loaded {
  readonly content: Content
  readonly slides: ReadonlyMap<string, DocumentSlide>
  readonly steps: readonly Step[]
  readonly revision: number
}

type Row = Record<string, unknown>

/** A project that is open: no other process can have it until it is closed or this one ends. */
export class ProjectStore {
  readonly folder: string
  /** The process that had it last ended without closing it. */
  readonly recovered: boolean
  readonly #db: Database
  readonly #lock: Database

  private constructor(folder: string, db: Database, lock: Database, recovered: boolean) {
    this.folder = folder
    this.#db = db
    this.#lock = lock
    this.recovered = recovered
  }

  /** A new one: its folder appears whole or not at all. Throws OUTPUT_EXISTS, OUTPUT_FAILED. */
  static create(
    folder: string,
    program: string,
    from: Loaded | null,
    steps: readonly (NewStep & Step)[] = [],
    runsFrom: string | null = null,
  ): ProjectStore {
    const path = resolve(folder)
    if (existsSync(path)) throw new EngineError('OUTPUT_EXISTS', `${path} is there already. Choose another name.`)
    const draft = join(dirname(path), `.${basename(path)}-${randomBytes(6).toString('hex')}`)
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      mkdirSync(draft, { mode: 0o700 })
      const db = openDatabase(join(draft, fileName))
      try {
        db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
        db.exec(newestSchema)
        db.exec(scriptOf(from, steps))
        db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      } finally {
        db.close()
      }
      if (from && runsFrom !== null) copyRunFiles([...from.content.runs.keys()], runsFrom, draft)
      syncFolder(draft)
      renameSync(draft, path)
      syncFolder(dirname(path))
    } catch (cause) {
      rmSync(draft, { recursive: true, force: true })
      throw cause instanceof EngineError ? cause : notWritten(path, cause)
    }
    return ProjectStore.open(path, program).store
  }

  /** Throws NOT_FOUND, or INVALID_PARAMETER where it is no project, is damaged, or somebody else has it. */
  static open(folder: string, program: string): { store: ProjectStore; loaded: Loaded } {
    const path = resolve(folder)
    const file = join(path, fileName)
    if (!existsSync(file) || !statSync(file).isFile())
      throw new EngineError('NOT_FOUND', `${path} is no project: it has no file ${fileName}.`)
    const lock = lockOf(path)
    let db: Database | undefined
    try {
      db = openDatabase(file)
      db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON')
      migrate(db, path)
      const check = Object.values((db.prepare('PRAGMA quick_check(1)').get() as Row | undefined) ?? {})[0]
      if (check !== 'ok') throw new Error(String(check))
      const recovered = existsSync(join(path, holderName))
      const store = new ProjectStore(path, db, lock, recovered)
      const loaded = store.#load()
      tryTo(() => forgetStrangers(path, loaded.content.runs))
      sayWho(path, program)
      return { store, loaded }
    } catch (error) {
      tryTo(() => db?.close())
      lock.close()
      if (error instanceof EngineError) throw error
      throw new EngineError('INVALID_PARAMETER', `The project ${path} cannot be opened: ${messageOf(error)}.`, undefined, {
        cause: error,
      })
    }
  }

  /** One step, whole or not at all, and on the disk when it returns. Throws OUTPUT_FAILED, and then the file is as it was. */
  commit(written: Written, slide: DocumentSlide | null, step: NewStep, revision: number): Step {
    return this.#writing(() => {
      this.#write(written)
      if (slide) this.#putSlide(slide)
      this.#db.prepare('DELETE FROM history WHERE undone = 1').run()
      const seq = this.#putStep({ ...step, run: written.run ?? null }, false)
      this.#db.prepare('DELETE FROM history WHERE seq <= ?').run(seq - keptSteps)
      this.#putMeta('revision', String(revision))
      return { seq, at: step.at, name: step.name, undone: false }
    })
  }

  /** Throws OUTPUT_FAILED. */
  putSlide(slide: DocumentSlide, revision: number): void {
    this.#writing(() => {
      this.#putSlide(slide)
      this.#putMeta('revision', String(revision))
    })
  }

  /** A run whose objects lie in the folder from now on. Throws OUTPUT_FAILED. */
  keep(run: KeptRun, slide: DocumentSlide, revision: number): void {
    this.#writing(() => {
      this.#putSlide(slide)
      this.#db.prepare('INSERT INTO runs (id, slide, body) VALUES (?, ?, ?)').run(run.id, run.slide, JSON.stringify(run))
      this.#putMeta('revision', String(revision))
    })
  }

  /**
   * Runs that are let go of, with what was done to their objects and the steps that are about them; `slide` as it stands from then on.
   * The steps that are left. Throws OUTPUT_FAILED.
   */
  drop(runs: readonly string[], slide: DocumentSlide | null, revision: number): Step[] {
    return this.#writing(() => {
      for (const run of runs) {
        this.#db.prepare('DELETE FROM runs WHERE id = ?').run(run)
        this.#db.prepare('DELETE FROM edits WHERE run = ?').run(run)
        this.#db.prepare('DELETE FROM history WHERE run = ?').run(run)
      }
      if (slide) this.#putSlide(slide)
      this.#putMeta('revision', String(revision))
      return this.#steps()
    })
  }

  /** A step taken back, or done again. Throws OUTPUT_FAILED. */
  move(written: Written, seq: number, undone: boolean, revision: number): void {
    this.#writing(() => {
      this.#write(written)
      this.#db.prepare('UPDATE history SET undone = ? WHERE seq = ?').run(undone ? 1 : 0, seq)
      this.#putMeta('revision', String(revision))
    })
  }

  /** What a step's command, or its inverse, is. */
  commandOf(seq: number, which: 'forward' | 'inverse'): DocumentCommand {
    const row = this.#db.prepare(`SELECT ${which} AS command FROM history WHERE seq = ?`).get(seq) as Row | undefined
    if (!row) throw new EngineError('NOT_FOUND', `The project ${this.folder} has no step ${seq}.`)
    return this.#checked(DocumentCommand, inflated(row['command'] as Buffer), `history ${seq}`)
  }

  /** All of history, for a copy. */
  steps(): (NewStep & Step)[] {
    return this.#steps().map((step) => ({
      ...step,
      run: this.#runOf(step.seq),
      forward: this.commandOf(step.seq, 'forward'),
      inverse: this.commandOf(step.seq, 'inverse'),
    }))
  }

  #runOf(seq: number): string | null {
    const row = this.#db.prepare('SELECT run FROM history WHERE seq = ?').get(seq) as Row | undefined
    return typeof row?.['run'] === 'string' ? row['run'] : null
  }

  close(): void {
    tryTo(() => this.#db.exec('PRAGMA wal_checkpoint(TRUNCATE)'))
    tryTo(() => this.#db.close())
    rmSync(join(this.folder, holderName), { force: true })
    this.#lock.close()
  }

  #load(): Loaded {
    const all = (sql: string): Row[] => this.#db.prepare(sql).all() as Row[]
    const classes = all('SELECT body FROM classes ORDER BY place').map(({ body }, i) =>
      this.#checked(RegionClass, String(body), `classes ${i + 1}`),
    )
    const regions = new Map<string, Placed>()
    for (const { id, place, body } of all('SELECT id, place, body FROM regions ORDER BY place')) {
      const region = this.#checked(RegionOfInterest, String(body), `regions ${String(id)}`)
      if (region.id !== id) throw this.#damaged(`regions ${String(id)}`, `is another region, ${region.id}`)
      if (region.classId !== null && !classes.some((each) => each.id === region.classId))
        throw this.#damaged(`regions ${String(id)}`, `has the class ${describe(region.classId)}, which is not there`)
      regions.set(region.id, { region, place: Number(place) })
    }
    const slides = new Map<string, DocumentSlide>()
    for (const { key, body } of all('SELECT key, body FROM slides')) {
      const slide = this.#checked(DocumentSlide, String(body), `slides ${String(key)}`)
      slides.set(slide.key, slide)
    }
    const runs = new Map<string, KeptRun>()
    for (const { id, body } of all('SELECT id, body FROM runs')) {
      const run = this.#checked(KeptRun, String(body), `runs ${String(id)}`)
      if (run.id !== id) throw this.#damaged(`runs ${String(id)}`, `is another run, ${run.id}`)
      runs.set(run.id, run)
    }
    const edits = new Map<string, ObjectEdits>()
    for (const { run: id, body } of all('SELECT run, body FROM edits')) {
      const run = runs.get(String(id))
      if (!run) throw this.#damaged(`edits ${String(id)}`, 'are of no run')
      try {
        edits.set(run.id, editsFrom(body as Buffer, run))
      } catch (error) {
        throw this.#damaged(`edits ${run.id}`, messageOf(error))
      }
    }
    const meta = this.#db.prepare("SELECT value FROM meta WHERE key = 'revision'").get() as Row | undefined
    const revision = Number(meta?.['value'])
    if (!Number.isSafeInteger(revision)) throw this.#damaged('meta revision', `is ${describe(meta?.['value'])}`)
    return { content: { regions, classes, runs, edits }, slides, steps: this.#steps(), revision }
  }

  #steps(): Step[] {
    const rows = this.#db.prepare('SELECT seq, at, name, undone FROM history ORDER BY seq').all() as Row[]
    return rows.map((row) => ({
      seq: Number(row['seq']),
      at: Number(row['at']),
      name: String(row['name']),
      undone: row['undone'] === 1,
    }))
  }

  #write({ put, deleted, classes, edits }: Written): void {
    const edit = this.#db.prepare('INSERT OR REPLACE INTO edits (run, body) VALUES (?, ?)')
    for (const [run, each] of edits ?? []) edit.run(run, editBytes(each))
    const drop = this.#db.prepare('DELETE FROM regions WHERE id = ?')
    for (const id of deleted) drop.run(id)
    const add = this.#db.prepare('INSERT OR REPLACE INTO regions (id, slide, place, body) VALUES (?, ?, ?, ?)')
    for (const { region, place } of put) add.run(region.id, region.slide, place, JSON.stringify(region))
    if (!classes) return
    this.#db.prepare('DELETE FROM classes').run()
    const addClass = this.#db.prepare('INSERT INTO classes (place, body) VALUES (?, ?)')
    classes.forEach((each, i) => addClass.run(i, JSON.stringify(each)))
  }

  #putSlide(slide: DocumentSlide): void {
    this.#db.prepare('INSERT OR REPLACE INTO slides (key, body) VALUES (?, ?)').run(slide.key, JSON.stringify(slide))
  }

  #putStep({ at, name, forward, inverse, run }: NewStep, undone: boolean): number {
    const sql = 'INSERT INTO history (at, name, forward, inverse, undone, run) VALUES (?, ?, ?, ?, ?, ?)'
    const done = this.#db.prepare(sql).run(at, name, deflated(forward), deflated(inverse), undone ? 1 : 0, run ?? null)
    return Number(done.lastInsertRowid)
  }

  #putMeta(key: string, value: string): void {
    this.#db.prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)').run(key, value)
  }

  #writing<T>(work: () => T): T {
    try {
      return this.#transaction(work)
    } catch (cause) {
      throw cause instanceof EngineError ? cause : notWritten(this.folder, cause)
    }
  }

  #transaction<T>(work: () => T): T {
    this.#db.exec('BEGIN IMMEDIATE')
    try {
      const value = work()
      this.#db.exec('COMMIT')
      return value
    } catch (error) {
      // Where the disk was full it has gone back by itself.
      tryTo(() => this.#db.exec('ROLLBACK'))
      throw error
    }
  }

  #checked<T>(schema: z.ZodType<T>, text: string, place: string): T {
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch (error) {
      throw this.#damaged(place, `is no JSON (${messageOf(error)})`)
    }
    const checked = schema.safeParse(value)
    if (checked.success) return checked.data
    const [issue] = checked.error.issues
    throw this.#damaged(place, `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not as it should be'}`)
  }

  #damaged(place: string, how: string): EngineError {
    return new EngineError('INVALID_PARAMETER', `The project ${this.folder} is damaged: ${fileName}, ${place} ${how}.`)
  }
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`
const hex = (bytes: Buffer): string => `X'${bytes.toString('hex')}'`

/** All that a new file holds, as one script: no statement is prepared that would keep the draft open. */
function scriptOf(from: Loaded | null, steps: readonly (NewStep & Step)[]): string {
  const { content, slides, revision } = from ?? { content: emptyContent, slides: new Map<string, DocumentSlide>(), revision: 0 }
  const rows = [
    ...[...content.regions.values()].map(
      ({ region, place }) =>
        `INSERT INTO regions VALUES (${quoted(region.id)}, ${quoted(region.slide)}, ${place}, ${quoted(JSON.stringify(region))})`,
    ),
    ...content.classes.map((each, i) => `INSERT INTO classes VALUES (${i}, ${quoted(JSON.stringify(each))})`),
    ...[...slides.values()].map((slide) => `INSERT INTO slides VALUES (${quoted(slide.key)}, ${quoted(JSON.stringify(slide))})`),
    ...steps.map(
      ({ seq, at, name, forward, inverse, undone, run }) =>
        `INSERT INTO history VALUES (${seq}, ${at}, ${quoted(name)}, ${hex(deflated(forward))}, ${hex(deflated(inverse))}, ${undone ? 1 : 0}, ${run ? quoted(run) : 'NULL'})`,
    ),
    ...[...content.runs.values()].map(
      (run) => `INSERT INTO runs VALUES (${quoted(run.id)}, ${quoted(run.slide)}, ${quoted(JSON.stringify(run))})`,
    ),
    ...[...content.edits].map(([run, edits]) => `INSERT INTO edits VALUES (${quoted(run)}, ${hex(editBytes(edits))})`),
    `INSERT INTO meta VALUES ('revision', '${revision}')`,
  ]
  return `BEGIN;\n${rows.join(';\n')};\nCOMMIT`
}

function notWritten(folder: string, cause: unknown): EngineError {
  return new EngineError(
    'OUTPUT_FAILED',
    `The project ${folder} could not be written (${messageOf(cause)}). Nothing has changed; check the disk's free space and the folder's permissions, and try again.`,
    undefined,
    { cause },
  )
}

const deflated = (command: DocumentCommand): Buffer => deflateRawSync(JSON.stringify(command), { level: 1 })

function inflated(bytes: Buffer): string {
  return inflateRawSync(bytes, { maxOutputLength: maxStepBytes }).toString('utf8')
}

/** A file that has a new name in it may lose that with the machine's power until the folder itself is written. */
function syncFolder(folder: string): void {
  // Windows has no such call, and needs none.
  if (process.platform === 'win32') return
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
