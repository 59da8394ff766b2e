// Images that OpenSlide refuses (PNG, JPEG, strip and big-endian TIFF): decoded whole by sharp, within a budget of memory.
import { open, readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Metadata, Sharp } from 'sharp'
import { largestTiffPage, memorySamples, memorySlide } from '../../native/index'
import type { MemorySlideInfo, Slide, TiffPage } from '../../native/index'
import { EngineError, describe } from '../base/errors'
import { extraBytesPerPixel, imageBudget } from '../base/imageBudget'
import { messageOf } from '../base/jsonFile'
import { sharp } from '../base/sharp'

/** Decoded as RGBA, and once more in the slide that takes a copy. */
const bytesPerPixel = 4
/** Print resolutions (72 … 2400 dpi) say nothing about a microscope: only finer ones are taken for a calibration. */
const maxBelievableMpp = 10
// Vector and video formats would let a file run a renderer: only what a camera or a scanner writes is decoded.
const decodable = new Set(['png', 'jpeg', 'tiff', 'webp'])

/** What the first bytes say that no decoder here reads, with what to do about it; null = worth a try. */
export function foreignFormat(head: Uint8Array): string | null {
  const text = (from: number, to: number): string => String.fromCharCode(...head.subarray(from, to))
  if (head.length >= 132 && text(128, 132) === 'DICM')
    return 'it is a DICOM file, and not one of a whole slide. Open a file of a slide’s series, or export the image in it as PNG or TIFF'
  if (text(0, 8) === '\x89HDF\r\n\x1a\n')
    return 'it is an HDF5 file (Imaris, QuPath and others use it). Export it as a tiled TIFF from the program that wrote it'
  if (text(0, 5) === '%PDF-') return 'it is a PDF document. Export the image in it as PNG or TIFF'
  if (text(0, 4) === 'PK\x03\x04') return 'it is a ZIP archive. Unpack it and open the slide inside'
  return null
}

/** Only these begin so: other formats would let a file run a renderer (SVG, PDF) before anyone asks what it is. */
function isPicture(head: Uint8Array): boolean {
  const bytes = (...values: number[]): boolean => values.every((value, i) => head[i] === value)
  const webp = bytes(0x52, 0x49, 0x46, 0x46) && String.fromCharCode(...head.subarray(8, 12)) === 'WEBP'
  return bytes(0x89, 0x50, 0x4e, 0x47) || bytes(0xff, 0xd8, 0xff) || bytes(0x49, 0x49) || bytes(0x4d, 0x4d) || webp
}

async function headOf(path: string): Promise<Uint8Array> {
  try {
    return await firstBytes(path)
  } catch (error) {
    const message = `${path} could not be read (${messageOf(error)}). Look after its drive, and open it again.`
    throw new EngineError('SLIDE_UNREADABLE', message, undefined, { cause: error })
  }
}

async function firstBytes(path: string): Promise<Uint8Array> {
  const file = await open(path, 'r')
  try {
    const head = new Uint8Array(512)
    const { bytesRead } = await file.read(head, 0, head.length, 0)
    return head.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

async function metadataOf(path: string, page?: number): Promise<Metadata | null> {
  try {
    return await sharp()(path, { limitInputPixels: false, ...(page === undefined ? {} : { page }) }).metadata()
  } catch {
    return null
  }
}

interface Page {
  index: number
  meta: Metadata
  warnings: string[]
  tiff: TiffPage | null
}

/** The largest page of a multi-page file: of a pyramid that is its full resolution. Of a TIFF its directories tell, however many there are. */
async function largestPage(path: string, first: Metadata): Promise<Page> {
  const tiff = first.format === 'tiff' ? await largestTiffPage(path, maxBelievableMpp) : null
  const page = tiff ? await tiffPage(path, tiff, first) : await largestFrame(path, first)
  if (page) return page
  return { ...(await largestFrame(path, first)), tiff }
}

/** null where the decoder cannot open what the directories call the largest. */
async function tiffPage(path: string, tiff: TiffPage, first: Metadata): Promise<Page | null> {
  const meta = tiff.index === 0 ? first : await metadataOf(path, tiff.index)
  return meta && { index: tiff.index, meta, warnings: [...tiff.warnings, ...sameSize(tiff.ofThatSize)], tiff }
}

function sameSize(count: number): string[] {
  if (count < 2) return []
  return [`The file holds ${count} images of this size (focus planes or channels): the first is shown.`]
}

/** Of the first 64 frames. */
async function largestFrame(path: string, first: Metadata): Promise<Page> {
  const count = Math.min(first.pages ?? 1, 64)
  let best: Page = { index: 0, meta: first, warnings: [], tiff: null }
  let ofThatSize = 1
  for (let index = 1; index < count; index++) {
    const meta = await metadataOf(path, index)
    if (!meta) continue
    const area = meta.width * meta.height
    const bestArea = best.meta.width * best.meta.height
    if (area > bestArea) {
      best = { index, meta, warnings: [], tiff: null }
      ofThatSize = 1
    } else if (area === bestArea) ofThatSize += 1
  }
  return { ...best, warnings: sameSize(ofThatSize) }
}

/**
 * Decodes the file into a slide of one level. `refusal` is why the slide reader did not take it: it is what the user learns
 * where no decoder takes it either.
 */
export async function decodeImage(path: string, refusal: Error): Promise<Slide> {
  const head = await headOf(path)
  const foreign = foreignFormat(head)
  if (foreign)
    throw new EngineError('SLIDE_UNREADABLE', `${path} cannot be opened: ${foreign}.`, refusal.message, { cause: refusal })
  const first = isPicture(head) ? await metadataOf(path) : null
  if (!first || !decodable.has(first.format)) throw refusal
  const page = await largestPage(path, first)
  const { meta } = page
  const pixels = meta.width * meta.height
  const held = pixels * (meta.depth === 'ushort' ? 2 * meta.channels : bytesPerPixel)
  const needed = 2 * held + pixels * extraBytesPerPixel(meta)
  const kind = meta.isProgressive ? (meta.format === 'jpeg' ? 'progressive ' : 'interlaced ') : ''
  const what = `${path}, a flat ${kind}${meta.format.toUpperCase()} of ${meta.width} × ${meta.height} px,`
  return await imageBudget.decode(what, needed, async () => {
    const value = await toSlide(path, page, refusal)
    return { value: released(value, held), heldBytes: held }
  })
}

/** Gives its share of the budget back when it is closed. */
function released(slide: Slide, heldBytes: number): Slide {
  const close = slide.close.bind(slide)
  let open = true
  slide.close = () => {
    close()
    if (open) imageBudget.release(heldBytes)
    open = false
  }
  return slide
}

interface Decoded {
  /** RGBA of 8 bits, or any samples of 16. */
  readonly data: Uint8Array<ArrayBufferLike> | Uint16Array<ArrayBufferLike>
  readonly info: { readonly width: number; readonly height: number; readonly channels: number }
}

/** 16-bit samples as they are: what of them becomes 8 bits, and how, is the slide's to say, as of every other file. */
async function deepSamples(picture: Sharp, channels: number): Promise<Decoded> {
  const { data, info } = await picture
    .toColourspace(channels < 3 ? 'grey16' : 'rgb16')
    .raw({ depth: 'ushort' })
    .toBuffer({ resolveWithObject: true })
  return { data: new Uint16Array(data.buffer, data.byteOffset, data.byteLength / 2), info }
}

/** What libvips says of a resolution that is none, and nothing else. It refuses the picture for it. */
const resolutionAlone = /^(.*Bad value .* for "(XResolution|YResolution|ResolutionUnit)" tag\s*)+$/

/** What libtiff says of a compression that it has no decoder for; libvips would show black. */
const noDecoder = /is not (implemented|configured)/

/** The file with a resolution of 1 px per no unit: its pixels do not depend on it. */
async function withoutResolution(path: string, { resolutionEntries, bigEndian, bigTiff }: TiffPage): Promise<Buffer> {
  const bytes = Buffer.concat([await readFile(path), Buffer.alloc(8)])
  const put = (at: number, size: 2 | 4, value: number): void => {
    if (size === 2) bytes[bigEndian ? 'writeUInt16BE' : 'writeUInt16LE'](value, at)
    else bytes[bigEndian ? 'writeUInt32BE' : 'writeUInt32LE'](value, at)
  }
  const [rational, short] = [5, 3]
  const shared = bytes.length - 8
  for (const at of [shared, shared + 4]) put(at, 4, 1)
  for (const entry of resolutionEntries) {
    const isUnit = bytes[bigEndian ? 'readUInt16BE' : 'readUInt16LE'](entry) === 296
    const value = entry + (bigTiff ? 12 : 8)
    bytes.fill(0, entry + 4, value + (bigTiff ? 8 : 4))
    put(entry + 2, 2, isUnit ? short : rational)
    put(entry + (bigTiff && bigEndian ? 8 : 4), 4, 1)
    if (isUnit) put(value, 2, 1)
    else if (bigTiff) for (const at of [value, value + 4]) put(at, 4, 1)
    else put(value, 4, shared)
  }
  return bytes
}

interface Pixels {
  readonly decoded: Decoded
  /** Where they may be wrong, and nobody knows which, in words. */
  readonly damage?: string
}

async function pixelsOf(path: string, { index, meta, tiff }: Page): Promise<Pixels> {
  const pixels = meta.width * meta.height
  // The file's own samples, as a tiled file's are: a profile converts what is looked at alone. Inks have no red, green and blue without one.
  const ignoreIcc = meta.space !== 'cmyk'
  const from = (source: string | Buffer) => async (failOn: 'warning' | 'error') => {
    const picture = sharp()(source, { limitInputPixels: pixels, page: index, failOn, ignoreIcc }).autoOrient()
    if (meta.depth === 'ushort') return { decoded: await deepSamples(picture, meta.channels) }
    const eight = picture.toColourspace('srgb').ensureAlpha().raw({ depth: 'uchar' })
    return { decoded: await eight.toBuffer({ resolveWithObject: true }) }
  }
  const strictly = async (read: ReturnType<typeof from>): Promise<Pixels> =>
    // For libvips a part of a TIFF that cannot be unpacked is but a warning, and black.
    read('warning').catch(async (cause: unknown) => {
      if (resolutionAlone.test(messageOf(cause)) || noDecoder.test(messageOf(cause))) throw cause
      const damage = `Parts of the image may be damaged, and are black where they are: ${messageOf(cause).split('\n', 1)[0]}.`
      return { ...(await read('error')), damage }
    })
  if (!tiff) return await from(path)('error')
  try {
    return await strictly(from(path))
  } catch (cause) {
    if (!resolutionAlone.test(messageOf(cause))) throw cause
    return await strictly(from(await withoutResolution(path, tiff)))
  }
}

async function toSlide(path: string, page: Page, refusal: Error): Promise<Slide> {
  const { index, meta, warnings, tiff } = page
  let decoded: Decoded
  let damage: string | undefined
  try {
    ;({ decoded, damage } = await pixelsOf(path, page))
  } catch (cause) {
    if (noDecoder.test(messageOf(cause))) throw refusal
    throw new EngineError(
      'SLIDE_UNREADABLE',
      `${path} looks like a ${meta.format.toUpperCase()} image but could not be decoded (${messageOf(cause)}). The file may be damaged or incomplete: copy it again from its source.`,
      undefined,
      { cause },
    )
  }
  const { data, info: size } = decoded
  const isDeep = data instanceof Uint16Array
  if (!isDeep && size.channels !== 4) {
    throw new EngineError(
      'SLIDE_UNREADABLE',
      `${path} has ${size.channels} channels after decoding, and 4 were expected. Save it as 8-bit RGB.`,
    )
  }
  if (!isDeep && meta.depth !== 'uchar')
    warnings.push(`The image has ${describe(meta.depth)} samples: they were reduced to 8 bits.`)
  // The decoder turns pictures, and their pixels with them.
  const turned = (meta.orientation ?? 1) > 4
  const info: MemorySlideInfo = {
    path,
    vendor: `${meta.format.toUpperCase()} image`,
    reader: 'sharp',
    readerVersion: sharp().versions.sharp ?? sharp().versions.vips,
    mppX: (turned ? tiff?.mppY : tiff?.mppX) ?? 0,
    mppY: (turned ? tiff?.mppX : tiff?.mppY) ?? 0,
    mppSource: tiff?.mppSource ?? 'none',
    properties: { 'image.format': meta.format, 'image.page': String(index), 'image.name': basename(path) },
    warnings,
    ...(damage !== undefined && { uncertainPixels: damage }),
  }
  if (isDeep) return await memorySamples(info, data, size.width, size.height, size.channels)
  return memorySlide(info, new Uint8Array(data.buffer, data.byteOffset, data.byteLength), size.width, size.height)
}
