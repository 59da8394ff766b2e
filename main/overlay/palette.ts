// The colours of objects: told apart by colour-blind eyes, visible on H&E, and the same in every run.

/** Okabe & Ito's set without black, and without the purple that drowns in a haematoxylin stain. */
export const palette: readonly (readonly [number, number, number])[] = [
  [0, 158, 115],
  [230, 159, 0],
  [86, 180, 233],
  [240, 228, 66],
  [213, 94, 0],
  [0, 114, 178],
]

/** Which colour an object has: decided by its first pixel alone, so that it keeps it when others come and go. */
export function colorIndex(firstX: number, firstY: number): number {
  let h = Math.imul(firstX ^ 0x27d4eb2f, 0x9e3779b1) ^ Math.imul(firstY ^ 0x165667b1, 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 15), 0xc2b2ae35)
  return ((h ^ (h >>> 13)) >>> 0) % palette.length
}
