// Which of a few colours an object has: the same in every tile, picture and run. What they look like is the overlay's palette.

export const colorCount = 6

/** Decided by its first pixel alone, so that it keeps it when others come and go. */
export function colorIndex(firstX: number, firstY: number): number {
  let h = Math.imul(firstX ^ 0x27d4eb2f, 0x9e3779b1) ^ Math.imul(firstY ^ 0x165667b1, 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 15), 0xc2b2ae35)
  return ((h ^ (h >>> 13)) >>> 0) % colorCount
}
