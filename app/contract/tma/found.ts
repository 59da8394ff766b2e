// What is asked of a slide that is a tissue microarray, and what is found on it.
import { SlideId } from '../base/ids'
import { mostLines } from '../records/core'
import { Mpp } from '../slides'
import * as z from '../zod'

/** µm. */
export const coreDiameters = { min: 100, max: 5000 } as const
const count = z.number().int().min(1).max(mostLines)

export const CoreSearch = z.strictObject({
  slideId: SlideId,
  /** µm of a level-0 px, in place of what the slide says. */
  mpp: Mpp.optional(),
  /** Absent: as most of what lies on the slide has it. */
  diameterUm: z.number().min(coreDiameters.min).max(coreDiameters.max).optional(),
  /** Absent: as many as have cores. */
  rows: count.optional(),
  columns: count.optional(),
})
export type CoreSearch = z.infer<typeof CoreSearch>

/** Level-0 px; row and column from 0, from the slide's upper left. */
export const FoundCore = z.object({ row: z.number(), column: z.number(), x: z.number(), y: z.number(), missing: z.boolean() })
export type FoundCore = z.infer<typeof FoundCore>

export const FoundCores = z.object({
  rows: z.number(),
  columns: z.number(),
  diameterPx: z.number(),
  diameterUm: z.number(),
  /** How far rows are from level, degrees, clockwise. */
  rotation: z.number(),
  /** Row by row, each position once. */
  cores: z.array(FoundCore),
  /** Things as large as cores that lie in no row and column. */
  outside: z.array(z.object({ x: z.number(), y: z.number() })),
  /** Why not all of the overview could be read; null: it was. */
  unread: z.string().nullable(),
})
export type FoundCores = z.infer<typeof FoundCores>
