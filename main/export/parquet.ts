// objects.parquet: the columns of objects.csv, not rounded, and each object's outline, as GeoParquet has geometry.
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { writePageHeader } from 'hyparquet-writer/src/datapage.js'
import { columnsOf } from './csv'
import type { ExportJob } from './exporter'
import { appendBytes, formattedObjects, uuidPrefix } from './objectText'
import type { OutputFile } from './outputSet'

/** GeoParquet 1.1: polygons in level-0 px of the slide, which no reference system of the earth knows. */
const geo = {
  version: '1.1.0',
  primary_column: 'geometry',
  columns: {
    geometry: {
      encoding: 'WKB',
      geometry_types: ['Polygon', 'MultiPolygon'],
      crs: null,
      edges: 'planar',
      orientation: 'counterclockwise',
    },
  },
}

type Chunk = ParquetWriter['row_groups'][number]['columns'][number]
type PhysicalType = NonNullable<Chunk['meta_data']>['type']

/** Of outlines: a reader takes a page at once. */
const pageBytes = 2 ** 20

/**
 * A row group a piece of what the engine gives; not compressed, as the library's compressor would take ten times what all else does. NaN
 * stands for what was not measured. Columns whose bytes are known, nearly all, go to the file as they are: value by value, the library's
 * encoder took 10 us an object on the one thread of JavaScript.
 */
export async function writeParquet(job: ExportJob, out: OutputFile): Promise<void> {
  const columns = columnsOf(job)
  const values = columns.flatMap(([name, cell]) => (cell.source === 'value' ? [{ name, cell }] : []))
  const { scale } = job.result
  const bytes = new ByteWriter(1 << 20)
  const flush = async (): Promise<void> => {
    await appendBytes(job, out, bytes.getBytes())
    // What is written makes room; `offset` goes on counting.
    bytes.index = 0
  }
  const required = 'REQUIRED' as const
  const leaves = [
    { name: 'id', type: 'INT32' as const, repetition_type: required },
    {
      name: 'uuid',
      type: 'FIXED_LEN_BYTE_ARRAY' as const,
      type_length: 16,
      logical_type: { type: 'UUID' as const },
      repetition_type: required,
    },
    { name: 'slide', type: 'BYTE_ARRAY' as const, converted_type: 'UTF8' as const, repetition_type: required },
    ...values.map(({ name }) => ({ name, type: 'DOUBLE' as const, repetition_type: required })),
    { name: 'geometry', type: 'BYTE_ARRAY' as const, repetition_type: required },
  ]
  const order = new Map(leaves.map(({ name }, i) => [name, i]))
  const writer = new ParquetWriter({
    writer: bytes,
    codec: 'UNCOMPRESSED',
    createdBy: `Morphoscope ${job.tools.versions.app}`,
    kvMetadata: [{ key: 'geo', value: JSON.stringify(geo) }],
    schema: [{ name: 'objects', num_children: leaves.length }, ...leaves],
  })
  const format = {
    kind: 'records' as const,
    uuidPrefix: uuidPrefix(job),
    scale,
    simplifyPx: job.simplifyPx / scale,
    values: values.map(({ cell }) => cell),
  }
  // Of places least and most are told, by which a reader leaves parts out.
  const isPlace = (name: string): boolean => name.endsWith('_px')
  const parts = new Columns(values.length)
  for await (const { bytes: records, begin, end } of formattedObjects(job, format)) {
    const rows = end - begin
    const read = parts.take(records, rows)
    const plain = { encoding: 'PLAIN' as const }
    await writer.write({
      rowGroupSize: rows,
      columnData: [
        { name: 'id', data: Int32Array.from({ length: rows }, (_, i) => begin + i + 1), ...plain },
        { name: 'slide', data: Array.from({ length: rows }, () => job.names.shown) },
        ...values.flatMap(({ name }, i) => (isPlace(name) ? [{ name, data: read.values[i]!, ...plain }] : [])),
      ],
    })
    const group = writer.row_groups.at(-1)!
    const take = (name: string, type: PhysicalType, pages: readonly Page[]): void => {
      const chunk = plainChunk(bytes, name, type, pages)
      group.columns.push(chunk)
      group.total_byte_size += chunk.meta_data!.total_uncompressed_size
      group.total_compressed_size! += chunk.meta_data!.total_compressed_size
    }
    take('uuid', 'FIXED_LEN_BYTE_ARRAY', [{ rows, bytes: read.uuids }])
    values.forEach(({ name }, i) => {
      const { buffer, byteOffset, byteLength } = read.values[i]!
      // Doubles of this machine are Parquet's: the least byte first.
      if (!isPlace(name)) take(name, 'DOUBLE', [{ rows, bytes: new Uint8Array(buffer, byteOffset, byteLength) }])
    })
    take('geometry', 'BYTE_ARRAY', read.geometries)
    // Chunks lie in the file as they were written, and stand in a group as in the schema.
    const placeOf = ({ meta_data }: Chunk): number => order.get(meta_data!.path_in_schema[0]!)!
    group.columns.sort((a, b) => placeOf(a) - placeOf(b))
    await flush()
  }
  await writer.finish()
  await flush()
}

/** Values of a required column as PLAIN writes them: fixed lengths one after the other, others each after its length in four bytes. */
interface Page {
  readonly rows: number
  readonly bytes: Uint8Array
}

/** Writes pages as they are, not compressed, and gives what the file's end says of them. */
function plainChunk(writer: ByteWriter, name: string, type: PhysicalType, pages: readonly Page[]): Chunk {
  const start = writer.offset
  for (const { rows, bytes } of pages) {
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
    writer.appendBytes(bytes)
  }
  const size = BigInt(writer.offset - start)
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
    },
  }
}

/** Takes records apart into columns, good until the next are; its memory is the same for all: fresh pages took as long as the copying. */
class Columns {
  private readonly count: number
  private doubles = new Float64Array(0)
  private bytes = Buffer.alloc(0)

  constructor(count: number) {
    this.count = count
  }

  take(records: Uint8Array<ArrayBuffer>, rows: number) {
    const { count } = this
    if (this.doubles.length < rows * count) this.doubles = new Float64Array(rows * count)
    if (this.bytes.length < records.length) this.bytes = Buffer.allocUnsafeSlow(records.length)
    const view = new DataView(records.buffer, records.byteOffset, records.byteLength)
    const from = Buffer.from(records.buffer, records.byteOffset, records.byteLength)
    const values = Array.from({ length: count }, (_, i) => this.doubles.subarray(i * rows, (i + 1) * rows))
    const uuids = this.bytes.subarray(0, rows * 16)
    const outlines = this.bytes.subarray(rows * 16)
    const geometries: Page[] = []
    let at = 0
    let end = 0
    let page = { start: 0, row: 0 }
    for (let row = 0; row < rows; row++) {
      from.copy(uuids, row * 16, at, at + 16)
      at += 16
      for (let column = 0; column < count; column++) this.doubles[column * rows + row] = view.getFloat64(at + 8 * column, true)
      at += 8 * count
      // A record ends as a page has it: the length, and the outline.
      const length = 4 + view.getUint32(at, true)
      from.copy(outlines, end, at, at + length)
      at += length
      end += length
      if (end - page.start < pageBytes && row + 1 < rows) continue
      geometries.push({ rows: row + 1 - page.row, bytes: outlines.subarray(page.start, end) })
      page = { start: end, row: row + 1 }
    }
    return { values, uuids, geometries }
  }
}
