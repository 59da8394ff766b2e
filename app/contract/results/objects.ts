// An object with its measurements.
import { Region } from '../base/geometry'
import { byKey, optionalKeys, requiredKeys, scoreKeys, stainStatisticKeys } from './measurements'
import { ObjectClass, ParamValue } from '../recipes'
import * as z from '../zod'

/** Lengths in µm where the slide is calibrated, else in level-0 px (`unit` says which). */
export const ObjectDetails = z.object({
  /** Dense within its run, 1-based. */
  id: z.number().int(),
  unit: z.enum(['um', 'px']),
  ...byKey(requiredKeys, () => z.number()),
  /** null: its recipe gives none, or it was made by hand. */
  ...byKey(optionalKeys, () => z.number().nullable()),
  /** What its score is the mean of, 0 to 100 each; null where it has none, or has it of another version's parts. */
  scoreParts: z.array(z.object({ of: z.enum(scoreKeys), part: z.number(), full: z.number() })).nullable(),
  /** Level-0 px. */
  centroid: z.object({ x: z.number(), y: z.number() }),
  bounds: Region,
  stains: z.array(z.object({ name: z.string(), ...byKey(stainStatisticKeys, () => z.number().nullable()) })),
  /** What the stains' figures are. */
  stainsAre: z.object({ title: z.string(), unit: z.string() }).optional(),
  /** In each channel of its slide, in the file's own units; absent where the slide is one picture in colours. */
  channels: z
    .array(
      z.object({
        name: z.string(),
        mean: z.number().nullable(),
        std: z.number().nullable(),
        min: z.number().nullable(),
        max: z.number().nullable(),
        sum: z.number().nullable(),
      }),
    )
    .optional(),
  /** Of its cell, in the units that are told; absent where it has none. */
  cell: z.array(z.object({ title: z.string(), unit: z.string(), value: z.number() })).optional(),
  /** Absent where its recipe has no classes. */
  class: ObjectClass.optional(),
  /** Rings of level-0 px points, first outer ring, then holes and further parts. */
  outline: z.array(z.array(z.tuple([z.number(), z.number()]))),
})
export type ObjectDetails = z.infer<typeof ObjectDetails>

/** An outline that a click found and the recipe does not give as it stands. */
export const ClickOutline = z.object({
  object: ObjectDetails,
  /** The recipe under other values, or a closed path around the click. */
  by: z.enum(['values', 'path']),
  /** Of 'values': which. */
  changes: z.array(z.object({ stage: z.string(), param: z.string(), value: ParamValue })),
})
export type ClickOutline = z.infer<typeof ClickOutline>
