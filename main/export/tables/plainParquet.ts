// A Parquet file of few columns whose values lie ready as PLAIN has them: a row group at a time, not compressed.
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import type { OutputFile } from '../output/outputSet'
import { pageHeader, plainChunk, rangeOf } from './plainPages'
import type { Page, PhysicalType } from './plainPages'

export interface PlainColumn {
  readonly name: string
  readonly type: PhysicalType
  /** UTF-8. */
  readonly text?: boolean
}

export class PlainParquet {
  readonly #out: OutputFile
  readonly #columns: readonly PlainColumn[]
  readonly #writer: ParquetWriter
  #bytes = new ByteWriter()

  /** `metadata`: by key. */
  constructor(
    out: OutputFile,
    createdBy: string,
    columns: readonly PlainColumn[],
    metadata: Readonly<Record<string, string>> = {},
  ) {
    this.#out = out
    this.#columns = columns
    this.#writer = new ParquetWriter({
      writer: this.#bytes,
      codec: 'UNCOMPRESSED',
      createdBy,
      kvMetadata: Object.entries(metadata).map(([key, value]) => ({ key, value })),
      schema: [
        { name: 'objects', num_children: columns.length },
        ...columns.map(({ name, type, text }) => ({
          name,
          type,
          repetition_type: 'REQUIRED' as const,
          ...(text && { converted_type: 'UTF8' as const }),
        })),
      ],
    })
  }

  /** Pages of each column, in the columns' order. */
  async group(rows: number, pages: readonly (readonly Page[])[]): Promise<void> {
    const group: ParquetWriter['row_groups'][number] = { columns: [], total_byte_size: 0n, num_rows: BigInt(rows) }
    this.#writer.row_groups.push(group)
    this.#writer.num_rows += BigInt(rows)
    for (const [i, { name, type }] of this.#columns.entries()) {
      const start = this.#bytes.offset
      for (const page of pages[i]!) {
        pageHeader(this.#bytes, page)
        this.#bytes.appendBytes(page.bytes)
      }
      const range = type === 'DOUBLE' ? rangeOf(doublesOf(pages[i]!)) : undefined
      const chunk = plainChunk(name, type, pages[i]!, start, this.#bytes.offset, range)
      group.columns.push(chunk)
      group.total_byte_size += chunk.meta_data!.total_uncompressed_size
      group.total_compressed_size = (group.total_compressed_size ?? 0n) + chunk.meta_data!.total_compressed_size
    }
    await this.#flush()
  }

  async finish(): Promise<void> {
    await this.#writer.finish()
    await this.#flush()
  }

  async #flush(): Promise<void> {
    const { offset } = this.#bytes
    await this.#out.append(new Uint8Array(this.#bytes.getBytes()))
    this.#bytes = this.#writer.writer = Object.assign(new ByteWriter(), { offset, index: 0 })
  }
}

/** Of pages of one group. */
function doublesOf(pages: readonly Page[]): Float64Array {
  const bytes = Buffer.concat(pages.map((page) => page.bytes))
  return new Float64Array(new Uint8Array(bytes).buffer)
}

/** Texts of a few kinds by their numbers; none: empty. */
export function textPage(texts: readonly string[], codes: ArrayLike<number>): Page {
  const known = texts.map((text) => {
    const bytes = Buffer.from(text, 'utf8')
    const length = Buffer.alloc(4)
    length.writeUInt32LE(bytes.length)
    return Buffer.concat([length, bytes])
  })
  const none = Buffer.alloc(4)
  return { rows: codes.length, bytes: Buffer.concat(Array.from(codes, (code) => known[code] ?? none)) }
}
