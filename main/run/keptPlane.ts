// An intermediate image as it is kept to be looked at: one byte a pixel.
import type { ObjectColumns, Plane } from '../../native/index'
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

/** Labels become colours: of the object's first pixel where there is one, so that they match across tiles. */
export function keepPlane(plane: Plane, objects: ObjectColumns, window: Window): KeptPlane {
  const { name, width, height } = plane
  if (plane.kind !== 'labels') return { name, kind: plane.kind, width, height, data: plane.data }
  const colors = new Map<number, number>()
  for (let row = 0; row < objects.count; row++) {
    const { label, firstX, firstY } = objects.columns
    colors.set(label[row]!, 1 + colorIndex(window.x + firstX[row]!, window.y + firstY[row]!))
  }
  const data = new Uint8Array(width * height)
  for (let i = 0; i < data.length; i++) {
    const label = plane.data[i]!
    if (label !== 0) data[i] = colors.get(label) ?? 1 + (label % colorCount)
  }
  return { name, kind: 'colored', width, height, data }
}
