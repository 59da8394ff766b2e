// NumPy's .npy: versions 1 to 3, C order, integer types; what would lose values or order is refused by name.
import { EngineError } from '../base/errors'
import { npyHeadOf } from '../base/npyHead'
import type { PixelType } from '../../native/index'
import { pixelTypeOf } from './image'
import type { FileImage, ImageData } from './image'

const refused = (path: string, why: string): EngineError => new EngineError('INVALID_PARAMETER', `${path} ${why}`)

/** Readers by NumPy's type, in the type that the engine takes; wider ones must fit int32. */
const readers: Readonly<Record<string, { bytes: number; read: (path: string, raw: Buffer, count: number) => ImageData }>> = {
  '|u1': { bytes: 1, read: (_, raw) => new Uint8Array(raw) },
  '|b1': { bytes: 1, read: (_, raw) => Uint8Array.from(raw, (value) => (value ? 1 : 0)) },
  '<u2': { bytes: 2, read: (_, raw) => inPlace(new Uint16Array(aligned(raw))) },
  '|i1': { bytes: 1, read: (_, raw, count) => collect(new Int32Array(count), (i) => raw.readInt8(i)) },
  '<i2': { bytes: 2, read: (_, raw, count) => collect(new Int32Array(count), (i) => raw.readInt16LE(2 * i)) },
  '<i4': { bytes: 4, read: (_, raw) => inPlace(new Int32Array(aligned(raw))) },
  '<u4': { bytes: 4, read: (path, raw, count) => collect(new Int32Array(count), (i) => fitting(path, raw.readUInt32LE(4 * i))) },
  '<i8': {
    bytes: 8,
    read: (path, raw, count) => collect(new Int32Array(count), (i) => fitting(path, Number(raw.readBigInt64LE(8 * i)))),
  },
  '<u8': {
    bytes: 8,
    read: (path, raw, count) => collect(new Int32Array(count), (i) => fitting(path, Number(raw.readBigUInt64LE(8 * i)))),
  },
}

/** A copy in a buffer of its own: typed arrays want their first byte on a boundary. */
function aligned(raw: Buffer): ArrayBuffer {
  return new Uint8Array(raw).buffer
}

const hostIsLittleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1
/** Between the file's little endian and the host's order, either way. */
function inPlace<T extends Uint16Array | Int32Array>(data: T): T {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  if (!hostIsLittleEndian) {
    if (data.BYTES_PER_ELEMENT === 2) bytes.swap16()
    else bytes.swap32()
  }
  return data
}

function collect<T extends ImageData>(target: T, value: (i: number) => number): T {
  for (let i = 0; i < target.length; i++) target[i] = value(i)
  return target
}

function fitting(path: string, value: number): number {
  if (value >= -(2 ** 31) && value < 2 ** 31) return value
  throw refused(path, `holds ${value}: expected values from ${-(2 ** 31)} to ${2 ** 31 - 1}`)
}

export function readNpy(path: string, file: Buffer): FileImage {
  const { descr, fortran, shape, dataAt } = npyHeadOf(path, file)
  const reader = readers[descr]
  if (!reader) throw refused(path, `holds pixels of type ${descr}: expected one of ${Object.keys(readers).join(', ')}`)
  const [height, width, samples = 1] = shape
  const isImage =
    (shape.length === 2 || (shape.length === 3 && [1, 3, 4].includes(samples))) && height !== undefined && width !== undefined
  if (!isImage)
    throw refused(path, `has the shape (${shape.join(', ')}): expected (height, width), (height, width, 3) or (height, width, 4)`)
  // One row or one column lies in memory the same either way.
  if (fortran && height > 1 && width > 1)
    throw refused(path, 'is in Fortran order: expected C order (numpy.ascontiguousarray makes it so)')
  if (fortran && samples > 1) throw refused(path, 'is in Fortran order: expected C order (numpy.ascontiguousarray makes it so)')
  const count = height * width * samples
  if (height >= 2 ** 31 || width >= 2 ** 31) throw refused(path, `has the shape (${shape.join(', ')}): expected sides below 2^31`)
  if (!Number.isSafeInteger(count) || count >= 2 ** 31) throw refused(path, `has ${count} values: expected fewer than 2^31`)
  const raw = file.subarray(dataAt, dataAt + count * reader.bytes)
  if (raw.length < count * reader.bytes)
    throw refused(path, `is incomplete: expected ${count * reader.bytes} bytes of pixels but found ${raw.length}`)
  const data = reader.read(path, raw, count)
  if (samples === 1) return { width, height, channels: 1, data }
  if (!(data instanceof Uint8Array)) throw refused(path, `is a colour image of type ${descr}: expected |u1`)
  return { width, height, channels: 4, data: samples === 4 ? data : rgbToRgba(data) }
}

export function rgbToRgba(rgb: Uint8Array): Uint8Array {
  const count = rgb.length / 3
  const rgba = new Uint8Array(count * 4)
  for (let i = 0; i < count; i++) {
    rgba[4 * i] = rgb[3 * i]!
    rgba[4 * i + 1] = rgb[3 * i + 1]!
    rgba[4 * i + 2] = rgb[3 * i + 2]!
    rgba[4 * i + 3] = 255
  }
  return rgba
}

/** Where the pixels of a file lie that can be read by parts: a grey image in C order, of a type that the engine takes as it is. */
export function npyPlace(path: string, start: Buffer, fileBytes: number): NpyPlace {
  const { descr, fortran, shape, dataAt } = npyHeadOf(path, start)
  const type = byParts[descr]
  if (!type || !hostIsLittleEndian)
    throw refused(path, `holds pixels of type ${descr}: expected one of ${Object.keys(byParts).join(', ')} for an image in tiles`)
  const [height, width] = shape
  if (shape.length !== 2 || height === undefined || width === undefined)
    throw refused(path, `has the shape (${shape.join(', ')}): expected (height, width) for an image in tiles`)
  if (fortran && height > 1 && width > 1)
    throw refused(path, 'is in Fortran order: expected C order (numpy.ascontiguousarray makes it so)')
  if (height >= 2 ** 31 || width >= 2 ** 31) throw refused(path, `has the shape (${shape.join(', ')}): expected sides below 2^31`)
  const bytes = height * width * bytesOf[type]
  if (fileBytes - dataAt < bytes)
    throw refused(path, `is incomplete: expected ${bytes} bytes of pixels but found ${fileBytes - dataAt}`)
  return { width, height, type, offset: dataAt }
}
export interface NpyPlace {
  width: number
  height: number
  type: PixelType
  /** Of the first pixel, in bytes. */
  offset: number
}
const byParts: Readonly<Record<string, PixelType>> = { '|u1': 'uint8', '|b1': 'uint8', '<u2': 'uint16', '<i4': 'int32' }
export const bytesOf: Readonly<Record<PixelType, number>> = { uint8: 1, uint16: 2, int32: 4 }
/** At least as much as any header's: of version 1 it has at most 65,535 bytes and ten before. */
export const npyHeaderBytes = 65_546

/** Version 1, little endian, C order. */
export function writeNpy({ width, height, channels, data }: FileImage): Buffer {
  const body = data instanceof Uint8Array ? data : inPlace(data.slice())
  const pixels = new Uint8Array(body.buffer, body.byteOffset, body.byteLength)
  return Buffer.concat([npyHeader(width, height, channels, pixelTypeOf(data)), pixels])
}
/** What comes before the pixels. */
export function npyHeader(width: number, height: number, channels: 1 | 4, type: PixelType): Buffer {
  const descr = type === 'uint8' ? '|u1' : type === 'uint16' ? '<u2' : '<i4'
  const shape = channels === 1 ? `(${height}, ${width})` : `(${height}, ${width}, ${channels})`
  const dictionary = `{'descr': '${descr}', 'fortran_order': False, 'shape': ${shape}, }`
  // The pixels begin at a multiple of 64; the header ends with a line feed.
  const header = dictionary.padEnd(Math.ceil((10 + dictionary.length + 1) / 64) * 64 - 11) + '\n'
  const prefix = Buffer.from(`\x93NUMPY\x01\x00\0\0${header}`, 'latin1')
  prefix.writeUInt16LE(header.length, 8)
  return prefix
}
