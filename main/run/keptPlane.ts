// An intermediate image as it is kept to be looked at: one byte a pixel.
import type { ObjectColumns, Plane } from '../../native/index'
import type { PixelRect } from '../base/rect'
import { colorCount, colorIndex } from './objectColor'
import type { Window } from './plan'

/** An intermediate image of the core. colored: 0 = background, n = colour n - 1 of objectColor. */
export interface KeptPlane {
  readonly name: string
  readonly kind: 'gray' | 'binary' | 'colored'
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

/**
 * Keeps parts of a window's images, `part` relative to its core. Labels become colours: of the object's first pixel where there is one, so
 * that they match across tiles; others have those of their numbers, which are the window's own.
 */
export function planeKeeper(objects: ObjectColumns, window: Window): (plane: Plane, part: PixelRect) => KeptPlane {
  const { label, firstX, firstY } = objects.columns
  let last = 0
  for (let row = 0; row < objects.count; row++) last = Math.max(last, label[row]!)
  const colors = new Uint8Array(last + 1)
  for (let row = 0; row < objects.count; row++) {
    colors[label[row]!] = 1 + colorIndex(window.x + firstX[row]!, window.y + firstY[row]!)
  }
  const colorOf = (n: number): number => (n === 0 ? 0 : colors[n] || 1 + (n % colorCount))
  return (plane, part) => {
    const { width, height } = part
    const data = new Uint8Array(width * height)
    for (let y = 0; y < height; y++) {
      const from = (part.y + y) * plane.width + part.x
      const row = plane.data.subarray(from, from + width)
      if (plane.kind !== 'labels') data.set(row, y * width)
      else for (let x = 0; x < width; x++) data[y * width + x] = colorOf(row[x]!)
    }
    return { name: plane.name, kind: plane.kind === 'labels' ? 'colored' : plane.kind, width, height, data }
  }
}
