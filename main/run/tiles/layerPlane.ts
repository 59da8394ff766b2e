// An intermediate image as it is kept to be looked at: one byte a pixel.
import type { TilePlanes } from '../../../native/index'

/** So many colours objects are told apart by; what they look like is the overlay's palette. */
export const colorCount = 6

/** An intermediate image of a tile. colored: 0 = background, else 1 … colorCount. */
export interface LayerPlane {
  readonly name: string
  readonly kind: 'gray' | 'binary' | 'colored'
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

/** Those of tile `i`, in memory that is the tile's own: it goes with the tile. */
export function planesOf({ planes, tiles }: TilePlanes, i: number): readonly LayerPlane[] {
  const { width, height, data } = tiles[i]!
  const bytes = width * height
  return planes.map((plane, n) => ({ ...plane, width, height, data: data.subarray(n * bytes, (n + 1) * bytes) }))
}
