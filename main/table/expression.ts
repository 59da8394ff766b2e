// The filter's language: comparisons of columns with numbers or classes, joined by and, or, not and brackets. What is wrong is said with its place.
import type { ObjectClass, TableColumn } from '../../app/contract'
import { EngineError, describe } from '../base/errors'

/** What it is asked about. */
export interface Table {
  readonly length: number
  readonly columns: readonly TableColumn[]
  readonly classes: readonly ObjectClass[]
  values(key: string): Float64Array
}

/** A 1 for every row that is left. */
type Mask = Uint8Array

interface Token {
  readonly kind: 'word' | 'number' | 'operator' | 'bracket' | 'text'
  readonly text: string
  /** From 1. */
  readonly at: number
}

const tokenForms: readonly (readonly [Token['kind'], RegExp])[] = [
  ['number', /-?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?/iy],
  ['word', /[\p{L}_][\p{L}\p{N}_]*/uy],
  ['text', /"[^"]*"/y],
  ['operator', /<=|>=|!=|==|[<>=≤≥≠]/y],
  ['bracket', /[()]/y],
]
const maxDepth = 100

/** Of `text`, which rows of the table it leaves; null where it says nothing. Throws INVALID_PARAMETER. Cost: a look at each row a comparison. */
export function filterRows(text: string, table: Table): Mask | null {
  const tokens = tokensOf(text)
  if (tokens.length === 0) return null
  const parser = new Parser(tokens, table, text.length + 1)
  return parser.whole()
}

function wrong(message: string, at: number): EngineError {
  return new EngineError('INVALID_PARAMETER', `Filter, character ${at}: ${message}`)
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  while (at < text.length) {
    if (/\s/u.test(text[at]!)) {
      at += 1
      continue
    }
    const found = tokenForms.flatMap(([kind, form]) => {
      form.lastIndex = at
      const match = form.exec(text)
      return match ? [{ kind, text: match[0], at: at + 1 }] : []
    })[0]
    if (!found) throw wrong(`${describe(text.charAt(at))} has no meaning here.`, at + 1)
    tokens.push(found)
    at += found.text.length
  }
  return tokens
}

/** "Major axis", major_axis and majorAxis are one. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
const joins = new Set(['and', 'or', 'not'])

class Parser {
  private next = 0
  private depth = 0
  private readonly tokens: readonly Token[]
  private readonly table: Table
  private readonly end: number

  constructor(tokens: readonly Token[], table: Table, end: number) {
    this.tokens = tokens
    this.table = table
    this.end = end
  }

  whole(): Mask {
    const mask = this.either()
    const rest = this.tokens[this.next]
    if (rest) throw wrong(`expected "and", "or" or the end but received ${describe(rest.text)}.`, rest.at)
    return mask
  }

  private either(): Mask {
    const mask = this.both()
    while (this.takes('word', 'or')) {
      const other = this.both()
      for (let i = 0; i < mask.length; i++) mask[i]! |= other[i]!
    }
    return mask
  }

  private both(): Mask {
    const mask = this.one()
    while (this.takes('word', 'and')) {
      const other = this.one()
      for (let i = 0; i < mask.length; i++) mask[i]! &= other[i]!
    }
    return mask
  }

  private one(): Mask {
    if (++this.depth > maxDepth) throw wrong('brackets lie too deep.', this.place())
    try {
      if (this.takes('word', 'not')) {
        const mask = this.one()
        for (let i = 0; i < mask.length; i++) mask[i] = 1 - mask[i]!
        return mask
      }
      if (!this.takes('bracket', '(')) return this.comparison()
      const mask = this.either()
      if (!this.takes('bracket', ')')) throw wrong('expected ")".', this.place())
      return mask
    } finally {
      this.depth -= 1
    }
  }

  private comparison(): Mask {
    const { name, at } = this.name('a column, as in "area > 40"')
    const wanted = plain(name)
    const column = this.table.columns.find(({ key, title }) => plain(key) === wanted || plain(title) === wanted)
    if (!column) {
      const known = this.table.columns.map(({ title }) => title.toLowerCase()).join(', ')
      throw wrong(`there is no column ${describe(name)}. There are: ${known}.`, at)
    }
    const operator = this.tokens[this.next]
    if (operator?.kind !== 'operator')
      throw wrong(`expected <, <=, >, >=, = or != after ${describe(name)}.`, operator?.at ?? this.end)
    this.next += 1
    return column.key === 'class' ? this.classIs(operator) : this.compares(column.key, operator)
  }

  private compares(key: string, operator: Token): Mask {
    const token = this.tokens[this.next]
    if (token?.kind !== 'number') throw wrong('expected a number.', token?.at ?? this.end)
    this.next += 1
    const limit = Number(token.text)
    if (!Number.isFinite(limit)) throw wrong(`${token.text} is too large.`, token.at)
    const values = this.table.values(key)
    const mask = new Uint8Array(values.length)
    const n = values.length
    // A loop each: a function call a row would take longer than the comparison.
    switch (operator.text) {
      case '<':
        for (let i = 0; i < n; i++) mask[i] = values[i]! < limit ? 1 : 0
        break
      case '<=':
      case '≤':
        for (let i = 0; i < n; i++) mask[i] = values[i]! <= limit ? 1 : 0
        break
      case '>':
        for (let i = 0; i < n; i++) mask[i] = values[i]! > limit ? 1 : 0
        break
      case '>=':
      case '≥':
        for (let i = 0; i < n; i++) mask[i] = values[i]! >= limit ? 1 : 0
        break
      case '!=':
      case '≠':
        for (let i = 0; i < n; i++) mask[i] = values[i] !== limit ? 1 : 0
        break
      default:
        for (let i = 0; i < n; i++) mask[i] = values[i] === limit ? 1 : 0
    }
    return mask
  }

  private classIs(operator: Token): Mask {
    if (!['=', '==', '!=', '≠'].includes(operator.text)) throw wrong('classes are compared by = or !=.', operator.at)
    const { classes } = this.table
    const known = classes.map(({ label }) => label.toLowerCase()).join(', ')
    const { name, at } = this.name(`a class: ${known}`)
    const index = classes.findIndex(({ id, label }) => plain(id) === plain(name) || plain(label) === plain(name))
    if (index < 0) throw wrong(`there is no class ${describe(name)}. There are: ${known}.`, at)
    const wanted = operator.text.startsWith('=') ? 1 : 0
    const values = this.table.values('class')
    const mask = new Uint8Array(values.length)
    for (let i = 0; i < mask.length; i++) mask[i] = values[i] === index ? wanted : 1 - wanted
    return mask
  }

  /** Words side by side, or one in quotes. */
  private name(expected: string): { name: string; at: number } {
    const first = this.tokens[this.next]
    if (first?.kind === 'text') {
      this.next += 1
      return { name: first.text.slice(1, -1), at: first.at }
    }
    const words: string[] = []
    for (; this.next < this.tokens.length; this.next++) {
      const { kind, text } = this.tokens[this.next]!
      if (kind !== 'word' || joins.has(text.toLowerCase())) break
      words.push(text)
    }
    if (!first || words.length === 0)
      throw wrong(`expected ${expected}${first ? ` but received ${describe(first.text)}` : ''}.`, first?.at ?? this.end)
    return { name: words.join(' '), at: first.at }
  }

  private takes(kind: Token['kind'], text: string): boolean {
    const token = this.tokens[this.next]
    if (token?.kind !== kind || token.text.toLowerCase() !== text) return false
    this.next += 1
    return true
  }

  private place(): number {
    return this.tokens[this.next]?.at ?? this.end
  }
}
