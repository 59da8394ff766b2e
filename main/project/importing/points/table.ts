// A table's text as rows, as it comes in: commas, semicolons or tabs, quotes, either line end. Of a stranger's: what is too long ends it.
import { EngineError } from '../../../base/errors'

/** Characters of one row. */
const mostRowLength = 2 ** 20
const separators = [',', ';', '\t'] as const

export class TableRows {
  readonly #called: string
  #rest = ''
  #separator: string | null = null

  constructor(called: string) {
    this.#called = called
  }

  /** '' before the first row. */
  get separator(): string {
    return this.#separator ?? ''
  }

  /** The rows that are whole by now. Throws INVALID_PARAMETER. */
  *take(text: string): Generator<string[], void, void> {
    const all = this.#rest + text
    let begin = 0
    let from = 0
    let quotes = 0
    for (let end = all.indexOf('\n'); end >= 0; end = all.indexOf('\n', from)) {
      quotes += quotesIn(all, from, end)
      from = end + 1
      if (end - begin > mostRowLength) this.#refuse()
      // A line's end within quotes is of the field.
      if (quotes % 2 === 1) continue
      const fields = this.#fieldsOf(all.slice(begin, end))
      begin = from
      quotes = 0
      if (fields) yield fields
    }
    this.#rest = all.slice(begin)
    if (this.#rest.length > mostRowLength) this.#refuse()
  }

  /** What is left. */
  *end(): Generator<string[], void, void> {
    const fields = this.#fieldsOf(this.#rest)
    this.#rest = ''
    if (fields) yield fields
  }

  #refuse(): never {
    throw new EngineError(
      'INVALID_PARAMETER',
      `${this.#called} is no table: a row of it has more than ${mostRowLength.toLocaleString('en')} characters, or a quote is not closed.`,
    )
  }

  /** null: there is nothing in it. */
  #fieldsOf(line: string): string[] | null {
    const row = line.endsWith('\r') ? line.slice(0, -1) : line
    if (row.trim() === '' || (this.#separator === null && row.startsWith('#'))) return null
    this.#separator ??= separatorOf(row)
    if (!row.includes('"')) return row.split(this.#separator)
    const fields: string[] = []
    for (let at = 0; at <= row.length;) {
      let field = ''
      if (row[at] === '"') {
        for (at++; at < row.length; at++) {
          if (row[at] !== '"') field += row[at]
          else if (row[at + 1] === '"') field += row[at++]
          else break
        }
        at++
      }
      const next = row.indexOf(this.#separator, at)
      const end = next < 0 ? row.length : next
      fields.push(field + row.slice(at, end))
      at = end + 1
    }
    return fields
  }
}

function quotesIn(text: string, from: number, end: number): number {
  let quotes = 0
  for (let at = from; at < end; at++) if (text.charCodeAt(at) === 0x22) quotes++
  return quotes
}

/** What stands most often between the names of columns. */
function separatorOf(row: string): string {
  const bare = row.replace(/"[^"]*"/g, '')
  const counts = separators.map((each) => bare.split(each).length)
  return separators[counts.indexOf(Math.max(...counts))]!
}
