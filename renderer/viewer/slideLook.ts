// What a slide looks like from afar: a dark background means fluorescence, for which no bundled recipe is made.
import { tilePaths, type SlideInfo } from '../../app/contract'
import { api } from '../api'
import { loadPicture } from './pictureCache'

const sidePx = 64
/** Glass is above 200 in every brightfield scan, and most of a fluorescence picture below 30. */
const darkestGlass = 60

/** `rgba`: of the whole slide. Its background is what most of it is. */
export function isDark(rgba: ArrayLike<number>): boolean {
  const values: number[] = []
  for (let i = 0; i + 3 < rgba.length; i += 4) values.push(Math.max(rgba[i]!, rgba[i + 1]!, rgba[i + 2]!))
  values.sort((a, b) => a - b)
  return (values[values.length >> 1] ?? 255) < darkestGlass
}

/** From the one picture that holds the whole slide; null where it cannot be had. */
export async function looksDark({ slideId, viewer }: SlideInfo, signal: AbortSignal): Promise<boolean | null> {
  try {
    const { blob } = await loadPicture(api().tileUrl(tilePaths.slide(slideId, viewer.maxLevel, 0, 0)), signal)
    const bitmap = await createImageBitmap(blob)
    const context = new OffscreenCanvas(sidePx, sidePx).getContext('2d')
    if (!context) return null
    context.drawImage(bitmap, 0, 0, sidePx, sidePx)
    bitmap.close()
    return isDark(context.getImageData(0, 0, sidePx, sidePx).data)
  } catch {
    return null
  }
}
