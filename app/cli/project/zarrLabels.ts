// A label image of OME-Zarr 0.4 as one file for the engine: its chunks are a TIFF's tiles as they lie, packed by zlib or not at all.
import { constants, createReadStream } from 'node:fs'
import { lstat, open } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { deflateSync } from 'node:zlib'
import * as z from 'zod'
import type { ImagePlace } from '../../contract'
import { CliError, ExitCode } from '../exitCodes'

const mostMetadataBytes = 2 ** 20
const mostChunks = 2 ** 20
const mostChunkBytes = 2 ** 26
const mostSidePx = 2 ** 20
/** Bytes that are sent at once. */
const partBytes = 2 ** 21

const side = z.number().int().min(1).max(mostSidePx)
const Image = z.object({
  multiscales: z.tuple([z.object({ datasets: z.tuple([z.object({ path: z.string() })], z.unknown()) })], z.unknown()),
  morphoscope: z.object({ x: z.number().int().min(0), y: z.number().int().min(0) }).optional(),
})
const Level = z.object({
  zarr_format: z.literal(2),
  shape: z.array(side).min(2).max(5),
  chunks: z.array(side).min(2).max(5),
  dtype: z.string(),
  compressor: z.object({ id: z.string() }).nullable(),
  fill_value: z.number().nullable(),
  order: z.string(),
  filters: z.array(z.unknown()).nullable().optional(),
  dimension_separator: z.enum(['.', '/']).optional(),
})

export interface ZarrLabels {
  readonly text: AsyncIterable<string>
  /** Characters, about. */
  readonly length: number
  /** Where our own lies; undefined: it does not say so. */
  readonly place: ImagePlace | undefined
}

const isInside = (path: string): boolean => path.split('/').every((part) => /^[A-Za-z0-9_][A-Za-z0-9._-]*$/.test(part))

/** null: who reads slides is to read it, as it is packed otherwise. Throws CliError, by the folder and the value. */
export async function zarrLabels(folder: string): Promise<ZarrLabels | null> {
  const called = basename(folder)
  const refused = (why: string): CliError => new CliError(ExitCode.badSlide, `${called} ${why}`)
  const metadata = async <T>(name: string, schema: z.ZodType<T>): Promise<T> => {
    const text = await textOf(join(folder, name))
    if (text === null) throw refused(`holds no ${name}: expected a label image as OME-Zarr.`)
    try {
      return schema.parse(JSON.parse(text))
    } catch {
      throw refused(`has a ${name} that is damaged, or that of no label image.`)
    }
  }
  if ((await textOf(join(folder, '.zattrs'))) === null && (await textOf(join(folder, 'zarr.json'))) !== null) return null
  const { multiscales, morphoscope } = await metadata('.zattrs', Image)
  const { path } = multiscales[0].datasets[0]
  if (!isInside(path)) throw refused(`names a level outside of itself: ${JSON.stringify(path.slice(0, 100))}.`)
  const { shape, chunks, dtype, compressor, fill_value, order, filters, dimension_separator } = await metadata(
    `${path}/.zarray`,
    Level,
  )
  const [height, width] = shape.slice(-2) as [number, number]
  const [chunkHeight, chunkWidth] = chunks.slice(-2) as [number, number]
  const [, kind, size] = /^[<|]([ui])([124])$/.exec(dtype) ?? []
  if (shape.slice(0, -2).some((each) => each !== 1) || shape.length !== chunks.length)
    throw refused(`has the shape (${shape.join(', ')}): expected one plane of (height, width).`)
  if (!kind || !size)
    throw refused(`holds numbers of type ${dtype.slice(0, 40)}: expected whole ones of 8, 16 or 32 bits, as <u4.`)
  if ((fill_value ?? 0) !== 0 || order !== 'C' || (filters ?? []).length > 0)
    throw refused('has a fill value, an order or filters of its own: expected 0, C and none.')
  // A TIFF's tiles are multiples of 16.
  if (chunkHeight % 16 !== 0 || chunkWidth % 16 !== 0 || (compressor !== null && compressor.id !== 'zlib')) return null
  const chunkBytes = chunkHeight * chunkWidth * Number(size)
  const [down, across] = [Math.ceil(height / chunkHeight), Math.ceil(width / chunkWidth)]
  if (chunkBytes > mostChunkBytes || down * across > mostChunks)
    throw refused(`claims ${down * across} chunks of ${chunkBytes} bytes: expected at most ${mostChunks} of ${mostChunkBytes}.`)

  const files: (string | null)[] = []
  const sizes: number[] = []
  const before = shape.slice(0, -2).map(() => 0)
  for (let y = 0; y < down; y++)
    for (let x = 0; x < across; x++) {
      const file = join(folder, path, [...before, y, x].join(dimension_separator ?? '.'))
      const bytes = await sizeOf(file, refused)
      files.push(bytes === null ? null : file)
      sizes.push(bytes ?? 0)
    }
  const zeros = Buffer.alloc(chunkBytes)
  const empty = compressor === null ? zeros : deflateSync(zeros)
  const layout = {
    width,
    height,
    chunkWidth,
    chunkHeight,
    bits: 8 * Number(size),
    signed: kind === 'i',
    packed: compressor !== null,
  }
  const { head, tail, length } = tiffAround(layout, sizes, empty)
  return {
    text: base64Of(head, files, sizes, tail, refused),
    length: (length * 4) / 3,
    place: morphoscope && { x: morphoscope.x, y: morphoscope.y, scale: 1 },
  }
}

/** null: it is no file. No link is followed. */
async function textOf(path: string): Promise<string | null> {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
  const file = await open(path, flags).catch(() => null)
  try {
    const info = await file?.stat()
    return info?.isFile() && info.size <= mostMetadataBytes ? await file!.readFile('utf8') : null
  } finally {
    await file?.close()
  }
}

/** null: there is none, so all of it is empty. */
async function sizeOf(path: string, refused: (why: string) => CliError): Promise<number | null> {
  const info = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw refused(`cannot be read (${error.code ?? error.message}).`)
  })
  if (info && !info.isFile()) throw refused(`holds something that is no chunk: ${basename(path)}.`)
  return info?.size ?? null
}

interface Layout {
  readonly width: number
  readonly height: number
  readonly chunkWidth: number
  readonly chunkHeight: number
  readonly bits: number
  readonly signed: boolean
  readonly packed: boolean
}

/** What stands before and behind the chunks: a BigTIFF's header with the tile of zeros, and its one directory. */
function tiffAround(layout: Layout, sizes: readonly number[], empty: Buffer): { head: Buffer; tail: Buffer; length: number } {
  const header = Buffer.alloc(16)
  header.write('II', 'latin1')
  header.writeUInt16LE(43, 2)
  header.writeUInt16LE(8, 4)
  const offsets = Buffer.alloc(8 * sizes.length)
  const counts = Buffer.alloc(8 * sizes.length)
  let at = header.length + empty.length
  sizes.forEach((bytes, i) => {
    offsets.writeBigUInt64LE(BigInt(bytes === 0 ? header.length : at), 8 * i)
    counts.writeBigUInt64LE(BigInt(bytes === 0 ? empty.length : bytes), 8 * i)
    at += bytes
  })
  const lists = Buffer.concat([offsets, counts])
  const isOne = sizes.length === 1
  const { width, height, chunkWidth, chunkHeight, bits, signed, packed } = layout
  const entries: [tag: number, value: bigint, count?: number][] = [
    [256, BigInt(width)],
    [257, BigInt(height)],
    [258, BigInt(bits)],
    [259, packed ? 8n : 1n],
    [262, 1n],
    [277, 1n],
    [322, BigInt(chunkWidth)],
    [323, BigInt(chunkHeight)],
    [324, isOne ? offsets.readBigUInt64LE() : BigInt(at), sizes.length],
    [325, isOne ? counts.readBigUInt64LE() : BigInt(at + offsets.length), sizes.length],
    [339, signed ? 2n : 1n],
  ]
  const directory = Buffer.alloc(8 + 20 * entries.length + 8)
  directory.writeBigUInt64LE(BigInt(entries.length))
  entries.forEach(([tag, value, count = 1], i) => {
    directory.writeUInt16LE(tag, 8 + 20 * i)
    directory.writeUInt16LE(16, 10 + 20 * i)
    directory.writeBigUInt64LE(BigInt(count), 12 + 20 * i)
    directory.writeBigUInt64LE(value, 20 + 20 * i)
  })
  header.writeBigUInt64LE(BigInt(at + lists.length), 8)
  const tail = Buffer.concat([lists, directory])
  return { head: Buffer.concat([header, empty]), tail, length: at + tail.length }
}

/** Throws where a chunk is no longer as long as it was. */
async function* base64Of(
  head: Buffer,
  files: readonly (string | null)[],
  sizes: readonly number[],
  tail: Buffer,
  refused: (why: string) => CliError,
): AsyncGenerator<string, void, void> {
  let gathered: Buffer[] = [head]
  let bytes = head.length
  for (const [i, file] of files.entries()) {
    if (file === null) continue
    let read = 0
    for await (const part of createReadStream(file, { highWaterMark: partBytes })) {
      gathered.push(part as Buffer)
      bytes += (part as Buffer).length
      read += (part as Buffer).length
      if (bytes < partBytes) continue
      yield Buffer.concat(gathered).toString('base64')
      gathered = []
      bytes = 0
    }
    if (read !== sizes[i]) throw refused('changed while it was read.')
  }
  yield Buffer.concat([...gathered, tail]).toString('base64')
}
