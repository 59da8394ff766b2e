// What a slide looks like from afar: a dark background means fluorescence, and values in a narrow range a picture that shows nothing.
import { tilePaths, type SlideInfo } from '../../app/contract'
import { api } from '../api'
import type { Stretch } from '../store/slices/toneSlice'
import { loadPicture } from './tiles/pictureCache'

/** Glass is above 200 in every brightfield scan, and most of a fluorescence picture below 30. */
const darkestGlass = 60
/** Brightfield has brighter places, and so has fluorescence that fills its range. */
const dimmest = 160
/** Of all places, darker and brighter than what is told apart: a hot pixel or a speck of dust decides nothing. */
const [least, most] = [0.01, 0.998]
/** Levels of grey that are told apart at least: of less, noise would look like something. */
const narrowest = 4

/** `rgba`: of the whole slide. Its background is what most of it is. */
export function isDark(rgba: ArrayLike<number>): boolean {
  return placeIn(brightest(rgba), 0.5) < darkestGlass
}

/** The brightest channel of each pixel, in order. */
function brightest(rgba: ArrayLike<number>): Uint8Array {
  const values = new Uint8Array(rgba.length >> 2)
  for (let i = 0; i < values.length; i++) values[i] = Math.max(rgba[4 * i]!, rgba[4 * i + 1]!, rgba[4 * i + 2]!)
  return values.sort()
}
const placeIn = (sorted: Uint8Array, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 255

/** From the first hundredth of its places to all but two in a thousand. `needed`: as it stands, it would be almost black. */
export function stretchOf(rgba: ArrayLike<number>): { readonly stretch: Stretch; readonly needed: boolean } {
  const sorted = brightest(rgba)
  const low = placeIn(sorted, least)
  const high = placeIn(sorted, most)
  return { stretch: { low, high: Math.min(255, Math.max(high, low + narrowest)) }, needed: high < dimmest }
}

export interface SlideLook {
  readonly dark: boolean
  readonly stretch: Stretch
  readonly needsStretch: boolean
}

/** From the one picture that holds the whole slide; null where it cannot be had. */
export async function lookOfSlide({ slideId, viewer }: SlideInfo, signal: AbortSignal): Promise<SlideLook | null> {
  try {
    const { blob } = await loadPicture(api().tileUrl(tilePaths.slide(slideId, viewer.maxLevel, 0, 0)), signal)
    const bitmap = await createImageBitmap(blob)
    const { width, height } = bitmap
    const context = new OffscreenCanvas(width, height).getContext('2d')
    if (!context) return null
    context.drawImage(bitmap, 0, 0)
    bitmap.close()
    const { data } = context.getImageData(0, 0, width, height)
    const { stretch, needed } = stretchOf(data)
    return { dark: isDark(data), stretch, needsStretch: needed }
  } catch {
    return null
  }
}
