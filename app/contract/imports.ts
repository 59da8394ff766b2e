// Files of others that come in: regions and objects of QuPath's GeoJSON, whole or a part at a time.
import { Origin } from './exports'
import { KeptId, RunId, SlideId } from './ids'
import { ImportedRegions, mostImportBytes } from './project'
import { Recipe } from './recipes'
import { Mpp } from './slides'
import * as z from './zod'

/** An import that is under way. */
export const ImportId = z.string().regex(/^i[0-9]{1,9}-[a-z0-9]{6,20}$/)
/** Of one part of a file, in characters. */
export const mostPartLength = 2 ** 23
/** Of where a file may say at its end where its coordinates begin. */
export const tailLength = 4096
/** A text that gzip packed has about so many times as many characters as bytes. */
export const packedShare = 8

/** What a file's objects are from now on. */
export const ImportedObjects = z.object({
  keptId: KeptId,
  runId: RunId,
  /** As lists call it. */
  name: z.string(),
  objects: z.number(),
  /** What the file has and the result does not, in words. */
  leftOut: z.array(z.string()),
  /** What it has otherwise than the file. */
  repaired: z.array(z.string()),
})
export type ImportedObjects = z.infer<typeof ImportedObjects>

/** null: the file has none. */
export const ImportedFile = z.object({
  regions: ImportedRegions.nullable(),
  objects: ImportedObjects.nullable(),
  /** What the file has and nobody takes, where there are no objects that it could be said of. */
  leftOut: z.array(z.string()),
})
export type ImportedFile = z.infer<typeof ImportedFile>

export const importCalls = {
  /**
   * Annotations of QuPath's GeoJSON become regions of the slide, in one step. `origin`: where its coordinates begin if the file does not say so:
   * at the slide's corner, or at that of its bounds, where QuPath has it. Absent: slide.
   */
  'project:import': {
    arg: z.strictObject({
      slideId: SlideId,
      text: z.string().max(mostImportBytes),
      origin: Origin.optional(),
    }),
    value: ImportedRegions,
  },
  /**
   * A GeoJSON file comes in, a part at a time: its annotations become regions, its detections, cells and tiles the objects of a result, measured by
   * `recipe` at its pixel size. `unsaid`: what features become that do not say what they are. `tail`: the text's last characters, which may say where
   * coordinates begin. `length`: of the whole text, about, so that progress can be told. INVALID_PARAMETER for a recipe that measures no objects.
   */
  'import:begin': {
    arg: z.strictObject({
      slideId: SlideId,
      /** The file's name, without a folder. */
      called: z.string().min(1).max(1000),
      recipe: Recipe,
      mpp: Mpp.optional(),
      origin: Origin.optional(),
      unsaid: z.enum(['regions', 'objects']),
      tail: z.string().max(2 * tailLength),
      length: z.number().min(0),
    }),
    value: ImportId,
  },
  /** Answered when it is read. INVALID_PARAMETER where the file is no GeoJSON: nothing is imported then. */
  'import:part': { arg: z.strictObject({ importId: ImportId, text: z.string().max(mostPartLength) }), value: z.null() },
  /** There is no more. Regions are one step of history, objects another. */
  'import:end': { arg: z.strictObject({ importId: ImportId }), value: ImportedFile },
  /** Nothing is imported. */
  'import:cancel': { arg: z.strictObject({ importId: ImportId }), value: z.null() },
} as const
