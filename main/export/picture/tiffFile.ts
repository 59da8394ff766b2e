// The TIFF container, as little of it as a tiled pyramid needs: classic or BigTIFF, little endian, tags and directories.
import type { OutputFile } from '../output/outputSet'

export const TiffType = { ascii: 2, short: 3, long: 4, rational: 5, ifd: 13, long8: 16, ifd8: 18 } as const
export type TiffTag =
  | { readonly tag: number; readonly kind: 'short' | 'long'; readonly values: readonly number[] }
  /** File offsets or byte counts: 4 bytes in a classic file, 8 in a BigTIFF. */
  | { readonly tag: number; readonly kind: 'offset' | 'ifd'; readonly values: readonly number[] }
  | { readonly tag: number; readonly kind: 'ascii'; readonly value: string }
  /** Numerator, denominator. */
  | { readonly tag: number; readonly kind: 'rational'; readonly value: readonly [number, number] }

export class TiffFile {
  readonly #out: OutputFile
  readonly big: boolean

  private constructor(out: OutputFile, big: boolean) {
    this.#out = out
    this.big = big
  }
  /** Writes the header; its pointer to the first directory comes with `finish`. */
  static async create(out: OutputFile, big: boolean): Promise<TiffFile> {
    const header = Buffer.alloc(big ? 16 : 8)
    header.write('II', 0, 'latin1')
    header.writeUInt16LE(big ? 43 : 42, 2)
    if (big) header.writeUInt16LE(8, 4)
    await out.append(header)
    return new TiffFile(out, big)
  }
  async data(bytes: Uint8Array): Promise<number> {
    return await this.#out.append(bytes)
  }
  /** Writes one directory with all its values and returns its offset; the tags must ascend. `next`: where the directory after it lies; 0: none. */
  async directory(tags: readonly TiffTag[], next = 0): Promise<number> {
    const { big } = this
    const inlineBytes = big ? 8 : 4
    const entryBytes = big ? 20 : 12
    const body = Buffer.alloc((big ? 8 : 2) + tags.length * entryBytes + (big ? 8 : 4))
    if (big) body.writeBigUInt64LE(BigInt(tags.length), 0)
    else body.writeUInt16LE(tags.length, 0)
    let at = big ? 8 : 2
    for (const tag of tags) {
      const { type, count, bytes } = this.#encode(tag)
      body.writeUInt16LE(tag.tag, at)
      body.writeUInt16LE(type, at + 2)
      if (big) body.writeBigUInt64LE(BigInt(count), at + 4)
      else body.writeUInt32LE(count, at + 4)
      const valueAt = at + (big ? 12 : 8)
      if (bytes.length <= inlineBytes) bytes.copy(body, valueAt)
      else this.#writeOffset(body, await this.#out.append(await this.#aligned(bytes)), valueAt)
      at += entryBytes
    }
    this.#writeOffset(body, next, at)
    await this.#align()
    return await this.#out.append(body)
  }
  async finish(firstDirectory: number): Promise<void> {
    const pointer = Buffer.alloc(this.big ? 8 : 4)
    this.#writeOffset(pointer, firstDirectory, 0)
    await this.#out.patch(pointer, this.big ? 8 : 4)
  }
  /** Directories and values begin on a word boundary. */
  async #align(): Promise<void> {
    const over = this.#out.bytes % 8
    if (over > 0) await this.#out.append(new Uint8Array(8 - over))
  }
  async #aligned(bytes: Buffer): Promise<Buffer> {
    await this.#align()
    return bytes
  }
  #writeOffset(target: Buffer, value: number, at: number): void {
    if (this.big) target.writeBigUInt64LE(BigInt(value), at)
    else target.writeUInt32LE(value, at)
  }
  #encode(tag: TiffTag): { type: number; count: number; bytes: Buffer } {
    switch (tag.kind) {
      case 'ascii': {
        const bytes = Buffer.from(`${tag.value}\0`, 'utf8')
        return { type: TiffType.ascii, count: bytes.length, bytes }
      }
      case 'rational': {
        const bytes = Buffer.alloc(8)
        bytes.writeUInt32LE(tag.value[0], 0)
        bytes.writeUInt32LE(tag.value[1], 4)
        return { type: TiffType.rational, count: 1, bytes }
      }
      case 'short': {
        const bytes = Buffer.alloc(tag.values.length * 2)
        tag.values.forEach((value, i) => bytes.writeUInt16LE(value, i * 2))
        return { type: TiffType.short, count: tag.values.length, bytes }
      }
      case 'long': {
        const bytes = Buffer.alloc(tag.values.length * 4)
        tag.values.forEach((value, i) => bytes.writeUInt32LE(value, i * 4))
        return { type: TiffType.long, count: tag.values.length, bytes }
      }
      case 'offset':
      case 'ifd': {
        const width = this.big ? 8 : 4
        const bytes = Buffer.alloc(tag.values.length * width)
        tag.values.forEach((value, i) => this.#writeOffset(bytes, value, i * width))
        // SubIFDs as LONG (LONG8): every reader takes those, and some do not know the IFD types.
        return { type: this.big ? TiffType.long8 : TiffType.long, count: tag.values.length, bytes }
      }
    }
  }
}
