// The features in a GeoJSON file's text, and what each says, read leniently: programs write names as numbers, NaN, and classes as text. Pure.
import { EngineError } from '../../base/errors'

/** What was read of a feature; a string: why nothing was. */
export interface FoundFeature {
  readonly id: unknown
  readonly kind: string
  readonly geometry: Readonly<Record<string, unknown>> | null
  readonly name: string
  readonly isLocked: boolean
  readonly className: string
  readonly color: string
}

type Fields = Readonly<Record<string, unknown>>
const fieldsOf = (value: unknown): Fields | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null

/** Throws INVALID_PARAMETER where it is no GeoJSON. */
export function featuresOf(text: string): readonly unknown[] {
  const document = parsed(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)
  // QuPath's older versions wrote a bare list.
  const features = Array.isArray(document)
    ? (document as unknown[])
    : fieldsOf(document)?.type === 'Feature'
      ? [document]
      : fieldsOf(document)?.features
  if (!Array.isArray(features))
    throw new EngineError('INVALID_PARAMETER', 'expected a FeatureCollection for the GeoJSON but received none.')
  return features as unknown[]
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    try {
      return JSON.parse(withoutBareNaN(text))
    } catch {
      throw new EngineError('INVALID_PARAMETER', `This is no GeoJSON: ${error instanceof Error ? error.message : String(error)}.`)
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

/** null: it is no feature. */
export function featureOf(value: unknown): FoundFeature | null {
  const feature = fieldsOf(value)
  if (!feature || (feature.type !== undefined && feature.type !== 'Feature')) return null
  const properties = fieldsOf(feature.properties) ?? {}
  const kind = properties.objectType ?? properties.object_type
  const geometry = fieldsOf(feature.geometry)
  return {
    id: feature.id,
    kind: typeof kind === 'string' ? kind : 'annotation',
    geometry: geometry && typeof geometry.type === 'string' ? geometry : null,
    name: clean(wordOf(properties.name)),
    isLocked: properties.isLocked === true,
    ...classOf(properties.classification),
  }
}

const wordOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''

/** What a name can be here: one line of 200 characters. */
function clean(name: string): string {
  const line = name
    .slice(0, 1000)
    .replace(/[\p{Cc}\p{Cs}]/gu, ' ')
    .trim()
  // A character of two code units stays whole.
  return line.length <= 200 ? line : line.slice(0, 200).replace(/[\ud800-\udbff]$/, '')
}

function classOf(value: unknown): { className: string; color: string } {
  const found = fieldsOf(value)
  const names = found?.names
  const joined = Array.isArray(names) ? names.slice(0, 100).map(wordOf).join(': ') : ''
  const className = clean(found ? wordOf(found.name) || joined : Array.isArray(value) ? '' : wordOf(value))
  return { className, color: colorOf(found) }
}

function colorOf(found: Fields | null): string {
  const { color, colorRGB } = found ?? {}
  const isByte = (part: unknown): part is number => Number.isInteger(part) && (part as number) >= 0 && (part as number) <= 255
  const parts: unknown[] = Array.isArray(color) ? color.slice(0, 3) : []
  if (parts.length === 3 && parts.every(isByte)) return hexOf(parts)
  const packed = typeof colorRGB === 'number' && Number.isInteger(colorRGB) ? colorRGB : 0x808080
  return hexOf([(packed >> 16) & 255, (packed >> 8) & 255, packed & 255])
}

const hexOf = (rgb: readonly number[]): string => `#${rgb.map((part) => part.toString(16).padStart(2, '0')).join('')}`
