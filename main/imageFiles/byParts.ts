// Images for operations on tiles: .npy files that are read and written by parts, and all others in memory.
import { open } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { EngineError } from '../base/errors'
import { OutputSet } from '../export/outputSet'
import type { PixelType, RegionImage } from '../../native/index'
import { imageFormat, readImageFile, writeImageFiles } from './index'
import { pixelTypeOf } from './image'
import type { FileImage } from './image'
import { bytesOf, npyHeader, npyHeaderBytes, npyPlace } from './npy'

/** What a file holds, before anybody reads its pixels; those of a .npy that can be read by parts stay there. */
export type PartedImage = { width: number; height: number; type: PixelType } & (
  { path: string; offset: number } | { image: FileImage }
)

export async function openByParts(path: string): Promise<PartedImage> {
  if (imageFormat(path) === '.npy') {
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
  const image = await readImageFile(path)
  if (image.channels !== 1) throw new EngineError('INVALID_PARAMETER', `expected a grey image but ${path} is a colour one`)
  return { width: image.width, height: image.height, type: pixelTypeOf(image.data), image }
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
  compute: (output: RegionImage) => Promise<T>,
): Promise<T> {
  if (imageFormat(path) !== '.npy') {
    const count = width * height
    if (count >= 2 ** 28)
      throw new EngineError(
        'INVALID_PARAMETER',
        `expected a .npy file for an image of ${width} × ${height} px but received ${path}: others are made in memory, up to 2^28 px`,
      )
    const data = type === 'uint8' ? new Uint8Array(count) : type === 'uint16' ? new Uint16Array(count) : new Int32Array(count)
    const result = await compute({ slot, width, height, data })
    await writeImageFiles([{ path, image: { width, height, channels: 1, data } }])
    return result
  }
  const set = await OutputSet.in(dirname(path), undefined, [], 'images')
  try {
    const file = await set.create(basename(path))
    await file.append(npyHeader(width, height, 1, type))
    const offset = file.bytes
    const result = await compute({ slot, width, height, type, path: file.temporaryPath, offset })
    file.writtenElsewhere(offset + width * height * bytesOf[type])
    await set.commit()
    return result
  } catch (error) {
    await set.discard()
    throw error
  }
}
