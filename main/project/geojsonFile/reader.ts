// Steps over the values of a GeoJSON text, whole or a part at a time, by brackets and quotes alone. Pure.
import { EngineError } from '../../base/errors'
import { codesOf, utf8Of } from './quickFeature'
import type { Codes, QuickFound } from './quickFeature'

/** The share that is read; without a feature: nothing more was found yet. */
export interface FoundPiece {
  readonly share: number
  readonly feature?: { readonly value: unknown }
}
export type Pieces = Generator<FoundPiece, void, void>

/** Reads a feature that begins in a text; undefined: JSON.parse is to. */
export type Quick = (text: string, begins: number, codes: Codes) => QuickFound | undefined

/** So much is looked through in one step. */
const stepLength = 2 ** 17

/** Of one feature of a text that comes a part at a time, in characters: more is stepped over. */
export const longestFeature = 2 ** 24

export const noFeatures = (): EngineError =>
  new EngineError('INVALID_PARAMETER', 'expected a FeatureCollection for the GeoJSON but received none.')
export const noGeoJson = (why: string): EngineError => new EngineError('INVALID_PARAMETER', `This is no GeoJSON: ${why}.`)

/** Steps over values by their brackets and quotes alone; what is in each JSON.parse says. Places are of the whole text. */
export class Reader {
  at = 0
  /** Of a text that comes a part at a time: what lies before it is nobody's. */
  held = 0
  ended: boolean
  #text: string
  /** So much of the text is not held any more. */
  #before = 0
  /** Of the text; null: nobody has wanted them yet. */
  #codes: Codes | null = null
  readonly #isBytes: boolean

  /** `isBytes`: each character is a byte of UTF-8, which makes reading quick. */
  constructor(text: string, ended = true, isBytes = false) {
    this.#text = text
    this.ended = ended
    this.#isBytes = isBytes
  }

  push(part: string): void {
    const from = Math.min(this.held, this.at) - this.#before
    this.#before += from
    if (this.#isBytes) {
      // One piece of memory: what was put together is slower to take from.
      const codes = Buffer.allocUnsafe(this.#text.length - from + part.length)
      codes.write(part, codes.write(this.#text.slice(from), 'latin1'), 'latin1')
      this.#codes = codes
      this.#text = codes.toString('latin1')
    } else {
      this.#text = this.#text.slice(from) + part
      this.#codes = null
    }
  }

  /** What `quick` reads of a value that begins here, which it is behind then; undefined: nothing, and it stays here. */
  quickly(quick: Quick): unknown {
    this.#codes ??= codesOf(this.#text)
    const found = quick(this.#text, this.at - this.#before, this.#codes)
    if (found === undefined || found.end - (this.at - this.#before) > longestFeature) return undefined
    this.at = this.#before + found.end
    return found.value
  }

  /** What a text of this reader's says; undefined: it is no JSON. */
  lenient(text: string | null): unknown {
    if (text === null) return undefined
    try {
      return parsed(this.#isBytes ? utf8Of(text) : text)
    } catch {
      return undefined
    }
  }

  /** null: it was too long to be held. */
  slice(from: number, to: number): string | null {
    return from < this.#before || to - from > longestFeature ? null : this.#text.slice(from - this.#before, to - this.#before)
  }

  /** The next character that is no space; '': there is none here. */
  next(): string {
    while (/[ \t\n\r\u001e]/.test(this.#text.charAt(this.at - this.#before))) this.at += 1
    return this.#text.charAt(this.at - this.#before)
  }

  *upTo(): Generator<'wants', string, void> {
    for (let next = this.next(); ; next = this.next()) {
      if (next !== '' || this.ended) return next
      if (this.held > this.at) this.held = this.at
      yield 'wants'
    }
  }

  *taken(wanted: string): Generator<'wants', void, void> {
    yield* this.upTo()
    this.#take(wanted)
  }

  #take(wanted: string): void {
    if (this.next() !== wanted)
      throw noGeoJson(`expected ${wanted} at character ${this.at} but found ${this.next() || 'the end of the file'}`)
    this.at += 1
  }

  /** Nothing is behind it. */
  end(): void {
    if (this.next() !== '') throw noGeoJson(`there is more behind its end, at character ${this.at}`)
  }

  /** Of an object that begins here: where its list of features begins, and its type. The last of a name counts, as in JSON. */
  *members(): Generator<FoundPiece, { features: number | null; type: unknown }, void> {
    let [features, type]: [number | null, unknown] = [null, undefined]
    this.#take('{')
    if (this.next() === '}') this.at += 1
    else
      for (let next = ','; next === ','; this.at += 1) {
        this.next()
        const key = parsed(this.#text.slice(this.at, (this.at = endOfString(this.#text, this.at))))
        this.#take(':')
        const isList = this.next() === '['
        const from = this.at
        yield* this.#over()
        if (key === 'features') features = isList ? from : null
        // What is in the list is judged with its elements.
        if (key !== 'features' || !isList) {
          const value = parsed(this.#text.slice(from, this.at))
          if (key === 'type') type = value
        }
        next = this.next()
        if (next !== ',' && next !== '}') this.#take('}')
      }
    return { features, type }
  }

  /** Those of the list that begins at `from`; it ends behind it. */
  *elements(from: number): Pieces {
    this.at = from
    this.#take('[')
    if (this.next() === ']') {
      this.at += 1
      return
    }
    for (let next = ','; next === ','; this.at += 1) {
      this.next()
      const start = this.at
      yield* this.#over()
      const value = parsed(this.#text.slice(start, this.at))
      yield { share: start / this.#text.length, feature: { value } }
      next = this.next()
      if (next !== ',' && next !== ']') this.#take(']')
    }
  }

  /** The same as `#over`, of a text that comes a part at a time: what is too long is stepped over, and held no more. */
  *value(): Generator<'wants' | undefined, void, void> {
    const start = this.at
    let depth = 0
    let isInString = false
    for (;;) {
      const [text, before] = [this.#text, this.#before]
      let at = this.at - before
      const end = Math.min(text.length, at + stepLength)
      let isDone = false
      while (at < end && !isDone) {
        const code = text.charCodeAt(at)
        if (isInString) {
          // What is escaped may come with the next part.
          if (code === 0x5c) at += 1
          else if (code === 0x22) {
            isInString = false
            isDone = depth === 0
          }
        } else if (code === 0x22) isInString = true
        // Every bracket has these bits, and little else: most characters end here.
        else if (depth === 0 || (code & 0x59) === 0x59) {
          const isClosing = code === 0x5d || code === 0x7d
          if (code === 0x5b || code === 0x7b) depth += 1
          else if (isClosing && depth > 0) {
            depth -= 1
            isDone = depth === 0
          } else if (depth === 0 && (isClosing || code === 0x2c || code === 0x3a || code <= 0x20)) break
        }
        at += 1
      }
      this.at = at + before
      if (isDone || at < end) return
      if (at < text.length) {
        yield undefined
        continue
      }
      if (this.ended) return
      if (this.at - start > longestFeature) this.held = before + text.length
      yield 'wants'
    }
  }

  /** Over one value, to behind it. */
  *#over(): Pieces {
    const text = this.#text
    let depth = 0
    for (let rest = this.at + stepLength; this.at < text.length; this.at += 1) {
      if (this.at >= rest) {
        yield { share: 0 }
        rest = this.at + stepLength
      }
      const code = text.charCodeAt(this.at)
      const isOpening = code === 0x5b || code === 0x7b
      const isClosing = code === 0x5d || code === 0x7d
      if (code === 0x22) this.at = endOfString(text, this.at) - 1
      else if (isOpening) depth += 1
      else if (isClosing && depth > 0) depth -= 1
      else if (depth === 0 && (isClosing || code === 0x2c || code === 0x3a || code <= 0x20)) return
      if (depth === 0 && (code === 0x22 || isClosing)) {
        this.at += 1
        return
      }
    }
  }
}

/** Throws INVALID_PARAMETER. NaN and Infinity are null. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    try {
      return JSON.parse(withoutBareNaN(text))
    } catch {
      throw noGeoJson(error instanceof Error ? error.message : String(error))
    }
  }
}

/** NaN and Infinity, which Python and Java write outside of strings, as null. Linear. */
function withoutBareNaN(text: string): string {
  const pieces: string[] = []
  const token = /["NI-]/g
  let done = 0
  for (let found = token.exec(text); found; found = token.exec(text)) {
    const at = found.index
    if (text[at] === '"') {
      token.lastIndex = endOfString(text, at)
      continue
    }
    const word = ['NaN', 'Infinity', '-Infinity', '-NaN'].find((each) => text.startsWith(each, at))
    if (!word) continue
    pieces.push(text.slice(done, at), 'null')
    done = at + word.length
    token.lastIndex = done
  }
  return pieces.join('') + text.slice(done)
}

function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0
    while (text[at - 1 - slashes] === '\\') slashes += 1
    if (slashes % 2 === 0) return at + 1
  }
  return text.length
}
