// Diagonal stripes over what a file could not give, so that a hole is never taken for empty tissue.

export interface PixelRect {
  x: number
  y: number
  width: number
  height: number
}

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
  color: readonly [number, number, number, number],
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
