// What a journal says of a window beside its tiles: what it took, and how sure it was.
import * as z from 'zod'
import { StageWork } from '../../../app/contract'
import type { WindowTook } from '../tiles/computeTile'

const Note = z
  .object({
    timings: z
      .array(
        z.object({
          stage: z.string().max(200),
          device: z.string().max(200),
          variant: z.string().max(200),
          ms: z.number(),
          pixels: z.number(),
          // Older journals have none.
          work: z.array(StageWork).max(100).default([]),
          part: z.string().max(200).optional(),
          reader: z.string().max(200).optional(),
          memory: z.string().max(200).optional(),
          kept: z.boolean().optional(),
        }),
      )
      .max(1000),
    certainty: z
      .object({
        certified: z.boolean(),
        corePixels: z.number(),
        certainPixels: z.number(),
        grownWindows: z.number(),
        grownPixels: z.number(),
      })
      .nullable(),
  })
  .nullable()

/** null where there is none, or where it is of no such window: figures, of which no result depends. */
export function readNote(note: unknown): WindowTook | null {
  const known = Note.safeParse(note)
  return known.success ? known.data : null
}
