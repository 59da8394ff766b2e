// The features of a GeoJSON text one after the other: a long text is parsed a feature at a time, so that others have the thread between them. Pure.
import { EngineError } from '../../base/errors'

/** The share that is read; without a feature: nothing more was found yet. */
export interface FoundPiece {
  readonly share: number
  readonly feature?: { readonly value: unknown }
}
type Pieces = Generator<FoundPiece, void, void>

/** Shorter texts are parsed at once. */
const leastLong = 2 ** 20
/** So much is looked through in one step. */
const stepLength = 2 ** 17

type Fields = Readonly<Record<string, unknown>>
const fieldsOf = (value: unknown): Fields | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null

/** Throws INVALID_PARAMETER where it is no GeoJSON, which may be said at its end. `long`: of how many characters a text is read in pieces. */
export function* featuresOf(given: string, long = leastLong): Pieces {
  const text = given.charCodeAt(0) === 0xfeff ? given.slice(1) : given
  if (text.length < long) return yield* ofDocument(parsed(text))
  const reader = new Reader(text)
  const first = reader.next()
  // QuPath's older versions wrote a bare list.
  if (first === '[') {
    yield* reader.elements(reader.at)
    return reader.end()
  }
  if (first !== '{') return yield* ofDocument(parsed(text))
  const { features, type } = yield* reader.members()
  reader.end()
  if (type === 'Feature') yield { share: 0, feature: { value: parsed(text) } }
  else if (features === null) throw noFeatures()
  else yield* reader.elements(features)
}

function* ofDocument(document: unknown): Pieces {
  const fields = fieldsOf(document)
  const features = Array.isArray(document) ? document : fields?.type === 'Feature' ? [document] : fields?.features
  if (!Array.isArray(features)) throw noFeatures()
  for (const [at, value] of (features as unknown[]).entries()) yield { share: at / features.length, feature: { value } }
}

const noFeatures = (): EngineError =>
  new EngineError('INVALID_PARAMETER', 'expected a FeatureCollection for the GeoJSON but received none.')
const noGeoJson = (why: string): EngineError => new EngineError('INVALID_PARAMETER', `This is no GeoJSON: ${why}.`)

/** Steps over values by their brackets and quotes alone; what is in each JSON.parse says. */
class Reader {
  at = 0
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  /** The next character that is no space; '': there is none. */
  next(): string {
    while (/[ \t\n\r]/.test(this.#text.charAt(this.at))) this.at += 1
    return this.#text.charAt(this.at)
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

function parsed(text: string): unknown {
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
