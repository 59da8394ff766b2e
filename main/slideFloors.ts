// What decoders alone take for a slide's tiles: the floors below reading it, measured here and now for `morphoscope bench --slide`.
import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { inflateSync } from 'node:zlib'
import { noun } from '../app/contract'
import { decodeJpegs, tiffTiles } from '../native/index'
import type { Slide } from '../native/index'
import { messageOf } from './base/jsonFile'
import type { PixelRect } from './base/rect'

/** What one thread or several did of some pixels. `floor`: what no program does faster here. */
export interface BenchPart {
  readonly name: string
  readonly kind: 'floor' | 'part'
  readonly megapixels: number
  readonly ms: number
  readonly threads: number
  readonly note: string
}
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

/** Which a slide's pixels lie in: itself, the files of a DICOM series, or those of a folder. */
export async function filesOf(path: string): Promise<string[]> {
  if ((await stat(path)).isDirectory()) {
    const entries = await readdir(path, { recursive: true, withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  }
  if (!isDicom(path)) return [path]
  return (await readdir(dirname(path))).filter(isDicom).map((name) => join(dirname(path), name))
}
const isDicom = (path: string): boolean => extname(path).toLowerCase() === '.dcm'

/** null: no decoder here can be asked alone. */
export async function decoderFloor(
  slide: Slide,
  path: string,
  squares: readonly PixelRect[],
  threads: number,
  signal: AbortSignal,
): Promise<BenchPart | null> {
  const { tileWidth, tileHeight } = slide.info().levels[0]!
  if (tileWidth === 0 || tileHeight === 0) return null
  const jpegs = isDicom(path) ? await framesOf(path) : await ofSquares(slide, squares, signal)
  if (jpegs.length > 0) return jpegFloor(jpegs, tileWidth, tileHeight, threads)
  const stored = await tiffTiles(path)
  if (!stored || !deflated.has(stored.compression) || stored.tiles.length === 0) return null
  let bytes = 0
  let ms = 0
  for (const tile of stored.tiles) {
    await new Promise((resolve) => setImmediate(resolve))
    signal.throwIfAborted()
    const begun = performance.now()
    bytes += inflateSync(tile, { chunkSize: storedChunkBytes }).length
    ms += performance.now() - begun
  }
  const megapixels = (stored.tiles.length * stored.tileWidth * stored.tileHeight) / 1e6
  const note = `${stored.tiles.length} ${noun(stored.tiles.length, 'tile')} of the first directory, ${(bytes / 1e6).toFixed(1)} MB`
  return { name: 'zlib', kind: 'floor', megapixels, ms, threads: 1, note }
}
/** Most tiles are smaller: what is inflated need not be put together. */
const storedChunkBytes = 2 ** 20
/** TIFF's numbers of Deflate. */
const deflated: ReadonlySet<number> = new Set([8, 32_946])
/** Of a file that is looked through for frames. */
const mostDicomBytes = 256 * 2 ** 20

/** JPEG frames of the series' largest file, which as a rule is its finest level: items that begin as JPEG does. */
async function framesOf(path: string): Promise<Uint8Array[]> {
  const sized = await Promise.all((await filesOf(path)).map(async (each) => ({ each, size: (await stat(each)).size })))
  const { each: largest, size } = sized.reduce((most, file) => (file.size > most.size ? file : most))
  if (size > mostDicomBytes) return []
  const bytes = await readFile(largest)
  const item = Buffer.from([0xfe, 0xff, 0x00, 0xe0])
  const frames: Uint8Array[] = []
  let at = bytes.indexOf(Buffer.from([0xe0, 0x7f, 0x10, 0x00]))
  while (at >= 0 && (at = bytes.indexOf(item, at)) >= 0 && at + 8 <= bytes.length) {
    const end = at + 8 + bytes.readUInt32LE(at + 4)
    if (end > bytes.length) break
    if (end - at > 10 && bytes.readUInt16BE(at + 8) === 0xffd8) frames.push(bytes.subarray(at + 8, end))
    at = end
  }
  return frames
}

/** libjpeg-turbo alone on the tiles of the same squares. */
async function ofSquares(slide: Slide, squares: readonly PixelRect[], signal: AbortSignal): Promise<Uint8Array[]> {
  const { tileWidth, tileHeight } = slide.info().levels[0]!
  if (tileWidth === 0 || tileHeight === 0) return []
  const left = Math.min(...squares.map(({ x }) => x))
  const top = Math.min(...squares.map(({ y }) => y))
  const right = Math.max(...squares.map(({ x, width }) => x + width))
  const bottom = Math.max(...squares.map(({ y, height }) => y + height))
  const tiles: Uint8Array[] = []
  for (let ty = Math.ceil(top / tileHeight); (ty + 1) * tileHeight <= bottom; ty++) {
    for (let tx = Math.ceil(left / tileWidth); (tx + 1) * tileWidth <= right; tx++) {
      signal.throwIfAborted()
      const jpeg = await slide.tileJpeg(0, tx, ty)
      if (jpeg) tiles.push(jpeg)
    }
  }
  return tiles
}

/** Each of them once, by as many threads. */
async function jpegFloor(
  tiles: readonly Uint8Array[],
  tileWidth: number,
  tileHeight: number,
  threads: number,
): Promise<BenchPart | null> {
  if (tiles.length === 0) return null
  const shares = Array.from({ length: threads }, (_, n) => tiles.filter((_tile, i) => i % threads === n))
  try {
    let decoded = 0
    const ms = await timed(async () => {
      for (const done of await Promise.all(shares.map((share) => decodeJpegs(share, tileWidth, tileHeight))))
        decoded += done.tiles
    })
    const megapixels = (decoded * tileWidth * tileHeight) / 1e6
    if (decoded === 0) return null
    return {
      name: 'libjpeg-turbo',
      kind: 'floor',
      megapixels,
      ms,
      threads,
      note: `${decoded} ${noun(decoded, 'tile')} of the slide`,
    }
  } catch (error) {
    // Where it is not there, OpenSlide decodes, and there is no such floor.
    if (messageOf(error).includes('TurboJPEG')) return null
    throw error
  }
}
