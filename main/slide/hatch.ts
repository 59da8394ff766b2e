// Diagonal stripes over what a file could not give, so that a hole is never taken for empty tissue.
import type { Unreadable } from '../../native/index'
import type { PixelRect } from '../base/rect'

type Rgba = readonly [number, number, number, number]
/** On pictures of the slide. */
const grey: Rgba = [150, 150, 150, 255]
const periodPx = 12
const stripePx = 3

/** Stripes lie on one lattice of the whole plane: they run on from tile to tile. `originX`, `originY` are the image's place in it. */
export function isStripe(x: number, y: number): boolean {
  return (((x + y) % periodPx) + periodPx) % periodPx < stripePx
}

/** Paints stripes of one colour into `rect` (image px, may reach outside) of an RGBA image. */
export function hatch(
  rgba: Uint8Array,
  width: number,
  height: number,
  rect: PixelRect,
  origin: { x: number; y: number },
  color: Rgba,
): void {
  const x0 = Math.max(0, Math.floor(rect.x))
  const y0 = Math.max(0, Math.floor(rect.y))
  const x1 = Math.min(width, Math.ceil(rect.x + rect.width))
  const y1 = Math.min(height, Math.ceil(rect.y + rect.height))
  for (let y = y0; y < y1; y++) {
    for (let x = x0; x < x1; x++) {
      if (isStripe(origin.x + x, origin.y + y)) rgba.set(color, (y * width + x) * 4)
    }
  }
}

/** Hatches `parts` (level-0 px) of a picture of `area`, which is in px of `scale` level-0 px each. */
export function hatchParts(rgba: Uint8Array, area: PixelRect, scale: number, parts: readonly PixelRect[], color = grey): void {
  for (const part of parts) {
    const rect = {
      x: part.x / scale - area.x,
      y: part.y / scale - area.y,
      width: part.width / scale,
      height: part.height / scale,
    }
    hatch(rgba, area.width, area.height, rect, area, color)
  }
}

/** Where the parts lie that a read could not give. */
export const missing = (unreadable: readonly Unreadable[]): PixelRect[] => unreadable.map(({ region }) => region)
