// A slide as its file describes it.
import { Region } from './geometry'
import { SlideId } from './ids'
import * as z from './zod'

export const SlideLevel = z.object({
  widthPx: z.number(),
  heightPx: z.number(),
  /** The level's own downsample: not always an integer. */
  downsample: z.number(),
  tileWidthPx: z.number(),
  tileHeightPx: z.number(),
})
export const MppSource = z.enum(['vendor', 'tiff-resolution', 'ome-xml', 'given', 'none'])

/** µm per level-0 pixel, as a user may give it. */
export const Mpp = z.number().min(0.01).max(100)

export const SlideInfo = z.object({
  slideId: SlideId,
  /** File name without its folder. */
  name: z.string(),
  path: z.string(),
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
  /** Names only: a label can carry a patient's name, so its pixels are sent on request alone. */
  associatedImages: z.array(z.string()),
  properties: z.record(z.string(), z.string()),
  warnings: z.array(z.string()),
  /** The viewer's pyramid: level k is level 0 halved k times; tiles of tileSizePx; k runs from 0 to maxLevel. */
  viewer: z.object({ tileSizePx: z.number().int(), maxLevel: z.number().int() }),
})
export type SlideInfo = z.infer<typeof SlideInfo>
