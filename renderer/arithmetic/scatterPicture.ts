// A plot of two columns as a picture: points in their classes' colours, or how many lie where. Pure: numbers in, RGBA out.
import { scatterBins, scatterSteps, type Axis, type Scatter } from '../../app/contract'
import type { Rgb } from './colours'

/** The value at a share of an axis. */
export const valueOn = ({ low, high }: Axis, log: boolean, share: number): number =>
  log && low > 0 ? low * (high / low) ** share : low + (high - low) * share

/** `colours`: a class's each, and last of what has none. Of density the shade says how many, by the logarithm. O(points · px of one, or picture). */
export function paintScatter(
  scatter: Scatter,
  width: number,
  height: number,
  colours: readonly Rgb[],
): Uint8ClampedArray<ArrayBuffer> {
  const rgba = new Uint8ClampedArray(width * height * 4)
  if (scatter.kind === 'points') paintPoints(scatter, rgba, width, height, colours)
  else paintDensity(scatter, rgba, width, height, colours)
  return rgba
}

type Of<K extends Scatter['kind']> = Extract<Scatter, { kind: K }>

function paintPoints(
  { xs, ys, classAt }: Of<'points'>,
  rgba: Uint8ClampedArray,
  width: number,
  height: number,
  colours: readonly Rgb[],
): void {
  // Few points are to be seen one by one, of many those beside each other.
  const side = xs.length > 20_000 ? 2 : xs.length > 2000 ? 3 : 5
  const [acrossPx, downPx] = [width - side, height - side]
  for (let i = 0; i < xs.length; i++) {
    const left = Math.round((xs[i]! / scatterSteps) * acrossPx)
    const top = Math.round((1 - ys[i]! / scatterSteps) * downPx)
    const [r, g, b] = colours[classAt[i]!] ?? colours.at(-1)!
    for (let y = top; y < top + side; y++)
      for (let x = left; x < left + side; x++) {
        const at = (y * width + x) * 4
        // What lies over others is denser.
        const alpha = rgba[at + 3]!
        const mixed = alpha === 0 ? 1 : 0.6
        rgba[at] = r * mixed + rgba[at]! * (1 - mixed)
        rgba[at + 1] = g * mixed + rgba[at + 1]! * (1 - mixed)
        rgba[at + 2] = b * mixed + rgba[at + 2]! * (1 - mixed)
        rgba[at + 3] = Math.min(255, alpha + 150)
      }
  }
}

function paintDensity(
  { counts }: Of<'density'>,
  rgba: Uint8ClampedArray,
  width: number,
  height: number,
  colours: readonly Rgb[],
): void {
  const cells = scatterBins.width * scatterBins.height
  const planes = counts.length / cells
  const sums = new Float64Array(cells)
  const mixed = new Float64Array(cells * 3)
  for (let plane = 0; plane < planes; plane++) {
    const rgb = colours[plane] ?? colours.at(-1)!
    for (let cell = 0; cell < cells; cell++) {
      const n = counts[plane * cells + cell]!
      if (n === 0) continue
      sums[cell]! += n
      for (let c = 0; c < 3; c++) mixed[cell * 3 + c]! += n * rgb[c]!
    }
  }
  const most = sums.reduce((max, n) => Math.max(max, n), 1)
  const scale = 205 / Math.log1p(most)
  for (let y = 0; y < height; y++) {
    const row = Math.min(scatterBins.height - 1, Math.floor(((height - 1 - y) / height) * scatterBins.height))
    for (let x = 0; x < width; x++) {
      const cell = row * scatterBins.width + Math.floor((x / width) * scatterBins.width)
      const n = sums[cell]!
      if (n === 0) continue
      const at = (y * width + x) * 4
      for (let c = 0; c < 3; c++) rgba[at + c] = mixed[cell * 3 + c]! / n
      rgba[at + 3] = 50 + scale * Math.log1p(n)
    }
  }
}

/** The number of the nearest object within `most` px of a place in shares of the axes, the first of equally near ones; null: there is none. O(points). */
export function nearestPoint(
  { numbers, xs, ys }: Of<'points'>,
  at: { readonly x: number; readonly y: number },
  width: number,
  height: number,
  most: number,
): number | null {
  let [best, number] = [most * most, null as number | null]
  for (let i = 0; i < xs.length; i++) {
    const dx = (xs[i]! / scatterSteps - at.x) * width
    const dy = (ys[i]! / scatterSteps - at.y) * height
    const far = dx * dx + dy * dy
    if (far < best || (far === best && number === null)) [best, number] = [far, numbers[i]!]
  }
  return number
}

/** Where an object is, in shares of the axes; null: it is not among the points. */
export function placeOfNumber({ numbers, xs, ys }: Of<'points'>, number: number): { x: number; y: number } | null {
  let [from, to] = [0, numbers.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (numbers[middle]! < number) from = middle + 1
    else to = middle
  }
  return numbers[from] === number ? { x: xs[from]! / scatterSteps, y: ys[from]! / scatterSteps } : null
}
