// Which part of a slide a run covers, and how much may be asked for at once.
import type { Region } from '../../../app/contract'
import { EngineError } from '../../base/errors'
import type { Draft } from '../analysis/analysis'
import { regionInGrid } from '../plan/plan'
import type { PixelRect } from '../../base/rect'

/**
 * Analysed px: 370,000 × 370,000, four times the largest slides that scanners write at 40×. Such a run takes hours on any machine, and its
 * tiles' bookkeeping stays below 100 MB; a file that claims more is damaged or hostile.
 */
export const maxRunPixels = 2 ** 37
/** Objects are put in order by numbers that are exact up to here. */
const maxSidePixels = 2 ** 26

/** Throws INVALID_PARAMETER where the slide has nothing there. */
export function regionFor(draft: Draft, asked: Region | 'whole'): PixelRect {
  const { info } = draft.slide
  const region = asked === 'whole' ? info.bounds : asked
  const { x, y, width, height } = region
  const clipped = regionInGrid(draft.grid, region)
  if (clipped) return clipped
  throw new EngineError(
    'INVALID_PARAMETER',
    `expected a region that meets the slide (${info.widthPx} × ${info.heightPx} px) for region but received ${width} × ${height} px at ${x}, ${y}`,
  )
}

/** `ms`: how long the region would take; null = not known. Throws INVALID_PARAMETER where that is more than anybody can want. */
export function checkExtent({ x, y, width, height }: PixelRect, ms: number | null): void {
  const pixels = width * height
  if (pixels <= maxRunPixels && x + width <= maxSidePixels && y + height <= maxSidePixels) return
  const time = ms === null ? `${words(pixels / 20_000)} at 20 megapixels a second` : words(ms)
  throw new EngineError(
    'INVALID_PARAMETER',
    `expected at most ${millions(maxRunPixels)} megapixels to analyse, and sides of at most ${millions(maxSidePixels)} million px, for region but received ${width} × ${height} px (${millions(pixels)} megapixels, which would take ${time}). Run the recipe on a smaller region.`,
  )
}

function millions(pixels: number): string {
  return Math.round(pixels / 1e6).toLocaleString('en')
}

function words(ms: number): string {
  const hours = ms / 3_600_000
  return hours < 48 ? `${Math.max(1, Math.round(hours))} hours` : `${Math.round(hours / 24).toLocaleString('en')} days`
}
