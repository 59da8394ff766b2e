// The first page of a project's file, read by ourselves: whose it is, which format, and which tables it says it has. SQLite sees the file after that.
import { closeSync, fstatSync, readSync } from 'node:fs'
import { describe } from '../../base/errors'
import { openStrangeSync } from '../../base/regularFile'
import { openDatabase } from '../lock'
import { applicationId, migrations } from '../schema'

/** A row of the table of tables. Text as bytes, in latin1. */
interface Made {
  readonly type: string
  readonly name: string
  readonly table: string
  /** How it was made. */
  readonly sql: string | null
}

/**
 * The file's format. Throws an Error that says what is wrong: the tables have to be those that the migrations make, to the letter, so that no
 * view, trigger, index or generated column stands among them.
 */
export function formatOf(file: string, what: string): number {
  const page = firstPage(file)
  if (page.toString('latin1', 0, 16) !== 'SQLite format 3\0') throw new Error('file is not a database')
  const version = page.readUInt32BE(60)
  const application = page.readUInt32BE(68)
  if (version > 0 && application !== applicationId) throw new Error(`${what} is another program’s`)
  if (version === 0) throw new Error(`${what} is no project of Morphoscope’s`)
  if (version > migrations.length)
    throw new Error(
      `${what} was written by a later version of Morphoscope (format ${version}; this one reads ${migrations.length})`,
    )
  // UTF-8, and no room that an extension keeps in each page.
  if (page.readUInt32BE(56) !== 1 || page[20] !== 0) throw new Error(`${what} is damaged: its text has another coding`)
  const found = tablesOn(page)
  if (!found) throw new Error(`${what} is damaged: its tables are not those that Morphoscope makes`)
  const expected = tablesOf(version)
  const missing = expected.find((made) => !found.some((each) => each.type === made.type && each.name === made.name))
  if (missing) throw new Error(`no such ${missing.type}: ${missing.name}`)
  const strange = found.find((made) => !expected.some((each) => line(each) === line(made)))
  if (strange || found.length !== expected.length)
    throw new Error(`${what} is damaged: the ${describe(strange?.name ?? 'table')} in it is not as Morphoscope makes it`)
  return version
}

function firstPage(file: string): Buffer {
  const handle = openStrangeSync(file)
  try {
    const page = Buffer.alloc(Math.max(512, Math.min(65_536, fstatSync(handle).size)))
    readSync(handle, page, 0, page.length, 0)
    return page
  } finally {
    closeSync(handle)
  }
}

const known = new Map<number, readonly Made[]>()
/** White space between words is all that may differ: what Morphoscope makes has neither quotes nor comments. */
const line = ({ type, name, table, sql }: Made): string =>
  JSON.stringify([type, name, table, sql?.replace(/[ \t\r\n]+/g, ' ').replace(/ ?([(),]) ?/g, '$1')])

/** What the migrations up to this version make. */
function tablesOf(version: number): readonly Made[] {
  let tables = known.get(version)
  if (!tables) {
    const db = openDatabase(':memory:')
    for (const step of migrations.slice(0, version)) db.exec(step)
    tables = db.prepare('SELECT type, name, tbl_name AS "table", sql FROM sqlite_master').all() as Made[]
    known.set(version, tables)
    db.close()
  }
  return tables
}

/** null: they do not lie on it as a leaf of whole rows, as ours do. Nothing is read beyond the page. */
function tablesOn(page: Buffer): Made[] | null {
  const stated = page.readUInt16BE(16)
  const size = stated === 1 ? 65_536 : stated
  const head = 100
  const leafOfTable = 13
  if (size < 512 || size > page.length || page[head] !== leafOfTable) return null
  const count = page.readUInt16BE(head + 3)
  const rows: Made[] = []
  try {
    for (let i = 0; i < Math.min(count, 100); i++) {
      const row = rowAt(page.subarray(0, size), page.readUInt16BE(head + 8 + 2 * i))
      if (!row) return null
      rows.push(row)
    }
  } catch {
    return null
  }
  return rows.length === count ? rows : null
}

function rowAt(page: Buffer, at: number): Made | null {
  const payload = varint(page, at)
  const row = varint(page, payload.end)
  if (payload.value > page.length - 35) return null
  const head = varint(page, row.end)
  const headEnd = row.end + head.value
  let body = headEnd
  const columns: (string | null)[] = []
  for (let next = head.end; next < headEnd;) {
    const { value: kind, end } = varint(page, next)
    next = end
    const length = kind >= 12 ? Math.floor((kind - 12) / 2) : ([0, 1, 2, 3, 4, 6, 8, 8, 0, 0][kind] ?? Number.NaN)
    if (!(body + length <= page.length)) return null
    columns.push(kind >= 13 && kind % 2 === 1 ? page.toString('latin1', body, body + length) : null)
    body += length
  }
  const [type, name, table, , sql] = columns
  if (columns.length !== 5 || body !== row.end + payload.value) return null
  return type != null && name != null && table != null ? { type, name, table, sql: sql ?? null } : null
}

/** Up to nine bytes, seven bits each. Throws at the page's end. */
function varint(page: Buffer, at: number): { value: number; end: number } {
  let value = 0
  for (let i = 0; i < 8; i++) {
    const byte = page.readUInt8(at + i)
    value = value * 128 + (byte & 127)
    if (byte < 128) return { value, end: at + i + 1 }
  }
  return { value: value * 256 + page.readUInt8(at + 8), end: at + 9 }
}
