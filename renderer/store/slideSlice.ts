// The open slide, and what the panels need to know of its resolution. Pure.
import type { RecentSlide, RecipeSpec, Region, SlideInfo } from '../../app/contract'
import type { Values } from './recipeSlice'

export interface SlideState {
  readonly info: SlideInfo | null
  /** The path being opened. */
  readonly opening: string | null
  readonly recents: readonly RecentSlide[]
  /** The user's own µm/px for a slide that has none (or a wrong one). */
  readonly mppGiven: number | null
}

export const emptySlide: SlideState = { info: null, opening: null, recents: [], mppGiven: null }

/** µm per level-0 px, or null where the slide is uncalibrated. */
export const slideMpp = (info: SlideInfo | null): number | null =>
  info?.mppX != null && info.mppY != null ? (info.mppX + info.mppY) / 2 : (info?.mppX ?? null)

/** What µm parameters are read at where the slide is uncalibrated: the objective's usual pixel, else that of a 40x. */
export const nominalMpp = (info: SlideInfo): number => slideMpp(info) ?? (info.objectivePower ? 10 / info.objectivePower : 0.25)

/** Level-0 px per analysed px for a recipe, below 1 where it looks closer than the scanner did: its stage `image` says at which resolution it looks. */
export function analysisScale(info: SlideInfo, spec: RecipeSpec, values: Values): number {
  const param = spec.stages.find((stage) => stage.id === 'image')?.params.find((p) => p.key === 'pixelSizeUm')
  const value = values['image']?.['pixelSizeUm'] ?? param?.default
  return typeof value === 'number' && value > 0 ? value / nominalMpp(info) : 1
}

export const megapixels = (region: Region, scale: number): number => (region.width * region.height) / (scale * scale) / 1e6

/** Three channels: two stains and what neither explains. */
export const stainNames: Record<RecipeSpec['stainSet'], readonly string[]> = {
  'h-e': ['Hematoxylin', 'Eosin', 'Residual'],
  'h-dab': ['Hematoxylin', 'DAB', 'Residual'],
}
