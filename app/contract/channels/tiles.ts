// What a tile of one channel is made of: its samples, which the page blends with other channels' as its user likes. The engine packs, the page unpacks.
import type { SlideChannel } from '../slides'

export interface ChannelTile {
  readonly width: number
  readonly height: number
  /** Row after row; sampleScale says what a number means. */
  readonly samples: Uint8Array | Uint16Array
  /** Px of the tile that the file could not give. */
  readonly holes: readonly { readonly x: number; readonly y: number; readonly width: number; readonly height: number }[]
}

/** A sample in the file's own units is first + step · number. Whole numbers of 8 and 16 bits go as they are; others are spread over 65,536 steps. */
export interface SampleScale {
  readonly first: number
  readonly step: number
  /** The largest number. */
  readonly most: 255 | 65535
}
export function sampleScale({ type, low, high }: Pick<SlideChannel, 'type' | 'low' | 'high'>): SampleScale {
  if (type === 'uint8' || type === 'int8') return { first: type === 'int8' ? -128 : 0, step: 1, most: 255 }
  if (type === 'uint16' || type === 'int16') return { first: type === 'int16' ? -32768 : 0, step: 1, most: 65535 }
  return { first: low, step: high > low ? (high - low) / 65535 : 1, most: 65535 }
}

/** The slide is shown as a blend of its channels: they are not the red, green and blue of one picture. */
export const isBlended = ({ channels }: { readonly channels: readonly Pick<SlideChannel, 'shown'>[] }): boolean =>
  channels.some(({ shown }) => shown === 'no' || shown === 'gray')

const magic = 0x4d434831
const headerInts = 5
const holeInts = 4
/** More count as one: all of the tile. */
const mostHoles = 1000

export function packChannelTile({ width, height, samples, holes }: ChannelTile): Uint8Array<ArrayBuffer> {
  const kept = holes.length > mostHoles ? [{ x: 0, y: 0, width, height }] : holes
  const head = 4 * (headerInts + holeInts * kept.length)
  const bytes = new Uint8Array(head + samples.byteLength)
  const ints = new Int32Array(bytes.buffer, 0, head / 4)
  ints.set([magic, width, height, samples.BYTES_PER_ELEMENT, kept.length])
  kept.forEach((hole, i) => ints.set([hole.x, hole.y, hole.width, hole.height], headerInts + holeInts * i))
  bytes.set(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength), head)
  return bytes
}

/** Throws where the bytes are none of packChannelTile's. */
export function unpackChannelTile(buffer: ArrayBuffer): ChannelTile {
  const ints = new Int32Array(buffer, 0, Math.floor(buffer.byteLength / 4))
  const [word, width = 0, height = 0, size = 0, count = 0] = ints
  const head = 4 * (headerInts + holeInts * count)
  if (word !== magic || (size !== 1 && size !== 2) || buffer.byteLength !== head + width * height * size)
    throw new Error(`expected a tile of a channel but received ${buffer.byteLength} other bytes`)
  const samples = size === 1 ? new Uint8Array(buffer, head) : new Uint16Array(buffer, head)
  const holes = Array.from({ length: count }, (_, i) => {
    const [x = 0, y = 0, wide = 0, high = 0] = ints.subarray(headerInts + holeInts * i)
    return { x, y, width: wide, height: high }
  })
  return { width, height, samples, holes }
}
