// The diameter of an array's cores, told from what lies on the slide: of most of the tissue, the largest disc that fits into its piece. Pure.
import { median } from './coverMap'
import type { CoverMap } from './coverMap'

/** Chamfer distances: of a straight step and of a diagonal one. */
const [straight, diagonal] = [3, 4]
/** Of a core's diameter, squared: larger holes are glass between cores. */
const mostOfHole = 0.06

/** Of a map of 0 and 255. 0: there is no tissue. */
export function coreDiameter({ width, height, share }: CoverMap): number {
  const mask = new Uint8Array(share.length)
  for (let at = 0; at < mask.length; at++) if (share[at]! > 0) mask[at] = 1
  let pieces = piecesOf(mask, width, height)
  let inscribed = 0
  // What touches all around encloses glass: only holes that are small beside a core are filled, and then it is a little larger.
  for (let turn = 0; turn < 2; turn++) {
    inscribed = usualOf(pieces)
    fillHoles(mask, width, mostOfHole * inscribed ** 2)
    pieces = piecesOf(mask, width, height)
  }
  inscribed = usualOf(pieces)
  // What is about round and about so large tells it better: by its area.
  const full = (Math.PI / 4) * inscribed ** 2
  const whole = pieces.filter(({ area, boxArea }) => area >= 0.9 * full && area <= 1.7 * full && area >= 0.6 * boxArea)
  return whole.length < 3 ? inscribed : median(whole.map(({ area }) => Math.sqrt((4 * area) / Math.PI)))
}

/** Half of all tissue is in pieces into which no larger disc fits. */
function usualOf(pieces: readonly Piece[]): number {
  const all = pieces.reduce((sum, { area }) => sum + area, 0)
  let below = 0
  const sorted = [...pieces].sort((a, b) => a.inscribed - b.inscribed || a.area - b.area)
  return sorted.find(({ area }) => (below += area) * 2 >= all)?.inscribed ?? 0
}

/** Fills what is not tissue, cannot be reached from the map's edge, and is no larger than so many px. */
function fillHoles(mask: Uint8Array, width: number, most: number): void {
  const seen = new Uint8Array(mask.length)
  for (let start = 0; start < mask.length; start++) {
    if (mask[start] || seen[start]) continue
    const hole = [start]
    let isOpen = false
    seen[start] = 1
    const push = (at: number): void => {
      if (mask[at] || seen[at]) return
      seen[at] = 1
      hole.push(at)
    }
    // It grows while it is walked.
    for (const at of hole) {
      const x = at % width
      if (x === 0 || x === width - 1 || at < width || at >= mask.length - width) isOpen = true
      if (x > 0) push(at - 1)
      if (x < width - 1) push(at + 1)
      if (at >= width) push(at - width)
      if (at < mask.length - width) push(at + width)
    }
    if (!isOpen && hole.length <= most) for (const at of hole) mask[at] = 1
  }
}

/** How far each px is from what is no tissue, in thirds of a px: two sweeps. Beyond the map there is none. */
function depths(mask: Uint8Array, width: number, height: number): Int32Array {
  const across = width + 2
  const depth = new Int32Array(across * (height + 2))
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) if (mask[y * width + x]) depth[(y + 1) * across + x + 1] = 1 << 28
  const sweep = (at: number, by: 1 | -1): void => {
    const before = at - by * across
    const near = Math.min(depth[at - by]!, depth[before]!) + straight
    const far = Math.min(depth[before - 1]!, depth[before + 1]!) + diagonal
    depth[at] = Math.min(depth[at]!, near, far)
  }
  for (let at = across; at < depth.length - across; at++) if (depth[at]! > 0) sweep(at, 1)
  for (let at = depth.length - across - 1; at >= across; at--) if (depth[at]! > 0) sweep(at, -1)
  return depth
}

interface Piece {
  readonly area: number
  readonly boxArea: number
  /** Diameter of the largest disc in it. */
  readonly inscribed: number
}

function piecesOf(mask: Uint8Array, width: number, height: number): Piece[] {
  const depth = depths(mask, width, height)
  const seen = new Uint8Array(mask.length)
  const pieces: Piece[] = []
  for (let start = 0; start < mask.length; start++) {
    if (!mask[start] || seen[start]) continue
    let [area, deepest, left, right, bottom] = [0, 0, width, 0, 0]
    const stack = [start]
    seen[start] = 1
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      const x = at % width
      const y = (at - x) / width
      area += 1
      deepest = Math.max(deepest, depth[(y + 1) * (width + 2) + x + 1]!)
      left = Math.min(left, x)
      right = Math.max(right, x)
      bottom = Math.max(bottom, y)
      for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row++) {
        for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column++) {
          const next = row * width + column
          if (!mask[next] || seen[next]) continue
          seen[next] = 1
          stack.push(next)
        }
      }
    }
    const top = Math.floor(start / width)
    pieces.push({
      area,
      boxArea: (right - left + 1) * (bottom - top + 1),
      inscribed: Math.max(1, (2 * deepest) / straight - 1),
    })
  }
  return pieces
}
