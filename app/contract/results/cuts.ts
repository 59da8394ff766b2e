// Where a field turns by a threshold's slider: what its histogram shows, and what in the picture is above it.
import { Region } from '../base/geometry'
import * as z from '../zod'

/** A field of at most so many px of the analysed image: what is larger is cut to its middle. */
export const mostCutPx = 2 ** 22
/**
 * Its px, width × height bytes in rows, are at tilePaths.cuts(slideId, cutsId): of how many of the slider's first 255 values (min, min + step,
 * …) each is above, whatever the slider's own value is. Pixel (i, j) covers level-0 px from region.x + i · scale on, and so down.
 */
export const Cuts = z.object({
  cutsId: z.number().int(),
  region: Region,
  scale: z.number(),
  width: z.number().int(),
  height: z.number().int(),
  /**
   * Of its pixels, those that parts which could not be read could change: no value is above these. All, where the values that adapt to the slide
   * come from such parts. Absent: none.
   */
  unreadShare: z.number().optional(),
  elapsedMs: z.number(),
})
export type Cuts = z.infer<typeof Cuts>
