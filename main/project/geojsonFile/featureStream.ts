// The features of a GeoJSON text that comes a part at a time, in memory that does not grow with it. Pure.
import { codesOf } from './quickFeature'
import { longestFeature, noFeatures, noGeoJson, parsed, Reader } from './reader'
import type { Quick } from './reader'

/** A feature of a text that comes a part at a time. `value` undefined: what it says is no JSON, or too much. */
export interface StreamedFeature {
  readonly value: unknown
  /** As it is written; '' where it is too long. */
  readonly text: string
}

/**
 * The features of a text that comes a part at a time, of which no more is held than the one that is read: of a collection, a list, one feature, or
 * one after the other, a line each. `take` is called with each part; the features that are whole by then are given. Throws INVALID_PARAMETER
 * where it is no GeoJSON; what is wrong with one feature alone is its own.
 */
export class FeatureStream {
  readonly #reader: Reader
  readonly #steps: Streamed

  /** `quickly`: reads a feature that begins in a text, where JSON.parse need not read it. `isBytes`: each character is a byte of UTF-8; values are decoded, texts are not. */
  constructor(quickly: Quick | null = null, isBytes = false) {
    this.#reader = new Reader('', false, isBytes)
    this.#steps = streamed(this.#reader, quickly)
  }

  /** Gives undefined now and then, so that others have the thread. */
  *take(part: string): Generator<StreamedFeature | undefined, void, void> {
    this.#reader.push(part)
    yield* this.#next()
  }

  /** There is no more. */
  *end(): Generator<StreamedFeature | undefined, void, void> {
    this.#reader.ended = true
    yield* this.#next()
  }

  *#next(): Generator<StreamedFeature | undefined, void, void> {
    for (let step = this.#steps.next(); !step.done; step = this.#steps.next()) {
      if (step.value === 'wants') return
      yield step.value
    }
  }
}

type Streamed = Generator<StreamedFeature | 'wants' | undefined, void, void>

function* streamed(reader: Reader, quickly: Quick | null): Streamed {
  const first = yield* reader.upTo()
  if (first === '[') {
    yield* listed(reader, quickly)
    return yield* atEnd(reader)
  }
  let isFirst = true
  for (let next = first; next !== '' || isFirst; next = yield* reader.upTo()) {
    if (next !== '{') throw isFirst ? noFeatures() : noGeoJson(`there is more behind its end, at character ${reader.at}`)
    const isCollection = yield* document(reader, isFirst, quickly)
    if (isCollection) return yield* atEnd(reader)
    isFirst = false
  }
}

function* atEnd(reader: Reader): Streamed {
  if ((yield* reader.upTo()) !== '') throw noGeoJson(`there is more behind its end, at character ${reader.at}`)
}

/** An object that begins here: a collection, which it says, or a feature. */
function* document(
  reader: Reader,
  isFirst: boolean,
  quickly: Quick | null,
): Generator<StreamedFeature | 'wants' | undefined, boolean, void> {
  const from = (reader.held = reader.at)
  let isCollection = false
  let type: unknown
  yield* reader.taken('{')
  if ((yield* reader.upTo()) === '}') reader.at += 1
  else
    for (let next = ','; next === ','; reader.at += 1) {
      yield* reader.upTo()
      const keyAt = reader.at
      yield* reader.value()
      const key = parsed(reader.slice(keyAt, reader.at) ?? '""')
      yield* reader.taken(':')
      const begins = yield* reader.upTo()
      if (key === 'features' && begins === '[') {
        if (isCollection) throw noGeoJson('it has two lists of features')
        isCollection = true
        yield* listed(reader, quickly)
      } else {
        const at = reader.at
        yield* reader.value()
        if (key === 'type') type = reader.lenient(reader.slice(at, reader.at))
      }
      if (isCollection || reader.at - from > longestFeature) reader.held = reader.at
      next = yield* reader.upTo()
      if (next !== ',' && next !== '}') yield* reader.taken('}')
    }
  if (isCollection) return true
  if (type !== 'Feature' && isFirst) throw noFeatures()
  const text = reader.slice(from, reader.at)
  const found = text === null ? undefined : quickly?.(text, 0, codesOf(text))
  yield { value: found && found.end === text!.length ? found.value : reader.lenient(text), text: text ?? '' }
  return false
}

function* listed(reader: Reader, quickly: Quick | null): Streamed {
  yield* reader.taken('[')
  if ((yield* reader.upTo()) === ']') {
    reader.at += 1
    return
  }
  for (let next = ','; next === ','; reader.at += 1) {
    yield* reader.upTo()
    const from = (reader.held = reader.at)
    const found = quickly === null ? undefined : reader.quickly(quickly)
    if (found === undefined) yield* reader.value()
    const text = reader.slice(from, reader.at)
    yield { value: found ?? reader.lenient(text), text: text ?? '' }
    reader.held = reader.at
    next = yield* reader.upTo()
    if (next !== ',' && next !== ']') yield* reader.taken(']')
  }
}
