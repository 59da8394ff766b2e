// Files of others that come in: regions and objects of QuPath's GeoJSON, objects of label images, whole or a part at a time.
import { Origin } from '../runs/exports'
import { KeptId, RunId, SlideId } from '../base/ids'
import { filePath } from '../base/paths'
import { ImportedRegions, mostImportBytes } from './project'
import { Recipe } from '../recipes'
import { Mpp } from '../slides'
import * as z from '../zod'

/** An import that is under way. */
export const ImportId = z.string().regex(/^i[0-9]{1,9}-[a-z0-9]{6,20}$/)
/** Of one part of a file, in characters. */
export const mostPartLength = 2 ** 23
/** Level-0 px: beyond any slide. */
const farPx = 2 ** 26
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

/** Where a label image lies on the slide, in level-0 px: its corner, and how many a px of it is. Absent: 0, 0, and 1. */
export const ImagePlace = z.strictObject({
  x: z.number().min(-farPx).max(farPx).optional(),
  y: z.number().min(-farPx).max(farPx).optional(),
  scale: z.number().min(0.01).max(1000).optional(),
})
export type ImagePlace = z.infer<typeof ImagePlace>

/** A label image that says nothing of where it lies. */
export const Unplaced = z.object({
  width: z.number(),
  height: z.number(),
  /** Where it has the slide's shape: how many level-0 px a px of it would be, if it covers the whole slide. */
  scale: z.number().nullable(),
})
export type Unplaced = z.infer<typeof Unplaced>

/** What a file does not say and a person is to: what its features are, or how large the discs around its points. */
export const Undecided = z.enum(['features', 'radius'])
export type Undecided = z.infer<typeof Undecided>

/** null: the file has none. */
export const ImportedFile = z.object({
  regions: ImportedRegions.nullable(),
  objects: ImportedObjects.nullable(),
  /** What the file has and nobody takes, where there are no objects that it could be said of. */
  leftOut: z.array(z.string()),
  /** Nothing was imported, as nobody knows where on the slide: ask again, with a place. */
  unplaced: Unplaced.optional(),
  /** Nothing was imported: ask again, with what it does not say. */
  undecided: Undecided.optional(),
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
   * `form`: what the file is. A label image (TIFF, PNG, .npy) comes in as base64, each of its parts by itself, and `place` says where it lies.
   * A table of points (CSV) is text; around each of its points lies a disc.
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
      /** What the file does not say is answered as undecided, in place of what `unsaid` and `radiusUm` would make of it. */
      asks: z.boolean().optional(),
      tail: z.string().max(2 * tailLength),
      length: z.number().min(0),
      /** Absent: GeoJSON. */
      form: z.enum(['geojson', 'labels', 'points', 'parquet']).optional(),
      /** Of a label image that is a folder of OME-Zarr on this machine: it is read there, and no parts come. NOT_FOUND beyond the roots. */
      folder: filePath.optional(),
      /** Of GeoJSON: each character of a part is a byte of the file's UTF-8, which is read more quickly. */
      bytes: z.boolean().optional(),
      /** Of discs around points, in place of a column's. */
      radiusUm: z.number().min(0.01).max(1000).optional(),
      place: ImagePlace.optional(),
    }),
    value: ImportId,
  },
  /** Answered when it is read; with what is undecided, where that is known by now. INVALID_PARAMETER where the file is none of its form: nothing is imported then. */
  'import:part': {
    arg: z.strictObject({ importId: ImportId, text: z.string().max(mostPartLength) }),
    value: Undecided.nullable(),
  },
  /** There is no more. Regions are one step of history, objects another. */
  'import:end': { arg: z.strictObject({ importId: ImportId }), value: ImportedFile },
  /** Nothing is imported. */
  'import:cancel': { arg: z.strictObject({ importId: ImportId }), value: z.null() },
} as const
