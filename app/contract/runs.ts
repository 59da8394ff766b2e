// A run from its request to its end: what is asked for, how it stands, how long it would take.
import { DeviceName } from './devices'
import { AppError } from './errors'
import { Region } from './geometry'
import { RunId, SlideId } from './ids'
import { Recipe } from './recipes'
import { Mpp } from './slides'
import * as z from './zod'

/** preview: the visible field, low latency, keeps intermediate images; run: for keeps; click: one object. */
export const RunPurpose = z.enum(['preview', 'run'])
export const RunRequest = z.strictObject({
  slideId: SlideId,
  /** Level-0 px; 'whole' = the slide's bounds. An object belongs to a region if its first pixel (raster order) lies in it. */
  region: z.union([Region, z.literal('whole')]),
  recipe: Recipe,
  purpose: RunPurpose,
  /** Tiles near this point come first (level-0 px). */
  focus: z.strictObject({ x: z.number(), y: z.number() }).optional(),
  /** Overrides the slide's calibration, µm/px. */
  mpp: Mpp.optional(),
  threads: z.number().int().min(1).max(1024).optional(),
  /** Default: the CPU. GPU_UNAVAILABLE where it is not there: no other device takes its place. */
  device: DeviceName.optional(),
  /** What a list calls it; the engine adds a number where the slide has one of that name already. */
  name: z.string().min(1).max(100).optional(),
  /** Of a preview: which page looks at it. A page's preview ends its own older one and no other page's; absent: whoever says none either. */
  page: z
    .string()
    .regex(/^[\w-]{1,64}$/)
    .optional(),
})
export type RunRequest = z.infer<typeof RunRequest>

export const StageTiming = z.object({
  stage: z.string(),
  device: z.string(),
  variant: z.string(),
  ms: z.number(),
  megapixels: z.number(),
})
export type StageTiming = z.infer<typeof StageTiming>

/** queued: waits for another run to end; nothing of it is computed yet. */
export const RunState = z.enum(['queued', 'running', 'done', 'cancelled', 'failed'])
export type RunState = z.infer<typeof RunState>
/** Nothing comes after it. */
export const isOver = ({ state }: { readonly state: RunState }): boolean => state !== 'queued' && state !== 'running'
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
  grid: RunGrid,
  /** µm per analysed px; null = uncalibrated (µm parameters were then read at nominalMpp). */
  analysedMpp: z.number().nullable(),
  nominalMpp: z.number(),
  tilesDone: z.number(),
  tilesTotal: z.number(),
  objects: z.number(),
  /** Of `objects`, those that reach the rim of the window that they were computed in, inside the slide: they may be cut there. */
  cutObjects: z.number(),
  /**
   * Of what was computed for this run and could be checked (today on the CPU): how much no pixel beyond its window could change, and the
   * windows that were computed anew, larger, until that was so. What is checked and not certain may be cut.
   */
  certainty: z.object({
    checkedMegapixels: z.number(),
    certainMegapixels: z.number(),
    grownWindows: z.number(),
    grownMegapixels: z.number(),
  }),
  /** Without the time that it was queued. */
  elapsedMs: z.number(),
  /** null while unknown. */
  etaMs: z.number().nullable(),
  megapixelsPerSecond: z.number(),
  unreadableTiles: z.number(),
  /** Taken from what earlier runs had computed, not computed now. */
  keptMegapixels: z.number(),
  /** What was computed for this run, summed over its threads: what was kept from earlier runs is a row of 0 ms. */
  timings: z.array(StageTiming),
  warnings: z.array(z.string()),
  error: AppError.nullable(),
})
export type RunStatus = z.infer<typeof RunStatus>
/** A run as a list shows it, whoever started it. */
export const RunEntry = z.object({
  status: RunStatus,
  /** With every value, defaults included. */
  recipe: Recipe,
  recipeName: z.string(),
  slideName: z.string(),
  slidePath: z.string(),
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
