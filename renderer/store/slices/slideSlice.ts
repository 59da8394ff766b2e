// The open slide, and what the panels need to know of its resolution. Pure.
import type { RecentSlide, RecipeSpec, Region, RunStatus, SlideInfo } from '../../../app/contract'
import { formatCount } from '../../arithmetic/format'
import { words } from '../../words'
import type { Values } from './recipeCuts'

export interface SlideState {
  readonly info: SlideInfo | null
  /** The path being opened. */
  readonly opening: string | null
  readonly recents: readonly RecentSlide[]
  /** The user's own µm/px for a slide that has none (or a wrong one). */
  readonly mppGiven: number | null
  /** What the view shows of it at first, level-0 px; null: all of it. */
  readonly firstField: Region | null
  /** How a slide looks from afar, once its coarsest picture has been seen. */
  readonly look: { readonly slideId: string; readonly dark: boolean } | null
}

export const emptySlide: SlideState = { info: null, opening: null, recents: [], mppGiven: null, firstField: null, look: null }

/** The open slide has a dark background, as fluorescence has. */
export const isDarkSlide = ({ info, look }: SlideState): boolean =>
  info !== null && look !== null && look.slideId === info.slideId && look.dark

/**
 * µm per level-0 px as one number, or null where the slide is uncalibrated: the geometric mean, as the engine analyses at, so that its
 * square is a pixel's area where pixels are not square.
 */
export const slideMpp = (info: SlideInfo | null): number | null => {
  if (info?.mppX == null || info.mppY == null) return info?.mppX ?? null
  return info.mppX === info.mppY ? info.mppX : Math.sqrt(info.mppX * info.mppY)
}

/** µm per level-0 px along the screen's horizontal, for a view that is turned by so many degrees. */
export function horizontalMpp(info: SlideInfo, rotation: number): number | null {
  if (info.mppX === null || info.mppY === null) return slideMpp(info)
  const turn = (rotation * Math.PI) / 180
  return Math.hypot(info.mppX * Math.cos(turn), info.mppY * Math.sin(turn))
}

/** "0.499 µm/px", "0.25 × 0.5 µm/px" where pixels are not square, null where nobody knows. */
export function mppWords(info: SlideInfo): string | null {
  const mpp = slideMpp(info)
  if (mpp === null) return null
  const short = (value: number): string => String(Number(value.toPrecision(4)))
  const square = info.mppX === null || info.mppY === null || short(info.mppX) === short(info.mppY)
  return `${square ? short(mpp) : `${short(info.mppX!)} × ${short(info.mppY!)}`} µm/px`
}

/** QuPath crops the slide to what its file calls its bounds, and its coordinates begin there. */
export const isCropped = ({ info }: SlideState, slideId: string): boolean =>
  info !== null && info.slideId === slideId && (info.bounds.x !== 0 || info.bounds.y !== 0)

/** mm² of a region of level-0 px. */
export const regionMm2 = (region: Pick<Region, 'width' | 'height'>, mpp: number): number =>
  (region.width * region.height * mpp * mpp) / 1e6

/** "254 × 512 px"; of a run within regions of the box around these. */
export function runSize({ region, withinBox }: Pick<RunStatus, 'region' | 'withinBox'>): string {
  const { width, height } = withinBox ?? region
  return `${formatCount(width)} × ${formatCount(height)} px`
}

/** What µm parameters are read at where the slide is uncalibrated: the objective's usual pixel, else that of a 40x. */
export const nominalMpp = (info: SlideInfo): number => slideMpp(info) ?? (info.objectivePower ? 10 / info.objectivePower : 0.25)

/** Level-0 px per analysed px for a recipe, below 1 where it looks closer than the scanner did: its stage `image` says at which resolution it looks. */
export function analysisScale(info: SlideInfo, spec: RecipeSpec, values: Values): number {
  const param = spec.stages.find((stage) => stage.id === 'image')?.params.find((p) => p.key === 'pixelSizeUm')
  const value = values['image']?.['pixelSizeUm'] ?? param?.default
  return typeof value === 'number' && value > 0 ? value / nominalMpp(info) : 1
}

export const megapixels = (region: Region, scale: number): number => (region.width * region.height) / (scale * scale) / 1e6

/** Three channels: two stains and what neither explains, or a camera's own. */
export const stainNames: Record<RecipeSpec['stainSet'], readonly string[]> = words.stains
