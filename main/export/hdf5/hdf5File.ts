// An HDF5 file that is written from its beginning to its end: data as it comes, then what names it. HDF5 1.8 and later read it.
import { attribute, contiguous, dataspace, datatype, fillValue, groupMessages } from './messages'
import { objectHeader, superblock, superblockBytes } from './messages'
import type { Message } from './messages'
import type { ElementType, Group, Node, TextRows as TextRowsOf, TreeFile } from '../tables/tree'
import { Chunks } from './chunks'
import { writeStrings } from './heap'
import type { Sink } from './sink'

export type { AttributeValue, Attributes, Dataset, Group, Node, Values } from '../tables/tree'

export class Hdf5File implements TreeFile {
  readonly #out: Sink

  private constructor(out: Sink) {
    this.#out = out
  }

  static async in(out: Sink): Promise<Hdf5File> {
    await out.append(Buffer.alloc(superblockBytes))
    return new Hdf5File(out)
  }

  /** Of a dataset that comes in rows. */
  rows(_path: string, type: Exclude<ElementType, 'string'>, dims: readonly [number, ...number[]]): Chunks {
    return new Chunks(this.#out, type, dims)
  }

  /** Of a list of strings that comes in parts. */
  texts(_path: string, count: number): TextRows {
    return new TextRows(this.#out, count)
  }

  /** Names everything. Nothing may be written afterwards. */
  async finish(root: Group): Promise<void> {
    const texts = [...new Set(stringsOf(root))]
    const references = await writeStrings(this.#out, texts)
    const places = new Map(texts.map((text, i) => [text, references.subarray(16 * i, 16 * i + 16)]))
    const stringBytes = (values: readonly string[]): Buffer => Buffer.concat(values.map((text) => places.get(text)!))
    const address = await this.#header(root, stringBytes)
    await this.#out.patch(superblock(address, this.#out.bytes), 0)
  }

  /** What an object holds comes before it, as it names their places. */
  async #header(node: Node, stringBytes: (values: readonly string[]) => Buffer): Promise<number> {
    const attributes = Object.entries(node.attributes).map(([name, value]): Message => {
      if (typeof value === 'boolean') return attribute(name, 'bool', [], Buffer.from([value ? 1 : 0]))
      if (typeof value === 'string') return attribute(name, 'string', [], stringBytes([value]))
      return attribute(name, 'string', [value.length], stringBytes(value))
    })
    if ('members' in node) {
      const links: [string, number][] = []
      for (const [name, member] of Object.entries(node.members)) links.push([name, await this.#header(member, stringBytes)])
      return await this.#out.append(objectHeader([...groupMessages(links), ...attributes]))
    }
    const { data } = node
    if (data instanceof Chunks)
      return await this.#dataset(data.type, data.dims, await data.finish(), data.dims[0]! > 0, attributes)
    if (!('values' in data)) throw new Error('expected rows of this file')
    const dims = Array.isArray(data.values) ? [data.values.length] : []
    const list = [data.values].flat()
    const bytes = data.type === 'string' ? stringBytes(list as string[]) : Buffer.from(Float64Array.from(list as number[]).buffer)
    const at = bytes.length > 0 ? await this.#out.append(bytes) : null
    return await this.#dataset(data.type, dims, contiguous(at, bytes.length), false, attributes)
  }

  async #dataset(
    type: ElementType,
    dims: readonly number[],
    layout: Buffer,
    chunks: boolean,
    attributes: readonly Message[],
  ): Promise<number> {
    const messages = [
      { type: 0x01, body: dataspace(dims) },
      { type: 0x03, body: datatype(type) },
      fillValue(chunks),
      { type: 0x08, body: layout },
      ...attributes,
    ]
    return await this.#out.append(objectHeader(messages))
  }
}

/** Strings by the million: they go to their heaps at once, and what refers to them into chunks. */
export class TextRows implements TextRowsOf {
  readonly rows: Chunks
  readonly #out: Sink

  constructor(out: Sink, count: number) {
    this.#out = out
    this.rows = new Chunks(out, 'string', [count])
  }

  async append(texts: readonly string[]): Promise<void> {
    await this.rows.append(await writeStrings(this.#out, texts))
  }
}

function* stringsOf(node: Node): Generator<string> {
  for (const value of Object.values(node.attributes)) if (typeof value !== 'boolean') yield* [value].flat()
  if ('members' in node) for (const member of Object.values(node.members)) yield* stringsOf(member)
  else if ('values' in node.data && node.data.type === 'string') yield* [node.data.values].flat()
}
