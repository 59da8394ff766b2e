// Small files that claim too much, made by the tests themselves: what ended, starved or held the engine before its claims were judged.
import { deflateSync } from 'node:zlib'

interface Entry {
  tag: number
  value: number
  count?: number
  /** 3 = SHORT, 4 = LONG. */
  type?: number
}

export interface TiffClaims {
  width: number
  height: number
  tileWidth: number
  tileHeight: number
  /** Entries of the table of tiles. */
  tiles: number
  /** The bytes of every tile: all entries point to the same. */
  tile?: Uint8Array
  /** What the table says of a tile's length, where that is not true. */
  stated?: number
  compression?: number
}

/** A classic little-endian TIFF of one directory, as OpenSlide's generic reader takes it. */
export function tiff({ width, height, tileWidth, tileHeight, tiles, tile, stated, compression = 8 }: TiffClaims): Buffer {
  const bytes = Buffer.from(tile ?? deflateSync(Buffer.alloc(256 * 256 * 3, 200)))
  const table = 8 + bytes.length + (bytes.length % 2)
  const directory = table + 8 * tiles
  const out = Buffer.alloc(directory + 2 + 12 * 11 + 4)
  out.write('II*\0', 'latin1')
  out.writeUInt32LE(directory, 4)
  bytes.copy(out, 8)
  for (let i = 0; i < tiles; i++) {
    out.writeUInt32LE(8, table + 4 * i)
    out.writeUInt32LE(stated ?? bytes.length, table + 4 * (tiles + i))
  }
  const entries: Entry[] = [
    { tag: 256, value: width },
    { tag: 257, value: height },
    { tag: 258, value: 8, type: 3 },
    { tag: 259, value: compression, type: 3 },
    { tag: 262, value: 2, type: 3 },
    { tag: 277, value: 3, type: 3 },
    { tag: 284, value: 1, type: 3 },
    { tag: 322, value: tileWidth },
    { tag: 323, value: tileHeight },
    { tag: 324, value: tiles === 1 ? 8 : table, count: tiles },
    { tag: 325, value: tiles === 1 ? (stated ?? bytes.length) : table + 4 * tiles, count: tiles },
  ]
  out.writeUInt16LE(entries.length, directory)
  for (const [i, { tag, value, count = 1, type = 4 }] of entries.entries()) {
    const at = directory + 2 + 12 * i
    out.writeUInt16LE(tag, at)
    out.writeUInt16LE(type, at + 2)
    out.writeUInt32LE(count, at + 4)
    if (type === 3) out.writeUInt16LE(value, at + 8)
    else out.writeUInt32LE(value, at + 8)
  }
  return out
}

/** A PNG's beginning: a size, and one chunk of pixels that are not there. */
export function pngClaiming(width: number, height: number, interlaced: boolean): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const out = Buffer.alloc(12 + data.length)
    out.writeUInt32BE(data.length)
    out.write(type, 4, 'latin1')
    data.copy(out, 8)
    out.writeUInt32BE(crc32(out.subarray(4, 8 + data.length)), 8 + data.length)
    return out
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, interlaced ? 1 : 0], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(1000))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let k = 0; k < 8; k++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}

/** A JPEG that states another size than it has. */
export function jpegClaiming(jpeg: Uint8Array, width: number, height: number): Buffer {
  const out = Buffer.from(jpeg)
  for (let at = 2; at < out.length; at += 2 + out.readUInt16BE(at + 2)) {
    const marker = out[at + 1]!
    if (marker < 0xc0 || marker > 0xc2) continue
    out.writeUInt16BE(height, at + 5)
    out.writeUInt16BE(width, at + 7)
    return out
  }
  throw new Error('expected a JPEG with a frame')
}

/** What must be refused, with a part of what is said. */
export function refusedFiles(): { name: string; bytes: Buffer; says: RegExp }[] {
  const small = { width: 300, height: 250, tileWidth: 64, tileHeight: 64, tiles: 20 }
  return [
    {
      name: 'tile-side.tif',
      bytes: tiff({ ...small, tiles: 5, tileHeight: 2 ** 31 - 1 }),
      says: /states tiles of 64 × 2147483647 px \(TileWidth, TileLength\)/,
    },
    {
      name: 'tile-width.tif',
      bytes: tiff({ ...small, tiles: 4, tileWidth: 1629610493 }),
      says: /states tiles of 1629610493 × 64 px/,
    },
    {
      name: 'sides.tif',
      bytes: tiff({ ...small, width: 1_000_000, height: 1_000_000 }),
      says: /claims 1000000 × 1000000 px in 15625 × 15625 tiles, and the file lists 20/,
    },
    { name: 'image.tif', bytes: tiff({ ...small, width: 2 ** 32 - 1 }), says: /claims 4294967295 × 250 px/ },
    {
      name: 'bomb.png',
      bytes: pngClaiming(30_000, 30_000, false),
      says: /PNG of 30000 × 30000 px, needs .* MiB.*images may take/,
    },
    { name: 'interlaced.png', bytes: pngClaiming(11_500, 11_500, true), says: /interlaced PNG of 11500 × 11500 px, needs/ },
    {
      name: 'outside.vms',
      bytes: Buffer.from(
        '[Virtual Microscope Specimen]\nNoJpegColumns=1\nNoJpegRows=1\nImageFile=/etc/hostname\nMapFile=../x.jpg\n',
      ),
      says: /names the file "\/etc\/hostname" \(ImageFile\), which is an absolute path/,
    },
    {
      name: 'outside-map.vms',
      bytes: Buffer.from('[Virtual Microscope Specimen]\nNoJpegColumns=1\nNoJpegRows=1\nMapFile=../x.jpg\nImageFile=a.jpg\n'),
      says: /names the file "\.\.\/x\.jpg" \(MapFile\), which leads out/,
    },
    {
      name: 'columns.vms',
      bytes: Buffer.from('[Virtual Microscope Specimen]\nNoJpegColumns=2000000000\nNoJpegRows=1\nMapFile=x.jpg\n'),
      says: /states 2000000000 × 1 images/,
    },
  ]
}
