// A made OME-TIFF of three channels whose figures in each nucleus are known.
import { writeFile } from 'node:fs/promises'
import { deflateSync } from 'node:zlib'
import { deepTiff } from './deepTiff'
import type { DeepPage } from './deepTiff'

export const side = 1200
export const pitch = 50
type Value = (at: { x: number; y: number; cell: number }) => number
const page = (px: number, value: Value, description?: string): DeepPage => ({
  ...{ width: px, height: px, samples: 1, bits: 16, format: 'uint', tilePx: 128, compression: 'deflate' },
  values: Uint16Array.from({ length: px * px }, (_, i) => {
    const [x, y] = [i % px, Math.floor(i / px)]
    return value({ x, y, cell: Math.floor(y / pitch) * (px / pitch) + Math.floor(x / pitch) })
  }),
  ...(description !== undefined && { description }),
})

/** Of 500 everywhere, but that the first tile's bytes are no Deflate. */
const damaged = (px: number): DeepPage => {
  const tile = deflateSync(Buffer.from(new Uint16Array(128 * 128).fill(500).buffer))
  const pieces = Array.from({ length: Math.ceil(px / 128) ** 2 }, (_, i) => (i === 0 ? Buffer.alloc(tile.length, 0xa5) : tile))
  return { ...page(px, () => 0), pieces }
}

/** Round nuclei in DAPI; in CD8 each has a value of its own, and in PanCK a pixel has its column. `lost`: CD8 is damaged. */
export async function threeChannels(path: string, px = side, more: readonly string[] = [], lost = false): Promise<string> {
  const names = ['DAPI', 'CD8', 'PanCK', ...more]
  const channels = names.map((channel, c) => `<Channel ID="Channel:0:${c}" Name="${channel}"/>`).join('')
  const xml = `<?xml version="1.0"?><OME><Image><Pixels DimensionOrder="XYCZT" SizeX="${px}" SizeY="${px}" SizeC="${names.length}" SizeZ="1" SizeT="1" PhysicalSizeX="0.5" PhysicalSizeY="0.5">${channels}<TiffData/></Pixels></Image></OME>`
  const nucleus: Value = ({ x, y }) => (Math.hypot((x % pitch) - 25, (y % pitch) - 25) < 9 ? 3000 : 60)
  const tile = deflateSync(Buffer.alloc(2 * 128 * 128))
  const blank = { ...page(px, () => 0), pieces: Array.from({ length: Math.ceil(px / 128) ** 2 }, () => tile) }
  const pages = [
    page(px, nucleus, xml),
    lost ? damaged(px) : page(px, ({ cell }) => 100 * cell),
    page(px, ({ x }) => x),
    ...more.map(() => blank),
  ]
  await writeFile(path, deepTiff(pages))
  return path
}
