// What a file that comes in is, by its first bytes: names are what people make of them. Pure.

/** So many first bytes tell. */
export const formBytes = 8

const starts = {
  tiff: [
    [0x49, 0x49, 0x2a, 0],
    [0x49, 0x49, 0x2b, 0],
    [0x4d, 0x4d, 0, 0x2a],
    [0x4d, 0x4d, 0, 0x2b],
  ],
  png: [[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  npy: [[0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59]],
} as const

/** Of a label image its format; null: it is none. */
export function imageFormOf(first: Uint8Array): keyof typeof starts | null {
  const begins = (start: readonly number[]): boolean => start.every((byte, i) => first[i] === byte)
  const found = Object.entries(starts).find(([, each]) => each.some(begins))
  return found ? (found[0] as keyof typeof starts) : null
}

/** Whether a file is Parquet, by its first bytes. */
export const isParquet = (first: Uint8Array): boolean => String.fromCharCode(...first.subarray(0, 4)) === 'PAR1'

/** Whether a file that is an image is named as label images are, as "x_cp_masks.png" is: others may be slides. */
export const isNamedLabels = (name: string): boolean =>
  /\.npy$/i.test(name) ||
  (/\.(png|tiff?)$/i.test(name) &&
    /(^|[^a-z])(cp_?masks?|masks?|labels?|labelled|labeled|stardist|cellpose|instanseg|segmentation|segmented|instances?)([^a-z]|$)/i.test(
      name,
    ))

/** Whether a file is named as a table of points is. */
export const isNamedTable = (name: string): boolean => /\.((csv|tsv)(\.gz)?|(geo)?parquet)$/i.test(name)
