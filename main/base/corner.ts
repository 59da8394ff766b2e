// Where a file's coordinates begin on the slide, and how a FeatureCollection says it. Pure.

/** Level-0 px of the slide. */
export interface Corner {
  readonly x: number
  readonly y: number
}

/** The member of a FeatureCollection that says it: nothing, where coordinates begin at the slide's corner. */
export const originText = (corner: Corner | null): string =>
  corner ? `"morphoscope":${JSON.stringify({ origin: 'bounds', x: corner.x, y: corner.y })},` : ''

/** The same, said of the slide's corner too: what reads it back asks nobody. */
export const statedOrigin = (corner: Corner | null): string => originText(corner) || '"morphoscope":{"origin":"slide"},'
