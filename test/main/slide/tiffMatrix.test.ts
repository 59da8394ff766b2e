// The matrix of TIFFs {depth, sample format, planes, compression, predictor, byte order, layout}: every sample comes back as it was
// written, or the file is refused in words.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openNative } from '../../../main/slide/slides'
import { deepTiff } from './deepTiff'
import type { Compression, DeepPage, Format } from './deepTiff'

let folder: string
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'morphoscope-matrix-'))))
afterAll(async () => await rm(folder, { recursive: true, force: true }))

const [width, height] = [37, 41]
const types = [
  ['uint', 8],
  ['int', 8],
  ['uint', 12],
  ['uint', 16],
  ['int', 16],
  ['uint', 32],
  ['int', 32],
  ['float', 32],
  ['float', 64],
] as const satisfies readonly (readonly [Format, DeepPage['bits']])[]
const packings = [
  ['none', 1],
  ['lzw', 1],
  ['lzw', 2],
  ['deflate', 1],
  ['deflate', 2],
  ['deflate', 3],
  ['packbits', 1],
  ['zstd', 1],
  ['zstd', 2],
  ['zstd', 3],
] as const satisfies readonly (readonly [Compression, DeepPage['predictor']])[]
const layouts = [{ tilePx: 32 }, { rows: 8 }, {}] as const
/** Samples of a pixel, and whether they lie apart. */
const planes = [
  [1, false],
  [3, false],
  [3, true],
  [2, false],
  [5, true],
] as const

/** Numbers that use the whole of their type. */
function valuesOf(format: Format, bits: number, count: number): Float64Array {
  const most = 2 ** bits
  return Float64Array.from({ length: count }, (_, i) => {
    const value = Math.imul(i + 1, 2654435761) >>> 0
    if (format === 'float') return Math.fround((value / 2 ** 32 - 0.5) * 1e4)
    const whole = Math.floor((value / 2 ** 32) * most)
    return format === 'int' ? whole - most / 2 : whole
  })
}

interface Case {
  readonly name: string
  readonly page: DeepPage
  readonly bigEndian: boolean
  readonly big: boolean
}
const cases: Case[] = []
for (const [t, [format, bits]] of types.entries())
  for (const [p, [compression, predictor]] of packings.entries()) {
    if (predictor === 3 && format !== 'float') continue
    for (const [l, layout] of layouts.entries())
      for (const bigEndian of [false, true]) {
        const n = cases.length
        const [samples, planar] = planes[(t + p + l + n) % planes.length]!
        // Three chunky samples of 8 bits are colours.
        const photometric = samples === 3 ? 2 : 1
        const big = n % 7 === 0
        const values = valuesOf(format, bits, width * height * samples)
        const page = { width, height, samples, bits, format, values, planar, compression, predictor, photometric, ...layout }
        const order = `${big ? 'Big' : ''}TIFF ${bigEndian ? 'MM' : 'II'}`
        const shape = `${samples} ${planar ? 'planar' : 'chunky'} ${Object.keys(layout)[0] ?? 'one strip'}`
        cases.push({ name: `${format}${bits} ${compression} ${predictor} ${order} ${shape}`, page, bigEndian, big })
      }
  }

/** What came back of a file: "equal", why it was refused, or how it differs. */
async function outcome({ page, bigEndian, big }: Case, index: number): Promise<string> {
  const path = join(folder, `${index}.tif`)
  await writeFile(path, deepTiff([page], { bigEndian, big }))
  const slide = await openNative(path).catch((error: unknown) => String(error))
  if (typeof slide === 'string') return `refused: ${slide}`
  try {
    const { channels, levels } = slide.info()
    if (levels[0]!.width !== width || levels[0]!.height !== height) return 'another size'
    if (channels.length === 0) {
      const { rgba, unreadable } = await slide.readScaled(1, 0, 0, width, height)
      if (unreadable.length > 0) return `unreadable: ${unreadable[0]!.reason}`
      for (let i = 0; i < width * height; i++)
        for (let c = 0; c < 3; c++)
          if (rgba[4 * i + c] !== page.values[i * page.samples + (page.samples >= 3 ? c : 0)]) return `differs at pixel ${i}`
      return 'equal'
    }
    if (channels.length !== page.samples) return `${channels.length} channels`
    for (let c = 0; c < page.samples; c++) {
      const { samples, unreadable } = await slide.readChannel(0, c, 0, 0, width, height)
      if (unreadable.length > 0) return `unreadable: ${unreadable[0]!.reason}`
      for (const [i, value] of samples.entries())
        if (value !== page.values[i * page.samples + c]) return `channel ${c} differs at pixel ${i}`
    }
    return 'equal'
  } finally {
    slide.close()
  }
}

it(`gives back every sample, or says why not, in ${cases.length} files`, async () => {
  expect(cases.length).toBeGreaterThanOrEqual(300)
  const refused: string[] = []
  const wrong: string[] = []
  for (const [i, one] of cases.entries()) {
    const seen = await outcome(one, i)
    if (seen.startsWith('refused: ')) refused.push(`${one.name}: ${seen}`)
    else if (seen !== 'equal') wrong.push(`${one.name}: ${seen}`)
  }
  expect(wrong).toEqual([])
  // Differences of samples that are no whole bytes: nobody writes them, and libtiff reads none.
  expect(refused.filter((text) => !/^uint12 \w+ 2 .*predictor 2 for samples of 12 bits/.test(text))).toEqual([])
})

it('finds the same in JPEG tiles as libvips, with tables of their own or in common', async () => {
  const side = 64
  const picture = Buffer.from(valuesOf('uint', 8, side * side * 3).map((value, i) => (value >> 4) + ((i / 3) % side) * 3))
  for (const [channels, chromaSubsampling] of [
    [1, '4:4:4'],
    [3, '4:4:4'],
    [3, '4:2:0'],
  ] as const)
    for (const shared of [false, true])
      for (const bigEndian of [false, true]) {
        const raw = { width: side, height: side, channels }
        const colors = channels === 1 ? 'b-w' : 'srgb'
        const samples = picture.subarray(0, side * side * channels)
        const jpeg = await sharp(samples, { raw }).toColourspace(colors).jpeg({ chromaSubsampling }).toBuffer()
        const truth = await sharp(jpeg).toColourspace(colors).raw().toBuffer()
        const { tile, tables } = shared ? withoutTables(jpeg) : { tile: jpeg, tables: undefined }
        const page: DeepPage = {
          ...{ width: side, height: side, samples: channels, bits: 8, format: 'uint', values: [], compression: 'jpeg' },
          ...{ tilePx: side, photometric: channels === 3 ? 6 : 1, pieces: [tile], ...(tables && { tables }) },
        }
        const path = join(folder, `${channels} ${chromaSubsampling[2]} ${shared} ${bigEndian}.tif`)
        await writeFile(path, deepTiff([page], { bigEndian }))
        const slide = await openNative(path)
        const { rgba } = await slide.readScaled(1, 0, 0, side, side)
        slide.close()
        const got = Buffer.from(
          Array.from({ length: truth.length }, (_, i) => rgba[4 * Math.floor(i / channels) + (i % channels)]!),
        )
        expect(got.equals(truth), `${path}`).toBe(true)
      }
})

/** The quantization and Huffman tables of a JPEG as a TIFF keeps them, once for all tiles. */
function withoutTables(jpeg: Buffer): { tile: Buffer; tables: Buffer } {
  const tile: Buffer[] = [jpeg.subarray(0, 2)]
  const tables: Buffer[] = [jpeg.subarray(0, 2)]
  let at = 2
  for (; jpeg[at + 1] !== 0xda;) {
    const end = at + 2 + jpeg.readUInt16BE(at + 2)
    const isTable = jpeg[at + 1] === 0xdb || jpeg[at + 1] === 0xc4
    ;(isTable ? tables : tile).push(jpeg.subarray(at, end))
    at = end
  }
  return { tile: Buffer.concat([...tile, jpeg.subarray(at)]), tables: Buffer.concat([...tables, Buffer.from([0xff, 0xd9])]) }
}
