// The two stains that a sample of tissue holds: Macenko and others 2009 ("A method for normalizing histology slides for quantitative analysis"),
// and the same by parts of the sample. Sums of integers, then +, -, *, / and roots, which round alike everywhere; no angle is taken.
import type { StainMethod } from '../../app/contract'

/** Optical density of red, green and blue, of length 1. */
export type StainVector = readonly [number, number, number]
export interface StainPair {
  readonly hematoxylin: StainVector
  /** Eosin, or DAB. */
  readonly second: StainVector
}
/** Eosin stains what hematoxylin leaves, and paler; DAB may be darker than hematoxylin. */
export type SecondStain = 'eosin' | 'dab'

/** Optical density times 1024, as the engine counts it. */
const unitsPerOd = 1024
const density = Int32Array.from({ length: 256 }, (_, v) => Math.round(unitsPerOd * Math.log10(255 / Math.max(v, 1))))
/** Below this in any colour a pixel is glass, or nearly: 0.15 of natural logarithm, as in the paper. */
const leastDensity = 67
/** Darker, a camera tells no colours. */
const darkest = 12
/** Of the pixels, on either side, whose direction is no stain's: noise. */
const outermost = 0.01
/** Of pixels looked at in a sample: others are passed over in rows and columns. */
const mostPixels = 1_500_000
const partsAcross = 6
/** With fewer pixels of stain nothing can be told. */
const fewestPixels = 500
/** With eosin: where darkness and hematoxylin go together less than this (a correlation), there is one stain, in thin and thick. */
const leastTogether = -0.3
/** Directions in the plane are counted by their slope. */
const slopes = 1 << 15
const steepest = 4

/**
 * macenko: the plane of most variance through all pixels with stain, and of their directions in it the outermost but a hundredth on both sides.
 * parts: of each of 36 parts of the sample by itself, and of those that tell two the middle one, number by number, where they are more than
 * those of one stain: a fold, ink, blood
 * or pigment in a few of them moves it little.
 * null where there is too little stain, or one stain alone. Some 20 ms for a megapixel.
 */
export function stainVectors(
  rgba: Uint8Array,
  width: number,
  height: number,
  method: StainMethod,
  second: SecondStain,
): StainPair | null {
  const step = Math.max(1, Math.ceil(Math.sqrt((width * height) / mostPixels)))
  if (method === 'macenko') return vectorsOf(rgba, width, { x0: 0, y0: 0, x1: width, y1: height, step }, second) ?? null
  const found: StainPair[] = []
  let alone = 0
  for (let part = 0; part < partsAcross ** 2; part++) {
    const [i, j] = [part % partsAcross, Math.floor(part / partsAcross)]
    const edge = (k: number, of: number): number => Math.floor((k * of) / partsAcross)
    const area = { x0: edge(i, width), y0: edge(j, height), x1: edge(i + 1, width), y1: edge(j + 1, height), step }
    const pair = vectorsOf(rgba, width, area, second)
    if (pair) found.push(pair)
    else if (pair === null) alone += 1
  }
  if (found.length <= alone) return null
  const middle = (stain: keyof StainPair): StainVector => {
    const of = (k: number): number => {
      const sorted = found.map((pair) => pair[stain][k]!).sort((a, b) => a - b)
      return sorted[sorted.length >> 1]!
    }
    return unit([of(0), of(1), of(2)])
  }
  return { hematoxylin: middle('hematoxylin'), second: middle('second') }
}

interface Area {
  readonly x0: number
  readonly y0: number
  readonly x1: number
  readonly y1: number
  readonly step: number
}
type Vector = [number, number, number]

/** undefined: too little stain; null: one stain alone. */
function vectorsOf(
  rgba: Uint8Array,
  width: number,
  { x0, y0, x1, y1, step }: Area,
  second: SecondStain,
): StainPair | null | undefined {
  const stained = new Int32Array(Math.ceil((x1 - x0) / step) * Math.ceil((y1 - y0) / step) * 3)
  let n = 0
  for (let y = y0; y < y1; y += step) {
    for (let x = x0; x < x1; x += step) {
      const i = (y * width + x) * 4
      const [r, g, b] = [rgba[i]!, rgba[i + 1]!, rgba[i + 2]!]
      if (Math.min(r, g, b) < darkest) continue
      const [dr, dg, db] = [density[r]!, density[g]!, density[b]!]
      if (dr < leastDensity || dg < leastDensity || db < leastDensity) continue
      stained[3 * n] = dr
      stained[3 * n + 1] = dg
      stained[3 * n + 2] = db
      n += 1
    }
  }
  if (n < fewestPixels) return undefined
  const [along, across] = planeOf(stained, n)
  const counts = new Uint32Array(slopes)
  const together = new Correlation()
  const slopeOf = (bin: number): number => ((bin + 0.5) / slopes) * 2 * steepest - steepest
  for (let k = 0; k < 3 * n; k += 3) {
    const [r, g, b] = [stained[k]!, stained[k + 1]!, stained[k + 2]!]
    const p = r * along[0] + g * along[1] + b * along[2]
    if (p <= 0) continue
    const q = (r * across[0] + g * across[1] + b * across[2]) / p
    if (q < -steepest || q >= steepest) continue
    counts[Math.floor(((q + steepest) / (2 * steepest)) * slopes)]! += 1
    together.add(q, r + g + b)
  }
  const skip = Math.floor(together.count * outermost)
  let [low, high] = [0, slopes - 1]
  for (let sum = counts[low]!; sum <= skip && low < slopes - 1;) sum += counts[++low]!
  for (let sum = counts[high]!; sum <= skip && high > 0;) sum += counts[--high]!
  const at = (bin: number): StainVector => {
    const q = slopeOf(bin)
    // What is less than nothing by noise is nothing.
    return unit([0, 1, 2].map((k) => Math.max(0, along[k]! + q * across[k]!)) as Vector)
  }
  // Closer, both are one colour.
  if (high - low < slopes / 400) return null
  const [one, other] = [at(low), at(high)]
  const hematoxylinIsLow = one[0] > other[0]
  if (second === 'eosin' && together.value * (hematoxylinIsLow ? -1 : 1) < leastTogether) return null
  return hematoxylinIsLow ? { hematoxylin: one, second: other } : { hematoxylin: other, second: one }
}

/** Of two figures, as they come. */
class Correlation {
  count = 0
  private a = 0
  private b = 0
  private aa = 0
  private bb = 0
  private ab = 0

  add(a: number, b: number): void {
    this.count += 1
    this.a += a
    this.b += b
    this.aa += a * a
    this.bb += b * b
    this.ab += a * b
  }
  get value(): number {
    const [n, a, b] = [this.count, this.a / this.count, this.b / this.count]
    const spread = (this.aa / n - a * a) * (this.bb / n - b * b)
    return spread > 0 ? (this.ab / n - a * b) / Math.sqrt(spread) : 0
  }
}

/** The two directions of most variance, the first one towards more of everything. */
function planeOf(stained: Int32Array, n: number): readonly [Vector, Vector] {
  const sums = [0, 0, 0]
  const products = [0, 0, 0, 0, 0, 0]
  for (let k = 0; k < 3 * n; k += 3) {
    const [r, g, b] = [stained[k]!, stained[k + 1]!, stained[k + 2]!]
    sums[0]! += r
    sums[1]! += g
    sums[2]! += b
    products[0]! += r * r
    products[1]! += r * g
    products[2]! += r * b
    products[3]! += g * g
    products[4]! += g * b
    products[5]! += b * b
  }
  const at = [
    [0, 1, 2],
    [1, 3, 4],
    [2, 4, 5],
  ]
  const covariance = at.map((row, i) => row.map((p, j) => products[p]! / n - (sums[i]! / n) * (sums[j]! / n)))
  const [first, second] = eigenvectors(covariance)
  return [first![0] + first![1] + first![2] < 0 ? (first!.map((v) => -v) as Vector) : first!, second!]
}

/** Of a symmetric matrix, that of the largest value first: Jacobi's rotations, thirty of them, which is twice what doubles need. */
function eigenvectors(matrix: readonly (readonly number[])[]): Vector[] {
  const a = matrix.map((row) => [...row])
  const v = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ]
  for (let turn = 0; turn < 30; turn++) {
    const [p, q] = [
      [0, 1],
      [0, 2],
      [1, 2],
    ][turn % 3] as [number, number]
    const apart = a[p]![q]!
    if (apart === 0) continue
    const half = (a[q]![q]! - a[p]![p]!) / (2 * apart)
    const t = (half < 0 ? -1 : 1) / (Math.abs(half) + Math.sqrt(half * half + 1))
    const c = 1 / Math.sqrt(t * t + 1)
    const s = t * c
    for (let k = 0; k < 3; k++) {
      const [x, y] = [a[k]![p]!, a[k]![q]!]
      a[k]![p] = c * x - s * y
      a[k]![q] = s * x + c * y
    }
    for (let k = 0; k < 3; k++) {
      const [x, y] = [a[p]![k]!, a[q]![k]!]
      a[p]![k] = c * x - s * y
      a[q]![k] = s * x + c * y
      const [d, e] = [v[k]![p]!, v[k]![q]!]
      v[k]![p] = c * d - s * e
      v[k]![q] = s * d + c * e
    }
  }
  const order = [0, 1, 2].sort((i, j) => a[j]![j]! - a[i]![i]! || i - j)
  return order.map((i) => [v[0]![i]!, v[1]![i]!, v[2]![i]!])
}

function unit([r, g, b]: Vector): StainVector {
  const length = Math.sqrt(r * r + g * g + b * b)
  return [r / length, g / length, b / length]
}
