// A place of a tissue microarray: what a region that is a core of one says of itself beside its shape and its name.
import * as z from '../zod'
import { text } from './primitives'

/** Of one array, along each side. */
export const mostLines = 100

export const CorePlace = z.strictObject({
  /** From 0, from the slide's upper left. */
  row: z
    .number()
    .int()
    .min(0)
    .max(mostLines - 1),
  column: z
    .number()
    .int()
    .min(0)
    .max(mostLines - 1),
  /** Its tissue is lost: the place stays, and counts nowhere. */
  missing: z.boolean(),
  /** Whose tissue it is, as a list of cases says; '': nobody has said. */
  label: text(200),
})
export type CorePlace = z.infer<typeof CorePlace>
