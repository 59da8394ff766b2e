// Phrases with places for values, in two languages: finds the phrase that a text is made by, and makes the German one. Pure.

/** How a value is taken: as it is; a number alone; in German where it can be; in German, or the phrase does not fit. */
type Take = 'as it is' | 'number' | 'maybe' | 'must'
const takes: Readonly<Record<string, Take>> = { '': 'as it is', n: 'number', p: 'maybe', P: 'must' }

export interface Phrase {
  /** As the source of the program has it, its places as {}. */
  readonly english: string
  /** What stands before, between and behind the values. */
  readonly literals: readonly string[]
  readonly takes: readonly Take[]
  /** What stands before each value, which value that is, and last what stands behind. */
  readonly german: readonly { readonly before: string; readonly value: number }[]
  readonly end: string
  /** Values that are words, as the phrase alone has them. */
  readonly words: ReadonlyMap<string, string>
  /** How many letters must be there. */
  readonly weight: number
}

const hole = /\{([npP_]?)\}/g

/**
 * The phrases of a text: an English line without a space before it, the German one two spaces in, then lines of four: a word that stands
 * for a value, " = ", and the German one. A place in English is {}, {n}, {p} or {P} (see Take), or {_} where German leaves it out; in German it
 * is {} in the same order, or {1}, {2} …
 */
export function phrasesIn(text: string): Phrase[] {
  const phrases: Phrase[] = []
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  for (let i = 0; i < lines.length;) {
    const [english = '', german = ''] = lines.slice(i, i + 2)
    let next = i + 2
    while (lines[next]?.startsWith('    ')) next += 1
    const words = lines.slice(i + 2, next).map((line): [string, string] => {
      const [from = '', to] = line.slice(4).split(' = ')
      if (to === undefined) throw new Error(`expected "word = Wort" under "${english}" but received "${line}"`)
      return [from, to]
    })
    phrases.push(phraseOf(english, german, words))
    i = next
  }
  return phrases
}

function phraseOf(english: string, german: string, words: readonly [string, string][]): Phrase {
  const wrong = (why: string): Error => new Error(`${why}: "${english}" and "${german}"`)
  if (english.startsWith(' ') || !/^ {2}\S/.test(german)) throw wrong('expected an English line, then a German one two spaces in')
  const kinds = [...english.matchAll(hole)].map(([, kind = '']) => kind)
  const literals = english.split(hole).filter((_, k) => k % 2 === 0)
  if (literals.slice(1, -1).includes('')) throw wrong('expected something between two values')
  const places = kinds.flatMap((kind, k) => (kind === '_' ? [] : [k]))
  const parts: { before: string; value: number }[] = []
  let [from, turn] = [2, 0]
  for (const found of german.matchAll(/\{(\d?)\}/g)) {
    const value = found[1] === '' ? places[turn] : Number(found[1]) - 1
    turn += 1
    if (value === undefined || !places.includes(value)) throw wrong('expected the same values')
    parts.push({ before: german.slice(from, found.index), value })
    from = found.index + found[0].length
  }
  if (places.some((k) => parts.every(({ value }) => value !== k))) throw wrong('expected all values')
  return {
    english: english.replace(hole, '{}'),
    literals,
    takes: kinds.map((kind) => takes[kind] ?? 'as it is'),
    german: parts,
    end: german.slice(from),
    words: new Map(words),
    weight: literals.join('').length,
  }
}

const number = /^[-+−±]?\d[\d.,]*(e[-+]?\d+)?$/
/** Thousands and quotation marks as the window has them: the engine writes 12,345 and “name”. */
function ours(value: string): string {
  if (/^[-−]?\d{1,3}(,\d{3})+$/.test(value)) return value.replaceAll(',', '\u202f')
  return /^“[^“”]*”$/.test(value) ? `„${value.slice(1, -1)}“` : value
}

/** What one translation may still do, in letters that it looks at: a hostile text ends it, and is shown as it is. */
interface Budget {
  left: number
}
const mostLetters = 16_384
const mostLooks = 4_000_000
const deepest = 5
const mostSentences = 40

const sentenceEnd = /[.!?][”")]*\s+[“"(/\p{Lu}]/u
const firstWord = (text: string): string | null => /^\S+(?=\s)/.exec(text)?.[0] ?? null
const lastWord = (text: string): string | null => /(?<=\s)\S+$/.exec(text.slice(-80))?.[0] ?? null

export class Phrasebook {
  /** Phrases without a value, by themselves; others by their first word, or where a value is first by their last; then those with neither. */
  readonly #whole = new Map<string, Phrase>()
  readonly #first = new Map<string, Phrase[]>()
  readonly #last = new Map<string, Phrase[]>()
  readonly #open: Phrase[] = []
  readonly #maybeJoined: boolean

  /** `joined`: sentences and lists of the book's phrases are taken apart. */
  constructor(phrases: readonly Phrase[], joined = true) {
    this.#maybeJoined = joined
    for (const phrase of phrases) {
      const { literals } = phrase
      const [first, last] = [firstWord(literals[0]!), lastWord(literals.at(-1)!)]
      if (literals.length === 1) this.#whole.set(literals[0]!, phrase)
      else if (first !== null) put(this.#first, first, phrase)
      else if (last !== null) put(this.#last, last, phrase)
      else this.#open.push(phrase)
    }
  }

  /** The text in German; null: no phrase fits. */
  german(text: string): string | null {
    return text.length > mostLetters ? null : this.#german(text, 0, { left: mostLooks })
  }

  #german(text: string, depth: number, budget: Budget): string | null {
    if (depth > deepest || budget.left < 0) return null
    const whole = this.#whole.get(text)
    if (whole) return whole.end
    const found =
      this.#one(text, depth, budget, false) ??
      (this.#maybeJoined ? this.#sentences(text, depth, budget) : null) ??
      this.#one(text, depth, budget, true)
    if (found !== null || !text.endsWith('.')) return found
    // A phrase that stands as a sentence here, and as a part of one elsewhere.
    const part = this.#german(text.slice(0, -1), depth + 1, budget)
    return part === null ? null : `${part}.`
  }

  /** By one phrase: of those that fit the one that begins with its own words, and has most letters of its own. `mayBegin`: even with a value that looks like a sentence. */
  #one(text: string, depth: number, budget: Budget, mayBegin: boolean): string | null {
    const known = [
      ...(this.#first.get(firstWord(text) ?? '') ?? []),
      ...(this.#last.get(lastWord(text) ?? '') ?? []),
      ...this.#open,
    ]
    const fitting = known.flatMap((phrase) => {
      const values = valuesIn(text, phrase, budget)
      const isSentence = values !== null && phrase.literals[0] === '' && sentenceEnd.test(values[0]!)
      return values && isSentence === mayBegin ? [{ phrase, values }] : []
    })
    // What begins with words of its own is more likely meant than a part that begins with any value.
    const begins = ({ literals }: Phrase): number => (literals[0] === '' ? 0 : 1)
    fitting.sort((a, b) => begins(b.phrase) - begins(a.phrase) || b.phrase.weight - a.phrase.weight)
    for (const { phrase, values } of fitting) {
      const made = this.#filled(text, phrase, values, depth, budget)
      if (made !== null) return made
    }
    return null
  }

  #filled(of: string, phrase: Phrase, values: readonly string[], depth: number, budget: Budget): string | null {
    const { german, takes: how, words, end } = phrase
    let text = ''
    for (const { before, value } of german) {
      const own = values[value]!
      const known = words.get(own)
      const take = how[value]!
      const mayChange = known === undefined && (take === 'maybe' || take === 'must')
      const changed = known ?? (mayChange ? this.#german(own, depth + 1, budget) : null)
      if (changed === null && take === 'must' && !number.test(own)) return null
      const begins = text + before === '' && /^\p{Lu}/u.test(of)
      text += before + (changed === null ? ours(own) : begins ? changed.charAt(0).toUpperCase() + changed.slice(1) : changed)
    }
    return text + end
  }

  /** Several sentences, or parts of a list, each by a phrase. */
  #sentences(text: string, depth: number, budget: Budget): string | null {
    const list = text.includes('; ') ? text.split('; ') : []
    if (list.length > 1 && list.length <= mostSentences) {
      const parts = list.map((each) => this.#german(each, depth + 1, budget))
      if (parts.every((part) => part !== null)) return parts.join('; ')
    }
    const ends = [...text.matchAll(/[.!?][”")]*\s+(?=[“"(/\p{Lu}\d~])/gu)].slice(0, mostSentences)
    // The longest beginning that is one phrase, then what follows it.
    for (const found of ends.reverse()) {
      const at = found.index + found[0].trimEnd().length
      const begin = this.#one(text.slice(0, at), depth, budget, false) ?? this.#whole.get(text.slice(0, at))?.end ?? null
      if (begin === null) continue
      const rest = this.#german(text.slice(found.index + found[0].length), depth, budget)
      if (rest !== null) return `${begin} ${rest}`
    }
    return null
  }
}

function put(map: Map<string, Phrase[]>, key: string, phrase: Phrase): void {
  const known = map.get(key)
  if (known) known.push(phrase)
  else map.set(key, [phrase])
}

/** Each value is as short as it can be; null: the text is not made by the phrase. */
function valuesIn(text: string, { literals, takes: how }: Phrase, budget: Budget): string[] | null {
  const [first, last] = [literals[0]!, literals.at(-1)!]
  const end = text.length - last.length
  if (end < first.length || !text.startsWith(first) || !text.endsWith(last)) return null
  budget.left -= text.length
  if (budget.left < 0) return null
  const values: string[] = []
  let at = first.length
  for (const literal of literals.slice(1, -1)) {
    const found = text.indexOf(literal, at)
    if (found < 0 || found + literal.length > end) return null
    values.push(text.slice(at, found))
    at = found + literal.length
  }
  values.push(text.slice(at, end))
  return values.every((value, k) => how[k] !== 'number' || number.test(value)) ? values : null
}
