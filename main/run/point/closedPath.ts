// The closed path around a point along which a grey plane falls off most: the outline of what is bright there. Pure, integers, the same everywhere.

/** A grey plane in px of the analysed image: (x, y) is its first pixel. */
export interface GreyPlane {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}
export interface PathScale {
  /** A step of a ray, in 1/1024 px: a quarter of a µm. */
  readonly stepK: number
  /** The grey value that counts as one: the slide's own level. */
  readonly level: number
}
export interface ClosedPath {
  /** Triples y, x0, x1 (x1 exclusive) of the analysed image, raster order: the pixels whose centres lie inside. */
  readonly runs: Int32Array
  /** How far the plane falls off along it, in 1/360 of the level, the mean of the rays; what calls a path larger is in it. */
  readonly strength: number
}

const rays = 48
/** Steps from the point: 8.5 µm. Nuclei are smaller. */
const mostSteps = 34
/** The means of so many steps inside and outside of a place are compared: 0.75 µm. */
const half = 3
/** Two rays beside each other end at most so many steps apart. */
const apart = 2
/** All in 1/360 of the level: a step between two rays costs a fifth of it; a path at 3 µm and beyond gains a tenth; the image's end costs two. */
const bendCost = 72
const roomGain = 3
const roomSteps = 12
const beyondCost = 720

const around = (of: (angle: number) => number): Int32Array =>
  Int32Array.from({ length: rays }, (_, k) => Math.round(1024 * of((2 * Math.PI * k) / rays)))
const cosines = around(Math.cos)
const sines = around(Math.sin)
const along = (of: Int32Array, ray: number, lengthK: number): number => Math.floor((of[ray]! * lengthK) / 1024)

/**
 * `xK`, `yK`: the point in 1/1024 px of the analysed image. Dynamic programming over rays from the point (after Gerig and Klein 1986, and Kvarnström 2008):
 * on each ray a radius of 3 to 34 steps, the sum of how far the plane falls off there largest, neighbours at most 2 steps apart, closed. Ties: the smaller radius.
 */
export function closedPath(plane: GreyPlane, xK: number, yK: number, { stepK, level }: PathScale): ClosedPath {
  const gains = gainsOf(plane, xK, yK, stepK, level)
  const bend = bendCost * level * smoothed
  // The best open path tells where the closed one passes opposite of its ends.
  const open = pathOf(gains, 0, null, bend)
  const radii = pathOf(gains, rays / 2, open.radii[rays / 2]!, bend)
  return { runs: pixelsIn(radii.radii, xK, yK, stepK), strength: Math.trunc(radii.sum / (rays * level * smoothed)) }
}

/** A smoothed pixel is the sum of so much. */
const smoothed = 16

/** What a path gains at each step of each ray, in 1/360 of a grey value of the smoothed plane. */
function gainsOf(plane: GreyPlane, xK: number, yK: number, stepK: number, level: number): Float64Array {
  const width = mostSteps + 1
  const gains = new Float64Array(rays * width).fill(-1e12)
  const sums = new Float64Array(mostSteps + half + 2)
  const unit = level * smoothed
  for (let ray = 0; ray < rays; ray++) {
    let reach = mostSteps + half
    for (let r = 0; r <= mostSteps + half; r++) {
      const value = smoothAt(
        plane,
        Math.floor((xK + along(cosines, ray, r * stepK)) / 1024),
        Math.floor((yK + along(sines, ray, r * stepK)) / 1024),
      )
      if (value < 0 && reach > r) reach = r - 1
      sums[r + 1] = sums[r]! + Math.max(0, value)
    }
    for (let r = half; r <= mostSteps; r++) {
      const falls = sums[r]! - sums[r - half]! - (sums[r + half]! - sums[r]!)
      const room = roomGain * unit * Math.min(r, roomSteps)
      gains[ray * width + r] = r + half - 1 <= reach ? (360 / half) * falls + room : -beyondCost * unit
    }
  }
  return gains
}

/** The plane under weights of 1 2 1 both ways; -1 outside of it. */
function smoothAt({ x, y, width, height, data }: GreyPlane, atX: number, atY: number): number {
  const [px, py] = [atX - x, atY - y]
  if (px < 0 || py < 0 || px >= width || py >= height) return -1
  let sum = 0
  for (let dy = -1; dy <= 1; dy++) {
    const row = Math.min(height - 1, Math.max(0, py + dy)) * width
    for (let dx = -1; dx <= 1; dx++)
      sum += data[row + Math.min(width - 1, Math.max(0, px + dx))]! * (2 - Math.abs(dx)) * (2 - Math.abs(dy))
  }
  return sum
}

/** Radii by ray. Begins and ends at `first` with radius `fixed`; null: begins anywhere, and ends anywhere a round later. */
function pathOf(gains: Float64Array, first: number, fixed: number | null, bend: number): { radii: Int32Array; sum: number } {
  const width = mostSteps + 1
  let best = new Float64Array(width).fill(-1e15)
  for (let r = 0; r < width; r++) if (fixed === null || r === fixed) best[r] = gains[first * width + r]!
  const from = new Int8Array(rays * width)
  for (let k = 1; k <= rays; k++) {
    const ray = (first + k) % rays
    const next = new Float64Array(width)
    for (let r = 0; r < width; r++) {
      let [most, by] = [-Infinity, 0]
      for (let d = Math.max(-apart, -r); d <= apart && r + d < width; d++) {
        const sum = best[r + d]! - bend * Math.abs(d)
        if (sum > most) [most, by] = [sum, d]
      }
      // The first ray is in the sum once.
      next[r] = most + (k === rays && fixed !== null ? 0 : gains[ray * width + r]!)
      from[(k - 1) * width + r] = by
    }
    best = next
  }
  let at = fixed ?? best.indexOf(best.reduce((a, b) => Math.max(a, b)))
  const sum = best[at]!
  const radii = new Int32Array(rays)
  for (let k = rays; k >= 1; k--) {
    radii[(first + k) % rays] = at
    at += from[(k - 1) * width + at]!
  }
  return { radii, sum }
}

/** Steps before `r` are inside, r is outside: the path runs between them. */
const endK = (r: number, stepK: number): number => r * stepK - (stepK >> 1)

/** The pixels whose centres lie in the polygon of the rays' ends. */
function pixelsIn(radii: Int32Array, xK: number, yK: number, stepK: number): Int32Array {
  const xs = Array.from(radii, (r, ray) => xK + along(cosines, ray, endK(r, stepK)))
  const ys = Array.from(radii, (r, ray) => yK + along(sines, ray, endK(r, stepK)))
  const runs: number[] = []
  for (let y = Math.floor(Math.min(...ys) / 1024); y <= Math.max(...ys) / 1024; y++) {
    const at = y * 1024 + 512
    const crossings: number[] = []
    for (let k = 0; k < rays; k++) {
      const [x0, y0, x1, y1] = [xs[k]!, ys[k]!, xs[(k + 1) % rays]!, ys[(k + 1) % rays]!]
      if (y0 <= at !== y1 <= at) crossings.push(Math.floor(x0 + ((at - y0) * (x1 - x0)) / (y1 - y0)))
    }
    crossings.sort((a, b) => a - b)
    for (let k = 0; k + 1 < crossings.length; k += 2) {
      const from = Math.ceil((crossings[k]! - 512) / 1024)
      const to = Math.ceil((crossings[k + 1]! - 512) / 1024)
      const joins = runs.length > 0 && runs.at(-3) === y && runs.at(-1)! >= from
      if (joins) runs[runs.length - 1] = Math.max(to, runs.at(-1)!)
      else if (from < to) runs.push(y, from, to)
    }
  }
  return Int32Array.from(runs)
}
