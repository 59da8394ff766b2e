// What a person did to a run's objects, taken over to another run of the slide: what was carried, and what no longer fits.
import { Region } from '../base/geometry'
import { ClassId } from '../records/regionClass'
import * as z from '../zod'

/** How many places of corrections that do not fit are told one by one. */
export const mostUnfitPlaces = 1000

/** Each corrected object counts once: one that was deleted as that, whatever class it had. */
export const CarriedCorrections = z.object({
  /** The run that they come from, by its name. */
  from: z.string(),
  /** The step of history; null: there was nothing to change. */
  step: z.string().nullable(),
  deleted: z.number(),
  classified: z.number(),
  /** By hand of the same objects there, with the same pixels but for those that are another object's here. */
  made: z.number(),
  /** Were so already. */
  already: z.number(),
  /** Already have a class by hand, which stays. */
  otherwise: z.number(),
  /** The limits of classes came over too. */
  rule: z.boolean(),
  /** Lie where no object of this run covers the same place, by half or more; and what was made by hand of objects of which that is so. */
  unfit: z.number(),
  /** Lie where this run did not look. */
  outside: z.number(),
  /** Of those that do not fit, level-0 px, in raster order: the first of them. classId null: it was deleted, or has no class by hand; made: by hand, of others. */
  places: z
    .array(z.object({ ...Region.shape, classId: ClassId.nullable(), made: z.literal(true).optional() }))
    .max(mostUnfitPlaces),
})
export type CarriedCorrections = z.infer<typeof CarriedCorrections>
