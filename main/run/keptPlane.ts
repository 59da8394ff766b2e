// An intermediate image as it is kept to be looked at: one byte a pixel.
import type { Plane } from '../../native/index'
import type { PixelRect } from '../base/rect'
import { colorCount, colorIndex } from './objectColor'

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
 * that they match across tiles; others have those of their numbers, which are the window's own. `numbers`: label, x, y of each object.
 */
export function planeKeeper(numbers: Int32Array): (plane: Plane, part: PixelRect) => KeptPlane {
  let last = 0
  for (let i = 0; i < numbers.length; i += 3) last = Math.max(last, numbers[i]!)
  const colors = new Uint8Array(last + 1)
  for (let i = 0; i < numbers.length; i += 3) colors[numbers[i]!] = 1 + colorIndex(numbers[i + 1]!, numbers[i + 2]!)
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
