// labels.ome.tif: the ids of the objects, and of their cells, uint32, at level-0 resolution, tiled, deflated, as an OME-TIFF with pyramids.
import { promisify } from 'node:util'
import { deflate } from 'node:zlib'
import { calibrationOf } from '../calibration'
import type { ExportJob } from '../exporter'
import { LabelPainter, labelLevels } from './labelPainter'
import type { LabelLevel } from './labelPainter'
import type { OutputFile } from '../output/outputSet'
import { TiffFile } from './tiffFile'
import type { TiffTag } from './tiffFile'

const deflated = promisify(deflate)
const tileSizePx = 512
/** Tiles that are painted and compressed at once, where there are not more threads: bounds the memory, some 4 MiB each. */
const tilesInFlight = 4
const classicLimitBytes = 2 ** 32 - 2 ** 26

interface WrittenLevel {
  readonly level: LabelLevel
  readonly offsets: number[]
  readonly byteCounts: number[]
}
/** Of which pixels its ids are. A file has the first, and the other where the run has cells. */
const channelNames = ['Object id', 'Cell id'] as const

/**
 * Pixel (x, y) is level-0 pixel (region.x + x, region.y + y) and belongs to analysed pixel floor((level0 + 0.5) / scale); its
 * value is the object's id, 0 = none. Reduced levels hang on each channel's directory as SubIFDs, nearest neighbour: ids never mix.
 */
export async function writeOmeTiff(job: ExportJob, out: OutputFile): Promise<void> {
  const { result } = job
  const { region } = result.status
  const levels = labelLevels(region, tileSizePx)
  const reaches = result.cellReach > 0 ? [0, result.cellReach] : [0]
  const tileCount = reaches.length * levels.reduce((sum, level) => sum + tilesAcross(level.width) * tilesAcross(level.height), 0)
  // Labels shrink a hundredfold as a rule, but the container is chosen before that is known: by what cannot be exceeded.
  const worstBytes = tileCount * (tileSizePx * tileSizePx * 4 * 1.001 + 32)
  const tiff = await TiffFile.create(out, worstBytes > classicLimitBytes)
  const tiles = new LabelTiles(job, tiff, tileCount)
  const directories: TiffTag[][] = []
  for (const [channel, reach] of reaches.entries()) {
    const painter = new LabelPainter(result.objects, region, result.scale, reach)
    const written: WrittenLevel[] = []
    for (const level of levels) written.push(await tiles.write(painter, level))
    const reduced: number[] = []
    for (const one of written.slice(1)) reduced.push(await tiff.directory(tagsOf(one, job, [])))
    directories.push(tagsOf(written[0]!, job, reduced, channel === 0 ? omeXml(job, reaches.length) : undefined))
  }
  let next = 0
  for (const tags of directories.toReversed()) next = await tiff.directory(tags, next)
  await tiff.finish(next)
}

/** Tiles of ids into the file, several at once. */
class LabelTiles {
  readonly #job: ExportJob
  readonly #tiff: TiffFile
  readonly #count: number
  /** Zeros: a fresh megabyte a tile makes the collector run through the whole heap every few tiles. */
  readonly #idle: Int32Array<ArrayBuffer>[] = []
  #empty: { offset: number; bytes: number } | undefined
  #done = 0

  /** `count`: of the whole file. */
  constructor(job: ExportJob, tiff: TiffFile, count: number) {
    this.#job = job
    this.#tiff = tiff
    this.#count = count
  }

  async write(painter: LabelPainter, level: LabelLevel): Promise<WrittenLevel> {
    const { signal, tools } = this.#job
    const to = { level, offsets: [], byteCounts: [] }
    const waiting: Promise<Buffer | null>[] = []
    try {
      for (let y = 0; y < tilesAcross(level.height); y++) {
        for (let x = 0; x < tilesAcross(level.width); x++) {
          signal.throwIfAborted()
          const tile = this.#made(painter, level, x, y)
          // It is waited for in its turn: a failure meanwhile is told then.
          tile.catch(() => undefined)
          waiting.push(tile)
          if (waiting.length > Math.max(tilesInFlight, tools.threads)) await this.#put(to, await waiting.shift()!)
        }
      }
      while (waiting.length > 0) await this.#put(to, await waiting.shift()!)
    } finally {
      await Promise.allSettled(waiting)
    }
    return to
  }

  async #made(painter: LabelPainter, level: LabelLevel, x: number, y: number): Promise<Buffer | null> {
    const tile = this.#idle.pop() ?? new Int32Array(tileSizePx * tileSizePx)
    if (!(await painter.paint(level, x, y, tileSizePx, tile, this.#job.signal))) {
      this.#idle.push(tile)
      return null
    }
    const bytes = await deflated(new Uint8Array(littleEndian(tile).buffer))
    this.#idle.push(tile.fill(0))
    return bytes
  }

  /** null: a tile of zeros, which stands once in the file. */
  async #put({ offsets, byteCounts }: WrittenLevel, tile: Buffer | null): Promise<void> {
    if (tile === null && this.#empty !== undefined) {
      offsets.push(this.#empty.offset)
      byteCounts.push(this.#empty.bytes)
    } else {
      const bytes = tile ?? (await deflated(new Uint8Array(tileSizePx * tileSizePx * 4)))
      const offset = await this.#tiff.data(bytes)
      if (tile === null) this.#empty = { offset, bytes: bytes.length }
      offsets.push(offset)
      byteCounts.push(bytes.length)
    }
    if (++this.#done % 16 === 0 || this.#done === this.#count) this.#job.progress(this.#done / this.#count)
  }
}

function tilesAcross(px: number): number {
  return Math.ceil(px / tileSizePx)
}

const hostIsLittleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1
function littleEndian(tile: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  if (!hostIsLittleEndian) Buffer.from(tile.buffer).swap32()
  return tile
}

/** `description`: of the file's first image alone. */
function tagsOf(
  { level, offsets, byteCounts }: WrittenLevel,
  job: ExportJob,
  subIfds: readonly number[],
  description?: string,
): TiffTag[] {
  const { umPerPxX, umPerPxY } = calibrationOf(job.result)
  const first = level.k === 0
  const tags: TiffTag[] = [
    { tag: 254, kind: 'long', values: [first ? 0 : 1] }, // NewSubfileType: a reduced image
    { tag: 256, kind: 'long', values: [level.width] },
    { tag: 257, kind: 'long', values: [level.height] },
    { tag: 258, kind: 'short', values: [32] }, // BitsPerSample
    { tag: 259, kind: 'short', values: [8] }, // Compression: deflate
    { tag: 262, kind: 'short', values: [1] }, // Photometric: black is zero
  ]
  if (description !== undefined) tags.push({ tag: 270, kind: 'ascii', value: description })
  tags.push({ tag: 277, kind: 'short', values: [1] }) // SamplesPerPixel
  if (umPerPxX !== null && umPerPxY !== null) {
    tags.push(
      { tag: 282, kind: 'rational', value: pxPerCm(umPerPxX * 2 ** level.k) },
      { tag: 283, kind: 'rational', value: pxPerCm(umPerPxY * 2 ** level.k) },
    )
  }
  tags.push({ tag: 284, kind: 'short', values: [1] }) // PlanarConfiguration
  if (umPerPxX !== null) tags.push({ tag: 296, kind: 'short', values: [3] }) // ResolutionUnit: cm
  if (first) tags.push({ tag: 305, kind: 'ascii', value: `Morphoscope ${job.tools.versions.app}` })
  tags.push(
    { tag: 322, kind: 'long', values: [tileSizePx] },
    { tag: 323, kind: 'long', values: [tileSizePx] },
    { tag: 324, kind: 'offset', values: offsets },
    { tag: 325, kind: 'offset', values: byteCounts },
  )
  if (subIfds.length > 0) tags.push({ tag: 330, kind: 'ifd', values: subIfds })
  tags.push({ tag: 339, kind: 'short', values: [1] }) // SampleFormat: unsigned
  return tags
}

export function pxPerCm(umPerPx: number): [number, number] {
  const value = 10_000 / umPerPx
  const denominator = Math.max(1, Math.min(10_000, Math.floor(4e9 / value)))
  return [Math.round(value * denominator), denominator]
}

/** Text for an XML attribute in ASCII, which is what a TIFF description holds; characters that XML forbids go. */
export function xmlText(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>"'\t\n\r]|[^\x20-\x7e]/gu, (character) => `&#${character.codePointAt(0)!};`)
}

function omeXml(job: ExportJob, channels: number): string {
  const { result, tools } = job
  const { region } = result.status
  const { umPerPxX, umPerPxY } = calibrationOf(result)
  const calibrated = umPerPxX !== null && umPerPxY !== null
  const physical = calibrated
    ? ` PhysicalSizeX="${umPerPxX}" PhysicalSizeXUnit="&#181;m" PhysicalSizeY="${umPerPxY}" PhysicalSizeYUnit="&#181;m"`
    : ''
  // Where the image lies on the slide.
  const unit = calibrated ? '&#181;m' : 'pixel'
  const [x, y] = [region.x - (job.corner?.x ?? 0), region.y - (job.corner?.y ?? 0)]
  const position = `PositionX="${x * (umPerPxX ?? 1)}" PositionXUnit="${unit}" PositionY="${y * (umPerPxY ?? 1)}" PositionYUnit="${unit}"`
  // The pixels are the same: compare and other readers lay them over the run's region.
  const said = job.corner
    ? `<Description>The position counts from the slide&#39;s bounds, at level-0 px ${job.corner.x}, ${job.corner.y}.</Description>`
    : ''
  const each = (text: (channel: number) => string): string => Array.from({ length: channels }, (_, c) => text(c)).join('')
  return (
    '<?xml version="1.0" encoding="UTF-8"?>' +
    '<OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" ' +
    'xsi:schemaLocation="http://www.openmicroscopy.org/Schemas/OME/2016-06 http://www.openmicroscopy.org/Schemas/OME/2016-06/ome.xsd" ' +
    `Creator="Morphoscope ${xmlText(tools.versions.app)}">` +
    `<Image ID="Image:0" Name="${xmlText(`Objects of ${job.names.shown}`)}">${said}` +
    `<Pixels ID="Pixels:0" DimensionOrder="XYCZT" Type="uint32" SignificantBits="32" BigEndian="false" SizeX="${region.width}" SizeY="${region.height}" SizeC="${channels}" SizeZ="1" SizeT="1"${physical}>` +
    each((c) => `<Channel ID="Channel:0:${c}" Name="${channelNames[c]!}" SamplesPerPixel="1"/>`) +
    each((c) => `<TiffData IFD="${c}"${c > 0 ? ` FirstC="${c}"` : ''} PlaneCount="1"/>`) +
    each((c) => `<Plane TheC="${c}" TheZ="0" TheT="0" ${position}/>`) +
    '</Pixels></Image></OME>'
  )
}
