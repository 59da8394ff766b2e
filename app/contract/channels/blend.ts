// The additive blend of a slide's channels: each one's samples over its contrast, in its colour. Pure.
import type { ChannelLook } from '../records/slide'
import type { SlideChannel } from '../slides'
import { sampleScale, type ChannelTile } from './tiles'

/** What could not be read, as on the slide's own pictures (main/slide/hatch.ts). */
const hatchGrey = 150
const [hatchPeriodPx, hatchStripePx] = [12, 3]

/** Of each number that a sample can be, how bright it is: 0 … 1. */
export function brightnessTable(channel: SlideChannel, { low, high, gamma }: Readonly<ChannelLook>): Float32Array {
  const { first, step, most } = sampleScale(channel)
  const span = high > low ? high - low : step
  return Float32Array.from({ length: most + 1 }, (_, number) => {
    const part = (first + step * number - low) / span
    return part <= 0 ? 0 : part >= 1 ? 1 : part ** gamma
  })
}

export const rgbOf = (color: string): [number, number, number] => [
  Number.parseInt(color.slice(1, 3), 16),
  Number.parseInt(color.slice(3, 5), 16),
  Number.parseInt(color.slice(5, 7), 16),
]

export interface Layer {
  readonly tile: ChannelTile
  readonly table: Float32Array
  readonly color: string
}

/** RGBA of `width` × `height` px; without layers all black. `left` and `top`: the tile's place, for stripes that go on from tile to tile. */
export function blend(
  layers: readonly Layer[],
  { width, height, left, top }: { width: number; height: number; left: number; top: number },
): Uint8ClampedArray<ArrayBuffer> {
  const sums = new Float32Array(width * height * 3)
  for (const { tile, table, color } of layers) {
    const [red, green, blue] = rgbOf(color)
    const { samples } = tile
    for (let i = 0, to = 0; i < samples.length; i++, to += 3) {
      const value = table[samples[i]!]!
      if (value === 0) continue
      sums[to]! += value * red
      sums[to + 1]! += value * green
      sums[to + 2]! += value * blue
    }
  }
  const rgba = new Uint8ClampedArray(width * height * 4)
  for (let i = 0, from = 0; i < rgba.length; i += 4, from += 3) {
    rgba[i] = sums[from]!
    rgba[i + 1] = sums[from + 1]!
    rgba[i + 2] = sums[from + 2]!
    rgba[i + 3] = 255
  }
  for (const { tile } of layers)
    for (const hole of tile.holes)
      for (let y = hole.y; y < hole.y + hole.height; y++)
        for (let x = hole.x; x < hole.x + hole.width; x++)
          if ((left + x + top + y) % hatchPeriodPx < hatchStripePx)
            rgba.fill(hatchGrey, 4 * (y * width + x), 4 * (y * width + x) + 3)
  return rgba
}
