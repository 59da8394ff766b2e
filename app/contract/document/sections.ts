// One section laid on another: how two slides of the same block lie to each other, and what is carried from the one to the other.
import { RunId, SlideId } from '../base/ids'
import { ImportedObjects } from './imports'
import { ImportedRegions } from './project'
import { Recipe } from '../recipes'
import { Mpp } from '../slides'
import * as z from '../zod'

/** Beyond what any slide is turned, stretched or moved by. */
const factor = z.number().min(-1000).max(1000)
const offset = z
  .number()
  .min(-(2 ** 27))
  .max(2 ** 27)
/** x, y become xx·x + xy·y + dx, yx·x + yy·y + dy. */
export const Affine = z.strictObject({ xx: factor, xy: factor, yx: factor, yy: factor, dx: offset, dy: offset })
export type Affine = z.infer<typeof Affine>

/** Of one pair of slides. */
export const mostPairs = 1000
const place = z.tuple([offset, offset])

/** Of tissues' Dice: below, they hardly lie on each other. */
export const poorOverlap = 0.7

export const SectionFit = z.object({
  /** Level-0 px of the first slide to level-0 px of the second. */
  map: Affine,
  by: z.enum(['tissue', 'points', 'pairs']),
  /** µm, or px where no slide is calibrated. */
  unit: z.enum(['um', 'px']),
  /** Pairs that it was fitted to; 0: tissue. */
  pairs: z.number(),
  /** How far the pairs, or the borders of tissue, lie apart. Of three pairs it is 0, whatever they are. */
  median: z.number(),
  /** What nine of ten do not exceed; of pairs the farthest. */
  far: z.number(),
  /** Dice of the tissues; absent: of pairs. */
  overlap: z.number().optional(),
  turnDeg: z.number(),
  scale: z.number(),
  mirrored: z.boolean(),
})
export type SectionFit = z.infer<typeof SectionFit>

export const Carried = z.object({
  regions: ImportedRegions.nullable(),
  objects: ImportedObjects.nullable(),
  /** Why no object could be carried, where none was. */
  leftOut: z.array(z.string()),
})
export type Carried = z.infer<typeof Carried>

export const sectionCalls = {
  /**
   * How the first slide lies on the second. `by` points: places that were marked on both, in the same order, as points of the same name; tissue: their
   * outlines; pairs: as given, level-0 px. Both slides are open. INVALID_PARAMETER where there are too few, or only one slide is calibrated.
   */
  'sections:fit': {
    arg: z.strictObject({
      fromId: SlideId,
      slideId: SlideId,
      by: z.enum(['tissue', 'points']).optional(),
      pairs: z
        .array(z.strictObject({ from: place, to: place }))
        .max(mostPairs)
        .optional(),
    }),
    value: SectionFit,
  },
  /**
   * Copies what is on the first slide to the second: regions as one step of history, a run's objects as a result that `recipe` measures there.
   * Regions keep names and classes, objects the classes that people gave. INVALID_PARAMETER where neither is asked for.
   */
  'sections:carry': {
    arg: z.strictObject({
      fromId: SlideId,
      slideId: SlideId,
      map: Affine,
      regions: z.boolean(),
      objects: z.strictObject({ runId: RunId, recipe: Recipe, mpp: Mpp.optional() }).optional(),
    }),
    value: Carried,
  },
} as const
