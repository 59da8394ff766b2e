// A label image as rows of numbers, whatever format it has: TIFF by the engine's own reader, PNG by libvips, .npy as it lies.
import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { formBytes, imageFormOf } from '../../../../app/contract'
import { EngineError } from '../../../base/errors'
import { extraBytesPerPixel, imageBudget } from '../../../base/imageBudget'
import { sharp } from '../../../base/sharp'
import { tiffNumbers, tiffRows, tokenOf } from '../../../../native/index'
import type { SampleArray } from '../../../../native/index'
import { numpyRows } from './numpyRows'

/** Rows of an image from `y` on, without gaps. */
export interface Band {
  readonly y: number
  readonly rows: number
  readonly values: SampleArray
}

export interface LabelImage {
  readonly width: number
  readonly height: number
  /** Further pages of its size, which are not read. */
  readonly others: number
  /** A TIFF's, where OME-XML stands; else ''. */
  readonly description: string
  /** From top to bottom. Throws INVALID_PARAMETER where the file is damaged. */
  bands(): AsyncIterable<Band>
  close(): Promise<void>
}

interface Opening {
  readonly path: string
  /** What people know it by. */
  readonly called: string
  readonly threads: number
  readonly signal: AbortSignal
}

/** No scanner's slide has more px a side. */
const mostSidePx = 2 ** 20
const mostImagePx = 2 ** 34
/** Px that are read at once, and of one row of tiles at most. */
const bandPx = 2 ** 22
const mostBandPx = 2 ** 25

const refused = (called: string, why: string): EngineError => new EngineError('INVALID_PARAMETER', `${called} ${why}`)

/** The caller closes it. Throws INVALID_PARAMETER, by its name. */
export async function openLabelImage(opening: Opening): Promise<LabelImage> {
  const { called, path } = opening
  const file = await open(path)
  let image: LabelImage
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(formBytes), 0, formBytes, 0)
    const format = imageFormOf(buffer.subarray(0, bytesRead))
    if (format === null) throw refused(called, 'is no label image: expected a TIFF, a PNG or a .npy file.')
    if (format === 'npy') return sized(called, await npyImage(opening, file))
    image = format === 'png' ? await pngImage(opening) : await tiffImage(opening)
  } catch (error) {
    await file.close()
    throw error
  }
  await file.close()
  return sized(called, image)
}

/** Throws where it is none that can be read. */
export function sized(called: string, image: LabelImage): LabelImage {
  const { width, height } = image
  if (width < 1 || height < 1) throw refused(called, `has ${width} × ${height} px: there is nothing in it.`)
  if (width > mostSidePx || height > mostSidePx || width * height > mostImagePx)
    throw refused(
      called,
      `claims ${width} × ${height} px: expected at most ${mostSidePx.toLocaleString('en')} a side, and ${mostImagePx / 2 ** 30} Gi px together.`,
    )
  return image
}

const colour = 'has colours: expected a label image, in which one number a pixel says whose it is.'

/** Rows that are read at once: whole rows of pieces, where that is not too much. */
function rowsAtOnce(width: number, pieceHeight: number): number {
  const pieces = Math.max(1, Math.floor(bandPx / (width * pieceHeight)))
  return Math.max(1, Math.min(pieces * pieceHeight, Math.floor(mostBandPx / width)))
}

/** Of what has rows at any place. */
async function* bandsOf(
  width: number,
  height: number,
  rowsFrom: (y: number, rows: number) => SampleArray | Promise<SampleArray>,
): AsyncGenerator<Band> {
  const step = rowsAtOnce(width, 1)
  for (let y = 0; y < height; y += step) {
    const rows = Math.min(step, height - y)
    yield { y, rows, values: await rowsFrom(y, rows) }
  }
}

async function tiffImage({ path, called, threads, signal }: Opening): Promise<LabelImage> {
  const named = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      signal.throwIfAborted()
      throw refused(called, `${(error as Error).message}.`.replace(/\.\.$/, '.'))
    }
  }
  const about = await named(tiffNumbers(path))
  if (!about) throw refused(called, 'is a damaged TIFF: no directory of it can be read.')
  const { width, height, samples, pieceHeight, indexed, others, description } = about
  if (samples > 1 || indexed) throw refused(called, colour)
  const step = rowsAtOnce(width, pieceHeight)
  const ahead = step * width > 4 * bandPx ? 1 : Math.max(1, Math.min(threads, 4))
  return {
    ...{ width, height, others, description },
    async *bands() {
      const coming: Promise<Band>[] = []
      let next = 0
      const begin = (): void => {
        if (next >= height) return
        const y = next
        const rows = Math.min(step, height - y)
        next += rows
        const band = named(tiffRows(path, y, rows, tokenOf(signal))).then((values) => ({ y, rows, values }))
        band.catch(() => undefined)
        coming.push(band)
      }
      try {
        for (let i = 0; i < ahead; i++) begin()
        for (let band = coming.shift(); band; band = coming.shift()) {
          const read = await band
          begin()
          yield read
        }
      } finally {
        // None reads the file when it is taken away.
        await Promise.allSettled(coming)
      }
    },
    close: () => Promise.resolve(),
  }
}

async function pngImage({ path, called }: Opening): Promise<LabelImage> {
  const open = () => sharp()(path, { ignoreIcc: true, limitInputPixels: 2 ** 30, failOn: 'error' })
  const metadata = await open()
    .metadata()
    .catch(() => {
      throw refused(called, 'is a damaged PNG.')
    })
  const { width, height, space, channels, depth } = metadata
  if (channels !== 1 || (space !== 'b-w' && space !== 'grey16'))
    throw refused(called, channels === 2 ? 'has opacity: expected a label image, grey alone.' : colour)
  const rawDepth = depth === 'ushort' ? 'ushort' : 'uchar'
  const bytes = rawDepth === 'ushort' ? 2 : 1
  const heldBytes = width * height * bytes
  const values = await imageBudget.decode(
    `${called} (${width} × ${height} px)`,
    2 * heldBytes + width * height * extraBytesPerPixel(metadata),
    async () => {
      const data = await open()
        .pipelineColourspace(space)
        .toColourspace(space)
        .raw({ depth: rawDepth })
        .toBuffer()
        .catch(() => {
          throw refused(called, 'is a damaged PNG.')
        })
      const value = bytes === 2 ? new Uint16Array(new Uint8Array(data).buffer) : new Uint8Array(data)
      return { value, heldBytes }
    },
    'INVALID_PARAMETER',
  )
  return {
    ...{ width, height, others: 0, description: '' },
    bands: () => bandsOf(width, height, (y, rows) => values.subarray(y * width, (y + rows) * width)),
    close: () => {
      imageBudget.release(heldBytes)
      return Promise.resolve()
    },
  }
}

async function npyImage({ called }: Opening, file: FileHandle): Promise<LabelImage> {
  const { width, height, readRows } = await numpyRows(called, file)
  return {
    ...{ width, height, others: 0, description: '' },
    bands: () => bandsOf(width, height, readRows),
    close: () => file.close(),
  }
}
