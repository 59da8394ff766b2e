// The colours of objects: told apart by colour-blind eyes, visible on H&E, and the same in every run.

/** One for each of colorCount (run/objectColor.ts). Okabe & Ito's set without black, and without the purple that drowns in a haematoxylin stain. */
export const palette: readonly (readonly [number, number, number])[] = [
  [0, 158, 115],
  [230, 159, 0],
  [86, 180, 233],
  [240, 228, 66],
  [213, 94, 0],
  [0, 114, 178],
]
