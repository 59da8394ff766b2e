// A grey TIFF of any size in deflated tiles, made from rows in a working file: what programs open by parts again.
import { open } from 'node:fs/promises'
import { promisify } from 'node:util'
import { deflate } from 'node:zlib'
import { EngineError } from '../base/errors'
import type { OutputFile } from '../export/output/outputSet'
import { TiffFile } from '../export/picture/tiffFile'
import type { PixelType } from '../../native/index'
import { bytesOf } from './npy'

const deflated = promisify(deflate)
const side = 256

export interface Rows {
  readonly path: string
  readonly width: number
  readonly height: number
  readonly type: PixelType
}

/**
 * Reads `rows.path` (raw rows, little endian, no header) once. Memory: 256 rows and their tiles. Tiles at the right and lower rim are filled
 * with 0, as TIFF has them whole. Throws OUTPUT_FAILED, and the signal's reason.
 */
export async function writeTiledTiff(
  { path, width, height, type }: Rows,
  out: OutputFile,
  signal?: AbortSignal,
  progress?: (done: number) => void,
): Promise<void> {
  const pixel = bytesOf[type]
  const [across, down] = [Math.ceil(width / side), Math.ceil(height / side)]
  // Deflate makes the worst tile a thousandth longer. A classic TIFF ends at 4 GiB.
  const worst = across * down * (side * side * pixel * 1.001 + 48)
  const tiff = await TiffFile.create(out, worst > 2 ** 32 - 2 ** 26)
  const offsets: number[] = []
  const byteCounts: number[] = []
  const rows = await open(path)
  try {
    const band = Buffer.alloc(side * width * pixel)
    for (let y = 0; y < down; y++) {
      signal?.throwIfAborted()
      const count = Math.min(side, height - y * side)
      await readAll(rows, band.subarray(0, count * width * pixel), y * side * width * pixel)
      // Tiles of a band are compressed side by side, by as many threads as Node has for it.
      const tiles = await Promise.all(
        Array.from({ length: across }, (_, x) => deflated(tileOf(band, x * side, count, width, pixel))),
      )
      for (const tile of tiles) {
        offsets.push(await tiff.data(tile))
        byteCounts.push(tile.length)
      }
      progress?.((y + 1) / down)
    }
  } finally {
    await rows.close()
  }
  await tiff.finish(
    await tiff.directory([
      { tag: 256, kind: 'long', values: [width] },
      { tag: 257, kind: 'long', values: [height] },
      { tag: 258, kind: 'short', values: [pixel * 8] }, // BitsPerSample
      { tag: 259, kind: 'short', values: [8] }, // Compression: deflate
      { tag: 262, kind: 'short', values: [1] }, // Photometric: black is zero
      { tag: 277, kind: 'short', values: [1] }, // SamplesPerPixel
      { tag: 284, kind: 'short', values: [1] }, // PlanarConfiguration
      { tag: 322, kind: 'long', values: [side] },
      { tag: 323, kind: 'long', values: [side] },
      { tag: 324, kind: 'offset', values: offsets },
      { tag: 325, kind: 'offset', values: byteCounts },
      { tag: 339, kind: 'short', values: [type === 'int32' ? 2 : 1] }, // SampleFormat
    ]),
  )
}

async function readAll(file: Awaited<ReturnType<typeof open>>, to: Buffer, at: number): Promise<void> {
  for (let done = 0; done < to.length;) {
    const { bytesRead } = await file.read(to, done, to.length - done, at + done)
    if (bytesRead === 0) throw new EngineError('OUTPUT_FAILED', 'A working file is shorter than what was written to it.')
    done += bytesRead
  }
}

function tileOf(band: Buffer, x: number, rows: number, width: number, pixel: number): Buffer {
  const tile = Buffer.alloc(side * side * pixel)
  const row = Math.min(side, width - x) * pixel
  for (let y = 0; y < rows; y++) {
    const from = (y * width + x) * pixel
    band.copy(tile, y * side * pixel, from, from + row)
  }
  return tile
}
