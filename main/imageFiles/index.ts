// Images in files, .npy, .png and .tif, read and written without changing a value: what `morphoscope op` works on.
import { readFile, stat } from 'node:fs/promises'
import { basename, dirname, extname } from 'node:path'
import { promisify } from 'node:util'
import { deflate } from 'node:zlib'
import type { Metadata } from 'sharp'
import { EngineError } from '../base/errors'
import { extraBytesPerPixel, imageBudget } from '../base/imageBudget'
import { requireNoPipe } from '../base/regularFile'
import { failsOn, sharp } from '../base/sharp'
import { OutputSet } from '../export/output/outputSet'
import type { OutputFile } from '../export/output/outputSet'
import { TiffFile } from '../export/picture/tiffFile'
import { pixelTypeOf } from './image'
import type { FileImage } from './image'
import { readNpy, rgbToRgba, writeNpy } from './npy'
import type { Packed } from './unpack'

export { asOneOf, commonType, toOpImage } from './image'
export type { FileImage } from './image'

const formats = ['.npy', '.png', '.tif', '.tiff'] as const
type Format = (typeof formats)[number]

/** An operation's images have at most 2^28 px. */
const maxFileBytes = 2 ** 30 + 2 ** 20

/** Throws INVALID_PARAMETER for a name with another ending. */
export function imageFormat(path: string): Format {
  const format = formats.find((ending) => ending === extname(path).toLowerCase())
  if (!format)
    throw new EngineError('INVALID_PARAMETER', `expected a file that ends in ${formats.join(', ')} but received ${path}`)
  return format
}

export async function readImageFile(path: string): Promise<FileImage> {
  const format = imageFormat(path)
  let file: Buffer
  await requireNoPipe(path)
  try {
    const { size } = await stat(path)
    if (size > maxFileBytes)
      throw new EngineError(
        'INVALID_PARAMETER',
        `${path} has ${size} bytes: expected at most ${maxFileBytes}, as an operation holds its images in memory. Give a part of it.`,
      )
    file = await readFile(path)
  } catch (error) {
    if (error instanceof EngineError) throw error
    const { code = '' } = error as { code?: string }
    const missing = code === 'ENOENT' || code === 'ENOTDIR'
    throw new EngineError(
      'NOT_FOUND',
      missing ? `There is no file ${path}.` : `${path} cannot be read (${code || String(error)}).`,
      String(error),
    )
  }
  return format === '.npy' ? readNpy(path, file) : await decode(path, file)
}

const refusal = (path: string, why: string, cause?: unknown): EngineError =>
  new EngineError('INVALID_PARAMETER', `${path} ${why}`, cause instanceof Error ? cause.message : undefined)

/** What a file's header says, if operations take such images; `depth` is what its pixels can be read as. Throws INVALID_PARAMETER. */
function judged(
  path: string,
  { space, channels, depth, pages }: Metadata,
): { space: string; colour: boolean; depth: 'uchar' | 'ushort' | 'int' | 'uint' } {
  if ((pages ?? 1) > 1) throw refusal(path, `has ${pages} pages: expected one image`)
  const grey = channels === 1 && (space === 'b-w' || space === 'grey16')
  const colour = space === 'srgb' && (channels === 3 || channels === 4) && depth === 'uchar'
  if (!grey && !colour)
    throw refusal(
      path,
      `is a ${space} image of ${channels} channels (${depth}): expected grey of 8, 16 or 32 bits, or RGB(A) of 8`,
    )
  // Without the image's own space on both ends sharp would convert, and 16 bits would become 8.
  const rawDepth = depth === 'short' || depth === 'char' ? 'int' : depth
  if (rawDepth === 'uchar' || rawDepth === 'ushort' || rawDepth === 'int' || rawDepth === 'uint')
    return { space, colour, depth: rawDepth }
  throw refusal(path, `holds pixels of type ${depth}: expected integers`)
}

/** What a file of pixels that are not in order (anything but .npy) says of itself, before they are read. Throws as readImageFile does. */
export async function describeImageFile(path: string): Promise<Packed & { readonly colour: boolean; readonly signed: boolean }> {
  await requireNoPipe(path)
  if (!(await stat(path).catch(() => null))?.isFile()) throw new EngineError('NOT_FOUND', `There is no file ${path}.`)
  const metadata = await sharp()(path, { limitInputPixels: false })
    .metadata()
    .catch((error: unknown) => {
      throw refusal(path, 'cannot be read as an image', error)
    })
  const { width, height, depth } = metadata
  return { width, height, ...judged(path, metadata), signed: depth === 'char' || depth === 'short' }
}

async function decode(path: string, file: Buffer): Promise<FileImage> {
  // ignoreIcc: a colour profile must not change the values.
  const open = () => sharp()(file, { ignoreIcc: true, limitInputPixels: 2 ** 28, failOn: failsOn(path) })
  const refused = (why: string, cause?: unknown) => refusal(path, why, cause)
  let metadata
  try {
    // An empty file makes sharp throw before there is a promise.
    metadata = await open().metadata()
  } catch (error) {
    throw refused('cannot be read as an image', error)
  }
  const { space, colour, depth: rawDepth } = judged(path, metadata)
  const pixels = metadata.width * metadata.height
  const sampleBytes = rawDepth === 'uchar' ? 1 : rawDepth === 'ushort' ? 2 : 4
  // What sharp gives, and a copy in the engine's type.
  const needed = pixels * (2 * sampleBytes * (colour ? 4 : 1) + extraBytesPerPixel(metadata))
  const { data, info } = await imageBudget.decode(
    `${path} (${metadata.width} × ${metadata.height} px)`,
    needed,
    async () => {
      const value = await open()
        .pipelineColourspace(space)
        .toColourspace(space)
        .raw({ depth: rawDepth })
        .toBuffer({ resolveWithObject: true })
        .catch((error: unknown) => {
          throw refused('is damaged', error)
        })
      return { value, heldBytes: 0 }
    },
    'INVALID_PARAMETER',
  )
  const { width, height } = info
  if (colour) return { width, height, channels: 4, data: metadata.channels === 4 ? new Uint8Array(data) : rgbToRgba(data) }
  const bytes = new Uint8Array(data).buffer
  switch (rawDepth) {
    case 'uchar':
      return { width, height, channels: 1, data: new Uint8Array(bytes) }
    case 'ushort':
      return { width, height, channels: 1, data: new Uint16Array(bytes) }
    case 'int':
      return { width, height, channels: 1, data: new Int32Array(bytes) }
    default: {
      const values = new Uint32Array(bytes)
      const large = values.find((value) => value >= 2 ** 31)
      if (large !== undefined) throw refused(`holds ${large}: expected values below 2^31`)
      return { width, height, channels: 1, data: Int32Array.from(values) }
    }
  }
}

async function writeTiff({ width, height, channels, data }: FileImage, out: OutputFile): Promise<void> {
  const type = pixelTypeOf(data)
  const bytesPerPixel = data.BYTES_PER_ELEMENT * channels
  const tiff = await TiffFile.create(out, width * height * bytesPerPixel * 1.01 > 2 ** 32 - 2 ** 26)
  const rowsPerStrip = Math.max(1, Math.min(height, Math.floor(2 ** 20 / Math.max(1, width * bytesPerPixel))))
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
  const offsets: number[] = []
  const byteCounts: number[] = []
  for (let y = 0; y < height; y += rowsPerStrip) {
    const strip = await promisify(deflate)(
      bytes.subarray(y * width * bytesPerPixel, Math.min(height, y + rowsPerStrip) * width * bytesPerPixel),
    )
    offsets.push(await tiff.data(strip))
    byteCounts.push(strip.length)
  }
  const bits = data.BYTES_PER_ELEMENT * 8
  await tiff.finish(
    await tiff.directory([
      { tag: 256, kind: 'long', values: [width] },
      { tag: 257, kind: 'long', values: [height] },
      { tag: 258, kind: 'short', values: Array.from({ length: channels }, () => bits) },
      { tag: 259, kind: 'short', values: [8] }, // Compression: deflate
      { tag: 262, kind: 'short', values: [channels === 4 ? 2 : 1] }, // Photometric: RGB, or black is zero
      { tag: 273, kind: 'offset', values: offsets },
      { tag: 277, kind: 'short', values: [channels] },
      { tag: 278, kind: 'long', values: [rowsPerStrip] },
      { tag: 279, kind: 'offset', values: byteCounts },
      { tag: 284, kind: 'short', values: [1] }, // PlanarConfiguration
      ...(channels === 4 ? [{ tag: 338, kind: 'short', values: [2] } as const] : []), // ExtraSamples: alpha
      { tag: 339, kind: 'short', values: Array.from({ length: channels }, () => (type === 'int32' ? 2 : 1)) }, // SampleFormat
    ]),
  )
}

async function encodePng(path: string, image: FileImage): Promise<Buffer> {
  const { width, height, channels } = image
  let { data } = image
  if (data instanceof Int32Array) {
    const wide = data.find((value) => value < 0 || value > 65_535)
    if (wide !== undefined)
      throw new EngineError(
        'INVALID_PARAMETER',
        `expected values from 0 to 65535 for ${path} but received ${wide}: a PNG holds no more, a .npy or .tif does`,
      )
    data = Uint16Array.from(data)
  }
  const space = channels === 4 ? 'srgb' : data instanceof Uint16Array ? 'grey16' : 'b-w'
  return await sharp()(data, { raw: { width, height, channels } }).toColourspace(space).png().toBuffer()
}

/** Writes all of them or none; folders are made. Images without pixels fit a .npy only. */
export async function writeImageFiles(images: readonly { path: string; image: FileImage }[]): Promise<void> {
  const sets = new Map<string, OutputSet>()
  try {
    for (const { path, image } of images) {
      const format = imageFormat(path)
      if (format !== '.npy' && image.width * image.height === 0)
        throw new EngineError('INVALID_PARAMETER', `expected a .npy file for an image without pixels but received ${path}`)
      const set = sets.get(dirname(path)) ?? (await OutputSet.in(dirname(path), undefined, [], 'images'))
      sets.set(dirname(path), set)
      const out = await set.create(basename(path))
      if (format === '.npy') await out.append(writeNpy(image))
      else if (format === '.png') await out.append(await encodePng(path, image))
      else await writeTiff(image, out)
    }
    for (const set of sets.values()) await set.commit()
  } catch (error) {
    for (const set of sets.values()) await set.discard()
    throw error
  }
}
