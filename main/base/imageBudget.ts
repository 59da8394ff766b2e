// How much memory decoded images may take: judged from the header before a decoder sees the pixels, one decode at a time.
import type { Metadata } from 'sharp'
import { EngineError } from './errors'

/** With what the engine needs besides, its process stays under 2 GB. */
export const imageBudgetBytes = 1.25 * 2 ** 30

/** What decoding takes beside its result, bytes a pixel: some files can only be decoded with all of them at hand. */
export function extraBytesPerPixel(
  meta: Pick<Metadata, 'format' | 'isProgressive' | 'channels' | 'depth' | 'orientation'>,
): number {
  const sampleBytes = { char: 1, uchar: 1, short: 2, ushort: 2, double: 8, dpcomplex: 16 }[meta.depth as string] ?? 4
  const channels = Math.max(1, meta.channels ?? 4)
  let bytes = 0
  // A progressive JPEG refines 16-bit coefficients from scan to scan, an interlaced PNG every pixel from pass to pass. A TIFF may be one
  // strip, and a WebP comes whole.
  if (meta.isProgressive) bytes += channels * (meta.format === 'jpeg' ? 2 : sampleBytes)
  if (meta.format === 'tiff') bytes += channels * sampleBytes
  if (meta.format === 'webp') bytes += 4
  // Turning an image by a right angle needs all of it.
  if ((meta.orientation ?? 1) > 4) bytes += channels * sampleBytes
  return bytes
}

const mib = (bytes: number): string => `${Math.ceil(bytes / 2 ** 20).toLocaleString('en')} MiB`

export class ImageBudget {
  private readonly totalBytes: number
  private heldBytes = 0
  private last: Promise<unknown> = Promise.resolve()

  constructor(totalBytes = imageBudgetBytes) {
    this.totalBytes = totalBytes
  }

  get held(): number {
    return this.heldBytes
  }

  /**
   * Runs `decode` after all others, if `neededBytes` are there beside what open images hold. It gives its result and how many bytes that
   * goes on holding, until `release`.
   */
  decode<T>(
    what: string,
    neededBytes: number,
    decode: () => Promise<{ value: T; heldBytes: number }>,
    code: 'SLIDE_UNREADABLE' | 'INVALID_PARAMETER' = 'SLIDE_UNREADABLE',
  ): Promise<T> {
    const turn = this.last.then(async () => {
      this.require(what, neededBytes, code)
      const { value, heldBytes } = await decode()
      this.heldBytes += heldBytes
      return value
    })
    this.last = turn.catch(() => undefined)
    return turn
  }

  release(heldBytes: number): void {
    this.heldBytes -= heldBytes
  }

  private require(what: string, neededBytes: number, code: 'SLIDE_UNREADABLE' | 'INVALID_PARAMETER'): void {
    if (neededBytes <= this.totalBytes - this.heldBytes) return
    const convert = 'convert it to a tiled pyramid, e.g. with "vips tiffsave --tile --pyramid --compression jpeg --Q 90".'
    const next =
      code === 'INVALID_PARAMETER'
        ? 'Give a part of it.'
        : neededBytes > this.totalBytes
          ? `C${convert.slice(1)}`
          : `Other open images hold ${mib(this.heldBytes)}: close one, or ${convert}`
    throw new EngineError(
      code,
      `${what} needs ${mib(neededBytes)} of memory to be decoded, and images may take ${mib(this.totalBytes)} in all. ${next}`,
    )
  }
}

/** The engine's. */
export const imageBudget = new ImageBudget()
