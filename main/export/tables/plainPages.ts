// Parquet pages of values whose bytes are known: as they lie in memory, not compressed. The library's encoder goes value by value.
import type { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { writePageHeader } from 'hyparquet-writer/src/datapage.js'

export type Chunk = ParquetWriter['row_groups'][number]['columns'][number]
export type PhysicalType = NonNullable<Chunk['meta_data']>['type']

/** Values of a required column as PLAIN writes them: fixed lengths one after the other, others each after its length in four bytes. */
export interface Page {
  readonly rows: number
  readonly bytes: Uint8Array
}

/** Of a column without gaps: what a reader skips row groups by. */
export interface Range {
  readonly min: number
  readonly max: number
}

export function rangeOf(values: Float64Array): Range {
  let min = Infinity
  let max = -Infinity
  for (const value of values) {
    if (value < min) min = value
    if (value > max) max = value
  }
  return { min, max }
}

/** What stands before a page's values, which follow as they are, not compressed. */
export function pageHeader(writer: ByteWriter, { rows, bytes }: Page): void {
  writePageHeader(writer, {
    type: 'DATA_PAGE_V2',
    uncompressed_page_size: bytes.length,
    compressed_page_size: bytes.length,
    data_page_header_v2: {
      num_values: rows,
      num_nulls: 0,
      num_rows: rows,
      encoding: 'PLAIN',
      definition_levels_byte_length: 0,
      repetition_levels_byte_length: 0,
      is_compressed: false,
    },
  })
}

/** What the file's end says of pages that lie in [start, end) of it. */
export function plainChunk(
  name: string,
  type: PhysicalType,
  pages: readonly Page[],
  start: number,
  end: number,
  range?: Range,
): Chunk {
  const size = BigInt(end - start)
  return {
    file_offset: BigInt(start),
    meta_data: {
      type,
      encodings: ['PLAIN'],
      path_in_schema: [name],
      codec: 'UNCOMPRESSED',
      num_values: BigInt(pages.reduce((sum, { rows }) => sum + rows, 0)),
      total_compressed_size: size,
      total_uncompressed_size: size,
      data_page_offset: BigInt(start),
      // A least zero may be a negative one, says the format.
      ...(range && { statistics: { min_value: range.min === 0 ? -0 : range.min, max_value: range.max, null_count: 0n } }),
    },
  }
}
