// The additive blend of a slide's channels: each one's samples over its contrast, in its colour. Pure.
import { sampleScale, type ChannelTile, type SlideChannel } from '../../app/contract'
import { rgbOf, type ChannelLook } from '../store/slices/channelsSlice'

/** What could not be read, as on the slide's own pictures (main/slide/hatch.ts). */
const hatchGrey = 150
const [hatchPeriodPx, hatchStripePx] = [12, 3]

/** Of each number that a sample can be, how bright it is: 0 … 1. */
export function brightnessTable(channel: SlideChannel, { low, high, gamma }: ChannelLook): Float32Array {
  const { first, step, most } = sampleScale(channel)
  const span = high > low ? high - low : step
  return Float32Array.from({ length: most + 1 }, (_, number) => {
    const part = (first + step * number - low) / span
    return part <= 0 ? 0 : part >= 1 ? 1 : part ** gamma
  })
}

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
