// Rows of a project's file, read column by column as what they have to be: text as bytes that we decode ourselves, because libsql ends the process at what is no UTF-8.
import type { Database } from 'libsql'

/** `size`: of a blob, how many bytes it has, unread. `text?`: there may be none. */
type Kind = 'text' | 'text?' | 'number' | 'blob' | 'size'
/** A table's columns, and what each is read as. */
export type Columns = Record<string, Kind>
export type RowOf<C extends Columns> = { [K in keyof C]: Value<C[K]> }
type Value<K extends Kind> = K extends 'text' ? string : K extends 'text?' ? string | null : K extends 'blob' ? Buffer : number

export interface RowsQuery<C extends Columns> {
  readonly table: string
  readonly columns: C
  readonly mostRows: number
  /** Of one text or blob. */
  readonly mostBytes: number
  /** What its number among the parameters is put in. */
  readonly where?: { readonly sql: string; readonly value: string | number }
}

/** Throws an Error that says where and how the table is damaged. */
export function* rowsOf<C extends Columns>(
  db: Database,
  { table, columns, mostRows, mostBytes, where }: RowsQuery<C>,
): Generator<RowOf<C>> {
  const names = Object.keys(columns)
  const from = `FROM ${table}${where ? ` WHERE ${where.sql}` : ''}`
  const parameters = where ? [where.value] : []
  const sizes = names.map((name) => `max(octet_length(${name}))`).join(', ')
  const [count, ...longest] = db
    .prepare(`SELECT count(*), ${sizes} ${from}`)
    .raw()
    .get(...parameters) as (number | null)[]
  if (count! > mostRows) throw new Error(`${table} has ${count} rows, and can have ${mostRows}`)
  names.forEach((name, i) => {
    const [kind, most] = [columns[name]!, longest[i] ?? 0]
    if (kind !== 'number' && most > mostBytes)
      throw new Error(`${table} has a ${name} of ${most} bytes, and can have ${mostBytes}`)
  })
  const wanted = names.flatMap((name) => [`typeof(${name})`, safe[columns[name]!](name)])
  const rows = db
    .prepare(`SELECT ${wanted.join(', ')} ${from}`)
    .raw()
    .iterate(...parameters) as unknown as Iterable<unknown[]>
  let n = 0
  for (const cells of rows) {
    n += 1
    const row: Record<string, unknown> = {}
    names.forEach((name, i) => {
      try {
        row[name] = valueOf(columns[name]!, String(cells[2 * i]), cells[2 * i + 1])
      } catch (error) {
        throw new Error(`${table} ${n} ${name} ${error instanceof Error ? error.message : ''}`, { cause: error })
      }
    })
    yield row as RowOf<C>
  }
}

/** What libsql is given to read: nothing but blobs and numbers. */
const safe: Record<Kind, (name: string) => string> = {
  text: (name) => `CASE typeof(${name}) WHEN 'text' THEN CAST(${name} AS BLOB) END`,
  'text?': (name) => `CASE typeof(${name}) WHEN 'text' THEN CAST(${name} AS BLOB) END`,
  number: (name) => `CASE WHEN typeof(${name}) IN ('integer', 'real') THEN ${name} END`,
  blob: (name) => `CASE typeof(${name}) WHEN 'blob' THEN ${name} END`,
  size: (name) => `CASE typeof(${name}) WHEN 'blob' THEN octet_length(${name}) END`,
}
const types: Record<Kind, readonly string[]> = {
  text: ['text'],
  'text?': ['text', 'null'],
  number: ['integer', 'real'],
  blob: ['blob'],
  size: ['blob'],
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function valueOf(kind: Kind, type: string, cell: unknown): unknown {
  if (!types[kind].includes(type)) throw new Error(`is of the type ${type}`)
  if (kind === 'number' || kind === 'size') return Number(cell)
  if (type === 'null') return null
  const bytes = cell === null ? Buffer.alloc(0) : Buffer.from(cell as ArrayBuffer)
  if (kind === 'blob') return bytes
  try {
    return utf8.decode(bytes)
  } catch {
    throw new Error('is no text in UTF-8')
  }
}
