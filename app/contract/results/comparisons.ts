// Two runs of one slide held against each other: their values, their objects, how much these agree.
import { Region } from '../base/geometry'
import { ParamValue, Unit } from '../recipes'
import * as z from '../zod'

/** Red, green, blue of objects by whose they are: Okabe and Ito's, told apart by every kind of eye; what both have is the palest. */
export const comparedColours = { a: [230, 159, 0], b: [86, 180, 233], both: [245, 245, 245] } as const

const ComparedSide = z.object({
  name: z.string(),
  recipeName: z.string(),
  /** In the part that both runs looked at. */
  objects: z.number(),
  /** That they cover, px of the analysed image. */
  areaPx: z.number(),
  /** What the run took. */
  elapsedMs: z.number(),
  /** No recipe found its objects: it has no values that others could be held against. */
  imported: z.literal(true).optional(),
})
/** A value that the runs do not share; null: the run's recipe has no such parameter. */
export const ComparedValue = z.object({
  stage: z.string(),
  param: z.string(),
  label: z.string(),
  unit: Unit,
  a: ParamValue.nullable(),
  b: ParamValue.nullable(),
})
export type ComparedValue = z.infer<typeof ComparedValue>
export const RunComparison = z.object({
  /** Names its tiles (tilePaths.compared). */
  comparison: z.number().int(),
  a: ComparedSide,
  b: ComparedSide,
  /** Level-0 px: what both runs looked at. Objects count whose first pixel lies in it. */
  region: Region,
  /** Pairs with an IoU of one half or more, one to one. */
  both: z.number(),
  onlyA: z.number(),
  onlyB: z.number(),
  /** Covered by both, px of the analysed image. */
  overlapPx: z.number(),
  /** Of the areas. */
  dice: z.number(),
  /** Of the pairs; null: there is none. */
  meanIou: z.number().nullable(),
  /** Values that differ, in the order of the recipe. */
  values: z.array(ComparedValue),
  /** What has to be known to read it. */
  notes: z.array(z.string()),
})
export type RunComparison = z.infer<typeof RunComparison>
