// A made OME-TIFF of two nuclear stains: every cell has a nucleus in DAPI, and every fourth in Ki67.
import { writeFile } from 'node:fs/promises'
import { deepTiff } from './deepTiff'
import type { DeepPage } from './deepTiff'

/** 64 cells, 50 px apart; 16 of them are bright in Ki67. */
export async function nuclearChannels(path: string, names: readonly string[] = ['Ki67', 'DAPI']): Promise<string> {
  const side = 400
  const isIn = (i: number): boolean => Math.hypot(((i % side) % 50) - 25, (Math.floor(i / side) % 50) - 25) < 9
  const isFourth = (i: number): boolean => Math.floor((i % side) / 50) % 2 === 0 && Math.floor(i / side / 50) % 2 === 0
  const page = (isBright: (i: number) => boolean, high: number, description?: string): DeepPage => ({
    ...{ width: side, height: side, samples: 1, bits: 16, format: 'uint', tilePx: 128, compression: 'deflate' },
    values: Array.from({ length: side * side }, (_, i) => (isBright(i) ? high : 60)),
    ...(description !== undefined && { description }),
  })
  const channels = names.map((name, c) => `<Channel ID="Channel:0:${c}" Name="${name}"/>`).join('')
  const xml = `<?xml version="1.0"?><OME><Image><Pixels DimensionOrder="XYCZT" SizeX="${side}" SizeY="${side}" SizeC="2" SizeZ="1" SizeT="1" PhysicalSizeX="0.5" PhysicalSizeY="0.5">${channels}<TiffData/></Pixels></Image></OME>`
  await writeFile(path, deepTiff([page((i) => isIn(i) && isFourth(i), 2000, xml), page(isIn, 3000)]))
  return path
}
