// The document as pages see it: how it stands, what lies in its regions, and what is asked about it. Its records are in records/.
import { ClassCuts } from '../classes/cuts'
import { KeptId, RegionId, RunId, SlideId, SlideKey } from '../base/ids'
import { toldPath } from '../base/paths'
import { ObjectClass } from '../recipes'
import { coordinate } from '../records/primitives'
import { KeptRun } from '../records/keptRun'
import { RegionOfInterest, RegionPlace } from '../records/region'
import { ClassId, RegionClass } from '../records/regionClass'
import { Shape } from '../records/shapes'
import { DocumentSlide } from '../records/slide'
import * as z from '../zod'

/** `knownAs`: the document has it already, from another file that is still there: a link, or a copy. That name and place stay. */
export const AddedSlide = z.object({
  key: SlideKey,
  isNew: z.boolean(),
  knownAs: DocumentSlide.pick({ name: true, path: true }).optional(),
})
export type AddedSlide = z.infer<typeof AddedSlide>

/** A step that can be taken back, or again, in the menu's words. */
export const DocumentStep = z.object({
  name: z.string(),
  at: z.number(),
  /** The kept run whose objects it deleted; null: it did something else. */
  deletesOf: KeptId.nullable(),
})
export type DocumentStep = z.infer<typeof DocumentStep>

export const DocumentState = z.object({
  /** The folder; null: it has no name yet, and is kept beside the settings. */
  path: toldPath.nullable(),
  name: z.string().nullable(),
  /** Rises with every change. */
  revision: z.number(),
  undo: DocumentStep.nullable(),
  redo: DocumentStep.nullable(),
  classes: z.array(RegionClass),
  slides: z.array(DocumentSlide.extend({ regions: z.number() })),
  /** Runs of all slides whose objects it holds. */
  runs: z.array(KeptRun),
  /** The slide that was asked about, and its regions, the lowest first. */
  slide: SlideKey.nullable(),
  regions: z.array(RegionOfInterest),
  /** Of each of them its place: they lie over each other in this order. */
  places: z.array(RegionPlace),
  /** The process that had it last ended without closing it. */
  recovered: z.boolean(),
  /** Why nothing is kept on disk; null: all is. */
  trouble: z.string().nullable(),
  /** These are the first regions, and this is the name of the others; absent: these are all. */
  more: z.number().optional(),
})
export type DocumentState = z.infer<typeof DocumentState>

/** `parts`: of very many regions the first, and `more` says where the others are. */
export const StateRequest = z.strictObject({ slideId: SlideId.nullable(), parts: z.literal(true).optional() })

/** What lies in a region, by its own rule: an object belongs to it if its centroid is inside. */
export const RegionMeasure = z.object({
  id: RegionId,
  /** As far as it lies on the slide; 0: beyond it. */
  areaPx: z.number(),
  /** null: uncalibrated. */
  areaMm2: z.number().nullable(),
  /** Of the area what its run has looked at and could read, which a density is of; absent: it has no run. */
  analysedPx: z.number().optional(),
  analysedMm2: z.number().nullable().optional(),
  /** Of what was looked at the tissue, as the Tissue layer shows it; absent where that is not known, and of fluorescence. */
  tissueMm2: z.number().optional(),
  /** Its run has not computed all of it, or could not read all of it. */
  partial: z.literal(true).optional(),
  /** null: it has no run, or nothing of it was looked at. */
  objects: z.number().nullable(),
  /** Of those, by the rule of their run, where it has one: the weakest first. */
  classes: z.array(z.object({ ...ObjectClass.shape, objects: z.number() })).optional(),
  /** What those classes stand on; absent: they were given by hand, or there are none. */
  cuts: ClassCuts.optional(),
  /** How many, of points, which have no area and hold no objects. */
  points: z.number().optional(),
  /** Of a line, which has no area and holds no objects; in µm null: uncalibrated. */
  lengthPx: z.number().optional(),
  lengthUm: z.number().nullable().optional(),
  runId: RunId.nullable(),
})
export type RegionMeasure = z.infer<typeof RegionMeasure>

/** Of an answer in parts the first; `more`: as a document's state has it. */
export const MeasuredPart = z.object({ measures: z.array(RegionMeasure), more: z.number().optional() })

/** The slide's regions as a file; `ids`: some of them; `boundsOf`: coordinates begin at the bounds of this slide, which is open. */
export const RegionExport = z.strictObject({
  key: SlideKey,
  ids: z.array(RegionId).max(100_000).nullable(),
  deidentify: z.boolean().optional(),
  boundsOf: SlideId.optional(),
})
export type RegionExport = z.infer<typeof RegionExport>
/** Of a text in pieces the first; `more`: as a document's state has it. */
export const TextPart = z.object({ texts: z.array(z.string()), more: z.number().optional() })

/** Of a GeoJSON file's text. */
export const mostImportBytes = 2 ** 26

export const ImportedRegions = z.object({
  added: z.number(),
  /** What the file has and the document does not take, in words. */
  leftOut: z.array(z.string()),
  /** What the document takes otherwise than the file has it, in words: shapes that were no valid areas. */
  repaired: z.array(z.string()),
})
export type ImportedRegions = z.infer<typeof ImportedRegions>

/** Each region counts the objects of one of these runs, which `regionResults` (main/project/regions/regionResults.ts) says. `chosen`: in the list of results; absent: none is. */
export const MeasureRequest = z.strictObject({
  runIds: z.array(RunId).max(1000),
  chosen: RunId.optional(),
  key: SlideKey,
  /** Of these alone; absent: of all of the slide. */
  ids: z.array(RegionId).max(1000).optional(),
})

/** Which objects are meant: rows of a table's view, numbers, or those whose centroids lie in a shape. */
export const ObjectChoice = z.union([
  z.strictObject({ view: z.number().int() }),
  z.strictObject({ ids: z.array(z.number().int().min(1)).min(1).max(100_000) }),
  z.strictObject({ shape: Shape }),
])
export type ObjectChoice = z.infer<typeof ObjectChoice>

/** Level-0 px, from point to point. */
export const Line = z
  .array(z.tuple([coordinate, coordinate]))
  .min(2)
  .max(10_000)
export type Line = z.infer<typeof Line>

/** What becomes of them; null: the class that the run's rule gives. */
export const ObjectEdit = z.union([
  z.strictObject({ type: z.literal('delete') }),
  z.strictObject({ type: z.literal('classify'), classId: ClassId.nullable() }),
])
export type ObjectEdit = z.infer<typeof ObjectEdit>
