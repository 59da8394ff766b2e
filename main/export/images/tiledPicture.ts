// A picture of any size as an OME-TIFF in three channels: deflated tiles, and a pyramid that is made of them on the way, so that few are held.
import { promisify } from 'node:util'
import { deflate } from 'node:zlib'
import type { PixelRect } from '../../base/rect'
import type { OutputFile } from '../output/outputSet'
import { pxPerCm, xmlText } from '../picture/omeTiff'
import type { Canvas } from '../picture/slidePicture'
import { TiffFile } from '../picture/tiffFile'
import type { TiffTag } from '../picture/tiffFile'

const deflated = promisify(deflate)
const usualSide = 512
/** Of a picture's tiles: TIFF has multiples of 16, and libvips none that are much larger than the picture. */
const sideFor = ({ width, height }: Pick<PictureAbout, 'width' | 'height'>): number =>
  Math.min(usualSide, 16 * Math.ceil(Math.max(width, height) / 16))
const classicLimitBytes = 2 ** 32 - 2 ** 26

export interface PictureAbout {
  readonly width: number
  readonly height: number
  /** Of a px, and of the picture's corner on the slide, along each axis; null: nobody knows. */
  readonly um: { readonly px: readonly [number, number]; readonly at: readonly [number, number] } | null
  readonly title: string
  readonly app: string
  /** A part of it. */
  read(area: PixelRect): Promise<Canvas>
  told(fraction: number): void
  readonly signal: AbortSignal
}

interface Level {
  readonly k: number
  readonly width: number
  readonly height: number
  readonly across: number
  readonly down: number
  readonly offsets: number[]
  readonly byteCounts: number[]
}

/** Level k has a px for 2^k × 2^k of the first: their mean, as far as they are of the picture. Memory: four tiles a level, and four that are read. */
export async function writeTiledPicture(about: PictureAbout, out: OutputFile): Promise<void> {
  const side = sideFor(about)
  const levels = levelsOf(about, side)
  const count = levels.reduce((sum, { across, down }) => sum + across * down, 0)
  const tiff = await TiffFile.create(out, count * (side * side * 3 * 1.001 + 32) > classicLimitBytes)
  const tiles = new Tiles(about, tiff, levels, side, count)
  await tiles.made(levels.length - 1, 0, 0)
  const reduced: number[] = []
  for (const level of levels.slice(1)) reduced.push(await tiff.directory(tagsOf(about, level, side, [])))
  await tiff.finish(await tiff.directory(tagsOf(about, levels[0]!, side, reduced)))
}

/** Halves, until one tile holds all: so that is what all others are asked through. */
function levelsOf({ width, height }: PictureAbout, side: number): Level[] {
  const levels: Level[] = []
  for (let k = 0; ; k++) {
    const [w, h] = [Math.ceil(width / 2 ** k), Math.ceil(height / 2 ** k)]
    const [across, down] = [Math.ceil(w / side), Math.ceil(h / side)]
    levels.push({ k, width: w, height: h, across, down, offsets: [], byteCounts: [] })
    if (across === 1 && down === 1) return levels
  }
}

class Tiles {
  readonly #about: PictureAbout
  readonly #tiff: TiffFile
  readonly #levels: readonly Level[]
  readonly #side: number
  readonly #count: number
  #done = 0
  /** One tile after the other goes into the file. */
  #tail: Promise<void> = Promise.resolve()

  constructor(about: PictureAbout, tiff: TiffFile, levels: readonly Level[], side: number, count: number) {
    this.#about = about
    this.#tiff = tiff
    this.#levels = levels
    this.#side = side
    this.#count = count
  }

  /** A tile's px, once it and all below it are written. */
  async made(k: number, x: number, y: number): Promise<Buffer> {
    const { signal } = this.#about
    signal.throwIfAborted()
    const level = this.#levels[k]!
    const tile = k === 0 ? await this.#read(level, x, y) : await this.#fromBelow(k, x, y)
    await this.#put(level, y * level.across + x, await deflated(differences(tile, this.#side)))
    return tile
  }

  async #read({ width, height }: Level, x: number, y: number): Promise<Buffer> {
    const side = this.#side
    const area = {
      x: x * side,
      y: y * side,
      width: Math.min(side, width - x * side),
      height: Math.min(side, height - y * side),
    }
    const { rgb } = await this.#about.read(area)
    const tile = Buffer.alloc(side * side * 3)
    for (let row = 0; row < area.height; row++)
      tile.set(rgb.subarray(row * area.width * 3, (row + 1) * area.width * 3), row * side * 3)
    return tile
  }

  async #fromBelow(k: number, x: number, y: number): Promise<Buffer> {
    const side = this.#side
    const below = this.#levels[k - 1]!
    const tile = Buffer.alloc(side * side * 3)
    const quarter = async (i: number): Promise<void> => {
      const [cx, cy] = [2 * x + (i % 2), 2 * y + Math.floor(i / 2)]
      if (cx >= below.across || cy >= below.down) return
      const own = [Math.min(side, below.width - cx * side), Math.min(side, below.height - cy * side)] as const
      halve(await this.made(k - 1, cx, cy), own, side, tile, ((i % 2) * side) / 2, (Math.floor(i / 2) * side) / 2)
    }
    // Of the finest ones four are read at once.
    if (k === 1) await all([0, 1, 2, 3].map(quarter))
    else for (const i of [0, 1, 2, 3]) await quarter(i)
    return tile
  }

  #put({ offsets, byteCounts }: Level, at: number, bytes: Buffer): Promise<void> {
    const next = this.#tail.then(async () => {
      offsets[at] = await this.#tiff.data(bytes)
      byteCounts[at] = bytes.length
      this.#about.told(++this.#done / this.#count)
    })
    this.#tail = next.catch(() => undefined)
    return next
  }
}

/** The first failure, when all have ended. */
async function all(works: readonly Promise<void>[]): Promise<void> {
  for (const ended of await Promise.allSettled(works)) if (ended.status === 'rejected') throw ended.reason
}

/** The mean of two by two px, of those of the picture alone, rounded. */
function halve(
  from: Buffer,
  [width, height]: readonly [number, number],
  side: number,
  to: Buffer,
  left: number,
  top: number,
): void {
  for (let y = 0; y < height; y += 2)
    for (let x = 0; x < width; x += 2) {
      const [right, below] = [x + 1 < width ? 3 : 0, y + 1 < height ? side * 3 : 0]
      const at = (y * side + x) * 3
      const into = ((top + y / 2) * side + left + x / 2) * 3
      for (let c = 0; c < 3; c++)
        to[into + c] = (from[at + c]! + from[at + c + right]! + from[at + c + below]! + from[at + c + right + below]! + 2) >> 2
    }
}

/** Each px less the one before it in its row, which Deflate packs better. */
function differences(tile: Buffer, side: number): Buffer {
  const packed = Buffer.from(tile)
  for (let y = 0; y < side; y++)
    for (let i = (y + 1) * side * 3 - 1; i >= y * side * 3 + 3; i--) packed[i] = tile[i]! - tile[i - 3]!
  return packed
}

function tagsOf(
  about: PictureAbout,
  { k, width, height, offsets, byteCounts }: Level,
  side: number,
  subIfds: readonly number[],
): TiffTag[] {
  const { um, app } = about
  return [
    { tag: 254, kind: 'long', values: [k === 0 ? 0 : 1] }, // NewSubfileType: a reduced image
    { tag: 256, kind: 'long', values: [width] },
    { tag: 257, kind: 'long', values: [height] },
    { tag: 258, kind: 'short', values: [8, 8, 8] }, // BitsPerSample
    { tag: 259, kind: 'short', values: [8] }, // Compression: deflate
    { tag: 262, kind: 'short', values: [2] }, // Photometric: RGB
    ...(k === 0 ? [{ tag: 270, kind: 'ascii' as const, value: omeXml(about) }] : []),
    { tag: 277, kind: 'short', values: [3] }, // SamplesPerPixel
    ...(um
      ? [
          { tag: 282, kind: 'rational' as const, value: pxPerCm(um.px[0] * 2 ** k) },
          { tag: 283, kind: 'rational' as const, value: pxPerCm(um.px[1] * 2 ** k) },
        ]
      : []),
    { tag: 284, kind: 'short', values: [1] }, // PlanarConfiguration: px by px
    ...(um ? [{ tag: 296, kind: 'short' as const, values: [3] }] : []), // ResolutionUnit: cm
    ...(k === 0 ? [{ tag: 305, kind: 'ascii' as const, value: `Morphoscope ${app}` }] : []),
    { tag: 317, kind: 'short', values: [2] }, // Predictor: differences
    { tag: 322, kind: 'long', values: [side] },
    { tag: 323, kind: 'long', values: [side] },
    { tag: 324, kind: 'offset', values: offsets },
    { tag: 325, kind: 'offset', values: byteCounts },
    ...(subIfds.length > 0 ? [{ tag: 330, kind: 'ifd' as const, values: subIfds }] : []),
  ]
}

function omeXml({ width, height, um, title, app }: PictureAbout): string {
  const unit = '&#181;m'
  const size = um
    ? ` PhysicalSizeX="${um.px[0]}" PhysicalSizeXUnit="${unit}" PhysicalSizeY="${um.px[1]}" PhysicalSizeYUnit="${unit}"`
    : ''
  const place = um
    ? `<Plane TheC="0" TheZ="0" TheT="0" PositionX="${um.at[0]}" PositionXUnit="${unit}" PositionY="${um.at[1]}" PositionYUnit="${unit}"/>`
    : ''
  return (
    '<?xml version="1.0" encoding="UTF-8"?>' +
    '<OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" ' +
    'xsi:schemaLocation="http://www.openmicroscopy.org/Schemas/OME/2016-06 http://www.openmicroscopy.org/Schemas/OME/2016-06/ome.xsd" ' +
    `Creator="Morphoscope ${xmlText(app)}"><Image ID="Image:0" Name="${xmlText(title)}">` +
    `<Pixels ID="Pixels:0" DimensionOrder="XYCZT" Type="uint8" BigEndian="false" Interleaved="true" SizeX="${width}" SizeY="${height}" SizeC="3" SizeZ="1" SizeT="1"${size}>` +
    `<Channel ID="Channel:0:0" SamplesPerPixel="3"/><TiffData IFD="0" PlaneCount="1"/>${place}</Pixels></Image></OME>`
  )
}
