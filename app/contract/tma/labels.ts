// Which case each core is of, as a CSV says it: rows of a core and its label, or a matrix of labels as the array lies. Read as a stranger's. Pure.
import { mostLines } from '../records/core'

export type CoreLabels = readonly {
  /** Of a matrix: from 0. */
  readonly at: { readonly row: number; readonly column: number } | null
  /** As the file has it. */
  readonly name: string
  readonly label: string
}[]

export const mostLabelBytes = 2 ** 20
const mostCells = 4 * mostLines * mostLines
export const mostLabel = 200

/** A name without what people write otherwise: "a1", "A-1" and "A 1" are one. */
export const plain = (name: string): string => name.toUpperCase().replaceAll(/[\s_.:-]+/g, '')

/**
 * `size`: of the array. With a first line of "core" and another word it is rows; without, rows where each line has two cells of which the first
 * is a core's name; else a matrix, which may have signs of rows and columns at its edges. A string: what is wrong with it.
 */
export function labelsIn(
  text: string,
  size: { readonly rows: number; readonly columns: number },
  names: ReadonlySet<string>,
): CoreLabels | string {
  if (text.length > mostLabelBytes) return `it is larger than ${mostLabelBytes.toLocaleString('en')} characters`
  const lines = cellsIn(text)
  if (typeof lines === 'string') return lines
  if (lines.length === 0) return 'it is empty'
  const long = lines
    .flatMap(({ cells, line }) => cells.map((cell) => ({ cell, line })))
    .find(({ cell }) => cell.length > mostLabel)
  if (long) return `line ${long.line} has a text of ${long.cell.length} characters: at most ${mostLabel} can be kept`
  const odd = lines.find(({ cells }) => cells.some((cell) => /\p{Cc}/u.test(cell)))
  if (odd) return `line ${odd.line} has a control character`
  const [first, ...others] = lines
  const head = first!.cells.map((cell) => cell.toLowerCase())
  const known = new Set([...names].map(plain))
  if (head[0] === 'core' || head[0] === 'core name') return rowsOf(others, labelColumn(head))
  if (lines.every(({ cells }) => cells.length === 2 && known.has(plain(cells[0]!)))) return rowsOf(lines, 1)
  return matrixOf(lines, size)
}

interface Line {
  /** From 1. */
  readonly line: number
  readonly cells: readonly string[]
}

const labelWords = ['label', 'case', 'case id', 'case label', 'unique id', 'patient', 'name']
function labelColumn(head: readonly string[]): number {
  const named = head.findIndex((cell, at) => at > 0 && labelWords.includes(cell))
  return named < 0 ? 1 : named
}

function rowsOf(lines: readonly Line[], column: number): CoreLabels | string {
  const labels: { at: null; name: string; label: string }[] = []
  const seen = new Map<string, number>()
  for (const { line, cells } of lines) {
    const [name = '', label] = [cells[0], cells[column]]
    if (label === undefined)
      return `line ${line} has ${cells.length === 1 ? 'one cell' : `${cells.length} cells`}, and no label in cell ${column + 1}`
    const before = seen.get(plain(name))
    if (before !== undefined) return `line ${line} names the core ${name} again, after line ${before}`
    seen.set(plain(name), line)
    labels.push({ at: null, name, label })
  }
  return labels
}

function matrixOf(
  lines: readonly Line[],
  { rows, columns }: { readonly rows: number; readonly columns: number },
): CoreLabels | string {
  const width = Math.max(...lines.map(({ cells }) => cells.length))
  // Signs of columns above, or of rows at the left.
  const [top, left] = [lines.length === rows + 1 ? 1 : 0, width === columns + 1 ? 1 : 0]
  if (lines.length - top !== rows || width - left !== columns)
    return `it has ${lines.length} × ${width} cells, and the array has ${rows} × ${columns} cores; rows of a core and its label begin with a line “core,label”`
  return lines.slice(top).flatMap(({ cells }, row) =>
    Array.from({ length: columns }, (_, column) => ({
      at: { row, column },
      name: `row ${row + 1}, column ${column + 1}`,
      label: cells[column + left] ?? '',
    })),
  )
}

/** RFC 4180, with commas, semicolons or tabs, whichever the first line has; without empty lines. */
function cellsIn(given: string): Line[] | string {
  const text = given.replace(/^\uFEFF/, '')
  const firstLine = text.slice(0, /[\r\n]/.exec(text)?.index ?? text.length)
  const separator = ['\t', ';', ','].find((each) => firstLine.includes(each)) ?? ','
  const lines: Line[] = []
  let [at, line, count] = [0, 1, 0]
  while (at < text.length) {
    const cells: string[] = []
    const from = line
    for (let isMore = true; isMore;) {
      let cell = ''
      if (text[at] === '"') {
        for (at++; at < text.length && !(text[at] === '"' && text[at + 1] !== '"'); at++) {
          if (text[at] === '"') at++
          if (text[at] === '\n') line++
          cell += text[at]
        }
        if (at >= text.length) return `the quotation mark of line ${from} is not closed`
        at++
      }
      const end = endFrom(text, at, separator)
      cell += text.slice(at, end)
      at = end
      cells.push(cell.trim())
      if (++count > mostCells) return `it has more than ${mostCells.toLocaleString('en')} cells`
      isMore = text[at] === separator
      if (isMore) at++
    }
    if (text[at] === '\r') at++
    if (text[at] === '\n') at++
    line++
    if (cells.some((cell) => cell !== '')) lines.push({ line: from, cells })
  }
  return lines
}

/** Where a cell ends. */
function endFrom(text: string, from: number, separator: string): number {
  let at = from
  while (at < text.length && text[at] !== separator && text[at] !== '\n' && text[at] !== '\r') at++
  return at
}
