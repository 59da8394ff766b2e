// A run from its request to its end: what is asked for, how it stands, how long it would take.
import { ClassCuts } from '../classes/cuts'
import { DeviceNames } from './devices'
import { AppError } from '../base/errors'
import { Region } from '../base/geometry'
import { JournalId, KeptId, RunId, SlideId } from '../base/ids'
import { toldPath } from '../base/paths'
import { counted } from '../base/plural'
import { ObjectRule } from '../records/corrections'
import { Shape } from '../records/shapes'
import { ObjectClass, Recipe } from '../recipes'
import { ShardRef } from './shards'
import { Mpp } from '../slides'
import * as z from '../zod'

/** preview: the visible field, low latency; run: a full run, which stays. */
export const RunPurpose = z.enum(['preview', 'run'])
/** What `op` calls the exact variants of the operations that have several; of some a CPU has none, of others a GPU. A test holds them to the engine's. */
export const variantNames = {
  reconstruct: [
    ...['auto', 'raster-sweeps', 'queue', 'fast-hybrid', 'downhill', 'priority-queue', 'tiled-fast-hybrid'],
    ...['parallel-fast-hybrid', 'naive-queue', 'prefix-queue', 'parallel-heap'],
  ],
  'max-tree': ['auto', 'union-find', 'flooding', 'tile-merge', 'column-union-find', 'border-trees'],
  watershed: ['auto', 'drop-of-water', 'cellular-automaton'],
} as const satisfies Record<string, readonly string[]>
export type ChosenOperation = keyof typeof variantNames
/**
 * Which variant of an operation runs in a stage, by "stage/operation" and as `op` calls it: "split/watershed": "drop-of-water". It holds for
 * what derives from the operation too. For who measures: no result depends on it.
 */
export const StageVariants = z
  .record(z.string().regex(/^[\w-]{1,40}\/(reconstruct|max-tree|watershed)$/), z.string().max(40))
  .refine((variants) => Object.keys(variants).length <= 50, 'expected at most 50')
  .refine(
    (variants) =>
      Object.entries(variants).every(([place, variant]) =>
        (variantNames[place.split('/')[1] as ChosenOperation] as readonly string[]).includes(variant),
      ),
    'expected a variant that the operation has',
  )
export type StageVariants = z.infer<typeof StageVariants>
export const RunRequest = z.strictObject({
  slideId: SlideId,
  /** Level-0 px; 'whole' = the slide's bounds. An object belongs to a region if its first pixel (raster order) lies in it. */
  region: z.union([Region, z.literal('whole')]),
  /** Of the objects in the region only those are meant whose centroid lies in one of these, and no more is computed than for them. */
  within: z.array(Shape).min(1).max(10_000).optional(),
  recipe: Recipe,
  purpose: RunPurpose,
  /** Tiles near this point come first (level-0 px). */
  focus: z.strictObject({ x: z.number(), y: z.number() }).optional(),
  /** Overrides the slide's calibration, µm/px. */
  mpp: Mpp.optional(),
  /** Of a slide of several channels the one that is analysed, from 0. INVALID_PARAMETER where the slide is open with another; default: as it is open. */
  channel: z.number().int().min(0).max(65_535).optional(),
  threads: z.number().int().min(1).max(1024).optional(),
  /** Default: what is quickest. INVALID_PARAMETER at the first window where the recipe has no such stage, or the device no such variant. */
  variants: StageVariants.optional(),
  /** Default: the CPU. GPU_UNAVAILABLE where one is not there: no other device takes its place. */
  device: DeviceNames.optional(),
  /** Of its tiles only those of this shard are computed. Absent: all. */
  shard: ShardRef.optional(),
  /** What a list calls it; the engine adds a number where the slide has one of that name already. */
  name: z.string().min(1).max(100).optional(),
  /** Of a preview: which page looks at it. A page's preview ends its own older one and no other page's; absent: whoever says none either. */
  page: z
    .string()
    .regex(/^[\w-]{1,64}$/)
    .optional(),
  /** Of a preview: somebody looks at its layers, which are made along with its tiles. Those of others are made when one is asked for, at low levels. */
  layers: z.boolean().optional(),
})
export type RunRequest = z.infer<typeof RunRequest>

/** What an operation of a stage did, summed over its calls. Depends on tiles, threads and device; no result does. */
export const StageWork = z.object({
  /** As `op` on the command line has it, with "_" for "-". */
  op: z.string(),
  /** The algorithm that ran: what `auto` came to. */
  variant: z.string(),
  calls: z.number(),
  /** Sweeps, steps or levels of a breadth-first search; 0: none, or not counted. */
  rounds: z.number(),
  /** Entries taken from queues: pixels, on a GPU tiles. */
  queued: z.number(),
  /** Most entries of one queue at once, as far as it was looked at; 0: not looked at. */
  longest: z.number(),
})
export type StageWork = z.infer<typeof StageWork>
/** What tells entries of one stage and device apart. */
const partOfTiming = {
  /** Of a stage that is timed in parts: which. */
  part: z.string().optional(),
  /** Of what was read: what read it, with its version. */
  reader: z.string().optional(),
  /** Of copies to and from a GPU: the host's memory, "pinned" or "staged" through pinned memory. */
  memory: z.string().optional(),
  /** It was not computed: an earlier window or run left it. */
  kept: z.boolean().optional(),
}
export const StageTiming = z.object({
  stage: z.string(),
  device: z.string(),
  /** The algorithms that its operations chose, each once; empty: none of them chooses. Older than 2026-11-26: "auto", or one of the fields below. */
  variant: z.string(),
  ms: z.number(),
  megapixels: z.number(),
  ...partOfTiming,
  /** Absent: no operation of it chooses, or it is older than version 0.1.0 of 2026-11-23. */
  work: z.array(StageWork).max(100).optional(),
})
export type StageTiming = z.infer<typeof StageTiming>

/**
 * queued: waits for another run to end; nothing of it is computed yet. paused: goes on when it is told to; of what it was computing all has come
 * to its end, or soon has.
 */
export const RunState = z.enum(['queued', 'running', 'paused', 'done', 'cancelled', 'failed'])
export type RunState = z.infer<typeof RunState>
/** Nothing comes after it. */
export const isOver = ({ state }: { readonly state: RunState }): boolean =>
  state === 'done' || state === 'cancelled' || state === 'failed'
/** The geometry of a run's result tiles: tile (x, y) of level k covers level-0 [x*t, (x+1)*t) with t = tileSizePx * 2^k * scale. */
export const RunGrid = z.object({
  tileSizePx: z.number().int(),
  /** Level-0 px per analysed px. */
  scale: z.number(),
  maxLevel: z.number().int(),
})
export const RunStatus = z.object({
  runId: RunId,
  slideId: SlideId,
  purpose: RunPurpose,
  /** What a list calls it: "Whole slide", "Rectangle 2". */
  name: z.string(),
  state: RunState,
  /** ISO: when it was asked for. */
  startedAt: z.string(),
  region: Region,
  /** Of the shapes whose objects alone are meant, as far as they lie on the slide, level-0 px²; absent: all of the region is meant. */
  withinPx: z.number().optional(),
  /** Around those shapes, on the slide: `region` is larger, as objects reach beyond a shape. */
  withinBox: Region.optional(),
  /** Level-0 px² of what was meant that was computed and could be read: the area of its densities. Absent while it goes on. */
  analysedPx: z.number().optional(),
  grid: RunGrid,
  /** µm per analysed px; null = uncalibrated (µm parameters were then read at nominalMpp). */
  analysedMpp: z.number().nullable(),
  nominalMpp: z.number(),
  /** Of the slide's samples, analysed by a recipe that takes so many. Absent: 8. */
  analysedBits: z.literal(16).optional(),
  tilesDone: z.number(),
  tilesTotal: z.number(),
  /** Those that were deleted apart. */
  objects: z.number(),
  /** Of a preview that was asked for with them; absent: a layer is made when it is asked for. */
  layers: z.literal(true).optional(),
  /** In the document, where that holds its objects: they can be changed, and are there again with it. */
  keptId: KeptId.optional(),
  /** No recipe found its objects: they came in with this file. */
  imported: z.object({ from: z.string() }).optional(),
  /** How often its objects were changed here, whatever they have become; absent: never. */
  edits: z.number().optional(),
  /** Objects that were deleted by hand, without others in their place. */
  deleted: z.number().optional(),
  /** Objects that went because others were made of them by hand. */
  replaced: z.number().optional(),
  /** Of `objects`, those whose class was given by hand. */
  byHand: z.number().optional(),
  /** Of `objects`, those that were made by hand: merged, reshaped, or parts of one that was split. */
  made: z.number().optional(),
  /** What the document says in place of the recipe's own classes. */
  rule: ObjectRule.optional(),
  /** The channel that is analysed, of a slide of several. */
  channelName: z.string().optional(),
  /** Of `objects`, how many are of which class, the weakest first; absent where they have none. */
  classes: z.array(z.object({ ...ObjectClass.shape, objects: z.number() })).optional(),
  /** What the classes stand on, by its recipe or by `rule`; absent: they were given by hand, or there are none. */
  cuts: ClassCuts.optional(),
  /** What they stand on by its recipe alone, whatever `rule` says. */
  ownCuts: ClassCuts.optional(),
  /** The column of its cells' membrane scores, where it has them. */
  membraneColumn: z.string().optional(),
  /** Of its region, as the slide's overview shows it, once it is over without what is missing; absent where its recipe takes all of the slide, or the overview does not tell. */
  tissue: z
    .object({
      /** Level-0 px. */
      megapixels: z.number(),
      /** null: uncalibrated. */
      mm2: z.number().nullable(),
      /** Tiles so far that have none, of which nothing was computed. */
      glassTiles: z.number(),
    })
    .optional(),
  /** Of `objects`, those that reach the rim of the window that they were computed in, inside the slide: they may be cut there. */
  cutObjects: z.number(),
  /**
   * Of what was computed for this run and could be checked (on any device): how much no pixel beyond its window, and none that could not be
   * read, could change, and the windows that were computed anew, larger, until that was so. What is checked and not certain may be cut. With `valuesUncertain`
   * nothing is certain.
   */
  certainty: z.object({
    checkedMegapixels: z.number(),
    certainMegapixels: z.number(),
    /** Windows that could be checked; those that were certain as they were; those that growing up to its limit left uncertain. */
    checkedWindows: z.number(),
    certainAtOnce: z.number(),
    leftUncertain: z.number(),
    /** Computed for the others. */
    grownWindows: z.number(),
    grownMegapixels: z.number(),
  }),
  /** The whole slide's background, on which its windows will stand, is being computed: 0 … 1; etaMs of that alone, null while unknown. */
  ground: z.object({ share: z.number(), etaMs: z.number().nullable() }).optional(),
  /** It is paused, and what was under way then is not at its end yet. */
  settling: z.boolean(),
  /** Without the time that it was queued or paused. Of a run that went on from a journal: since then. */
  elapsedMs: z.number(),
  /** null while unknown. */
  etaMs: z.number().nullable(),
  megapixelsPerSecond: z.number(),
  unreadableTiles: z.number(),
  /** Of the others, those with something that parts which could not be read could change; absent: none. */
  uncertainTiles: z.number().optional(),
  /**
   * Not all of the sample could be read from which the values that adapt to the slide come, or from which its samples' range does: they may not
   * be the intact slide's, so that nothing of the result is certain. Absent: they are.
   */
  valuesUncertain: z.literal(true).optional(),
  /** Taken from what earlier runs had computed, not computed now. */
  keptMegapixels: z.number(),
  /** Of `tilesDone`, those that its journal had: a run that died had computed them. */
  resumedTiles: z.number(),
  /** What was computed for this run, summed over its threads: what was kept from earlier runs is a row of 0 ms. */
  timings: z.array(StageTiming),
  warnings: z.array(z.string()),
  error: AppError.nullable(),
})
export type RunStatus = z.infer<typeof RunStatus>

/** What of a run stands on what could not be read. */
type Unread = Pick<RunStatus, 'unreadableTiles' | 'uncertainTiles' | 'valuesUncertain'>

/** Something of it could not be read, or stands on what could not. */
export const isPartialRun = ({ unreadableTiles, uncertainTiles = 0, valuesUncertain }: Unread): boolean =>
  unreadableTiles > 0 || uncertainTiles > 0 || valuesUncertain === true

/** The same in words. */
export const partialWords = ({ unreadableTiles, uncertainTiles = 0, valuesUncertain }: Unread): string =>
  [
    ...(unreadableTiles > 0 ? [`${counted(unreadableTiles, 'tile')} of the slide could not be read`] : []),
    ...(uncertainTiles > 0 ? [`${counted(uncertainTiles, 'tile')} may be wrong because of parts that could not be read`] : []),
    ...(valuesUncertain ? ['the values that adapt to the slide are not certain'] : []),
  ].join(', and ')

/** Level-0 px² that its densities are of, where they are not of tissue. */
export const lookedAtPx = ({ analysedPx, withinPx, region }: Pick<RunStatus, 'analysedPx' | 'withinPx' | 'region'>): number =>
  analysedPx ?? withinPx ?? region.width * region.height

/** Of a run of which nothing was checked. */
export const noCertainty: RunStatus['certainty'] = {
  checkedMegapixels: 0,
  certainMegapixels: 0,
  checkedWindows: 0,
  certainAtOnce: 0,
  leftUncertain: 0,
  grownWindows: 0,
  grownMegapixels: 0,
}
/** A run as a list shows it, whoever started it. */
export const RunEntry = z.object({
  status: RunStatus,
  /** With every value, defaults included. */
  recipe: Recipe,
  recipeName: z.string(),
  slideName: z.string(),
  slidePath: toldPath,
})
export type RunEntry = z.infer<typeof RunEntry>
/** How a run keeps to its memory: what it needs with so many windows at once, of what it may have. */
export const RunMemory = z.object({
  budgetBytes: z.number(),
  /** More than the budget where one window alone needs it. */
  needBytes: z.number(),
  windowsAtOnce: z.number(),
})
export type RunMemory = z.infer<typeof RunMemory>
/**
 * How long a run would take here. measured: from runs of this recipe on this slide; sampled: from runs of this recipe on others; none: ms is
 * null, as nothing of the kind has run yet.
 */
export const RunEstimate = z.object({
  ms: z.number().nullable(),
  /** Of the analysed image. */
  megapixels: z.number(),
  basis: z.enum(['measured', 'sampled', 'none']),
  memory: RunMemory,
})
export type RunEstimate = z.infer<typeof RunEstimate>
/**
 * What a run did when: windows in the order in which they ended, as columns (entry i is row i of each). Times are ms from `startedAt`, to a tenth.
 * Of long runs an entry stands for several windows of its lane, one after the other.
 */
export const RunTimeline = z.object({
  /** ISO: the time 0. */
  startedAt: z.string(),
  endedMs: z.number(),
  /** What the rows of `stageMs` are. Within a window one follows the other; what its stages do not fill it waited for a device. */
  stages: z.array(z.object({ stage: z.string(), device: z.string(), variant: z.string(), ...partOfTiming })),
  /** One window at a time each: a thread, or a place on a GPU. */
  lanes: z.array(z.object({ device: z.string() })),
  lane: z.array(z.number()),
  /** The tile at the window's upper left corner. */
  x: z.array(z.number()),
  y: z.array(z.number()),
  tiles: z.array(z.number()),
  windows: z.array(z.number()),
  from: z.array(z.number()),
  to: z.array(z.number()),
  /** [stage][entry]; 0: none. */
  stageMs: z.array(z.array(z.number())),
  /** When the run stood still because it was told to. */
  pauses: z.array(z.object({ from: z.number(), to: z.number() })),
  /** When the whole slide's background was computed, on which its windows stand; absent: none was needed, or it was there already. */
  ground: z.object({ from: z.number(), to: z.number() }).optional(),
  /** What was written into its journal. */
  writes: z.object({ from: z.array(z.number()), to: z.array(z.number()), bytes: z.array(z.number()) }),
})
export type RunTimeline = z.infer<typeof RunTimeline>

/** What a recomputation of a part of a run, in one window on the CPU, came to. */
export const RunVerification = z.object({
  equal: z.boolean(),
  ms: z.number(),
  parts: z.array(
    z.object({
      /** Level-0 px. */
      region: Region,
      /** Of the run. */
      objects: z.number(),
      equal: z.boolean(),
      /** Whether nothing beyond the window, and nothing unread, could change the recomputation; null: the recipe lets nobody tell. */
      certain: z.boolean().nullable(),
      /** null where there is none. `x`, `y`: the object's first pixel, level-0 px. */
      difference: z.object({ x: z.number(), y: z.number(), words: z.string() }).nullable(),
    }),
  ),
})
export type RunVerification = z.infer<typeof RunVerification>

/** A run that died, or could not read all, and what its journal says of it: `journal:resume` goes on with it. */
export const JournalEntry = z.object({
  journalId: JournalId,
  /** null: the journal does not say. */
  slidePath: toldPath.nullable(),
  slideName: z.string().nullable(),
  name: z.string(),
  recipe: Recipe,
  recipeName: z.string(),
  region: z.union([Region, z.literal('whole')]),
  mpp: Mpp.optional(),
  /** Of several the one that is analysed, from 0. */
  channel: z.number().optional(),
  device: DeviceNames,
  /** Given to `journal:resume`'s caller as it came; see the engine's option `journal`. */
  note: z.unknown().optional(),
  /** ISO. */
  startedAt: z.string(),
  tilesDone: z.number(),
  tilesTotal: z.number(),
  objects: z.number(),
  bytes: z.number(),
  /** It came to its end and its files are written: only what could not be read is left. */
  written: z.literal(true).optional(),
  /** Another process is at it: told on the command line alone, whose folder is one run's. */
  live: z.literal(true).optional(),
  /** The version of the program that wrote it, which alone may go on. */
  version: z.string(),
})
export type JournalEntry = z.infer<typeof JournalEntry>
