// The features of a GeoJSON text one after the other: a long text is parsed a feature at a time, so that others have the thread between them. Pure.
import { noFeatures, parsed, Reader } from './reader'
import type { Pieces } from './reader'

/** Shorter texts are parsed at once. */
const leastLong = 2 ** 20
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
