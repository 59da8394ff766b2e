// Strings of variable length: their bytes lie in heaps of the file, and what refers to them is 16 bytes each.
import type { Sink } from './sink'
import { le } from './messages'

/** Of a heap: a reader takes one into memory as a whole. HDF5 allows 65535, and no heap below 4096 bytes. */
const mostStrings = 4096
const leastBytes = 4096
const headBytes = 16

/** Writes the strings, and gives the references to them, in their order. O(characters); memory: those of 4096 strings, and the references. */
export async function writeStrings(out: Sink, texts: readonly string[]): Promise<Buffer> {
  const references = Buffer.alloc(16 * texts.length)
  for (let first = 0; first < texts.length; first += mostStrings) {
    const some = texts.slice(first, first + mostStrings).map((text) => Buffer.from(text))
    const used = some.reduce((sum, { length }) => sum + headBytes + padded(length), headBytes)
    const heap = Buffer.alloc(Math.max(used, leastBytes))
    heap.write('GCOL\x01', 'latin1')
    heap.writeBigUInt64LE(BigInt(heap.length), 8)
    let at = headBytes
    some.forEach((text, i) => {
      heap.writeUInt16LE(i + 1, at)
      heap.writeUInt16LE(1, at + 2)
      heap.writeBigUInt64LE(BigInt(text.length), at + 8)
      text.copy(heap, at + headBytes)
      at += headBytes + padded(text.length)
    })
    // What is left over is an object without a number, where there is room to say so.
    if (heap.length - at >= headBytes) heap.writeBigUInt64LE(BigInt(heap.length - at), at + 8)
    const address = le(await out.append(heap), 8)
    some.forEach((text, i) => {
      const reference = 16 * (first + i)
      references.writeUInt32LE(text.length, reference)
      // An empty string refers to nothing.
      if (text.length === 0) return
      address.copy(references, reference + 4)
      references.writeUInt32LE(i + 1, reference + 12)
    })
  }
  return references
}

const padded = (bytes: number): number => Math.ceil(bytes / 8) * 8
