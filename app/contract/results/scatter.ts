// Two columns of a view of the objects table as a plot: the block of bytes in which its points travel, or, of very many, how many lie where.

/** As many are sent one by one; of more the density is. */
export const mostScatterPoints = 100_000
/** Of a plot of density: columns and rows, the lowest row first. */
export const scatterBins = { width: 192, height: 128 } as const
/** A point's place on an axis, from its low end to its high one. */
export const scatterSteps = 65_535

export interface Axis {
  readonly low: number
  readonly high: number
}
export interface ScatterAxes {
  readonly x: Axis
  readonly y: Axis
}
/** `classes`: how many there are; an object of none has their number. What was not measured is left out, what lies beyond an end is at it. */
export type Scatter = ScatterAxes & { readonly classes: number } & (
    | {
        readonly kind: 'points'
        /** The objects' numbers, rising. */
        readonly numbers: Uint32Array
        readonly xs: Uint16Array
        readonly ys: Uint16Array
        readonly classAt: Uint8Array
      }
    | {
        readonly kind: 'density'
        readonly points: number
        /** A plane a class, and one of those of none. */
        readonly counts: Uint32Array
      }
  )

const magic = 0x31_54_43_53 // "SCT1"
const kinds = ['points', 'density'] as const
const headBytes = 48

/** Little-endian, as every machine that runs this: four words of header, the axes' ends, the columns one after the other. */
export function packScatter(scatter: Scatter): Uint8Array<ArrayBuffer> {
  const columns = scatter.kind === 'points' ? [scatter.numbers, scatter.xs, scatter.ys, scatter.classAt] : [scatter.counts]
  const points = scatter.kind === 'points' ? scatter.numbers.length : scatter.points
  const bytes = new Uint8Array(headBytes + columns.reduce((sum, { byteLength }) => sum + byteLength, 0))
  new Uint32Array(bytes.buffer, 0, 4).set([magic, kinds.indexOf(scatter.kind), points, scatter.classes])
  new Float64Array(bytes.buffer, 16, 4).set([scatter.x.low, scatter.x.high, scatter.y.low, scatter.y.high])
  let at = headBytes
  for (const column of columns) {
    bytes.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), at)
    at += column.byteLength
  }
  return bytes
}

/** Throws where the bytes are no plot. */
export function unpackScatter(bytes: ArrayBuffer): Scatter {
  const [found, kind, points = 0, classes = 0] = new Uint32Array(bytes, 0, Math.min(4, bytes.byteLength >> 2))
  const { width, height } = scatterBins
  const cells = width * height * (classes + 1)
  const length = kind === 0 ? 9 * points : 4 * cells
  if (found !== magic || kinds[kind ?? -1] === undefined || bytes.byteLength !== headBytes + length)
    throw new Error(`expected a plot but received ${bytes.byteLength} bytes of something else`)
  const [xLow = 0, xHigh = 0, yLow = 0, yHigh = 0] = new Float64Array(bytes, 16, 4)
  const axes = { classes, x: { low: xLow, high: xHigh }, y: { low: yLow, high: yHigh } }
  if (kind === 1) return { ...axes, kind: 'density', points, counts: new Uint32Array(bytes, headBytes, cells) }
  return {
    ...{ ...axes, kind: 'points' },
    numbers: new Uint32Array(bytes, headBytes, points),
    xs: new Uint16Array(bytes, headBytes + 4 * points, points),
    ys: new Uint16Array(bytes, headBytes + 6 * points, points),
    classAt: new Uint8Array(bytes, headBytes + 8 * points, points),
  }
}
