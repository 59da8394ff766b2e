// A step of history beside its commands: the record, and how many are kept.
import { KeptId } from '../base/ids'
import * as z from '../zod'
import { mostCounted } from './primitives'

/** The oldest beyond them can no longer be taken back. */
export const keptSteps = 1000
/** A step's command as JSON, and deflated. */
export const mostStepBytes = 2 ** 28

/** Rises with every change of a document. */
export const Revision = z.number().int().min(0).max(mostCounted)

/** As its row is. */
export const HistoryStep = z.strictObject({
  seq: z.number().int().min(1).max(mostCounted),
  /** ms since 1970. */
  at: z.number().int().min(0).max(8.64e15),
  name: z
    .string()
    .min(1)
    .max(600)
    .refine((value) => !/\p{Cs}/u.test(value), 'expected whole letters'),
  undone: z.union([z.literal(0), z.literal(1)]),
  /** The run that it is about. */
  run: KeptId.nullable(),
})
export type HistoryStep = z.infer<typeof HistoryStep>
