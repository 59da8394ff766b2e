// Rows of the objects table as CSV: RFC 4180, safe to open in a spreadsheet, numbers as exact as they are.
import { columnHeading } from '../../app/contract'
import type { TableColumn } from '../../app/contract'
import { csvText } from '../base/csvText'
import type { Columns } from './columns'

/** The first line. */
export const headings = (columns: readonly TableColumn[]): string =>
  `${columns.map((column) => csvText(columnHeading(column))).join(',')}\r\n`

/** A line an object: classes by their names, what was not measured as nothing. `columns`: some of the table's, in its order. */
export function linesOf(table: Pick<Columns, 'rows' | 'classes'>, columns: readonly TableColumn[], ranks: Uint32Array): string {
  const keys = columns.map(({ key }) => key)
  const values = table.rows(ranks, keys)
  const classes = table.classes.map(({ label }) => csvText(label))
  const classAt = keys.indexOf('class')
  const lines: string[] = []
  for (let from = 0; from < values.length; from += keys.length) {
    const cells = Array.from(values.subarray(from, from + keys.length), (value, at) =>
      at === classAt ? (classes[value] ?? '') : Number.isFinite(value) ? String(value) : '',
    )
    lines.push(cells.join(','))
  }
  return lines.length === 0 ? '' : `${lines.join('\r\n')}\r\n`
}
