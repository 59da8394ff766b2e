// What the objects table shows as Parquet: its rows in its order with its columns, as the table's CSV has them, not rounded.
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { columnHeading } from '../../../app/contract'
import type { Encoded } from '../../base/encoded'
import type { Listed } from '../../table/tables'
import { pageHeader, plainChunk, rangeOf } from './plainPages'
import type { Page, PhysicalType, Range } from './plainPages'

/** Of a row group: some ten ms, after which whoever waits has a turn. */
const groupRows = 65_536

/** `keys`: those that the table lacks are left out. NaN is what was not measured. Throws where nobody waits any more. O(rows · columns). */
export async function tableParquet({ columns, ranks }: Listed, keys: readonly string[], signal: AbortSignal): Promise<Encoded> {
  const chosen = columns.columns.filter(({ key }) => keys.includes(key))
  const labels = columns.classes.map(({ label }) => Buffer.from(label))
  const typeOf = (key: string): PhysicalType => (key === 'id' ? 'INT32' : key === 'class' ? 'BYTE_ARRAY' : 'DOUBLE')
  const bytes = new ByteWriter()
  const writer = new ParquetWriter({
    writer: bytes,
    codec: 'UNCOMPRESSED',
    createdBy: 'Morphoscope',
    schema: [
      { name: 'objects', num_children: chosen.length },
      ...chosen.map((column) => ({
        name: columnHeading(column),
        type: typeOf(column.key),
        repetition_type: 'REQUIRED' as const,
        ...(column.key === 'class' && { converted_type: 'UTF8' as const }),
      })),
    ],
  })
  for (let first = 0; first < ranks.length; first += groupRows) {
    await new Promise((resolve) => setImmediate(resolve))
    signal.throwIfAborted()
    const some = ranks.subarray(first, first + groupRows)
    const rows = some.length
    const values = columns.rows(
      some,
      chosen.map(({ key }) => key),
    )
    // As the library would note it; its columns are pages as they lie here.
    const group: ParquetWriter['row_groups'][number] = { columns: [], total_byte_size: 0n, num_rows: BigInt(rows) }
    writer.row_groups.push(group)
    writer.num_rows += BigInt(rows)
    chosen.forEach((column, at) => {
      const own = Float64Array.from({ length: rows }, (_, row) => values[row * chosen.length + at]!)
      const type = typeOf(column.key)
      const { page, range } = pageOf(type, own, labels)
      const start = bytes.offset
      pageHeader(bytes, page)
      bytes.appendBytes(page.bytes)
      const chunk = plainChunk(columnHeading(column), type, [page], start, bytes.offset, range)
      group.columns.push(chunk)
      group.total_byte_size += chunk.meta_data!.total_uncompressed_size
      group.total_compressed_size = (group.total_compressed_size ?? 0n) + chunk.meta_data!.total_compressed_size
    })
  }
  await writer.finish()
  return { type: 'application/octet-stream', body: Uint8Array.from(bytes.getBytes()) }
}

/** Numbers of this machine are Parquet's: the least byte first. */
function pageOf(type: PhysicalType, own: Float64Array, labels: readonly Buffer[]): { page: Page; range?: Range } {
  const rows = own.length
  if (type === 'INT32') return { page: { rows, bytes: new Uint8Array(Int32Array.from(own).buffer) }, range: rangeOf(own) }
  if (type === 'DOUBLE') return { page: { rows, bytes: new Uint8Array(own.buffer) } }
  const names = labels.map((label) => {
    const length = Buffer.alloc(4)
    length.writeUInt32LE(label.length)
    return Buffer.concat([length, label])
  })
  const none = Buffer.alloc(4)
  return { page: { rows, bytes: Buffer.concat(Array.from(own, (at) => names[at] ?? none)) } }
}
