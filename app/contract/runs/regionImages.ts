// Pictures of regions as files: which, how large a px is, and what is painted on them.
import { RegionId, RunId, SlideId } from '../base/ids'
import { filePath, toldPath } from '../base/paths'
import * as z from '../zod'

export const imageForms = ['png', 'ome-tiff'] as const
/** Of one call: more are no pictures that anybody looks at. */
export const mostRegionImages = 1000
export const pixelRange = { min: 0.05, max: 1000 } as const
export const magnificationRange = { min: 0.01, max: 100 } as const

export const RegionImagesRequest = z.strictObject({
  slideId: SlideId,
  /** Absent: all of the slide's that have an area, and of a microarray the cores that are there. */
  ids: z.array(RegionId).min(1).max(mostRegionImages).optional(),
  directory: filePath,
  form: z.enum(imageForms),
  /** How large a px is: µm, or by the objective's power. Absent: the slide's own px. */
  pixel: z
    .union([
      z.strictObject({ um: z.number().min(pixelRange.min).max(pixelRange.max) }),
      z.strictObject({ magnification: z.number().min(magnificationRange.min).max(magnificationRange.max) }),
    ])
    .optional(),
  /** Whose objects' outlines are painted; absent: none. */
  runId: RunId.optional(),
  /** Each region's own border is painted. */
  border: z.boolean().optional(),
  /** Pseudonyms in place of names; absent: as the settings say. */
  deidentify: z.boolean().optional(),
  overwrite: z.boolean().optional(),
})
export type RegionImagesRequest = z.infer<typeof RegionImagesRequest>

export const RegionImages = z.object({
  directory: toldPath,
  files: z.array(
    z.object({ name: z.string(), path: toldPath, bytes: z.number(), sha256: z.string(), width: z.number(), height: z.number() }),
  ),
  /** Regions that have no picture, and why; parts that could not be read. */
  warnings: z.array(z.string()),
})
export type RegionImages = z.infer<typeof RegionImages>

export const regionImageCalls = {
  /** Writes region-TITLE.png or .ome.tif for each region into the folder: all of them, or none where it fails or nobody waits any more. */
  'regions:images': { arg: RegionImagesRequest, value: RegionImages },
}
