// The ICC profile that a slide's file carries: what it is called, and tiles converted by it for looking. What is analysed are the file's own samples.
import type { SlideInfo } from '../../native/index'
import { plainText } from '../base/plainText'
import { sharp } from '../base/sharp'

export interface ColorProfile {
  /** As the profile calls itself. */
  readonly name: string
  readonly icc: Uint8Array
}

const mostBytes = 4 * 2 ** 20
const headerBytes = 128
const longestName = 120

/** `found`: the profile's bytes; null: a picture's, which its decoder tells. Gives null where the file carries none, or one of other colours than red, green and blue, which says nothing of its samples. */
export async function colorProfileOf({ path, properties }: SlideInfo, found: Uint8Array | null): Promise<ColorProfile | null> {
  const icc = found ?? (await ofPicture(path, Number(properties['image.page'] ?? 0)))
  return icc && isOfRgb(icc) ? { name: nameIn(icc), icc } : null
}

async function ofPicture(path: string, page: number): Promise<Uint8Array | null> {
  const { icc } = await sharp()(path, { limitInputPixels: false, ...(page > 0 && { page }) }).metadata()
  return icc ?? null
}

const textAt = (icc: Uint8Array, at: number, length: number): string => String.fromCharCode(...icc.subarray(at, at + length))

function isOfRgb(icc: Uint8Array): boolean {
  return icc.length > headerBytes + 4 && icc.length <= mostBytes && textAt(icc, 36, 4) === 'acsp' && textAt(icc, 16, 4) === 'RGB '
}

/** Of its description: ASCII in profiles of version 2, UTF-16 in those of version 4. */
function nameIn(icc: Uint8Array): string {
  const view = new DataView(icc.buffer, icc.byteOffset, icc.byteLength)
  const within = (at: number, bytes: number): boolean => at >= 0 && at + bytes <= icc.length
  const tags = Math.min(view.getUint32(headerBytes), 100)
  for (let i = 0; i < tags; i++) {
    const entry = headerBytes + 4 + 12 * i
    if (!within(entry, 12)) break
    if (textAt(icc, entry, 4) !== 'desc') continue
    const at = view.getUint32(entry + 4)
    if (!within(at, 28)) break
    const isUnicode = textAt(icc, at, 4) === 'mluc'
    const [start, length] = isUnicode
      ? [at + view.getUint32(at + 24), view.getUint32(at + 20)]
      : [at + 12, view.getUint32(at + 8)]
    if (!within(start, length)) break
    const bytes = icc.subarray(start, start + Math.min(length, 4 * longestName))
    const text = isUnicode ? new TextDecoder('utf-16be').decode(bytes) : textAt(bytes, 0, bytes.length)
    return plainText(text.split('\0', 1)[0]!).trim().slice(0, longestName) || 'without a name'
  }
  return 'without a name'
}

/** RGBA as a TIFF in memory with the profile in it: the library converts what it opens so, as it does with any picture. */
export function withProfile(rgba: Uint8Array, width: number, height: number, icc: Uint8Array): Buffer {
  const pixels = width * height
  const entries: readonly (readonly [tag: number, type: 3 | 4 | 7, count: number, value: number])[] = [
    [256, 4, 1, width],
    [257, 4, 1, height],
    [258, 3, 1, 8],
    [259, 3, 1, 1],
    [262, 3, 1, 2],
    [273, 4, 1, 0],
    [277, 3, 1, 3],
    [278, 4, 1, height],
    [279, 4, 1, 3 * pixels],
    [34675, 7, icc.length, 0],
  ]
  const tableBytes = 8 + 2 + 12 * entries.length + 4
  // BitsPerSample has three values, which do not fit its entry.
  const bitsAt = tableBytes
  const pixelsAt = bitsAt + 8
  const iccAt = pixelsAt + 3 * pixels + ((3 * pixels) % 2)
  const file = Buffer.alloc(iccAt + icc.length)
  file.write('II*\0', 0, 'latin1')
  file.writeUInt32LE(8, 4)
  file.writeUInt16LE(entries.length, 8)
  entries.forEach(([tag, type, count, value], i) => {
    const at = 10 + 12 * i
    const where = tag === 258 ? bitsAt : tag === 273 ? pixelsAt : tag === 34675 ? iccAt : value
    file.writeUInt16LE(tag, at)
    file.writeUInt16LE(type, at + 2)
    file.writeUInt32LE(tag === 258 ? 3 : count, at + 4)
    file.writeUInt32LE(where, at + 8)
  })
  for (let c = 0; c < 3; c++) file.writeUInt16LE(8, bitsAt + 2 * c)
  for (let i = 0, to = pixelsAt; i < pixels; i++) for (let c = 0; c < 3; c++) file[to++] = rgba[4 * i + c]!
  file.set(icc, iccAt)
  return file
}
