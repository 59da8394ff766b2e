// A tiled TIFF that claims any number of px and holds one tile, which all its places name: what a plan costs shows without the pixels.
import { writeFile } from 'node:fs/promises'
import { deflateSync } from 'node:zlib'
import { openSlide } from '../../../native/index'
import { sample } from '../realEngine'

const tilePx = 1024
const gray = Buffer.alloc(tilePx * tilePx * 3, 240)

/** A slide of the bundled slide's tissue, the same 1024 × 1024 px again and again: some 800 nuclei a tile, 40 ms a megapixel. */
export async function writeTissueSlide(path: string, widthPx: number, heightPx: number): Promise<void> {
  const slide = await openSlide(sample)
  const { rgba } = await slide.readScaled(1, 800, 900, tilePx, tilePx)
  slide.close()
  const rgb = Buffer.alloc(tilePx * tilePx * 3)
  for (let i = 0, o = 0; o < rgb.length; i += 4, o += 3) rgb.set(rgba.subarray(i, i + 3), o)
  await writeHugeSlide(path, widthPx, heightPx, rgb)
}

export async function writeHugeSlide(path: string, widthPx: number, heightPx: number, rgb = gray): Promise<void> {
  const tile = deflateSync(rgb, { level: 1 })
  const count = Math.ceil(widthPx / tilePx) * Math.ceil(heightPx / tilePx)
  const tags: [tag: number, type: 3 | 4, values: number[]][] = [
    [256, 4, [widthPx]],
    [257, 4, [heightPx]],
    [258, 3, [8, 8, 8]],
    [259, 3, [8]],
    [262, 3, [2]],
    [277, 3, [3]],
    [284, 3, [1]],
    [322, 4, [tilePx]],
    [323, 4, [tilePx]],
    [324, 4, new Array<number>(count).fill(8)],
    [325, 4, new Array<number>(count).fill(tile.length)],
  ]
  const pad = Buffer.alloc((4 - (tile.length % 4)) % 4)
  const directoryAt = 8 + tile.length + pad.length
  const directory = Buffer.alloc(2 + tags.length * 12 + 4)
  directory.writeUInt16LE(tags.length, 0)
  const long: Buffer[] = []
  let longAt = directoryAt + directory.length
  tags.forEach(([tag, type, values], n) => {
    const at = 2 + n * 12
    const size = type === 3 ? 2 : 4
    directory.writeUInt16LE(tag, at)
    directory.writeUInt16LE(type, at + 2)
    directory.writeUInt32LE(values.length, at + 4)
    const bytes = Buffer.alloc(Math.max(4, values.length * size))
    values.forEach((value, i) => (size === 2 ? bytes.writeUInt16LE(value, i * 2) : bytes.writeUInt32LE(value, i * 4)))
    if (bytes.length === 4) bytes.copy(directory, at + 8)
    else {
      directory.writeUInt32LE(longAt, at + 8)
      long.push(bytes)
      longAt += bytes.length
    }
  })
  const header = Buffer.from([0x49, 0x49, 42, 0, 0, 0, 0, 0])
  header.writeUInt32LE(directoryAt, 4)
  await writeFile(path, Buffer.concat([header, tile, pad, directory, ...long]))
}
