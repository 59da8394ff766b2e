// The max-tree wand: the node of a grey image of the recipe that holds a point, or all points of a stroke.
import { Recipe } from '../recipes'
import { SlideId } from '../base/ids'
import { Mpp } from '../slides'
import * as z from '../zod'

export const mostWandPoints = 1024
export const WandRequest = z.strictObject({
  slideId: SlideId,
  recipe: Recipe,
  /** Of the recipe; '': its first grey one. */
  layer: z.string().max(64),
  /** Level-0 px. Of one the node that stands out most steadily around it; of several the smallest that holds them all. */
  points: z
    .array(z.tuple([z.number(), z.number()]))
    .min(1)
    .max(mostWandPoints),
  /** From that node so many parents up, or, negative, children down towards the first point. */
  walk: z.number().int().min(-100_000).max(100_000),
  mpp: Mpp.optional(),
})
export type WandRequest = z.infer<typeof WandRequest>

export const WandNode = z.object({
  /** The layers that the wand can look at, and the one that it did. */
  layers: z.array(z.string()),
  layer: z.string(),
  /** Its altitude, and its parent's: grey values of the layer. */
  value: z.number(),
  parentValue: z.number(),
  /** µm², or level-0 px where the slide is uncalibrated. */
  area: z.number(),
  unit: z.enum(['um', 'px']),
  /** So many children down there are towards the first point, and parents up. */
  below: z.number(),
  above: z.number(),
  /** The request's, as far as there are nodes. */
  walked: z.number(),
  /** It reaches the end of the field that was looked at, and may be larger. */
  cut: z.boolean(),
  /** Parts that could not be read lie in it or beside it, or decide it or the values that adapt to the slide: it may be another. Absent: none do. */
  unread: z.boolean().optional(),
  /**
   * All of its pixels, as a Shape has parts: what is shown is what is kept. None where nothing of a nucleus's or small gland's size stands out at a
   * single point: its first step shows it.
   */
  parts: z.array(z.array(z.array(z.tuple([z.number(), z.number()])))),
  /** The tree was built for this question, not held. */
  built: z.boolean(),
  elapsedMs: z.number(),
})
export type WandNode = z.infer<typeof WandNode>
