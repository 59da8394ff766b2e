// Groups and arrays in a Zarr of version 2, each array under the path that it was begun with.
import type { ElementType, Group, Node, Rows, TextRows, TreeFile, Values } from '../tables/tree'
import type { ZarrStore } from './store'

/** Of a chunk before it is packed. */
const chunkBytes = 2 ** 20
const mostRows = 65_536

const dtypes = { int8: '|i1', int16: '<i2', int32: '<i4', float32: '<f4', float64: '<f8' } as const
type NumberType = keyof typeof dtypes
const bytesEach: Readonly<Record<NumberType, number>> = { int8: 1, int16: 2, int32: 4, float32: 4, float64: 8 }

/** Texts by the million, as numcodecs' vlen-utf8 has them in a chunk. */
const variable = { dtype: '|O', fill: '', filters: [{ id: 'vlen-utf8' }] } as const

/** Numbers that come in rows: a chunk is written when it is full. */
class NumberRows implements Rows {
  readonly type: ElementType
  readonly dims: readonly number[]
  readonly path: string
  readonly chunks: readonly number[]
  readonly dtype: string
  readonly #store: ZarrStore
  readonly #rowBytes: number
  readonly #chunk: Buffer
  #filled = 0
  #written = 0
  #rows = 0

  constructor(store: ZarrStore, path: string, type: NumberType, dims: readonly [number, ...number[]]) {
    const [rows, ...others] = dims
    this.#store = store
    this.path = path
    this.type = type
    this.dims = dims
    this.dtype = dtypes[type]
    this.#rowBytes = others.reduce((product, dim) => product * dim, bytesEach[type])
    const some = Math.max(1, Math.min(rows, mostRows, Math.floor(chunkBytes / Math.max(1, this.#rowBytes))))
    this.chunks = [some, ...others.map((dim) => Math.max(1, dim))]
    this.#chunk = Buffer.alloc(rows > 0 ? some * this.#rowBytes : 0)
  }

  async append(data: Uint8Array): Promise<void> {
    if (this.#rowBytes === 0) return
    this.#rows += data.length / this.#rowBytes
    for (let at = 0; at < data.length;) {
      const taken = Math.min(data.length - at, this.#chunk.length - this.#filled)
      this.#chunk.set(data.subarray(at, at + taken), this.#filled)
      this.#filled += taken
      at += taken
      if (this.#filled === this.#chunk.length) await this.#flush()
    }
  }

  /** Error: other rows came than were announced. */
  async finish(): Promise<void> {
    if (this.#rowBytes > 0 && this.#rows !== this.dims[0])
      throw new Error(`expected ${this.dims[0]} rows but received ${this.#rows}`)
    if (this.#filled > 0) await this.#flush()
  }

  /** Zarr's chunks are whole, the last one too. */
  async #flush(): Promise<void> {
    this.#chunk.fill(0, this.#filled)
    await this.#store.chunk(this.path, [this.#written++, ...this.dims.slice(1).map(() => 0)], this.#chunk)
    this.#filled = 0
  }
}

class Texts implements Rows, TextRows {
  readonly type = 'string'
  readonly dims: readonly number[]
  readonly path: string
  readonly rows = this
  readonly chunks: readonly number[]
  readonly #store: ZarrStore
  #waiting: string[] = []
  #written = 0

  constructor(store: ZarrStore, path: string, count: number) {
    this.#store = store
    this.path = path
    this.dims = [count]
    this.chunks = [Math.max(1, Math.min(count, mostRows))]
  }

  async append(texts: readonly string[] | Uint8Array): Promise<void> {
    this.#waiting = this.#waiting.concat(texts as readonly string[])
    while (this.#waiting.length >= this.chunks[0]!) await this.#flush()
  }

  async finish(): Promise<void> {
    if (this.#waiting.length > 0) await this.#flush()
  }

  async #flush(): Promise<void> {
    const some = this.#waiting.splice(0, this.chunks[0])
    await this.#store.chunk(this.path, [this.#written++], variableBytes(some, this.chunks[0]!))
  }
}

/** How many there are, then each after its length; `count`: with empty ones behind. */
function variableBytes(texts: readonly string[], count: number): Buffer {
  const whole = [...texts, ...Array.from({ length: count - texts.length }, () => '')].map((text) => Buffer.from(text, 'utf8'))
  const bytes = Buffer.alloc(4 + whole.reduce((sum, { length }) => sum + 4 + length, 0))
  let at = bytes.writeUInt32LE(count)
  for (const text of whole) {
    at = bytes.writeUInt32LE(text.length, at)
    at += text.copy(bytes, at)
  }
  return bytes
}

/** Below `root`, a path in the store. */
export class TreeInZarr implements TreeFile {
  readonly #store: ZarrStore
  readonly #root: string

  constructor(store: ZarrStore, root: string) {
    this.#store = store
    this.#root = root
  }

  rows(path: string, type: NumberType, dims: readonly [number, ...number[]]): NumberRows {
    return new NumberRows(this.#store, `${this.#root}/${path}`, type, dims)
  }

  texts(path: string, count: number): Texts {
    return new Texts(this.#store, `${this.#root}/${path}`, count)
  }

  finish(root: Group): Promise<void> {
    return this.#write(this.#root, root)
  }

  async #write(path: string, node: Node): Promise<void> {
    const { attributes } = node
    if ('members' in node) {
      await this.#store.group(path, attributes)
      for (const [name, member] of Object.entries(node.members)) await this.#write(`${path}/${name}`, member)
      return
    }
    const { data } = node
    if ('values' in data) return await this.#values(path, data, attributes)
    if (!(data instanceof NumberRows || data instanceof Texts) || data.path !== path)
      throw new Error(`expected the rows of ${path}`)
    await data.finish()
    const type = data instanceof Texts ? variable : { dtype: data.dtype }
    await this.#store.array(path, { shape: data.dims, chunks: data.chunks, ...type, attributes })
  }

  async #values(path: string, { type, values }: Values, attributes: Group['attributes']): Promise<void> {
    if (type === 'string' && typeof values === 'string') {
      // As NumPy has a text of a length that is known: four bytes a character.
      const points = Array.from(values, (character) => character.codePointAt(0)!)
      const length = Math.max(1, points.length)
      await this.#store.array(path, { shape: [], chunks: [], dtype: `<U${length}`, fill: '', attributes })
      const bytes = Buffer.alloc(4 * length)
      points.forEach((point, i) => bytes.writeUInt32LE(point, 4 * i))
      return await this.#store.chunk(path, [], bytes)
    }
    const list = [values].flat()
    const shape = Array.isArray(values) ? [list.length] : []
    const chunks = shape.map((side) => Math.max(1, side))
    await this.#store.array(path, { shape, chunks, ...(type === 'string' ? variable : { dtype: '<f8' }), attributes })
    if (list.length === 0) return
    const bytes =
      type === 'string'
        ? variableBytes(list as string[], list.length)
        : new Uint8Array(Float64Array.from(list as number[]).buffer)
    await this.#store.chunk(
      path,
      shape.map(() => 0),
      bytes,
    )
  }
}
