// The parts of HDF5's metadata that this program writes, as bytes. The names are those of the HDF5 File Format Specification, version 3.
import { lookup3 } from './lookup3'

/** No address: what is not there. */
export const undefinedAddress = 0xffff_ffff_ffff_ffffn

const lengths = { int8: 1, int16: 2, int32: 4, float32: 4, float64: 8, bool: 1, string: 16 } as const
export type ElementType = keyof typeof lengths
/** Bytes of an element in the file: a string is a reference into a heap. */
export const elementBytes = (type: ElementType): number => lengths[type]

/** A whole number in so many bytes, the least first. */
export function le(value: number | bigint, bytes: 1 | 2 | 4 | 8): Buffer {
  const buffer = Buffer.alloc(8)
  buffer.writeBigUInt64LE(BigInt(value))
  return buffer.subarray(0, bytes)
}

const join = (...parts: readonly Uint8Array[]): Buffer => Buffer.concat(parts)

/** Class and version, three bytes of flags, the size. */
const typeHead = (kind: number, flags: readonly [number, number, number], bytes: number): Buffer =>
  join(Buffer.from([0x10 | kind, ...flags]), le(bytes, 4))

const fixedPoint = (bytes: number, signed: boolean): Buffer =>
  join(typeHead(0, [signed ? 8 : 0, 0, 0], bytes), le(0, 2), le(8 * bytes, 2))

/** Sign bit; bits of the exponent and of the mantissa; the exponent's bias. */
const floatingPoint = (bytes: number, sign: number, exponent: number, mantissa: number, bias: number): Buffer =>
  join(
    typeHead(1, [0x20, sign, 0], bytes),
    le(0, 2),
    le(8 * bytes, 2),
    Buffer.from([mantissa, exponent, 0, mantissa]),
    le(bias, 4),
  )

/** A datatype message. */
export function datatype(type: ElementType): Buffer {
  switch (type) {
    case 'float32':
      return floatingPoint(4, 31, 8, 23, 127)
    case 'float64':
      return floatingPoint(8, 63, 11, 52, 1023)
    case 'bool':
      // As h5py writes it: an enumeration.
      return join(typeHead(8, [2, 0, 0], 1), fixedPoint(1, true), Buffer.from('FALSE\0\0\0TRUE\0\0\0\0'), Buffer.from([0, 1]))
    case 'string':
      // Of variable length, ended by a zero, UTF-8.
      return join(typeHead(9, [1, 1, 0], 16), fixedPoint(1, false))
    default:
      return fixedPoint(elementBytes(type), true)
  }
}

/** A dataspace message; without dimensions it is one value. */
export const dataspace = (dims: readonly number[]): Buffer =>
  join(Buffer.from([2, dims.length, 0, dims.length > 0 ? 1 : 0]), ...dims.map((dim) => le(dim, 8)))

/** Where a dataset's bytes lie, one after the other. */
export const contiguous = (address: number | null, bytes: number): Buffer =>
  join(Buffer.from([3, 1]), le(address ?? undefinedAddress, 8), le(bytes, 8))

/** Where the tree of a dataset's chunks begins, and how many elements a chunk has. */
export const chunked = (address: number, chunk: readonly number[], bytes: number): Buffer =>
  join(Buffer.from([3, 2, chunk.length + 1]), le(address, 8), ...chunk.map((dim) => le(dim, 4)), le(bytes, 4))

/** Of an object header; all are shorter than 64 KiB. */
export interface Message {
  readonly type: number
  readonly body: Buffer
}

/** Zeros, if anything were never written; `chunks`: room is made as they come. */
export const fillValue = (chunks: boolean): Message => ({ type: 0x05, body: Buffer.from([3, chunks ? 0x0b : 0x0a]) })

/** What makes a header a group's: its links stand in the header itself. */
export const groupMessages = (links: readonly (readonly [name: string, address: number])[]): Message[] => [
  { type: 0x02, body: join(Buffer.from([0, 0]), le(undefinedAddress, 8), le(undefinedAddress, 8)) },
  { type: 0x0a, body: Buffer.from([0, 0]) },
  ...links.map(([name, address]) => {
    const text = Buffer.from(name)
    // UTF-8, its length in two bytes.
    return { type: 0x06, body: join(Buffer.from([1, 0x11, 1]), le(text.length, 2), text, le(address, 8)) }
  }),
]

/** `value`: its elements. */
export function attribute(name: string, type: ElementType, dims: readonly number[], value: Uint8Array): Message {
  const [text, kind, space] = [Buffer.from(`${name}\0`), datatype(type), dataspace(dims)]
  const head = [Buffer.from([3, 0]), le(text.length, 2), le(kind.length, 2), le(space.length, 2), Buffer.from([1])]
  return { type: 0x0c, body: join(...head, text, kind, space, value) }
}

const checked = (bytes: Buffer): Buffer => join(bytes, le(lookup3(bytes), 4))

/** RangeError: a message is longer than its header can say. */
export function objectHeader(messages: readonly Message[]): Buffer {
  const long = messages.find(({ body }) => body.length > 0xffff)
  if (long) throw new RangeError(`expected a message of at most 65535 bytes but received ${long.body.length}`)
  const body = join(...messages.flatMap((each) => [le(each.type, 1), le(each.body.length, 2), le(0, 1), each.body]))
  return checked(join(Buffer.from('OHDR'), Buffer.from([2, 2]), le(body.length, 4), body))
}

export const superblockBytes = 48
/** Stands first in the file. `end`: how long it is. */
export const superblock = (root: number, end: number): Buffer =>
  checked(
    join(Buffer.from('\x89HDF\r\n\x1a\n\x02\x08\x08\x00', 'latin1'), le(0, 8), le(undefinedAddress, 8), le(end, 8), le(root, 8)),
  )
