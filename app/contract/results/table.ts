// The objects table: a view of a run's objects (filtered, sorted, counted by the engine), and the block of bytes in which its rows travel.
import { Densities } from './density'
import { RunId } from '../base/ids'
import { ObjectClass } from '../recipes'
import * as z from '../zod'

/** 'id', 'class', 'x', 'y', a measurement's key, or stain1Mean, … */
export const ColumnKey = z.string().regex(/^[A-Za-z][A-Za-z0-9]{0,31}$/)

export const TableColumn = z.object({ key: ColumnKey, title: z.string(), unit: z.string() })
export type TableColumn = z.infer<typeof TableColumn>
/** As it stands over a column, on the screen and in files. */
export const columnHeading = ({ title, unit }: Pick<TableColumn, 'title' | 'unit'>): string =>
  unit === '' ? title : `${title} (${unit})`

export const histogramBins = 64

/** What a plot's box holds: of two columns, from low to high, both in; null: no end there. */
const end = z.number().nullable()
export const TableBox = z.strictObject({
  x: ColumnKey,
  xLow: end,
  xHigh: end,
  y: ColumnKey,
  yLow: end,
  yHigh: end,
})
export type TableBox = z.infer<typeof TableBox>

export const TableRequest = z.strictObject({
  /** Of a run that is over. */
  runId: RunId,
  /** An expression over columns, as `area > 40 and class = positive`; '': all objects. */
  filter: z.string().max(2000),
  /** Of the column `describe`, what lies from `low` to `high`, both in; null: no end there. */
  brush: z.strictObject({ low: z.number().nullable(), high: z.number().nullable() }).nullable(),
  /** Of what filter and brush leave, what lies in it; a plot of the view shows what lies outside, too. */
  box: TableBox.nullable().optional(),
  /** null: raster order of first pixels, which is that of `id`. Equal values stay in that order. */
  sort: z.strictObject({ column: ColumnKey, descending: z.boolean() }).nullable(),
  /** The column that is described. */
  describe: ColumnKey,
  /** The histogram's bins are equal by the logarithm; what is not above 0 is in the first. */
  log: z.boolean().optional(),
})
export type TableRequest = z.infer<typeof TableRequest>

/** Of the rows that the filter left, in the column's unit. null where there are none. */
export const ColumnStatistics = z.object({
  mean: z.number(),
  /** Of a sample: n − 1; 0 for one row. */
  sd: z.number(),
  min: z.number(),
  lowerQuartile: z.number(),
  median: z.number(),
  upperQuartile: z.number(),
  max: z.number(),
})
export type ColumnStatistics = z.infer<typeof ColumnStatistics>

export const TableView = z.object({
  /** Names this view in its addresses; the engine keeps the newest ones. */
  view: z.number().int(),
  runId: RunId,
  rows: z.number().int(),
  /** Before the filter. */
  of: z.number().int(),
  columns: z.array(TableColumn),
  /** What the numbers of the column 'class' mean, by their index. */
  classes: z.array(ObjectClass),
  statistics: ColumnStatistics.nullable(),
  /** Of the objects that are left, where the run looked. */
  ...Densities.shape,
  /** From the 0.1th to the 99.9th percentile of all objects (log: of those above 0), in equal bins; the first and the last hold what lies beyond, too. */
  histogram: z.object({
    log: z.boolean(),
    low: z.number(),
    high: z.number(),
    all: z.array(z.number().int()).length(histogramBins),
    left: z.array(z.number().int()).length(histogramBins),
  }),
})
export type TableView = z.infer<typeof TableView>

/** What a view lists of one class, or in one region. */
export const TableGroup = z.object({
  /** '': of no class. */
  name: z.string(),
  /** null: the run has not looked there. */
  rows: z.number().int().nullable(),
  /** Of a class where the run looked; of a region in it. */
  ...Densities.shape,
  statistics: ColumnStatistics.nullable(),
})
export type TableGroup = z.infer<typeof TableGroup>

/** Rows of one address. */
export const tableBlockRows = 128
/** Rows of one address of text: some MB, made in some 20 ms. */
export const tableTextRows = 8192

const magic = 0x31_4c_42_54 // "TBL1"

/** Doubles, a row after the other, behind two of header (magic and columns; first row and rows), little-endian as every machine that runs this. */
export function packRows(columns: number, first: number, values: Float64Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(16 + values.byteLength)
  new Uint32Array(bytes.buffer, 0, 4).set([magic, columns, first, columns === 0 ? 0 : values.length / columns])
  new Float64Array(bytes.buffer, 16).set(values)
  return bytes
}

/** Throws where the bytes are no rows of that many columns. */
export function unpackRows(bytes: ArrayBuffer, columns: number): Float64Array[] {
  const [found, width, , rows = 0] = new Uint32Array(bytes, 0, Math.min(4, bytes.byteLength >> 2))
  if (found !== magic || width !== columns || bytes.byteLength !== 16 + rows * columns * 8)
    throw new Error(`expected table rows of ${columns} columns but received ${bytes.byteLength} bytes of something else`)
  return Array.from({ length: rows }, (_, row) => new Float64Array(bytes, 16 + row * columns * 8, columns))
}
