// The document: regions of interest with their classes, the commands that change it, and how it stands.
import { ClassCuts, rises } from './classCuts'
import { KeptId, RegionId, RunId, SlideKey } from './ids'
import { ObjectClass, Recipe } from './recipes'
import { Recognition } from './slides'
import { ColumnKey } from './table'
import * as z from './zod'

const limit = 2 ** 40
const coordinate = z.number().min(-limit).max(limit)
const length = z.number().gt(0).max(limit)
const text = (most: number) =>
  z
    .string()
    .max(most)
    .refine((value) => !/\p{Cc}/u.test(value), 'expected text without control characters')

/** Level-0 px, pixel (0, 0) reaching from 0 to 1. The last point is not the first again. */
export const Ring = z
  .array(z.tuple([coordinate, coordinate]))
  .min(3)
  .max(500_000)
export type Ring = z.infer<typeof Ring>
/** An outer ring and its holes. */
export const Part = z.array(Ring).min(1).max(100_000)
/**
 * Level-0 px. A point is inside a polygon where a line from it meets the rings of one of its parts an odd number of times, left and upper
 * edges included, right and lower ones not: of shapes side by side one holds it.
 */
export const Shape = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('rectangle'), x: coordinate, y: coordinate, width: length, height: length }),
  z.strictObject({ kind: z.literal('ellipse'), x: coordinate, y: coordinate, width: length, height: length }),
  z.strictObject({ kind: z.literal('polygon'), parts: z.array(Part).min(1).max(100_000) }),
])
export type Shape = z.infer<typeof Shape>

const Place = z.tuple([coordinate, coordinate])
/** Of one region. */
export const mostPoints = 100_000
/** Places that were counted, level-0 px, in the order in which they were: no area. */
export const Points = z.strictObject({ kind: z.literal('points'), points: z.array(Place).min(1).max(mostPoints) })
export type Points = z.infer<typeof Points>
/** A way from point to point, level-0 px: it has a length, and no area. */
export const LineShape = z.strictObject({ kind: z.literal('line'), points: z.array(Place).min(2).max(10_000) })
export type LineShape = z.infer<typeof LineShape>
/** What a region of interest can be: an area, points, or a line. */
export const RegionShape = z.discriminatedUnion('kind', [...Shape.options, Points, LineShape])
export type RegionShape = z.infer<typeof RegionShape>
export const isArea = (shape: RegionShape): shape is Shape => shape.kind !== 'points' && shape.kind !== 'line'
export const isPoints = (shape: RegionShape): shape is Points => shape.kind === 'points'

export const ClassId = z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/)
export const RegionClass = z.strictObject({
  id: ClassId,
  /** As QuPath has it: its parts with ": " between them. */
  name: text(200).min(1),
  color: z.string().regex(/^#[0-9a-f]{6}$/),
})
export type RegionClass = z.infer<typeof RegionClass>
/** Of one document. */
export const mostClasses = 1000

export const RegionOfInterest = z.strictObject({
  id: RegionId,
  slide: SlideKey,
  /** '': it has none. */
  name: text(200),
  classId: ClassId.nullable(),
  /** Its shape stays, and it is not deleted. */
  locked: z.boolean(),
  shape: RegionShape,
  /** ISO. */
  createdAt: z.string().regex(/^\d{4}-\d\d-\d\dT[\d:.]{8,15}Z$/),
  madeBy: z.enum(['hand', 'import', 'program']),
})
export type RegionOfInterest = z.infer<typeof RegionOfInterest>

const kindOf = (shape: RegionShape): 'area' | 'points' | 'line' =>
  isArea(shape) ? 'area' : shape.kind === 'points' ? 'points' : 'line'

/** What lists call a region: its name, else its class, else its number among those of the slide without either; points and lines are called so. */
export function regionTitle(
  region: Pick<RegionOfInterest, 'id' | 'name' | 'classId' | 'shape'>,
  all: readonly Pick<RegionOfInterest, 'id' | 'name' | 'classId' | 'shape'>[],
  classes: readonly RegionClass[],
): string {
  if (region.name !== '') return region.name
  const known = classes.find(({ id }) => id === region.classId)
  const kind = kindOf(region.shape)
  const alike = all.filter(({ name, classId, shape }) => name === '' && classId === region.classId && kindOf(shape) === kind)
  const number = alike.length > 1 || (!known && kind === 'area') ? ` ${alike.findIndex(({ id }) => id === region.id) + 1}` : ''
  if (kind === 'area') return `${known?.name ?? 'Region'}${number}`
  return `${known ? `${known.name}: ${kind}` : kind === 'points' ? 'Points' : 'Line'}${number}`
}

const ids = z.array(RegionId).min(1).max(100_000)
/** What of a region is to become something else. */
export const RegionChange = z.strictObject({
  id: RegionId,
  name: RegionOfInterest.shape.name.optional(),
  classId: ClassId.nullable().optional(),
  locked: z.boolean().optional(),
  shape: RegionShape.optional(),
})
export type RegionChange = z.infer<typeof RegionChange>

/** A run that the document holds, with its objects as a file beside it. */
export const KeptRun = z.strictObject({
  id: KeptId,
  slide: SlideKey,
  name: text(300),
  recipeName: text(1000),
  /** ISO. */
  startedAt: z.string().max(40),
  /** All that it found, whatever was deleted or made since. */
  objects: z
    .number()
    .int()
    .min(0)
    .max(2 ** 26),
  /** What was asked of it, with every value; absent: an earlier version kept it, and did not say. */
  asked: z
    .strictObject({
      recipe: Recipe,
      whole: z.boolean(),
      /** Of the shapes that it ran within, as main/project/regionResults.ts makes them; absent: it ran within none. */
      within: z
        .array(z.string().regex(/^[0-9a-f]{32}$/))
        .max(10_000)
        .optional(),
    })
    .optional(),
  /** Of what it was meant to look at and could read; null: unknown, or uncalibrated. */
  tissueMm2: z.number().min(0).nullable().optional(),
  /** Level-0 px² that it looked at and could read. */
  analysedPx: z.number().min(0).optional(),
  /** What it lacks, in words: parts that could not be read, or that a cancelled run left. Absent: nothing. */
  lacks: z.string().max(1000).optional(),
  /** It was cancelled: it can be gone on with. */
  cancelled: z.literal(true).optional(),
  /** The kept run that it was gone on with as, which stands in its place: it is in no list and in no sum then. */
  wholeId: KeptId.optional(),
})
export type KeptRun = z.infer<typeof KeptRun>

/** The newest run of all of a slide, of those that were not cancelled. Of those that an earlier version kept nobody knows what they looked at. */
export function wholeRunOf(runs: Iterable<KeptRun>, key: string): KeptRun | undefined {
  return [...runs]
    .filter(({ slide, asked, cancelled }) => slide === key && asked?.whole === true && !cancelled)
    .sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1))[0]
}

/** Some of a run's objects: a bit each by rank (raster order of first pixels, from 0), the lowest of a byte first; deflated, as base64. */
export const RankSet = z
  .string()
  .max(2 ** 26)
  .regex(/^[A-Za-z0-9+/]*={0,2}$/)

/** What class an object is of, by a measurement: as many limits as there are classes but one. A value at a limit is below it. */
export const ObjectRule = z.strictObject({
  column: ColumnKey,
  /** In the column's unit. One: negative, positive. Three: negative, weak, moderate, strong. */
  limits: z
    .array(z.number())
    .refine(({ length }) => length === 1 || length === 3, 'expected one limit or three')
    .refine(rises, 'expected limits that rise'),
})
export type ObjectRule = z.infer<typeof ObjectRule>

/**
 * Objects that a person made of others, numbered behind all that were there: a record as main/run/journalTiles.ts has it, deflated, as base64.
 * `of`: the ranks of those that they were made of; none where a person added them.
 */
export const MadeObjects = z.strictObject({
  objects: z.number().int().min(1).max(10_000),
  of: z
    .array(
      z
        .number()
        .int()
        .min(0)
        .max(2 ** 32),
    )
    .max(10_000),
  record: RankSet,
})
export type MadeObjects = z.infer<typeof MadeObjects>

const SingleCommand = z.discriminatedUnion('type', [
  /** `places`: numbers by which regions lie over each other, one each; absent: on top, in their order. */
  z.strictObject({
    type: z.literal('regions:add'),
    regions: z.array(RegionOfInterest).min(1).max(100_000),
    places: z.array(z.number()).optional(),
  }),
  z.strictObject({ type: z.literal('regions:delete'), ids }),
  z.strictObject({ type: z.literal('regions:change'), changes: z.array(RegionChange).min(1).max(100_000) }),
  /** Adds to a region's shape, or cuts out of it: becomes a `regions:change`. */
  z.strictObject({ type: z.literal('regions:combine'), id: RegionId, how: z.enum(['add', 'subtract']), shape: Shape }),
  /** One point more in a region of points: before the one that is at that place, from 0; absent: behind all. */
  z.strictObject({
    type: z.literal('points:add'),
    id: RegionId,
    point: Place,
    at: z.number().int().min(0).max(mostPoints).optional(),
  }),
  /** The point at that place, which is `point`. With the last one goes the region. */
  z.strictObject({ type: z.literal('points:remove'), id: RegionId, point: Place, at: z.number().int().min(0).max(mostPoints) }),
  z.strictObject({ type: z.literal('objects:delete'), run: KeptId, ranks: RankSet }),
  z.strictObject({ type: z.literal('objects:restore'), run: KeptId, ranks: RankSet }),
  /** By hand. classId null: as the run's rule has it. */
  z.strictObject({
    type: z.literal('objects:classify'),
    run: KeptId,
    sets: z
      .array(z.strictObject({ classId: ClassId.nullable(), ranks: RankSet }))
      .min(1)
      .max(300),
  }),
  z.strictObject({ type: z.literal('objects:make'), run: KeptId, made: MadeObjects }),
  /** Takes back what was made last: of history only. */
  z.strictObject({ type: z.literal('objects:unmake'), run: KeptId }),
  /** null: as its recipe has it. */
  z.strictObject({ type: z.literal('objects:rule'), run: KeptId, rule: ObjectRule.nullable() }),
  /** A cancelled run's part goes from lists and sums, as `whole` is what it was gone on with as; null: it comes back. */
  z.strictObject({ type: z.literal('runs:stand'), run: KeptId, whole: KeptId.nullable() }),
  /** All of them, in order. A region's class must stay among them. */
  z.strictObject({ type: z.literal('classes:set'), classes: z.array(RegionClass).max(mostClasses) }),
])
export type SingleCommand = z.infer<typeof SingleCommand>

/** Every change of the document is one of these; what takes it back is one too. `together`: several that are one step, all or none. */
export const DocumentCommand = z.union([
  SingleCommand,
  z.strictObject({ type: z.literal('together'), name: text(200).min(1), commands: z.array(SingleCommand).min(1).max(1000) }),
])
export type DocumentCommand = z.infer<typeof DocumentCommand>

/** What it starts with: tissue as pathologists name it, in colours that colour-blind people tell apart (Okabe and Ito). */
export const firstClasses: readonly RegionClass[] = [
  { id: 'tumour', name: 'Tumor', color: '#d55e00' },
  { id: 'stroma', name: 'Stroma', color: '#009e73' },
  { id: 'immune', name: 'Immune cells', color: '#cc79a7' },
  { id: 'necrosis', name: 'Necrosis', color: '#f0e442' },
  { id: 'other', name: 'Other', color: '#56b4e9' },
]

const withoutNul = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .refine((value) => !value.includes('\0'), 'expected text without NUL')
/** What a file may say of it: areas in mm² stay numbers. */
export const PixelSize = z.number().min(1e-9).max(1e9)
/** A file may have any name that a system gives it: it is shown as plain text, and `fileStem` makes names of files of it. */
export const DocumentSlide = z.object({
  key: SlideKey,
  name: withoutNul(1024).refine((name) => !name.includes('/'), 'expected a name without folders'),
  /** Where it was added, and where it was open last once it was not there any more. */
  path: withoutNul(4096),
  widthPx: z.number().gt(0).max(limit),
  heightPx: z.number().gt(0).max(limit),
  /** µm per level-0 px; null: uncalibrated. */
  mppX: PixelSize.nullable(),
  mppY: PixelSize.nullable(),
  /** Why the newest run of the whole slide failed, where it did. */
  failure: z
    .strictObject({ /** ISO. */ at: z.string().max(40), recipeName: text(1000), message: z.string().max(4000) })
    .optional(),
  /** What it is stained with, as its overview looks. Absent: nobody has looked yet. */
  stain: Recognition.pick({ stain: true, percent: true }).optional(),
  /** A person took it out: it is the document's again as soon as there is something on it. */
  removed: z.literal(true).optional(),
})
export type DocumentSlide = z.infer<typeof DocumentSlide>

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
  path: z.string().nullable(),
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
  /** The process that had it last ended without closing it. */
  recovered: z.boolean(),
  /** Why nothing is kept on disk; null: all is. */
  trouble: z.string().nullable(),
})
export type DocumentState = z.infer<typeof DocumentState>

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

/** Each region counts the objects of one of these runs, which `regionResults` (main/project/regionResults.ts) says. `chosen`: in the list of results; absent: none is. */
export const MeasureRequest = z.strictObject({
  runIds: z.array(RunId).max(1000),
  chosen: RunId.optional(),
  key: SlideKey,
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
