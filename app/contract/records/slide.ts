// A slide of a document: the record, and how many there can be.
import { SlideKey } from '../base/ids'
import { filePath } from '../base/paths'
import { Recognition } from '../slides'
import * as z from '../zod'
import { farthest, text, withoutNul } from './primitives'

/** Of one document. */
export const mostSlides = 100_000

/** How a channel is shown: nothing that is computed depends on it. */
export const ChannelLook = z
  .strictObject({
    shown: z.boolean(),
    color: z.string().regex(/^#[0-9a-f]{6}$/),
    /** In the file's own units: black, and as bright as can be. */
    low: z.number(),
    high: z.number(),
    /** Below 1 dim places become brighter. */
    gamma: z.number().min(0.2).max(5),
  })
  .refine(({ low, high }) => high > low, 'expected a high above the low')
export type ChannelLook = z.infer<typeof ChannelLook>
/** One for each of a slide's channels. */
export const ChannelLooks = z.array(ChannelLook).min(1).max(4096)

/** What a file may say of it: areas in mm² stay numbers. */
export const PixelSize = z.number().min(1e-9).max(1e9)
/** A file may have any name that a system gives it: it is shown as plain text, and `fileStem` makes names of files of it. */
export const DocumentSlide = z.object({
  key: SlideKey,
  name: withoutNul(1024).refine((name) => !name.includes('/'), 'expected a name without folders'),
  /** Where it was added, and where it was open last once it was not there any more. */
  path: filePath,
  widthPx: z.number().gt(0).max(farthest),
  heightPx: z.number().gt(0).max(farthest),
  /** µm per level-0 px; null: uncalibrated. */
  mppX: PixelSize.nullable(),
  mppY: PixelSize.nullable(),
  /** Why the newest run of the whole slide failed, where it did. */
  failure: z
    .strictObject({ /** ISO. */ at: z.string().max(40), recipeName: text(1000), message: z.string().max(4000) })
    .optional(),
  /** What it is stained with, as its overview looks. Absent: nobody has looked yet. */
  stain: Recognition.pick({ stain: true, percent: true }).optional(),
  /** Of several channels the one that a person chose to analyse, from 0. Absent: the reader's own choice. */
  channel: z.number().int().min(0).max(65_535).optional(),
  /** How its channels are shown. Absent: nobody has changed that. */
  looks: ChannelLooks.optional(),
  /** A person took it out: it is the document's again as soon as there is something on it. */
  removed: z.literal(true).optional(),
})
export type DocumentSlide = z.infer<typeof DocumentSlide>
