// objects.parquet: the columns of objects.csv, not rounded, and each object's outline, as GeoParquet has geometry.
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { gradeOf } from '../../run/objects/objectClasses'
import type { Classes } from '../../run/objects/objectClasses'
import type { RunResult } from '../../run/objects/result'
import { columnsOf } from './csv'
import type { ExportJob } from '../exporter'
import { appendBytes, formattedObjects, regionTexts, uuidPrefix } from './objectText'
import type { Piece } from './objectText'
import type { OutputFile } from '../output/outputSet'
import { pageHeader, plainChunk, rangeOf } from './plainPages'
import type { Chunk, Page, PhysicalType, Range } from './plainPages'

/** GeoParquet 1.1: polygons in level-0 px, from the slide's corner or its bounds', which no reference system of the earth knows. */
export function geoOf(cells: boolean) {
  const column = {
    encoding: 'WKB',
    geometry_types: ['Polygon', 'MultiPolygon'],
    crs: null,
    edges: 'planar',
    orientation: 'counterclockwise',
  }
  return {
    version: '1.1.0',
    primary_column: 'geometry',
    columns: { geometry: column, ...(cells && { cell_geometry: column }) },
  }
}

/** Of outlines: a reader takes a page at once. */
const pageBytes = 2 ** 20
/** Pages below are copied together and written so much at once: a write each would take longer than the copy. */
const smallPageBytes = 2 ** 18
const gatheredBytes = 2 ** 21

/**
 * A row group a piece of what the engine gives, its columns as they lie in the file; not compressed, as the library's compressor would
 * take ten times what all else does. NaN stands for what was not measured. The library's own encoder took 10 us an object, value by value
 * on the one thread of JavaScript: it writes numbers and names, and the file's end.
 */
export async function writeParquet(job: ExportJob, out: OutputFile): Promise<void> {
  const columns = columnsOf(job)
  const values = columns.flatMap(([name, cell]) => (cell.source === 'value' ? [{ name, cell }] : []))
  const { scale, classes, marks, objects } = job.result
  const regionNames = job.objectRegions && regionTexts(job.objectRegions)
  const hasCells = job.result.cellsAt !== undefined
  const hasClasses = classes !== null || !!marks?.classAt
  const classedBy = values.findIndex(({ cell }) => cell.field === classes?.field)
  // One is filled while the other is written.
  let bytes = new ByteWriter(gatheredBytes + smallPageBytes)
  let other = new ByteWriter(gatheredBytes + smallPageBytes)
  let pending = Promise.resolve()
  const write = async (what: Uint8Array): Promise<void> => {
    await pending
    pending = appendBytes(job, out, what)
    // Whoever waits next hears of a failure; one that nobody waits for any more must not end the process.
    pending.catch(() => undefined)
  }
  const flush = async (): Promise<void> => {
    const full = bytes
    await write(full.getBytes())
    // The one before is written, as its turn came first: it makes room, and `offset` goes on counting.
    bytes = writer.writer = Object.assign(other, { offset: full.offset, index: 0 })
    other = full
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
    ...(hasClasses
      ? [{ name: 'class', type: 'BYTE_ARRAY' as const, converted_type: 'UTF8' as const, repetition_type: required }]
      : []),
    ...(objects.found < objects.length
      ? [{ name: 'made_by', type: 'BYTE_ARRAY' as const, converted_type: 'UTF8' as const, repetition_type: required }]
      : []),
    ...(regionNames
      ? [{ name: 'regions', type: 'BYTE_ARRAY' as const, converted_type: 'UTF8' as const, repetition_type: required }]
      : []),
    { name: 'geometry', type: 'BYTE_ARRAY' as const, repetition_type: required },
    ...(hasCells ? [{ name: 'cell_geometry', type: 'BYTE_ARRAY' as const, repetition_type: required }] : []),
  ]
  const order = new Map(leaves.map(({ name }, i) => [name, i]))
  const writer = new ParquetWriter({
    writer: bytes,
    codec: 'UNCOMPRESSED',
    createdBy: `Morphoscope ${job.tools.versions.app}`,
    kvMetadata: [
      { key: 'geo', value: JSON.stringify(geoOf(hasCells)) },
      ...(job.corner ? [{ key: 'morphoscope', value: JSON.stringify({ origin: 'bounds', ...job.corner }) }] : []),
    ],
    schema: [{ name: 'objects', num_children: leaves.length }, ...leaves],
  })
  const format = {
    kind: 'columns' as const,
    uuidPrefix: uuidPrefix(job),
    scale,
    simplifyPx: job.simplifyPx / scale,
    ...(job.corner && { origin: job.corner }),
    values: values.map(({ cell }) => cell),
    cells: hasCells,
  }
  // Of places least and most are told, by which a reader leaves parts out.
  const isPlace = (name: string): boolean => name.endsWith('_px')
  for await (const piece of formattedObjects(job, format)) {
    const rows = piece.end - piece.begin
    const read = columnsIn(piece.bytes, rows, values.length, hasCells)
    const plain = { encoding: 'PLAIN' as const }
    await writer.write({
      rowGroupSize: rows,
      columnData: [
        {
          name: 'id',
          data: Int32Array.from({ length: rows }, (_, i) => objects.numbers?.[piece.begin + i] ?? piece.begin + i + 1),
          ...plain,
        },
        { name: 'slide', data: Array.from({ length: rows }, () => job.names.shown) },
        ...(marks?.classAt
          ? [{ name: 'class', data: markedNames(job.result, marks.classAt, piece.begin, rows), ...plain }]
          : classes
            ? [{ name: 'class', data: classNames(classes, read.values[classedBy]!), ...plain }]
            : []),
        ...(objects.found < objects.length ? [{ name: 'made_by', data: makers(objects.found, piece), ...plain }] : []),
        ...(regionNames ? [{ name: 'regions', data: inRegions(job, regionNames, piece.begin, rows), ...plain }] : []),
      ],
    })
    const group = writer.row_groups.at(-1)!
    const take = async (name: string, type: PhysicalType, pages: readonly Page[], range?: Range): Promise<void> => {
      const start = bytes.offset
      for (const page of pages) {
        pageHeader(bytes, page)
        if (page.bytes.length < smallPageBytes) {
          bytes.appendBytes(page.bytes)
          if (bytes.index >= gatheredBytes) await flush()
          continue
        }
        await flush()
        await write(page.bytes)
        bytes.offset += page.bytes.length
      }
      const chunk = plainChunk(name, type, pages, start, bytes.offset, range)
      group.columns.push(chunk)
      group.total_byte_size += chunk.meta_data!.total_uncompressed_size
      group.total_compressed_size! += chunk.meta_data!.total_compressed_size
    }
    await take('uuid', 'FIXED_LEN_BYTE_ARRAY', [{ rows, bytes: read.uuids }])
    for (const [i, { name }] of values.entries()) {
      const column = read.values[i]!
      // Doubles of this machine are Parquet's: the least byte first.
      const page = { rows, bytes: new Uint8Array(column.buffer, column.byteOffset, column.byteLength) }
      await take(name, 'DOUBLE', [page], isPlace(name) ? rangeOf(column) : undefined)
    }
    await take('geometry', 'BYTE_ARRAY', read.geometries)
    if (hasCells) await take('cell_geometry', 'BYTE_ARRAY', read.cells)
    // Chunks lie in the file as they were written, and stand in a group as in the schema.
    const placeOf = ({ meta_data }: Chunk): number => order.get(meta_data!.path_in_schema[0]!)!
    group.columns.sort((a, b) => placeOf(a) - placeOf(b))
    await flush()
    // The engine's next piece but one lies where this one does.
    await pending
  }
  await writer.finish()
  await flush()
  await pending
}

const classNames = (classes: Classes, means: Float64Array): string[] =>
  Array.from(means, (mean) => classes.classes[gradeOf(classes.limits, mean)]?.id ?? '')

const inRegions = ({ result, objectRegions }: ExportJob, names: readonly string[], begin: number, rows: number): string[] =>
  Array.from(result.objects.ids.subarray(begin, begin + rows), (id) => names[objectRegions?.at[id] ?? 0] ?? '')

/** As objects.csv has them. */
const makers = (found: number, { begin, end }: Pick<Piece, 'begin' | 'end'>): string[] =>
  Array.from({ length: end - begin }, (_, i) => (begin + i < found ? 'program' : 'hand'))

/** As objects.csv has them: nothing for an object of no class. */
const markedNames = ({ objects, marks }: RunResult, classAt: Uint8Array, begin: number, rows: number): string[] =>
  Array.from(objects.ids.subarray(begin, begin + rows), (id) => marks?.classes[classAt[id]!]?.id ?? '')

/** A piece of the engine's 'columns' taken apart where it lies. */
export function columnsIn(piece: Uint8Array<ArrayBuffer>, rows: number, count: number, withCells: boolean) {
  const values = Array.from({ length: count }, (_, i) => new Float64Array(piece.buffer, piece.byteOffset + 8 * i * rows, rows))
  const uuids = piece.subarray(8 * count * rows, (8 * count + 16) * rows)
  const outlines = piece.subarray((8 * count + 16) * rows)
  if (!withCells) return { values, uuids, geometries: pagesOf(outlines, rows), cells: [] }
  const [nuclei, cells] = everyOther(outlines, rows)
  return { values, uuids, geometries: pagesOf(nuclei, rows), cells: pagesOf(cells, rows) }
}

/** A page each MiB of outlines, each after its length. */
function pagesOf(outlines: Uint8Array<ArrayBuffer>, rows: number): Page[] {
  const lengths = new DataView(outlines.buffer, outlines.byteOffset, outlines.byteLength)
  const pages: Page[] = []
  let page = { start: 0, row: 0 }
  for (let row = 0, end = 0; row < rows; row++) {
    end += 4 + lengths.getUint32(end, true)
    if (end - page.start < pageBytes && row + 1 < rows) continue
    pages.push({ rows: row + 1 - page.row, bytes: outlines.subarray(page.start, end) })
    page = { start: end, row: row + 1 }
  }
  return pages
}

/** Outlines of nuclei and of cells, which come by turns. */
function everyOther(outlines: Uint8Array<ArrayBuffer>, rows: number): [Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>] {
  const lengths = new DataView(outlines.buffer, outlines.byteOffset, outlines.byteLength)
  const parts = [new Uint8Array(outlines.byteLength), new Uint8Array(outlines.byteLength)] as const
  const ends = [0, 0]
  for (let at = 0, k = 0; k < 2 * rows; k++) {
    const next = at + 4 + lengths.getUint32(at, true)
    parts[k % 2]!.set(outlines.subarray(at, next), ends[k % 2])
    ends[k % 2]! += next - at
    at = next
  }
  return [parts[0].subarray(0, ends[0]), parts[1].subarray(0, ends[1])]
}
