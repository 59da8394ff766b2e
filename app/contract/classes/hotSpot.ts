// The hot spot of a run: the field of a stated size with the highest share of positive objects, and what lies in it.
import { Shape } from '../records/shapes'
import { RegionMeasure } from '../document/project'
import * as z from '../zod'

/** How large the field is, and how many classified objects it holds at least. */
export const HotSpotField = z.strictObject({
  diameterUm: z.number().min(100).max(20_000).describe('µm across the circle'),
  leastObjects: z.number().int().min(1).max(1_000_000).describe('of the objects that are positive or negative'),
})
export type HotSpotField = z.infer<typeof HotSpotField>
/** A circle of about a high-power field; a share of fewer objects would say little. */
export const usualHotSpot: HotSpotField = { diameterUm: 500, leastObjects: 100 }

/**
 * A circle of level-0 px, an ellipse where pixels are not square. Objects are counted in squares of a tenth of its diameter; the share around
 * each square's middle is weighted by 1 - (d / r)². The circle lies around the square with the highest such share among those whose circle is
 * sure to hold enough objects; of several that with more objects, then the upper left one. `measure` counts the objects whose centroids the circle holds, as any region's.
 */
export const HotSpot = z.object({ ...HotSpotField.shape, shape: Shape, measure: RegionMeasure.omit({ id: true }) })
export type HotSpot = z.infer<typeof HotSpot>
