// Pixels as rows of text and as sets, for tests that count pieces.

/** Rows of text, '#' in. */
export function fromRows(...rows: string[]): Int32Array {
  const found: number[] = []
  rows.forEach((row, y) => {
    for (const { index, 0: text } of row.matchAll(/#+/g)) found.push(y, index, index + text.length)
  })
  return Int32Array.from(found)
}

export function pixelsOf(of: Int32Array | string): Set<string> {
  if (typeof of === 'string') throw new Error(of)
  const pixels = new Set<string>()
  for (let r = 0; r < of.length; r += 3) for (let x = of[r + 1]!; x < of[r + 2]!; x++) pixels.add(`${x},${of[r]}`)
  return pixels
}

/** How many pieces: pixels that share a side are of one. */
export function sidePieces(pixels: ReadonlySet<string>): number {
  const left = new Set(pixels)
  let pieces = 0
  for (const start of pixels) {
    if (!left.delete(start)) continue
    pieces += 1
    const open = [start]
    for (const pixel of open) {
      const [x, y] = pixel.split(',').map(Number) as [number, number]
      for (const next of [`${x + 1},${y}`, `${x - 1},${y}`, `${x},${y + 1}`, `${x},${y - 1}`])
        if (left.delete(next)) open.push(next)
    }
  }
  return pieces
}
