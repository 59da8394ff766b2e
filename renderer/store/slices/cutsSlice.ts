// Where the field on screen turns by the slider that is looked at: its histogram, and what is above a value. Pure.
import type { Cuts, ParamSpec } from '../../../app/contract'

export interface CutsState {
  /** "stage.key" of the slider; null: none was looked at. */
  readonly param: string | null
  /** What was asked: slide, field and all other values. */
  readonly key: string | null
  readonly cuts: Cuts | null
  /** Of each px, of how many of the slider's first values it is above. */
  readonly values: Uint8Array | null
  /** Px by that number, 256 of them. */
  readonly counts: readonly number[] | null
  /** It moves just now: what is above is coloured. */
  readonly moving: boolean
}
export const noCuts: CutsState = { param: null, key: null, cuts: null, values: null, counts: null, moving: false }

type Slider = Pick<Extract<ParamSpec, { kind: 'number' }>, 'min' | 'max' | 'step'>

export function countsOf(values: Uint8Array): number[] {
  const counts = new Array<number>(256).fill(0)
  for (const value of values) counts[value] = counts[value]! + 1
  return counts
}

export const stepsOf = ({ min, max, step }: Slider): number => Math.round((max - min) / step)
/** The slider's last value that is not above `value`, counted from its first. */
export const stepOf = ({ min, step }: Slider, value: number): number => Math.floor((value - min) / step + 1e-6)

/** Of all px, 0 … 1. */
export function shareAbove(counts: readonly number[], step: number): number {
  const all = counts.reduce((sum, count) => sum + count, 0)
  const above = counts.reduce((sum, count, k) => sum + (k > step ? count : 0), 0)
  return all === 0 ? 0 : above / all
}

/**
 * The histogram's silhouette in a box of steps × 1, from step `from` on: what turns between two values stands between them, its height by
 * the root of its count, so that few px show beside many. What no value of the slider divides has no place in it.
 */
export function silhouette(counts: readonly number[], steps: number, from: number): string {
  const heights = counts.slice(1, steps + 1).map(Math.sqrt)
  const top = Math.max(1, ...heights)
  let path = ''
  heights.forEach((height, i) => {
    if (i < from || height === 0) return
    const y = 1 - height / top
    path += `M${i} 1V${y.toFixed(4)}H${i + 1}V1Z`
  })
  return path
}

/** RGBA of the field: what is above the step in one colour, all else clear. */
export function colourAbove(values: Uint8Array, step: number, into: Uint8ClampedArray): void {
  const pixels = new Uint32Array(into.buffer, into.byteOffset, values.length)
  // Little-endian, as every machine that runs this: alpha, blue, green, red.
  const colour = (0xa0 << 24) | (0x00 << 16) | (0xc8 << 8) | 0xff
  for (let i = 0; i < values.length; i++) pixels[i] = values[i]! > step ? colour >>> 0 : 0
}
