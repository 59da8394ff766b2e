// A dataset that grows by rows: chunks as they become full, and at the end the tree by which a reader finds them.
import { chunked, contiguous, elementBytes, le, undefinedAddress } from './messages'
import type { ElementType } from './messages'
import type { Sink } from './sink'

/** Of a chunk: a reader keeps 1 MiB of them. */
const chunkBytes = 512 * 1024
const mostRows = 65_536
/** Of a node of the tree, where a file says nothing else. */
const nodeChildren = 64

export class Chunks {
  readonly dims: readonly number[]
  readonly type: ElementType
  readonly #out: Sink
  readonly #rowBytes: number
  readonly #chunkRows: number
  readonly #chunk: Buffer
  #filled = 0
  #rows = 0
  readonly #addresses: number[] = []

  /** `dims`: the rows first, which come in order. */
  constructor(out: Sink, type: ElementType, dims: readonly [number, ...number[]], mostBytes = chunkBytes) {
    this.#out = out
    this.type = type
    this.dims = dims
    const [rows, ...others] = dims
    this.#rowBytes = others.reduce((product, dim) => product * dim, elementBytes(type))
    this.#chunkRows = Math.max(1, Math.min(rows, mostRows, Math.floor(mostBytes / this.#rowBytes)))
    this.#chunk = Buffer.alloc(rows > 0 ? this.#chunkRows * this.#rowBytes : 0)
  }

  /** Whole rows. */
  async append(data: Uint8Array): Promise<void> {
    this.#rows += data.length / this.#rowBytes
    for (let at = 0; at < data.length;) {
      const taken = Math.min(data.length - at, this.#chunk.length - this.#filled)
      this.#chunk.set(data.subarray(at, at + taken), this.#filled)
      this.#filled += taken
      at += taken
      if (this.#filled === this.#chunk.length) await this.#flush()
    }
  }

  /** The message that says where they lie. Error: other rows came than were announced. */
  async finish(): Promise<Buffer> {
    if (this.#rows !== this.dims[0]) throw new Error(`expected ${this.dims[0]} rows but received ${this.#rows}`)
    if (this.#filled > 0) await this.#flush()
    if (this.#addresses.length === 0) return contiguous(null, 0)
    return chunked(await this.#tree(), [this.#chunkRows, ...this.dims.slice(1)], elementBytes(this.type))
  }

  async #flush(): Promise<void> {
    this.#chunk.fill(0, this.#filled)
    this.#addresses.push(await this.#out.append(this.#chunk))
    this.#filled = 0
  }

  /** A B-tree, its leaves first: chunks come by rows, so a key is the first row of what it stands before. */
  async #tree(): Promise<number> {
    let children = this.#addresses.map((address, i) => ({ address, row: i * this.#chunkRows }))
    const end = this.#addresses.length * this.#chunkRows
    for (let level = 0; ; level++) {
      const nodes = Math.ceil(children.length / nodeChildren)
      const first = this.#out.bytes
      const parents: { address: number; row: number }[] = []
      for (let node = 0; node < nodes; node++) {
        const own = children.slice(node * nodeChildren, (node + 1) * nodeChildren)
        const next = children[(node + 1) * nodeChildren]?.row ?? end
        const bytes = this.#node(level, own, next)
        const neighbour = (at: number): Buffer => le(at >= 0 && at < nodes ? first + at * bytes.length : undefinedAddress, 8)
        neighbour(node - 1).copy(bytes, 8)
        neighbour(node + 1).copy(bytes, 16)
        parents.push({ address: await this.#out.append(bytes), row: own[0]!.row })
      }
      if (nodes === 1) return parents[0]!.address
      children = parents
    }
  }

  /** Each child between two keys. */
  #node(level: number, children: readonly { address: number; row: number }[], next: number): Buffer {
    const keyBytes = 8 + 8 * (this.dims.length + 1)
    const node = Buffer.alloc(24 + nodeChildren * 8 + (nodeChildren + 1) * keyBytes)
    node.write('TREE\x01', 'latin1')
    node.writeUInt8(level, 5)
    node.writeUInt16LE(children.length, 6)
    ;[...children.map(({ row }) => row), next].forEach((row, i) => {
      const at = 24 + i * (keyBytes + 8)
      node.writeUInt32LE(this.#chunk.length, at)
      node.writeBigUInt64LE(BigInt(row), at + 8)
      if (i < children.length) node.writeBigUInt64LE(BigInt(children[i]!.address), at + keyBytes)
    })
    return node
  }
}
