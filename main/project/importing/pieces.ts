// Which runs of pixels are one piece, 8-connected as objects are. Pure.

/**
 * The largest piece of runs (y, x0, x1 by threes, raster order), of equals the first; `pieces`: how many there are. The runs themselves where they
 * are one. O(runs).
 */
export function largestPiece(runs: Int32Array): { readonly runs: Int32Array; readonly pieces: number } {
  const count = runs.length / 3
  if (isOneByRows(runs)) return { runs, pieces: Math.min(1, count) }
  const parent = new Int32Array(count)
  for (let i = 0; i < count; i++) parent[i] = i
  const rootOf = (of: number): number => {
    let root = of
    while (parent[root] !== root) root = parent[root] = parent[parent[root]!]!
    return root
  }
  let pieces = count
  const at = (run: number, place: 0 | 1 | 2): number => runs[3 * run + place] ?? 0
  // Of the row above the first run that may touch.
  let above = 0
  for (let i = 0; i < count; i++) {
    const [y, x0, x1] = [at(i, 0), at(i, 1), at(i, 2)]
    // Corners count: from one px before to one behind.
    while (above < i && (at(above, 0) < y - 1 || (at(above, 0) === y - 1 && at(above, 2) < x0))) above++
    for (let other = above; other < i && at(other, 0) === y - 1 && at(other, 1) <= x1; other++) {
      const [a, b] = [rootOf(other), rootOf(i)]
      if (a === b) continue
      parent[Math.max(a, b)] = Math.min(a, b)
      pieces -= 1
    }
  }
  if (pieces <= 1) return { runs, pieces }
  const sizes = new Float64Array(count)
  for (let i = 0; i < count; i++) sizes[rootOf(i)]! += runs[3 * i + 2]! - runs[3 * i + 1]!
  let largest = 0
  for (let i = 1; i < count; i++) if (sizes[i]! > sizes[largest]!) largest = i
  const kept: number[] = []
  for (let i = 0; i < count; i++) if (rootOf(i) === largest) kept.push(runs[3 * i]!, runs[3 * i + 1]!, runs[3 * i + 2]!)
  return { runs: Int32Array.from(kept), pieces }
}

/** As nearly every outline is: one run a row, and each touches the one above. */
function isOneByRows(runs: Int32Array): boolean {
  for (let r = 3; r < runs.length; r += 3)
    if (runs[r] !== runs[r - 3]! + 1 || runs[r + 1]! > runs[r - 1]! || runs[r + 2]! < runs[r - 2]!) return false
  return true
}
