// A run that a document holds: the record, how many there can be, and which one stands for its slide.
import { KeptId, SlideKey } from '../base/ids'
import { Recipe } from '../recipes'
import * as z from '../zod'
import { text } from './primitives'

/** Of one document. */
export const mostRuns = 100_000
/** Found by one run. */
export const mostObjects = 2 ** 26

/** A run that the document holds, with its objects as a file beside it. */
export const KeptRun = z.strictObject({
  id: KeptId,
  slide: SlideKey,
  name: text(300),
  recipeName: text(1000),
  /** ISO. */
  startedAt: z.string().max(40),
  /** All that it found, whatever was deleted or made since. */
  objects: z.number().int().min(0).max(mostObjects),
  /** What was asked of it, with every value; absent: an earlier version kept it, and did not say. */
  asked: z
    .strictObject({
      recipe: Recipe,
      whole: z.boolean(),
      /** Of the shapes that it ran within, as main/project/regions/regionResults.ts makes them; absent: it ran within none. */
      within: z
        .array(z.string().regex(/^[0-9a-f]{32}$/))
        .max(10_000)
        .optional(),
      /** Of several channels the one that was analysed, from 0; `channelGiven`: a person chose it. */
      channel: z.number().int().min(0).max(65_535).optional(),
      channelGiven: z.literal(true).optional(),
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
  /** No recipe found its objects: they came in with a file of this name. */
  imported: z.strictObject({ from: text(300) }).optional(),
  /** The step that brought it in was taken back: it is in no list and in no sum until that is done again. */
  takenBack: z.literal(true).optional(),
})
export type KeptRun = z.infer<typeof KeptRun>

/** The newest run of all of a slide, of those that were not cancelled. Of those that an earlier version kept nobody knows what they looked at. */
export function wholeRunOf(runs: Iterable<KeptRun>, key: string): KeptRun | undefined {
  return [...runs]
    .filter(({ slide, asked, cancelled, takenBack }) => slide === key && asked?.whole === true && !cancelled && !takenBack)
    .sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1))[0]
}
