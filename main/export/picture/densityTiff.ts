// density.ome.tif: a map of density as an OME-TIFF of float32 with a pyramid, its pixel size, and its place on the slide.
import { promisify } from 'node:util'
import { deflate } from 'node:zlib'
import type { ExportJob } from '../exporter'
import type { OutputFile } from '../output/outputSet'
import { pxPerCm, xmlText } from './omeTiff'
import { TiffFile } from './tiffFile'
import type { TiffTag } from './tiffFile'

const deflated = promisify(deflate)
const tileSizePx = 256

interface Level {
  readonly width: number
  readonly height: number
  readonly values: Float32Array
}

/** A px is a cell of the map; NaN: not looked at. Each reduced level has the mean of up to four px that have a value. */
export async function writeDensityTiff(job: ExportJob, out: OutputFile): Promise<void> {
  const { map, tools, signal } = job
  if (!map) throw new Error('no map was made for density.ome.tif')
  const levels: Level[] = [map]
  for (let last: Level = map; Math.max(last.width, last.height) > tileSizePx;) levels.push((last = halved(last)))
  const bytes = levels.reduce((sum, { width, height }) => sum + 4.1 * (width + tileSizePx) * (height + tileSizePx), 0)
  const tiff = await TiffFile.create(out, bytes > 2 ** 32 - 2 ** 26)
  const tilesOf = ({ width, height }: Level): number => Math.ceil(width / tileSizePx) * Math.ceil(height / tileSizePx)
  const count = levels.reduce((sum, level) => sum + tilesOf(level), 0)
  let done = 0
  const written: { offsets: number[]; byteCounts: number[] }[] = []
  for (const level of levels) {
    const [offsets, byteCounts]: [number[], number[]] = [[], []]
    for (let at = 0; at < tilesOf(level); at++) {
      signal.throwIfAborted()
      const tile = await deflated(tileOf(level, at))
      offsets.push(await tiff.data(tile))
      byteCounts.push(tile.length)
      job.progress(++done / count)
    }
    written.push({ offsets, byteCounts })
  }
  const tagsOf = (k: number, subIfds: readonly number[]): TiffTag[] => {
    const { width, height } = levels[k]!
    const { umPerPx, cellPx } = map
    const resolution = (um: number): [number, number] => pxPerCm(um * cellPx * 2 ** k)
    return [
      { tag: 254, kind: 'long', values: [k > 0 ? 1 : 0] }, // NewSubfileType: a reduced image
      { tag: 256, kind: 'long', values: [width] },
      { tag: 257, kind: 'long', values: [height] },
      { tag: 258, kind: 'short', values: [32] }, // BitsPerSample
      { tag: 259, kind: 'short', values: [8] }, // Compression: deflate
      { tag: 262, kind: 'short', values: [1] }, // Photometric: black is zero
      ...(k === 0 ? [{ tag: 270, kind: 'ascii', value: omeXml(job) } as const] : []),
      { tag: 277, kind: 'short', values: [1] }, // SamplesPerPixel
      ...(umPerPx
        ? ([
            { tag: 282, kind: 'rational', value: resolution(umPerPx.x) },
            { tag: 283, kind: 'rational', value: resolution(umPerPx.y) },
          ] as const)
        : []),
      { tag: 284, kind: 'short', values: [1] }, // PlanarConfiguration
      ...(umPerPx ? [{ tag: 296, kind: 'short', values: [3] } as const] : []), // ResolutionUnit: cm
      ...(k === 0 ? [{ tag: 305, kind: 'ascii', value: `Morphoscope ${tools.versions.app}` } as const] : []),
      { tag: 322, kind: 'long', values: [tileSizePx] },
      { tag: 323, kind: 'long', values: [tileSizePx] },
      { tag: 324, kind: 'offset', values: written[k]!.offsets },
      { tag: 325, kind: 'offset', values: written[k]!.byteCounts },
      ...(subIfds.length > 0 ? [{ tag: 330, kind: 'ifd', values: subIfds } as const] : []),
      { tag: 339, kind: 'short', values: [3] }, // SampleFormat: floating point
    ]
  }
  const reduced: number[] = []
  for (let k = 1; k < levels.length; k++) reduced.push(await tiff.directory(tagsOf(k, [])))
  await tiff.finish(await tiff.directory(tagsOf(0, reduced)))
}

/** Little endian, padded with NaN. */
function tileOf({ width, height, values }: Level, at: number): Buffer {
  const across = Math.ceil(width / tileSizePx)
  const [left, top] = [(at % across) * tileSizePx, Math.floor(at / across) * tileSizePx]
  const tile = Buffer.alloc(4 * tileSizePx * tileSizePx)
  for (let j = 0; j < tileSizePx; j++)
    for (let i = 0; i < tileSizePx; i++) {
      const isIn = left + i < width && top + j < height
      tile.writeFloatLE(isIn ? values[(top + j) * width + left + i]! : NaN, 4 * (j * tileSizePx + i))
    }
  return tile
}

function halved({ width, height, values }: Level): Level {
  const [across, down] = [Math.ceil(width / 2), Math.ceil(height / 2)]
  const half = new Float32Array(across * down)
  for (let y = 0; y < down; y++)
    for (let x = 0; x < across; x++) {
      let sum = 0
      let some = 0
      for (let k = 0; k < 4; k++) {
        const [column, row] = [2 * x + (k & 1), 2 * y + (k >> 1)]
        const value = column < width && row < height ? values[row * width + column]! : NaN
        if (Number.isNaN(value)) continue
        sum += value
        some++
      }
      half[y * across + x] = some > 0 ? sum / some : NaN
    }
  return { width: across, height: down, values: half }
}

/** "objects, within 100 um, per mm2". */
function titleOf({ map }: ExportJob): string {
  const { asked, what, info } = map!
  const unit = asked.share ? 'share' : info.unit === 'um' ? 'per mm2' : 'per Mpx'
  return `${what}, within ${asked.radiusUm} ${info.unit}, ${unit}`
}

function omeXml(job: ExportJob): string {
  const { map, names, tools, corner } = job
  const { umPerPx, cellPx, left, top, width, height } = map!
  const unit = umPerPx ? '&#181;m' : 'pixel'
  const size = umPerPx
    ? ` PhysicalSizeX="${cellPx * umPerPx.x}" PhysicalSizeXUnit="${unit}" PhysicalSizeY="${cellPx * umPerPx.y}" PhysicalSizeYUnit="${unit}"`
    : ''
  const x = (left * cellPx - (corner?.x ?? 0)) * (umPerPx?.x ?? 1)
  const y = (top * cellPx - (corner?.y ?? 0)) * (umPerPx?.y ?? 1)
  return (
    '<?xml version="1.0" encoding="UTF-8"?>' +
    '<OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" ' +
    'xsi:schemaLocation="http://www.openmicroscopy.org/Schemas/OME/2016-06 http://www.openmicroscopy.org/Schemas/OME/2016-06/ome.xsd" ' +
    `Creator="Morphoscope ${xmlText(tools.versions.app)}">` +
    `<Image ID="Image:0" Name="${xmlText(`Density map of ${names.shown}`)}">` +
    `<Pixels ID="Pixels:0" DimensionOrder="XYCZT" Type="float" SignificantBits="32" BigEndian="false" SizeX="${width}" SizeY="${height}" SizeC="1" SizeZ="1" SizeT="1"${size}>` +
    `<Channel ID="Channel:0:0" Name="${xmlText(titleOf(job))}" SamplesPerPixel="1"/>` +
    '<TiffData IFD="0" PlaneCount="1"/>' +
    `<Plane TheC="0" TheZ="0" TheT="0" PositionX="${x}" PositionXUnit="${unit}" PositionY="${y}" PositionYUnit="${unit}"/>` +
    '</Pixels></Image></OME>'
  )
}
