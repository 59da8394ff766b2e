// A Parquet file as rows of texts, of the columns that say where points lie: what it claims is judged before any of it is unpacked. Pure but for what it reads.
import { parquetMetadata, parquetRead, parquetSchema } from 'hyparquet'
import type { AsyncBuffer, ColumnMetaData, FileMetaData } from 'hyparquet'
import { parquetHeader } from 'hyparquet/src/column.js'
import { EngineError } from '../../../../base/errors'
import { pointColumns } from '../columns'
import { compressors, isKnownEncoding, isSoundPage } from './pages'
import { pointOf } from './wkb'

/** Of the part that says where everything lies. */
const mostHeadBytes = 2 ** 22
/** Of a file: as many as an import takes. */
const mostRows = 2 ** 24
const mostChunkBytes = 2 ** 30
const mostPageBytes = 2 ** 28
/** Of a class's name. */
const mostLetters = 300
const rowsAtOnce = 4096

const magic = 0x31524150

/** Of this file's, which is refused. */
type Refused = (why: string) => EngineError

/** Names first, then their rows by some thousands. Throws INVALID_PARAMETER. O(rows); memory: one group of rows. */
export async function* tableOf(file: AsyncBuffer, called: string): AsyncGenerator<string[][], void, void> {
  const refused: Refused = (why) => new EngineError('INVALID_PARAMETER', `${called} ${why}`)
  const metadata = await headOf(file, refused)
  const { wanted, names, geometry } = chosen(metadata, refused)
  const optional = new Set(metadata.schema.filter(({ repetition_type: of }) => of !== 'REQUIRED').map(({ name }) => name))
  yield [names]
  let begin = 0
  for (const { columns, num_rows } of metadata.row_groups) {
    const rows = Number(num_rows)
    for (const name of wanted) {
      const column = columns.find(({ meta_data: of }) => of?.path_in_schema.length === 1 && of.path_in_schema[0] === name)
      if (!column?.meta_data) throw refused(`lacks a part of its column “${name.slice(0, 100)}”.`)
      await judged(file, column.meta_data, optional.has(name), rows, refused)
    }
    const values = await valuesOf(file, metadata, wanted, begin, rows, refused)
    for (let first = 0; first < rows; first += rowsAtOnce) {
      const some: string[][] = []
      for (let row = first; row < Math.min(rows, first + rowsAtOnce); row++) {
        const fields = values.map((column, i) => (wanted[i] === geometry ? '' : textOf(column[row])))
        if (geometry !== null) fields.push(...placeOf(values[wanted.indexOf(geometry)]![row], refused))
        some.push(fields)
      }
      yield some
    }
    begin += rows
  }
}

async function headOf(file: AsyncBuffer, refused: Refused): Promise<FileMetaData> {
  const damaged = refused('is damaged: its last bytes are not those of a Parquet file.')
  if (file.byteLength < 12) throw damaged
  const end = new DataView(await file.slice(file.byteLength - 8, file.byteLength))
  const length = end.getUint32(0, true)
  if (end.getUint32(4, true) !== magic || length > file.byteLength - 12) throw damaged
  if (length > mostHeadBytes)
    throw refused(
      `has a description of ${length.toLocaleString('en')} bytes: expected at most ${mostHeadBytes.toLocaleString('en')}.`,
    )
  const metadata = parquetMetadata(await file.slice(file.byteLength - 8 - length, file.byteLength), { geoparquet: false })
  const rows = metadata.row_groups.map(({ num_rows }) => Number(num_rows))
  const all = rows.reduce((sum, each) => sum + each, 0)
  if (rows.some((each) => !(each >= 0)) || !(all <= mostRows))
    throw refused(`claims ${all.toLocaleString('en')} rows: expected at most ${mostRows.toLocaleString('en')}.`)
  return metadata
}

interface Chosen {
  /** What is read. */
  readonly wanted: readonly string[]
  /** What the table is called by: those, and behind them the places of `geometry`. */
  readonly names: string[]
  /** Points as WKB, where no columns are places. */
  readonly geometry: string | null
}

function chosen(metadata: FileMetaData, refused: Refused): Chosen {
  const flat = parquetSchema(metadata).children.filter(
    ({ children, element }) => children.length === 0 && element.repetition_type !== 'REPEATED',
  )
  const all = flat.map(({ element: { name } }) => name)
  if (new Set(all).size < all.length) throw refused('has two columns of one name.')
  const places = pointColumns(all)
  const geometry = places ? null : geometryOf(metadata, all)
  if (geometry === null) {
    // Without places: who reads the names says so.
    if (!places) return { wanted: [], names: all.slice(0, 100), geometry }
    const { x, y, radius, className, origin } = places
    const at = [x, y, ...(radius ? [radius.at] : []), ...(className === null ? [] : [className]), ...(origin ?? [])]
    const wanted = [...new Set(at)].sort((a, b) => a - b).map((i) => all[i]!)
    return { wanted, names: [...wanted], geometry }
  }
  const beside = pointColumns([...all.filter((name) => name !== geometry), 'x', 'y'])
  const others = all.filter((name) => name !== geometry)
  const at = [...(beside?.radius ? [beside.radius.at] : []), ...(beside?.className == null ? [] : [beside.className])]
  const wanted = [geometry, ...at.map((i) => others[i]!)]
  return { wanted, names: ['geometry', ...wanted.slice(1), 'x', 'y'], geometry }
}

/** GeoParquet says which; else one of that name. */
function geometryOf({ key_value_metadata }: FileMetaData, all: readonly string[]): string | null {
  const text = key_value_metadata?.find(({ key }) => key === 'geo')?.value
  let said: unknown
  try {
    said = (JSON.parse(text ?? 'null') as { primary_column?: unknown } | null)?.primary_column
  } catch {
    said = undefined
  }
  return [said, 'geometry'].find((name): name is string => typeof name === 'string' && all.includes(name)) ?? null
}

/** What its pages claim: hyparquet makes arrays of as many values as each says. */
async function judged(
  file: AsyncBuffer,
  column: ColumnMetaData,
  optional: boolean,
  rows: number,
  refused: Refused,
): Promise<void> {
  const called = `its column “${column.path_in_schema.join('.').slice(0, 100)}”`
  const offset = Number(column.dictionary_page_offset ?? column.data_page_offset)
  const data = Number(column.data_page_offset)
  const begin = Math.min(offset > 0 ? offset : data, data)
  const length = Number(column.total_compressed_size)
  if (!(begin >= 4 && length >= 0 && begin + length <= file.byteLength))
    throw refused(`is damaged: ${called} lies beyond its end.`)
  if (length > mostChunkBytes) throw refused(`has ${length} bytes of ${called} in one piece: expected at most ${mostChunkBytes}.`)
  if (!Object.hasOwn(compressors, column.codec) && column.codec !== 'UNCOMPRESSED')
    throw refused(
      `is packed by ${String(column.codec).slice(0, 20)}: expected Snappy, gzip, Brotli, Zstandard where Node has it, or nothing.`,
    )
  const reader = { view: new DataView(await file.slice(begin, begin + length)), offset: 0 }
  let [values, bytes] = [0, 0]
  const isCount = (count: unknown, most: number): boolean =>
    Number.isInteger(count) && (count as number) >= 0 && (count as number) <= most
  while (values < rows) {
    if (reader.offset >= reader.view.byteLength - 1) throw refused(`is damaged: ${called} has fewer values than rows.`)
    const page = parquetHeader(reader)
    const told = page.data_page_header ?? page.data_page_header_v2
    const count = told?.num_values ?? page.dictionary_page_header?.num_values
    const levels = page.data_page_header_v2
    const isSound =
      isCount(page.compressed_page_size, reader.view.byteLength - reader.offset) &&
      isCount(page.uncompressed_page_size, mostPageBytes) &&
      isCount(count, told ? rows - values : mostRows) &&
      (!levels ||
        (isCount(levels.num_nulls, levels.num_values) &&
          isCount(levels.num_rows, rows - values) &&
          isCount(levels.definition_levels_byte_length, page.compressed_page_size) &&
          isCount(levels.repetition_levels_byte_length, page.compressed_page_size)))
    const damaged = refused(`is damaged: a page of ${called} claims what it cannot hold.`)
    if (!isSound) throw damaged
    if (told && !isKnownEncoding(told.encoding))
      throw refused(`has ${called} as ${String(told.encoding).slice(0, 40)}: write it plain, or with a dictionary.`)
    const own = new Uint8Array(reader.view.buffer, reader.offset, page.compressed_page_size)
    if (!isSoundPage(page, own, column.codec, optional)) throw damaged
    if (told) values += told.num_values
    bytes += page.uncompressed_page_size
    if (bytes > mostChunkBytes) throw refused(`has more than ${mostChunkBytes} bytes of ${called} in one piece.`)
    reader.offset += page.compressed_page_size
  }
}

/** By column, a value a row. */
async function valuesOf(
  file: AsyncBuffer,
  metadata: FileMetaData,
  wanted: readonly string[],
  begin: number,
  rows: number,
  refused: Refused,
): Promise<unknown[][]> {
  const values = wanted.map((): unknown[] => [])
  if (rows === 0 || wanted.length === 0) return values
  await parquetRead({
    ...{ file, metadata, compressors, columns: [...wanted], rowStart: begin, rowEnd: begin + rows },
    ...{ utf8: false, geoparquet: false },
    onChunk: ({ columnName, columnData, rowStart }) => {
      const to = values[wanted.indexOf(columnName)]!
      for (let i = 0; i < columnData.length; i++) to[rowStart - begin + i] = columnData[i]
    },
  })
  if (values.some(({ length }) => length < rows)) throw refused('is damaged: its columns have not as many values as rows.')
  return values
}

const letters = new TextDecoder()
function textOf(value: unknown): string {
  if (typeof value === 'string') return value.slice(0, mostLetters)
  if (value instanceof Uint8Array) return letters.decode(value.subarray(0, mostLetters))
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean' ? String(value) : ''
}

function placeOf(value: unknown, refused: Refused): [string, string] {
  if (!(value instanceof Uint8Array)) return ['', '']
  const place = pointOf(value)
  if (place === null) throw refused('has other shapes than points: expected points here, and outlines as GeoJSON.')
  return [String(place.x), String(place.y)]
}
