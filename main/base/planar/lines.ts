// Segments on a grid of whole numbers, on which side of one a point lies, and what may be spent on them. Exact: products stay below 2^53. Pure.

/** Whole numbers below 2^25 in size, so that a cross product is exact. */
export const mostGrid = 2 ** 24

/** What may still be spent: a file of many shapes has one for all of them. Counted, not timed, so that it is the same on every machine. */
export interface Effort {
  pairs: number
  splits: number
}
export const newEffort = (splits = 1_000_000): Effort => ({ pairs: 2 ** 26, splits })

/** Lines that cross too often. `isFine`: they lie so near to each other that splitting does not end; a coarser grid may hold them. */
export class TooTangled extends Error {
  constructor(readonly isFine: boolean) {
    super('too tangled')
  }
}

/** x0, y0, x1, y1 of each; `of`: what it is a piece of. */
export interface Lines {
  readonly xy: Float64Array
  readonly of: Uint32Array
}

/** Of p and the line from a to b: above 0 on one side, below on the other. */
export const side = (ax: number, ay: number, bx: number, by: number, px: number, py: number): number =>
  (bx - ax) * (py - ay) - (by - ay) * (px - ax)
