// TIFFs of any depth, sample format, planes, compression, predictor, byte order and layout, from values: an independent writer.
import { deflateSync } from 'node:zlib'

export type Format = 'uint' | 'int' | 'float'
export type Compression =
  | 'none'
  | 'lzw'
  | 'deflate'
  | 'packbits'
  | 'zstd'
  | 'jpeg'
  /** JPEG 2000 by its four numbers; `pieces` are codestreams. */
  | 'aperioYcc'
  | 'lossy2000'
  | 'aperioRgb'
  | 'jpeg2000'
export interface DeepPage {
  readonly width: number
  readonly height: number
  /** Of a pixel. */
  readonly samples: number
  readonly bits: 8 | 12 | 16 | 32 | 64
  readonly format: Format
  /** Rows × columns × samples. */
  readonly values: ArrayLike<number>
  readonly planar?: boolean
  readonly compression?: Compression
  readonly predictor?: 1 | 2 | 3
  /** Absent: strips of `rows`. */
  readonly tilePx?: number
  readonly rows?: number
  readonly photometric?: number
  readonly extra?: readonly number[]
  readonly reduced?: boolean
  readonly description?: string
  /** Smaller levels in SubIFDs. */
  readonly children?: readonly DeepPage[]
  /** Instead of packing: whole pieces as they are stored, and the tables of JPEG. */
  readonly pieces?: readonly Buffer[]
  readonly tables?: Buffer
  /** µm along each axis, as a resolution in centimetres. */
  readonly mpp?: readonly [number, number]
}

const codes: Record<Compression, number> = {
  ...{ none: 1, lzw: 5, jpeg: 7, deflate: 8, packbits: 32773, zstd: 50000 },
  ...{ aperioYcc: 33003, lossy2000: 33004, aperioRgb: 33005, jpeg2000: 34712 },
}
const formats: Record<Format, number> = { uint: 1, int: 2, float: 3 }

interface Entry {
  readonly tag: number
  readonly type: 2 | 3 | 4 | 5 | 7 | 13 | 16 | 18
  readonly values: readonly number[] | Buffer
}
const sizes = { 2: 1, 3: 2, 4: 4, 5: 8, 7: 1, 13: 4, 16: 8, 18: 8 } as const

export function deepTiff(
  pages: readonly DeepPage[],
  { bigEndian = false, big = false }: { bigEndian?: boolean; big?: boolean } = {},
): Buffer {
  const parts: Buffer[] = []
  let end = 0
  const add = (bytes: Buffer): number => {
    const at = end
    parts.push(bytes, Buffer.alloc((8 - (bytes.length % 8)) % 8))
    end += bytes.length + ((8 - (bytes.length % 8)) % 8)
    return at
  }
  const number = (value: number, bytes: number): Buffer => {
    const out = Buffer.alloc(bytes)
    if (bytes === 8) out.writeBigUInt64LE(BigInt(value))
    else out.writeUIntLE(value, 0, bytes)
    return bigEndian ? out.reverse() : out
  }
  const offsetBytes = big ? 8 : 4
  const offsetType = big ? 16 : 4
  const header = Buffer.alloc(big ? 16 : 8)
  add(header)
  const links: { at: number; value: number }[] = []
  const directory = (page: DeepPage): { at: number; link: number } => {
    const children = (page.children ?? []).map((child) => directory(child).at)
    const pieces = (page.pieces ?? piecesOf(page, bigEndian)).map((piece) => ({ at: add(piece), bytes: piece.length }))
    const tiled = page.tilePx !== undefined
    const inAll = new Array<number>(page.samples)
    const entries: Entry[] = [
      { tag: 254, type: 4, values: [page.reduced ? 1 : 0] },
      { tag: 256, type: 4, values: [page.width] },
      { tag: 257, type: 4, values: [page.height] },
      { tag: 258, type: 3, values: inAll.fill(page.bits).slice() },
      { tag: 259, type: 3, values: [codes[page.compression ?? 'none']] },
      { tag: 262, type: 3, values: [page.photometric ?? 1] },
      ...(page.description === undefined ? [] : [{ tag: 270, type: 2, values: Buffer.from(`${page.description}\0`) } as const]),
      { tag: tiled ? 324 : 273, type: offsetType, values: pieces.map(({ at }) => at) },
      { tag: 277, type: 3, values: [page.samples] },
      ...(tiled ? [] : [{ tag: 278, type: 4, values: [page.rows ?? page.height] } as const]),
      { tag: tiled ? 325 : 279, type: 4, values: pieces.map(({ bytes }) => bytes) },
      ...(page.mpp ?? []).map((mpp, axis) => ({ tag: 282 + axis, type: 5, values: [Math.round(1e7 / mpp), 1000] }) as const),
      { tag: 284, type: 3, values: [page.planar ? 2 : 1] },
      ...(page.mpp ? [{ tag: 296, type: 3, values: [3] } as const] : []),
      { tag: 317, type: 3, values: [page.predictor ?? 1] },
      ...(tiled ? ([322, 323] as const).map((tag) => ({ tag, type: 4, values: [page.tilePx!] }) as const) : []),
      ...(children.length > 0 ? [{ tag: 330, type: big ? 18 : 13, values: children } as const] : []),
      ...(page.extra ? [{ tag: 338, type: 3, values: page.extra } as const] : []),
      { tag: 339, type: 3, values: inAll.fill(formats[page.format]).slice() },
      ...(page.tables ? [{ tag: 347, type: 7, values: page.tables } as const] : []),
    ]
    entries.sort((a, b) => a.tag - b.tag)
    const packed = entries.map(({ type, values }) => {
      if (Buffer.isBuffer(values)) return values
      const each = type === 5 ? 4 : sizes[type]
      return Buffer.concat(values.map((value) => number(value, each)))
    })
    const body = entries.map(({ tag, type }, i) => {
      const bytes = packed[i]!
      const inPlace = bytes.length <= offsetBytes
      const value = inPlace ? Buffer.concat([bytes, Buffer.alloc(offsetBytes - bytes.length)]) : number(add(bytes), offsetBytes)
      return Buffer.concat([number(tag, 2), number(type, 2), number(bytes.length / sizes[type], offsetBytes), value])
    })
    const at = add(Buffer.concat([number(entries.length, big ? 8 : 2), ...body, Buffer.alloc(offsetBytes)]))
    return { at, link: at + (big ? 8 : 2) + entries.length * (big ? 20 : 12) }
  }
  let link = big ? 8 : 4
  for (const page of pages) {
    const made = directory(page)
    links.push({ at: link, value: made.at })
    link = made.link
  }
  const file = Buffer.concat(parts)
  file.write(bigEndian ? 'MM' : 'II', 0)
  number(big ? 43 : 42, 2).copy(file, 2)
  if (big) number(8, 2).copy(file, 4)
  for (const { at, value } of links) number(value, offsetBytes).copy(file, at)
  return file
}

/** Tiles or strips of a page, packed: all of the first plane first, where planes lie apart. */
function piecesOf(page: DeepPage, bigEndian: boolean): Buffer[] {
  const { width, height, samples, values, tilePx } = page
  const across = tilePx ?? width
  const down = tilePx ?? page.rows ?? height
  const planes = page.planar ? samples : 1
  const inPiece = page.planar ? 1 : samples
  const pieces: Buffer[] = []
  for (let plane = 0; plane < planes; plane++)
    for (let y = 0; y < height; y += down)
      for (let x = 0; x < width; x += across) {
        const rows = tilePx ?? Math.min(down, height - y)
        const piece = Array.from({ length: rows }, (_, row) =>
          Array.from({ length: across * inPiece }, (_, i) => {
            const column = x + Math.floor(i / inPiece)
            const sample = page.planar ? plane : i % inPiece
            // Beyond the picture anything may stand.
            if (y + row >= height || column >= width) return 1
            return values[((y + row) * width + column) * samples + sample]!
          }),
        )
        const bytes = Buffer.concat(piece.map((row) => predicted(row, inPiece, page, bigEndian)))
        pieces.push(compressed(bytes, page.compression ?? 'none'))
      }
  return pieces
}

function predicted(row: readonly number[], stride: number, page: DeepPage, bigEndian: boolean): Buffer {
  const { bits, format } = page
  if (page.predictor === 3) {
    // Bytes of all samples by their weight, then differences from byte to byte.
    const plain = rowBytes(row, bits, format, true)
    const each = bits / 8
    const sorted = Buffer.alloc(plain.length)
    for (let i = 0; i < row.length; i++) for (let k = 0; k < each; k++) sorted[k * row.length + i] = plain[i * each + k]!
    return Buffer.from(sorted.map((byte, i) => (i < stride ? byte : byte - sorted[i - stride]!)))
  }
  const plain = rowBytes(row, bits, format, bigEndian)
  if (page.predictor !== 2) return plain
  const each = bits / 8
  const at = (i: number): bigint => {
    const bytes = [...plain.subarray(i * each, (i + 1) * each)]
    return (bigEndian ? bytes : bytes.reverse()).reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
  }
  const out = Buffer.alloc(plain.length)
  for (let i = 0; i < row.length; i++) {
    let left = BigInt.asUintN(bits, i < stride ? at(i) : at(i) - at(i - stride))
    for (let k = 0; k < each; k++, left >>= 8n) out[i * each + (bigEndian ? each - 1 - k : k)] = Number(left & 255n)
  }
  return out
}

function rowBytes(row: readonly number[], bits: number, format: Format, bigEndian: boolean): Buffer {
  if (bits === 12) {
    const text = row.map((value) => value.toString(2).padStart(12, '0')).join('')
    return Buffer.from((text.match(/.{1,8}/g) ?? []).map((byte) => parseInt(byte.padEnd(8, '0'), 2)))
  }
  const each = bits / 8
  const out = new DataView(new ArrayBuffer(row.length * each))
  for (const [i, value] of row.entries()) {
    const at = i * each
    if (format === 'float' && bits === 32) out.setFloat32(at, value, !bigEndian)
    else if (format === 'float') out.setFloat64(at, value, !bigEndian)
    else if (bits === 8) out.setUint8(at, value & 255)
    else if (bits === 16) out.setUint16(at, value & 65535, !bigEndian)
    else out.setUint32(at, value >>> 0, !bigEndian)
  }
  return Buffer.from(out.buffer)
}

function compressed(bytes: Buffer, compression: Compression): Buffer {
  switch (compression) {
    case 'deflate':
      return deflateSync(bytes)
    case 'lzw':
      return lzw(bytes)
    case 'packbits':
      return packBits(bytes)
    case 'zstd':
      return zstd(bytes)
    default:
      return bytes
  }
}

/** Codes of 9 bits alone: the table is cleared before it would need longer ones. */
function lzw(bytes: Buffer): Buffer {
  const out: number[] = []
  let held = 0
  let bits = 0
  const put = (code: number): void => {
    held = (held << 9) | code
    for (bits += 9; bits >= 8; bits -= 8) out.push((held >> (bits - 8)) & 255)
    held &= (1 << bits) - 1
  }
  const [clear, end] = [256, 257]
  for (const [i, byte] of bytes.entries()) {
    if (i % 200 === 0) put(clear)
    put(byte)
  }
  put(end)
  if (bits > 0) out.push((held << (8 - bits)) & 255)
  return Buffer.from(out)
}

function packBits(bytes: Buffer): Buffer {
  const out: number[] = []
  for (let i = 0; i < bytes.length;) {
    let run = 1
    while (run < 128 && bytes[i + run] === bytes[i]) run += 1
    if (run > 1) out.push(257 - run, bytes[i]!)
    else out.push(0, bytes[i]!)
    i += run
  }
  return Buffer.from(out)
}

/** A frame of one segment, its blocks stored. */
function zstd(bytes: Buffer): Buffer {
  const blocks: Buffer[] = []
  for (let at = 0; at < bytes.length; at += 65536) {
    const block = bytes.subarray(at, at + 65536)
    const head = Buffer.alloc(3)
    head.writeUIntLE((block.length << 3) | (at + 65536 >= bytes.length ? 1 : 0), 0, 3)
    blocks.push(head, block)
  }
  const head = Buffer.alloc(9)
  head.writeUInt32LE(0xfd2fb528, 0)
  head[4] = 0xa0
  head.writeUInt32LE(bytes.length, 5)
  return Buffer.concat([head, ...blocks])
}
