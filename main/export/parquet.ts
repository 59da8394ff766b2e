// objects.parquet: the columns of objects.csv, not rounded, and each object's outline, as GeoParquet has geometry.
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
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

/**
 * A row group a piece of what the engine gives; not compressed, as the library's compressor would take ten times what all else does. NaN
 * stands for what was not measured.
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
  const writer = new ParquetWriter({
    writer: bytes,
    codec: 'UNCOMPRESSED',
    createdBy: `Morphoscope ${job.tools.versions.app}`,
    kvMetadata: [{ key: 'geo', value: JSON.stringify(geo) }],
    schema: [
      { name: 'objects', num_children: values.length + 4 },
      { name: 'id', type: 'INT32', repetition_type: required },
      {
        name: 'uuid',
        type: 'FIXED_LEN_BYTE_ARRAY',
        type_length: 16,
        logical_type: { type: 'UUID' },
        repetition_type: required,
      },
      { name: 'slide', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: required },
      ...values.map(({ name }) => ({ name, type: 'DOUBLE' as const, repetition_type: required })),
      { name: 'geometry', type: 'BYTE_ARRAY', repetition_type: required },
    ],
  })
  const format = {
    kind: 'records' as const,
    uuidPrefix: uuidPrefix(job),
    scale,
    simplifyPx: job.simplifyPx / scale,
    values: values.map(({ cell }) => cell),
  }
  for await (const { bytes: records, begin, end } of formattedObjects(job, format)) {
    const rows = end - begin
    const read = columnsIn(records, rows, values.length)
    const plain = { encoding: 'PLAIN' as const }
    await writer.write({
      rowGroupSize: rows,
      columnData: [
        { name: 'id', data: Int32Array.from({ length: rows }, (_, i) => begin + i + 1), ...plain },
        { name: 'uuid', data: read.uuids, statistics: false, ...plain },
        { name: 'slide', data: Array.from({ length: rows }, () => job.names.shown) },
        // Of places alone least and most are told, by which a reader leaves parts out: they cost as much as the values.
        ...values.map(({ name }, i) => ({ name, data: read.values[i]!, statistics: name.endsWith('_px'), ...plain })),
        { name: 'geometry', data: read.geometries, statistics: false, ...plain },
      ],
    })
    await flush()
  }
  await writer.finish()
  await flush()
}

/** The columns of `rows` records; uuids and geometries are views. */
function columnsIn(records: Uint8Array<ArrayBuffer>, rows: number, count: number) {
  const view = new DataView(records.buffer, records.byteOffset, records.byteLength)
  const values = Array.from({ length: count }, () => new Float64Array(rows))
  const uuids: Uint8Array[] = []
  const geometries: Uint8Array[] = []
  let at = 0
  for (let row = 0; row < rows; row++) {
    uuids.push(records.subarray(at, at + 16))
    at += 16
    for (const column of values) {
      column[row] = view.getFloat64(at, true)
      at += 8
    }
    const length = view.getUint32(at, true)
    at += 4
    geometries.push(records.subarray(at, at + length))
    at += length
  }
  return { values, uuids, geometries }
}
