// Records that are put and taken out together: each checked before any is written, and all of them held to what a project can be.
import type { Database } from 'libsql'
import { finished } from '../../base/breather'
import type { Columns, RowOf } from './rows'
import { requireKeepable } from './check'
import type { Kind } from './kind'
import type { Change, Room } from './room'

type Cell = string | number | Buffer | null
interface Put {
  readonly table: string
  readonly cells: Readonly<Record<string, Cell>>
}
/** Without a column: all of its table. */
interface Gone {
  readonly table: string
  readonly column?: string
  readonly key?: Cell
}

/** By table, the keys of records that are others from then on, or gone: which, the content says. */
export type Touched = ReadonlyMap<string, ReadonlySet<string>>
export const untouched: Touched = new Map()

export class Batch {
  readonly #room: Room
  readonly #changes: Change[] = []
  readonly #gone: Gone[] = []
  readonly #put: Put[] = []
  readonly #touched = new Map<string, Set<string>>()

  constructor(room: Room) {
    this.#room = room
  }

  /** Throws INVALID_PARAMETER where it could not be read again. `what`: what a sentence calls it. */
  put<R, C extends Columns>(kind: Kind<R, C>, record: R, what = kind.words(record)): void {
    requireKeepable(what, () => {
      const row = kind.row(record)
      this.#put.push({ table: kind.table, cells: row })
      const { key } = kind
      this.#change({ kind, key: String(row[key]), weight: kind.weight(row, record) })
    })
  }

  take<R, C extends Columns>(kind: Kind<R, C>, key: RowOf<C>[keyof C & string]): void {
    this.#gone.push({ table: kind.table, column: kind.key, key: key })
    this.#change({ kind, key: String(key), weight: null })
  }

  /** All that there is of a kind becomes these. Throws INVALID_PARAMETER. */
  replace<R, C extends Columns>(kind: Kind<R, C>, records: readonly R[]): void {
    this.#gone.push({ table: kind.table })
    for (const key of this.#room.keysOf(kind)) this.#change({ kind, key, weight: null })
    for (const record of records) this.put(kind, record)
  }

  /** Throws INVALID_PARAMETER where a project has no room for all of it; else what makes it count, once it is on the disk. */
  fits(what: string): () => void {
    const counting = finished(this.fitting(what))
    return () => finished(counting())
  }

  /** The same in small steps. */
  *fitting(what: string): ReturnType<Room['fitting']> {
    try {
      return yield* this.#room.fitting(this.#changes)
    } catch (error) {
      return requireKeepable(what, () => {
        throw error
      })
    }
  }

  /** Which records of each table were put or taken out, by key. */
  get touched(): Touched {
    return this.#touched
  }

  #change(change: Change): void {
    const { kind, key } = change
    this.#changes.push(change)
    const keys = this.#touched.get(kind.table)
    if (keys) keys.add(key)
    else this.#touched.set(kind.table, new Set([key]))
  }

  /** How many statements it comes to. */
  get size(): number {
    return this.#gone.length + this.#put.length
  }

  /** What goes first, then what comes. */
  *statements(): Generator<Statement, void, void> {
    for (const { table, column, key } of this.#gone)
      yield column === undefined ? [`DELETE FROM ${table}`, []] : [`DELETE FROM ${table} WHERE ${column} = ?`, [key!]]
    for (const { table, cells } of this.#put) yield insertion(table, cells)
  }

  /** The same, written in small steps in the caller's transaction. */
  *written(db: Database): Generator<void, void, void> {
    const run = preparing(db)
    for (const statement of this.statements()) {
      run(...statement)
      yield
    }
  }

  /** What comes, for a new file, as statements of a script. */
  script(): string[] {
    return this.#put.map(({ table, cells }) => scriptOf(table, cells))
  }
}

export type Statement = readonly [sql: string, cells: readonly Cell[]]
type Run = (...statement: Statement) => void

const prepared = (db: Database, sql: string) => db.prepare(sql)

/** Each statement is prepared once. */
function preparing(db: Database): Run {
  const statements = new Map<string, ReturnType<typeof prepared>>()
  return (sql, cells) => {
    let statement = statements.get(sql)
    if (!statement) statements.set(sql, (statement = prepared(db, sql)))
    statement.run(...cells)
  }
}

/** A row, in place of the one that has its key. */
export function insertion(table: string, cells: Put['cells']): Statement {
  const names = Object.keys(cells)
  const places = names.map(() => '?').join(', ')
  return [`INSERT OR REPLACE INTO ${table} (${names.join(', ')}) VALUES (${places})`, Object.values(cells)]
}

export function scriptOf(table: string, cells: Put['cells']): string {
  return `INSERT INTO ${table} (${Object.keys(cells).join(', ')}) VALUES (${Object.values(cells).map(literal).join(', ')})`
}

function literal(cell: Cell): string {
  if (cell === null) return 'NULL'
  if (typeof cell === 'number') return String(cell)
  return typeof cell === 'string' ? `'${cell.replaceAll("'", "''")}'` : `X'${cell.toString('hex')}'`
}
