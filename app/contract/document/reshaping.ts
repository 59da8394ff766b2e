// Outlines of a run's objects changed as a whole: what is asked, and what came of it.
import { Shape } from '../records/shapes'
import { Recipe } from '../recipes'
import * as z from '../zod'

/** µm, or px of the slide's level 0. */
const amount = { by: z.number().gt(0).max(1e6), unit: z.enum(['um', 'px']) }
/** Holes filled; a disc of so much radius more, or less. */
export const ObjectReshape = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('fill') }),
  z.strictObject({ type: z.literal('grow'), ...amount }),
  z.strictObject({ type: z.literal('shrink'), ...amount }),
])
export type ObjectReshape = z.infer<typeof ObjectReshape>

export const ReshapedObjects = z.object({
  name: z.string(),
  /** How many were changed. */
  objects: z.number(),
  /** How many stand for them, numbered from `first` on. */
  made: z.number(),
  first: z.number(),
  /** Of which nothing would be left: they stay as they are. */
  gone: z.number(),
  /** Fell into several objects. */
  severed: z.number(),
  /** With nothing to change. */
  asTheyAre: z.number(),
})
export type ReshapedObjects = z.infer<typeof ReshapedObjects>

/**
 * An object that the program has not: the pixels whose centres lie in a shape (level-0 px), or what a recipe finds at a point; `recipe` absent: the
 * run's own values.
 */
export const DrawnObject = z.union([
  z.strictObject({ shape: Shape }),
  z.strictObject({ at: z.strictObject({ x: z.number(), y: z.number() }), recipe: Recipe.optional() }),
])
export type DrawnObject = z.infer<typeof DrawnObject>

/** Of what was drawn, what did not become the object's; areas in px of the analysed image, and in µm² (null: without a pixel size). */
export const LeftOut = z.object({
  /** What other objects have, and how many of them have some. */
  others: z.object({ px: z.number(), um2: z.number().nullable(), objects: z.number() }),
  /** What is not connected with the rest: others part it, or it begins apart. */
  apart: z.object({ px: z.number(), um2: z.number().nullable() }),
})
export type LeftOut = z.infer<typeof LeftOut>

/** `object` is its number. */
export const AddedObject = z.object({ name: z.string(), object: z.number(), leftOut: LeftOut })
export type AddedObject = z.infer<typeof AddedObject>

/** What a brush adds to an object, or rubs out of it. */
export const ObjectStroke = z.strictObject({
  /** Its number. */
  id: z.number().int().min(1),
  how: z.enum(['add', 'subtract']),
  shape: Shape,
})
export type ObjectStroke = z.infer<typeof ObjectStroke>

export const RedrawnObject = z.object({
  name: z.string(),
  /** The number of what stands for it; of several, of the largest. */
  object: z.number(),
  made: z.number(),
  /** Of a stroke that adds. */
  leftOut: LeftOut.optional(),
})
export type RedrawnObject = z.infer<typeof RedrawnObject>
