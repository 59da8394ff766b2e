// Rectangles of a slide.
import * as z from '../zod'

const px = z
  .number()
  .int()
  .min(-(2 ** 40))
  .max(2 ** 40)
const size = z
  .number()
  .int()
  .min(1)
  .max(2 ** 40)
/** A rectangle in level-0 pixels. */
export const Region = z.strictObject({ x: px, y: px, width: size, height: size })
export type Region = z.infer<typeof Region>
