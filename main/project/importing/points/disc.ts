// A disc as pixels of an analysed image: those whose centres lie in it. Pure.
import { mostSidePx } from '../raster'
import type { Extent, NoPixels } from '../raster'

/** Level-0 px, of which a pixel has `scale`. A disc in which no centre lies is the pixel that it is in. O(its rows). */
export function discOf(
  x: number,
  y: number,
  radius: number,
  { scale, widthPx, heightPx }: Extent & { readonly scale: number },
): { readonly runs: Int32Array; readonly clipped: boolean } | NoPixels {
  const [cx, cy, r] = [x / scale, y / scale, radius / scale]
  if (2 * r > mostSidePx / 4) return 'large'
  if (!(cx >= 0 && cy >= 0 && cx < widthPx && cy < heightPx)) return 'beyond'
  const runs: number[] = []
  let clipped = false
  for (let row = Math.ceil(cy - r - 0.5); row + 0.5 <= cy + r; row++) {
    const half = Math.sqrt(Math.max(0, r * r - (row + 0.5 - cy) ** 2))
    const [from, to] = [Math.ceil(cx - half - 0.5), Math.floor(cx + half - 0.5) + 1]
    if (from >= to) continue
    const [left, right] = [Math.max(0, from), Math.min(widthPx, to)]
    if (row < 0 || row >= heightPx || left !== from || right !== to) clipped = true
    if (row >= 0 && row < heightPx && left < right) runs.push(row, left, right)
  }
  if (runs.length === 0) runs.push(Math.floor(cy), Math.floor(cx), Math.floor(cx) + 1)
  return { runs: Int32Array.from(runs), clipped }
}
