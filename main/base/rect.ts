// Rectangles of pixels, in whatever pixels the caller counts: which points and rectangles they hold and meet.
import type { PixelRect } from '../../native/index'

export type { PixelRect } from '../../native/index'

export function contains(rect: PixelRect, x: number, y: number): boolean {
  return x >= rect.x && y >= rect.y && x < rect.x + rect.width && y < rect.y + rect.height
}

export function intersects(a: PixelRect, b: PixelRect): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
}

/** null: they share nothing. */
export function intersection(a: PixelRect, b: PixelRect): PixelRect | null {
  const [x, y] = [Math.max(a.x, b.x), Math.max(a.y, b.y)]
  const width = Math.min(a.x + a.width, b.x + b.width) - x
  const height = Math.min(a.y + a.height, b.y + b.height) - y
  return width > 0 && height > 0 ? { x, y, width, height } : null
}

/** Whether all of `part` lies in it. */
export function holds(rect: PixelRect, part: PixelRect): boolean {
  return (
    part.x >= rect.x &&
    part.y >= rect.y &&
    part.x + part.width <= rect.x + rect.width &&
    part.y + part.height <= rect.y + rect.height
  )
}

/** With `by` more on each side. */
export function grown({ x, y, width, height }: PixelRect, by: number): PixelRect {
  return { x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by }
}

export function areaOf(rect: PixelRect): number {
  return rect.width * rect.height
}

/** The same place where a pixel is `factor` of these. */
export function scaled(rect: PixelRect, factor: number): PixelRect {
  return { x: rect.x * factor, y: rect.y * factor, width: rect.width * factor, height: rect.height * factor }
}
