// Paints objects into a tile of pixels: filled, or the object's pixels that have a 4-neighbour outside it. No encoding.
import type { OverlayStyle } from '../../app/contract'
import { paintIds as nativePaintIds, tokenOf } from '../../native/index'
import type { PaintWindow } from '../../native/index'
import type { PixelRect } from '../base/rect'
import type { RunObject } from '../run/result'
import { colorIndex } from '../run/objectColor'
import { palette } from './palette'

export type PaintObject = Pick<RunObject, 'firstX' | 'firstY' | 'runs'>

/** Objects whose runs are handed to a thread at once: bounds the copy, and how long the engine's own thread is kept. */
const batchSize = 2000

/**
 * Which object each pixel of a window shows, as `idOf` numbers them: painted in the native engine's threads. Of several objects a pixel shows
 * the last in the list.
 */
export async function paintIds(
  objects: readonly Pick<PaintObject, 'runs'>[],
  idOf: (index: number) => number,
  window: PaintWindow,
  signal?: AbortSignal,
): Promise<Int32Array<ArrayBuffer> | null> {
  const token = signal && tokenOf(signal)
  let painted: Int32Array<ArrayBuffer> | null = null
  for (let start = 0; start < objects.length; start += batchSize) {
    signal?.throwIfAborted()
    const batch = objects.slice(start, start + batchSize)
    const each = batch.map(({ runs }) => runs)
    const runs = new Int32Array(each.reduce((sum, own) => sum + own.length, 0))
    const runOffsets = new Int32Array(batch.length + 1)
    let at = 0
    for (const [i, own] of each.entries()) {
      runs.set(own, at)
      at += own.length
      runOffsets[i + 1] = at / 3
    }
    const ids = Int32Array.from(batch, (_, i) => idOf(start + i))
    const part = await nativePaintIds(runs, runOffsets, ids, window, token)
    if (!painted) painted = part
    else for (let i = 0; i < part.length; i++) if (part[i] !== 0) painted[i] = part[i]!
  }
  return painted
}

/**
 * RGBA of a square tile of `sizePx`, tile (x, y) of a plane whose pixels each stand for 2^level × 2^level analysed px. A pixel
 * belongs to an object if any of its analysed pixels does; where several do, to the last in the list.
 */
export async function paintObjects(
  objects: readonly PaintObject[],
  style: OverlayStyle,
  sizePx: number,
  level: number,
  x: number,
  y: number,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const rgba = new Uint8Array(sizePx * sizePx * 4)
  // One pixel more on each side, so that an outline does not depend on the tile's edge.
  const side = sizePx + 2
  const window = { left: x * sizePx - 1, top: y * sizePx - 1, level, width: side, height: side }
  const owner = await paintIds(objects, (index) => index + 1, window, signal)
  if (!owner) return rgba
  for (let j = 0; j < sizePx; j++) {
    for (let i = 0; i < sizePx; i++) {
      const at = (j + 1) * side + i + 1
      const n = owner[at]!
      if (n === 0) continue
      const inside =
        style === 'outline' && owner[at - 1] === n && owner[at + 1] === n && owner[at - side] === n && owner[at + side] === n
      if (inside) continue
      const { firstX, firstY } = objects[n - 1]!
      const [red, green, blue] = palette[colorIndex(firstX, firstY)]!
      const to = (j * sizePx + i) * 4
      rgba[to] = red
      rgba[to + 1] = green
      rgba[to + 2] = blue
      rgba[to + 3] = 255
    }
  }
  return rgba
}

/** What paintObjects needs to know: the analysed px whose objects can show in the tile, its margin included. */
export function paintedArea(sizePx: number, level: number, x: number, y: number): PixelRect {
  const step = 2 ** level
  return { x: (x * sizePx - 1) * step, y: (y * sizePx - 1) * step, width: (sizePx + 2) * step, height: (sizePx + 2) * step }
}

/** Four tiles side by side, halved: colours averaged by how much they cover, so that a far view shows density. Order: 00 10 01 11. */
export function halve(parts: readonly (Uint8Array | null)[], sizePx: number): Uint8Array<ArrayBuffer> {
  const rgba = new Uint8Array(sizePx * sizePx * 4)
  const half = sizePx / 2
  parts.forEach((part, n) => {
    if (!part) return
    const left = (n % 2) * half
    const top = Math.floor(n / 2) * half
    for (let j = 0; j < half; j++) {
      for (let i = 0; i < half; i++) {
        let red = 0
        let green = 0
        let blue = 0
        let alpha = 0
        for (let k = 0; k < 4; k++) {
          const at = ((j * 2 + (k >> 1)) * sizePx + i * 2 + (k & 1)) * 4
          const a = part[at + 3]!
          red += part[at]! * a
          green += part[at + 1]! * a
          blue += part[at + 2]! * a
          alpha += a
        }
        if (alpha === 0) continue
        const to = ((top + j) * sizePx + left + i) * 4
        rgba[to] = Math.round(red / alpha)
        rgba[to + 1] = Math.round(green / alpha)
        rgba[to + 2] = Math.round(blue / alpha)
        rgba[to + 3] = Math.round(alpha / 4)
      }
    }
  })
  return rgba
}

/** An intermediate image as opaque RGBA. */
export function paintPlane(kind: 'gray' | 'binary' | 'colored', data: Uint8Array): Uint8Array<ArrayBuffer> {
  const rgba = new Uint8Array(data.length * 4)
  for (let i = 0; i < data.length; i++) {
    const value = data[i]!
    const to = i * 4
    if (kind === 'colored') {
      // Background of a label image is black, as in every other intermediate image.
      const [red, green, blue] = value === 0 ? [0, 0, 0] : palette[(value - 1) % palette.length]!
      rgba[to] = red
      rgba[to + 1] = green
      rgba[to + 2] = blue
    } else {
      const gray = kind === 'binary' ? (value === 0 ? 0 : 255) : value
      rgba[to] = gray
      rgba[to + 1] = gray
      rgba[to + 2] = gray
    }
    rgba[to + 3] = 255
  }
  return rgba
}

/** Copies an image into the top left corner of a transparent square. */
export function padded(rgba: Uint8Array, width: number, height: number, sizePx: number): Uint8Array<ArrayBuffer> {
  const square = new Uint8Array(sizePx * sizePx * 4)
  for (let y = 0; y < height; y++) square.set(rgba.subarray(y * width * 4, (y + 1) * width * 4), y * sizePx * 4)
  return square
}
