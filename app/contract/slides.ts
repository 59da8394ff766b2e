// A slide as its file describes it.
import { Region } from './base/geometry'
import { SlideId } from './base/ids'
import { toldPath } from './base/paths'
import type { StainSetId } from './recipes'
import * as z from './zod'

export const SlideLevel = z.object({
  widthPx: z.number(),
  heightPx: z.number(),
  /** The level's own downsample: not always an integer. */
  downsample: z.number(),
  tileWidthPx: z.number(),
  tileHeightPx: z.number(),
})
export const SlideChannel = z.object({
  name: z.string(),
  /** "#rrggbb" as the file states it. */
  color: z.string().nullable(),
  type: z.enum(['uint8', 'int8', 'uint16', 'int16', 'uint32', 'int32', 'float32', 'float64']),
  /** Become 0 and 255 in the picture that is analysed. */
  low: z.number(),
  high: z.number(),
  /** What of that picture it makes. */
  shown: z.enum(['no', 'gray', 'red', 'green', 'blue']),
})
export type SlideChannel = z.infer<typeof SlideChannel>
/** "DAPI (uint16, 0 to 4080; analysed)", "CD8 (uint16, 0 to 900; measured)", or which part of a picture it is. */
export function channelWords({ name, type, low, high, shown }: SlideChannel): string {
  const as = shown === 'no' ? 'measured' : shown === 'gray' ? 'analysed' : shown
  return `${name} (${type}, ${rangeWords(low, high)}; ${as})`
}
const rangeWords = (...range: readonly [low: number, high: number]): string =>
  range.map((value) => String(Number(value.toPrecision(6)))).join(' to ')
/** How many bits of a slide are analysed, where that depends on the recipe or its samples have more; null: its 8 by all. */
export function depthWords({ depth, channels }: Pick<SlideInfo, 'depth' | 'channels'>): string | null {
  if (depth !== undefined) return '16 bits by Fluorescence nuclei, 8 bits by other recipes'
  const reduced = channels.find(({ shown, type }) => shown !== 'no' && type !== 'uint8')
  if (!reduced) return null
  return `8 bits by all recipes: ${rangeWords(reduced.low, reduced.high)} of ${reduced.type} are 0 to 255, rounded to the nearest`
}
/** Which of several is analysed, as a person says it: a name, or a number from 1. "#2" is a number whatever they are called. */
export const ChannelChoice = z.string().min(1).max(200)
/** Of a slide of several channels the one that is analysed, from 0; null: there is nothing to choose. */
export function analysedChannel({ channels }: { readonly channels: readonly SlideChannel[] }): number | null {
  const at = channels.findIndex(({ shown }) => shown === 'gray')
  return channels.length > 1 && at >= 0 ? at : null
}
/** A channel from 0, as a choice. */
export const choiceOf = (channel: number): string => `#${channel + 1}`
export const MppSource = z.enum(['vendor', 'tiff-resolution', 'ome-xml', 'given', 'none'])

/** µm per level-0 pixel, as a user may give it. */
export const Mpp = z.number().min(0.01).max(100)

export const SlideInfo = z.object({
  slideId: SlideId,
  /** File name without its folder. */
  name: z.string(),
  path: toldPath,
  vendor: z.string(),
  reader: z.string(),
  readerVersion: z.string(),
  widthPx: z.number(),
  heightPx: z.number(),
  levels: z.array(SlideLevel),
  /** µm per level-0 pixel; null = uncalibrated. */
  mppX: z.number().nullable(),
  mppY: z.number().nullable(),
  mppSource: MppSource,
  objectivePower: z.number().nullable(),
  bounds: Region,
  background: z.string(),
  /** All that the file has; empty where its reader gives one picture in 8-bit colours and knows no more. */
  channels: z.array(SlideChannel),
  /** In bits, what of them recipes of fluorescence analyse where that is more than 8. Absent: 8, as all others do. */
  depth: z.literal(16).optional(),
  /** Which of them is analysed somebody chose; absent: the reader did, by its name, else it is the first. */
  channelGiven: z.literal(true).optional(),
  /** Names only: a label can carry a patient's name, so its pixels are sent on request alone. */
  associatedImages: z.array(z.string()),
  properties: z.record(z.string(), z.string()),
  warnings: z.array(z.string()),
  /** What the file's colour profile (ICC) calls itself. It converts what is looked at, where that is wanted, and never what is analysed. Absent: there is none. */
  icc: z.string().optional(),
  /**
   * Why all its pixels may be others than the intact file's: something was not read while it was opened, and is not read again. Nothing that is
   * found in them is certain. Absent: they are the file's.
   */
  uncertainPixels: z.string().optional(),
  /** The viewer's pyramid: level k is level 0 halved k times; tiles of tileSizePx; k runs from 0 to maxLevel. */
  viewer: z.object({ tileSizePx: z.number().int(), maxLevel: z.number().int() }),
})
export type SlideInfo = z.infer<typeof SlideInfo>

/** What a slide looks like by its overview's colours. */
export const Recognition = z.object({
  stain: z.enum(['h-e', 'h-dab', 'fluorescence', 'unknown']),
  /** How much of what decides speaks for it; 0 where it is unknown. */
  percent: z.number().int().min(0).max(100),
  /** The id of the bundled recipe for it. */
  recipe: z.string().nullable(),
})
export type Recognition = z.infer<typeof Recognition>
/** How a slide is asked for its own stains: Macenko's way, and the same by parts of its sample. */
export const StainMethod = z.enum(['macenko', 'parts'])
export type StainMethod = z.infer<typeof StainMethod>
export const stainMethodTitles = {
  macenko: { label: 'Macenko', help: 'Macenko 2009: the outermost colours of all the stained pixels of the slide’s sample' },
  parts: {
    label: 'By parts',
    help: 'The middle of what 36 parts of the sample say: blood, pigment or ink in a few of them moves it little',
  },
} as const satisfies Record<StainMethod, { label: string; help: string }>
/** What a sample of the slide's nuclei says of the limit between a recipe's classes. */
export const ClassLimit = z.object({
  /** OD. */
  limit: z.number(),
  /** Of the sample, and how many of them are above the limit. */
  nuclei: z.number().int(),
  above: z.number().int(),
})
export type ClassLimit = z.infer<typeof ClassLimit>

export const stainTitles = {
  'h-e': 'H&E',
  'h-dab': 'H-DAB',
  fluorescence: 'fluorescence',
  unknown: 'no stain that is known',
} as const satisfies Record<Recognition['stain'], string>

/** Below, nobody is told: a guess would only disturb. */
const surePercent = 70
const madeFor = { 'h-e': 'h-e', 'h-dab': 'h-dab', rgb: 'fluorescence' } as const satisfies Record<
  StainSetId,
  Recognition['stain']
>

/** "looks like H-DAB (99 %), and H&E nuclei is made for H&E". null: the recipe suits the slide, or nobody knows. */
export function unfitWords(
  seen: Pick<Recognition, 'stain' | 'percent'> | null | undefined,
  recipe: { readonly name: string; readonly stainSet: StainSetId },
): string | null {
  if (!seen || seen.stain === 'unknown' || seen.percent < surePercent) return null
  const meant = madeFor[recipe.stainSet]
  if (meant === seen.stain) return null
  return `looks like ${stainTitles[seen.stain]} (${seen.percent} %), and ${recipe.name} is made for ${stainTitles[meant]}`
}
