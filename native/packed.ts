// Objects as main/run keeps them and as the engine's writers take them: narrow columns, and what a file says of an object.
import type { CancelToken, MeasurementField } from './types'

/**
 * A column of objects that are kept: `value` is `number × unit + base` where its numbers are of type `storage`; else they are doubles, which
 * are the values. The engine packs (native/export/packed_objects.hpp), and chooses: narrow where each value is that to the bit.
 */
export interface PackedColumn {
  readonly field: MeasurementField
  /** null: it follows from others, and is there (as doubles) only where it does not. */
  readonly storage: 'int16' | 'uint16' | 'int32' | 'float64' | null
  readonly unit: number
  readonly base: 'firstX' | 'firstY' | null
  /** null where no object has it; one that has it not is NaN. */
  readonly optional?: true
}
const onGrid = (field: MeasurementField, base: PackedColumn['base']): PackedColumn => ({
  field,
  storage: 'int32',
  unit: 2 ** -20,
  base,
})
const whole = (
  field: MeasurementField,
  storage: 'int16' | 'uint16' | 'int32',
  base: PackedColumn['base'] = null,
): PackedColumn => ({
  field,
  storage,
  unit: 1,
  base,
})
const plain = (field: MeasurementField): PackedColumn => ({ field, storage: 'float64', unit: 1, base: null })
/** Optical densities' extremes are multiples of 1/1024. */
const extreme = (field: MeasurementField): PackedColumn => ({ field, storage: 'int16', unit: 1 / 1024, base: null })

/**
 * In the order of native/export/packed_objects.hpp's Field, and held against the engine's own list. minY is firstY; what others are counted
 * from comes first. New ones come last and are optional: files of before have the first of these (main/run/journal/journal.ts#columnsOf).
 */
export const PACKED_COLUMNS: readonly PackedColumn[] = [
  whole('firstX', 'int32'),
  whole('firstY', 'int32'),
  whole('minX', 'int16', 'firstX'),
  whole('maxX', 'int16', 'firstX'),
  whole('maxY', 'int16', 'firstY'),
  whole('area', 'uint16'),
  onGrid('centroidX', 'firstX'),
  onGrid('centroidY', 'firstY'),
  plain('perimeter'),
  plain('majorAxis'),
  plain('minorAxis'),
  plain('eccentricity'),
  plain('orientation'),
  { field: 'circularity', storage: null, unit: 1, base: null },
  plain('solidity'),
  plain('stain1Mean'),
  plain('stain2Mean'),
  plain('stain3Mean'),
  plain('stain1Std'),
  plain('stain2Std'),
  plain('stain3Std'),
  extreme('stain1Min'),
  extreme('stain2Min'),
  extreme('stain3Min'),
  extreme('stain1Max'),
  extreme('stain2Max'),
  extreme('stain3Max'),
  { ...plain('contrast'), optional: true },
  { ...whole('score', 'uint16'), optional: true },
  { ...plain('stainedArea'), optional: true },
]
/** Of each channel of a slide these are columns behind PACKED_COLUMNS, of the first channel first: doubles, null where no object has them. */
export const CHANNEL_FIGURES = ['Mean', 'Std', 'Min', 'Max', 'Sum'] as const
export type ChannelField = `channel${number}${(typeof CHANNEL_FIGURES)[number]}`
/** All that an object's columns hold. */
export type ObjectField = MeasurementField | ChannelField
/** Of slides with more the first are measured (native/engine/query/channel_measures.hpp). */
export const MOST_MEASURED_CHANNELS = 64
/** Of those, and in cells of each channel again in two parts, and of the cell. */
export const MOST_COLUMN_GROUPS = 3 * MOST_MEASURED_CHANNELS + 1

declare const tableBrand: unique symbol
/** Of `objectTable`: opaque. */
export interface ObjectTable {
  readonly [tableBrand]: true
}
/** Of the columns that a table brings beside its batches (ObjectMarks.extras), from 1. */
export type ExtraField = `extra${number}`
/** A number of an object: `field`, `times` times (0 to 2) multiplied by `factor`, less `offset`. width and height are those of the bounding box. */
export interface Measure {
  readonly field: ObjectField | 'width' | 'height' | ExtraField
  readonly factor: number
  readonly times: 0 | 1 | 2
  /** Absent: 0. */
  readonly offset?: number | undefined
}
/** Of two texts `above` where a number is above `limit`, else `below`. */
export interface Either {
  readonly of: Measure
  readonly limit: number
  readonly below: string
  readonly above: string
}
/** What is known of a table's objects beside their columns, by their places in it. */
export interface ObjectMarks {
  /** What each is called, in place of its place from 1. */
  readonly numbers: Uint32Array<ArrayBuffer>
  /** Which class each is of; `noClass`: none. */
  readonly classes: Uint8Array<ArrayBuffer>
  /** Which of a format's texts by group is each one's; absent: the first. */
  readonly groups?: Uint32Array<ArrayBuffer> | undefined
  /** Numbers that are in no column of theirs, NaN where there is none: a column of them after the other. */
  readonly extras?: Float64Array<ArrayBuffer> | undefined
}
export const noClass = 255
/** number: what the table calls it; class: of a class's text, nothing where it has none; value: seven significant digits as String writes them, nothing where it is no finite number. */
export type CsvCell =
  | { readonly source: 'number' | 'uuid' }
  | { readonly source: 'text'; readonly text: string }
  | (Measure & { readonly source: 'value' })
  | (Either & { readonly source: 'either' })
  | { readonly source: 'class' | 'group'; readonly texts: readonly string[] }
/** How outlines are written. */
export interface RingFormat {
  /** Level-0 px per analysed px. */
  readonly scale: number
  /** Analysed px; 0 = exact. */
  readonly simplifyPx: number
  /** Whole level-0 px, taken from every coordinate; absent: none. */
  readonly origin?: { readonly x: number; readonly y: number } | undefined
}
/** The SHA-256 that a UUID is made of begins with `uuidPrefix` and goes on with the object's runs. */
export type ObjectFormat = { readonly uuidPrefix: string } & (
  | { readonly kind: 'csv'; readonly cells: readonly CsvCell[] }
  | (RingFormat & {
      readonly kind: 'geojson'
      /** `name` as JSON has it, with its quotes. What is no finite number is left out. */
      readonly measurements: readonly (Measure & { readonly name: string })[]
      /** Its texts are JSON: QuPath's `classification`; a list: by the table's classes. */
      readonly classification?: Either | readonly string[] | undefined
      /** QuPath's `metadata`: of each group an object as JSON has it, or ''. */
      readonly metadata?: readonly string[] | undefined
    })
  /**
   * Little endian, each for all objects of a call: every value as doubles, the UUIDs' 16 bytes, the WKB, each after its length in four bytes.
   * `cells`: after each its cell's, an empty MultiPolygon where it has none.
   */
  | (RingFormat & { readonly kind: 'columns'; readonly values: readonly Measure[]; readonly cells?: boolean | undefined })
)
export interface FormatRequest {
  readonly table: ObjectTable
  readonly format: ObjectFormat
  /** Objects [begin, end). */
  readonly begin: number
  readonly end: number
  readonly out: Uint8Array<ArrayBuffer>
  readonly threads: number
  readonly cancelToken?: CancelToken | undefined
}
/** How many objects are in the buffer, whole, and their bytes; where none is, what the first of them need. */
export interface Formatted {
  readonly objects: number
  readonly bytes: number
}
