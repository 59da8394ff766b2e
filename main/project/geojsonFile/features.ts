// What a feature of a GeoJSON file says, read leniently: programs write names as numbers, and classes as text. Pure.
import type { CorePlace } from '../../../app/contract'
import { coreIn } from './cores'

/** What was read of a feature; a string: why nothing was. */
export interface FoundFeature {
  readonly id: unknown
  /** '': it does not say. */
  readonly kind: string
  readonly geometry: Geometry | null
  /** Of a cell. */
  readonly nucleus: Geometry | null
  readonly name: string
  readonly isLocked: boolean
  /** It is a place of a tissue microarray; null: it is none, or does not say which. */
  readonly core: CorePlace | null
  readonly className: string
  readonly color: string
}

export type Geometry = Readonly<Record<string, unknown>>
type Fields = Readonly<Record<string, unknown>>
const fieldsOf = (value: unknown): Fields | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null

/** null: it is no feature. */
export function featureOf(value: unknown): FoundFeature | null {
  const feature = fieldsOf(value)
  if (!feature || (feature.type !== undefined && feature.type !== 'Feature')) return null
  const properties = fieldsOf(feature.properties) ?? {}
  const kind = properties.objectType ?? properties.object_type
  const named =
    // QuPath's older versions said it in place of an id.
    typeof kind === 'string' ? kind : typeof feature.id === 'string' && /^(Path|TMA)\w+Object$/.test(feature.id) ? feature.id : ''
  const name = clean(wordOf(properties.name))
  return {
    id: feature.id,
    kind: named,
    geometry: geometryOf(feature.geometry),
    nucleus: geometryOf(feature.nucleusGeometry),
    name,
    core: coreIn(named, name, properties.isMissing === true, fieldsOf(properties.metadata), (text) => clean(wordOf(text))),
    isLocked: properties.isLocked === true,
    ...classOf(properties.classification),
  }
}

function geometryOf(value: unknown): Geometry | null {
  const geometry = fieldsOf(value)
  return geometry && typeof geometry.type === 'string' ? geometry : null
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

export const hexOf = (rgb: readonly number[]): string => `#${rgb.map((part) => part.toString(16).padStart(2, '0')).join('')}`
