// Colours of what was computed: scales that colour-blind eyes read in order, the ink of outlines, labels told apart. Pure.
import { interpolateCividis, interpolateMagma, interpolateViridis } from 'd3-scale-chromatic'

export type Rgb = readonly [number, number, number]
export const colourScales = ['viridis', 'cividis', 'magma', 'grey'] as const
export type ColourScale = (typeof colourScales)[number]

const interpolators: Readonly<Record<Exclude<ColourScale, 'grey'>, (t: number) => string>> = {
  viridis: interpolateViridis,
  cividis: interpolateCividis,
  magma: interpolateMagma,
}

/** "#440154" or "rgb(68, 1, 84)". */
function rgbOf(text: string): Rgb {
  const hex = /^#(..)(..)(..)$/.exec(text)
  const parts = hex ? hex.slice(1).map((part) => parseInt(part, 16)) : (text.match(/\d+/g) ?? []).map(Number)
  return [parts[0] ?? 0, parts[1] ?? 0, parts[2] ?? 0]
}

const tables = new Map<ColourScale, Uint8Array>()
/** 256 colours, red, green and blue one after the other. */
export function tableOf(scale: ColourScale): Uint8Array {
  const known = tables.get(scale)
  if (known) return known
  const table = new Uint8Array(256 * 3)
  for (let i = 0; i < 256; i++) table.set(scale === 'grey' ? [i, i, i] : rgbOf(interpolators[scale](i / 255)), i * 3)
  tables.set(scale, table)
  return table
}

/** Of a scale that begins at `from` of its 256 colours. */
export const gradientOf = (scale: ColourScale, from = 0): string => {
  const table = tableOf(scale)
  const stops = Array.from({ length: 17 }, (_, n) => {
    const at = Math.round(from + (n * (255 - from)) / 16) * 3
    return `rgb(${table[at]} ${table[at + 1]} ${table[at + 2]})`
  })
  return `linear-gradient(90deg, ${stops.join(', ')})`
}

/** What single-coloured outlines are drawn in: none comes near hematoxylin, eosin, DAB or glass; each has a dark rim. */
export const inks = {
  lime: [190, 255, 0],
  cyan: [0, 229, 255],
  yellow: [255, 214, 10],
  white: [255, 255, 255],
} as const satisfies Readonly<Record<string, Rgb>>
export type Ink = keyof typeof inks
export const cssOf = ([r, g, b]: Rgb): string => `rgb(${r} ${g} ${b})`

/** Labels as images: neighbours told apart, nothing more. Okabe & Ito's set without black and the purple that drowns in hematoxylin. */
export const labelColours: readonly Rgb[] = [
  [0, 158, 115],
  [230, 159, 0],
  [86, 180, 233],
  [240, 228, 66],
  [213, 94, 0],
  [0, 114, 178],
]

/** The place of a value on a scale of 256, from `low` to `high`. */
export function placeOn(value: number, low: number, high: number): number {
  if (!(high > low)) return value > low ? 255 : 0
  return Math.max(0, Math.min(255, Math.round(((value - low) / (high - low)) * 255)))
}

/** The smallest of 1, 2, 5 × 10ⁿ that is not below. */
export function roundUp(value: number): number {
  if (!(value > 0)) return 1
  const decade = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 5, 10].find((n) => n * decade >= value * (1 - 1e-9)) ?? 10) * decade
}

/** The values at two shares of all, of numbers in any order; null where there are none. */
export function spreadOf(
  values: readonly number[] | Float32Array,
  from: number,
  to: number,
): { low: number; high: number } | null {
  const sorted = Float64Array.from(values).filter(Number.isFinite).sort()
  if (sorted.length === 0) return null
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!
  return { low: at(from), high: at(to) }
}
