// Images for operations on tiles: .npy files are read and written by parts as they are, large ones of other formats by way of a working file, and
// small ones are held in memory.
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { EngineError } from '../base/errors'
import { requireNoPipe } from '../base/regularFile'
import { writeFileOf } from '../export/output/singleFile'
import type { PixelType, RegionImage } from '../../native/index'
import { describeImageFile, imageFormat, readImageFile, writeImageFiles } from './index'
import { pixelTypeOf } from './image'
import type { FileImage } from './image'
import { bytesOf, npyHeader, npyHeaderBytes, npyPlace } from './npy'
import type { Scratch } from './unpack'

/** Px up to which an image is held in memory: 64 MiB at most. */
const smallPx = 2 ** 24

/** What a file holds, before anybody reads its pixels; those of a .npy that can be read by parts stay there. */
export type PartedImage = { width: number; height: number; type: PixelType; dispose?: () => Promise<void> } & (
  | { path: string; offset: number }
  | { image: FileImage }
)

/** Whoever has it disposes of it. Throws NOT_FOUND and INVALID_PARAMETER, by the file's name, and the signal's reason. */
export async function openByParts(path: string, scratch: Scratch, inMemoryPx = smallPx): Promise<PartedImage> {
  if (imageFormat(path) === '.npy') {
    await requireNoPipe(path)
    const file = await open(path).catch((error: unknown) => {
      const { code = '' } = error as { code?: string }
      const missing = code === 'ENOENT' || code === 'ENOTDIR'
      throw new EngineError(
        'NOT_FOUND',
        missing ? `There is no file ${path}.` : `${path} cannot be read (${code || String(error)}).`,
      )
    })
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(npyHeaderBytes), 0, npyHeaderBytes, 0)
      return { path, ...npyPlace(path, buffer.subarray(0, bytesRead), (await file.stat()).size) }
    } finally {
      await file.close()
    }
  }
  const packed = await describeImageFile(path)
  const { width, height, depth, colour, signed } = packed
  if (colour) throw new EngineError('INVALID_PARAMETER', `expected a grey image but ${path} is a colour one`)
  if (width * height > inMemoryPx && !signed) {
    const { typeOfPacked, unpack } = await import('./unpack')
    return { width, height, type: typeOfPacked(depth), ...(await unpack(path, packed, scratch)) }
  }
  const image = await readImageFile(path)
  return { width: image.width, height: image.height, type: pixelTypeOf(image.data), image }
}

/** How many pixels a file of another format than .npy says it has; 0 where it does not say. */
export async function packedPx(path: string): Promise<number> {
  if (extname(path).toLowerCase() === '.npy') return 0
  const packed = await describeImageFile(path).catch(() => null)
  return packed ? packed.width * packed.height : 0
}

export function asRegionImage(slot: string, image: PartedImage): RegionImage {
  const { width, height, type } = image
  return 'path' in image
    ? { slot, width, height, type, path: image.path, offset: image.offset }
    : { slot, width, height, data: image.image.data }
}

/** Runs `compute` with the place of an output of this type and extent, which becomes the file if it succeeds. */
export async function writeByParts<T>(
  path: string,
  slot: string,
  { width, height, type }: { width: number; height: number; type: PixelType },
  scratch: Scratch,
  compute: (output: RegionImage) => Promise<T>,
  inMemoryPx = smallPx,
): Promise<T> {
  const format = imageFormat(path)
  const count = width * height
  if (format === '.tif' || format === '.tiff') {
    if (count > inMemoryPx) return await writeTiff(path, slot, { width, height, type }, scratch, compute)
  }
  if (format !== '.npy') {
    if (count >= 2 ** 28)
      throw new EngineError(
        'INVALID_PARAMETER',
        `expected a .npy or .tif file for an image of ${width} × ${height} px but received ${path}: a PNG is made in memory, up to 2^28 px`,
      )
    const data = type === 'uint8' ? new Uint8Array(count) : type === 'uint16' ? new Uint16Array(count) : new Int32Array(count)
    const result = await compute({ slot, width, height, data })
    await writeImageFiles([{ path, image: { width, height, channels: 1, data } }])
    return result
  }
  return await writeFileOf(path, async (file) => {
    await file.append(npyHeader(width, height, 1, type))
    const offset = file.bytes
    const result = await compute({ slot, width, height, type, path: file.temporaryPath, offset }).catch((error: unknown) => {
      // Who asked for the file knows it by its own name.
      const { code, message } = error as { code?: string; message?: string }
      if (code !== 'OUTPUT_FAILED' || message === undefined) throw error
      throw new EngineError('OUTPUT_FAILED', message.replaceAll(file.temporaryPath, path), undefined, { cause: error })
    })
    file.writtenElsewhere(offset + count * bytesOf[type])
    return result
  })
}

/** By way of raw rows in a working file, as tiles end in another order than that of a TIFF, and a compressed one has no places before its end. */
async function writeTiff<T>(
  path: string,
  slot: string,
  shape: { width: number; height: number; type: PixelType },
  { folder, signal, progress }: Scratch,
  compute: (output: RegionImage) => Promise<T>,
): Promise<T> {
  const [{ requireRoom }, { writeTiledTiff }] = await Promise.all([import('./unpack'), import('./tiledTiff')])
  await requireRoom(folder, shape.width * shape.height * bytesOf[shape.type], `for the pixels of ${path} on their way`)
  return await writeFileOf(path, async (file) => {
    const place = await mkdtemp(join(folder, 'morphoscope-'))
    try {
      const rows = join(place, 'rows.raw')
      await writeFile(rows, '')
      const result = await compute({ slot, ...shape, path: rows, offset: 0 })
      await writeTiledTiff({ path: rows, ...shape }, file, signal, (done) => progress?.(`writing ${path}`, done))
      return result
    } finally {
      await rm(place, { recursive: true, force: true })
    }
  })
}
