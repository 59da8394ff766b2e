// TIFFs as public bug reports have them: what they state about a pixel's size, where their largest picture is, what OpenSlide does not show.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SlideInfo } from '../../../native/index'
import { openNative } from '../../../main/slide/slides'
import { ascii, plain, rational, reduced, resolution, short, tiffOf } from './tiffWriter'
import type { Field, TiffPicture } from './tiffWriter'

let folder: string
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'morphoscope-odd-'))))
afterAll(async () => await rm(folder, { recursive: true, force: true }))

const pink = [200, 120, 160]

interface Opened extends SlideInfo {
  /** The first pixel. */
  pixel: number[]
}
let files = 0
async function opened(pages: readonly TiffPicture[], bigEndian = false): Promise<Opened> {
  const path = join(folder, `${(files += 1)}.tif`)
  await writeFile(path, tiffOf(pages, bigEndian))
  const slide = await openNative(path)
  try {
    const { rgba } = await slide.readScaled(1, 0, 0, 1, 1)
    return { ...slide.info(), pixel: [...rgba] }
  } finally {
    slide.close()
  }
}
const flat = (...fields: Field[]): Promise<Opened> => opened([plain(40, 30, pink, { fields })])
const tiled = (...fields: Field[]): Promise<Opened> => opened([plain(512, 256, pink, { fields, tilePx: 256 })])

describe.each([
  ['flat', flat, 40, 30],
  ['tiled', tiled, 512, 256],
] as const)('a %s TIFF', (_, of, width, height) => {
  it('has a pixel size for each axis', async () => {
    expect(await of(...resolution(40_000, 20_000, 3))).toMatchObject({ mppX: 0.25, mppY: 0.5, mppSource: 'tiff-resolution' })
    expect(await of(...resolution(50_800, 101_600, 2))).toMatchObject({ mppX: 0.5, mppY: 0.25 })
  })

  it('is uncalibrated where the unit is none, or is no unit', async () => {
    expect(await of(...resolution(4000, 4000, 1))).toMatchObject({ mppX: 0, mppY: 0, mppSource: 'none' })
    expect(await of(...resolution(40_000, 40_000, 7))).toMatchObject({ mppX: 0, mppSource: 'none', pixel: [...pink, 255] })
  })

  it.each([
    ['a denominator of 0', rational(282, 40_000, 0), rational(283, 40_000, 0)],
    ['0 over 0', rational(282, 0, 0), rational(283, 0, 0)],
    ['NaN', { tag: 282, type: 11, values: [NaN] }, { tag: 283, type: 11, values: [NaN] }],
    ['infinity', { tag: 282, type: 11, values: [Infinity] }, { tag: 283, type: 11, values: [-Infinity] }],
    ['a negative number', { tag: 282, type: 11, values: [-40_000] }, { tag: 283, type: 11, values: [-40_000] }],
    ['a huge number', { tag: 282, type: 11, values: [3e38] }, { tag: 283, type: 11, values: [3e38] }],
    ['that of a print', rational(282, 300, 1), rational(283, 300, 1)],
  ] as const)('opens uncalibrated with %s for a resolution', async (_name, x, y) => {
    for (const unit of [2, 3]) {
      const slide = await of(x, y, short(296, unit))
      expect(slide).toMatchObject({ mppX: 0, mppY: 0, mppSource: 'none', pixel: [...pink, 255] })
    }
  })

  it("knows ImageJ's unit", async () => {
    const imagej = (unit: string): Promise<Opened> =>
      of(ascii(270, `ImageJ=1.54p\nunit=${unit}\n`), rational(282, 4, 1), rational(283, 2, 1), short(296, 1))
    expect(await imagej('micron')).toMatchObject({ mppX: 0.25, mppY: 0.5 })
    expect(await imagej('\\u00B5m')).toMatchObject({ mppX: 0.25, mppY: 0.5 })
    expect(await imagej('pixel')).toMatchObject({ mppX: 0, mppSource: 'none' })
  })

  it("knows the size in an OME-XML, of the image of the slide's size", async () => {
    const pixels = (w: number, h: number, more: string): string => `<Image><Pixels SizeX="${w}" SizeY="${h}" ${more}/></Image>`
    const macro = pixels(10, 10, 'PhysicalSizeX="7" PhysicalSizeY="7"')
    const slide = pixels(
      width,
      height,
      'PhysicalSizeX="250" PhysicalSizeXUnit="nm" PhysicalSizeY="0.0005" PhysicalSizeYUnit="mm"',
    )
    const ome = (inner: string): Promise<Opened> => of(ascii(270, `<?xml version="1.0" encoding="UTF-8"?><OME>${inner}</OME>`))
    for (const inner of [slide, macro + slide, `<!-- ${pixels(width, height, 'PhysicalSizeX="9"')} -->${slide}`])
      expect(await ome(inner)).toMatchObject({ mppX: 0.25, mppY: 0.5, mppSource: 'ome-xml' })
    const other = await ome(macro)
    expect(other).toMatchObject({ mppX: 0, mppSource: 'none' })
    expect(other.warnings.join()).toContain(`no image of ${width} × ${height} px`)
  })
})

it('turns the pixel size with the picture', async () => {
  // Orientation 6: the picture is shown turned by a right angle.
  expect(await flat(short(274, 6), ...resolution(40_000, 20_000, 3))).toMatchObject({ mppX: 0.5, mppY: 0.25 })
})

it('big-endian files state their resolution alike, also one that is none', async () => {
  const page = (fields: Field[]): TiffPicture[] => [plain(40, 30, pink, { fields })]
  expect(await opened(page(resolution(40_000, 20_000, 3)), true)).toMatchObject({ mppX: 0.25, mppY: 0.5 })
  const none = [{ tag: 282, type: 11, values: [NaN] }, { tag: 283, type: 11, values: [NaN] }, short(296, 7)] as const
  expect(await opened(page([...none]), true)).toMatchObject({ mppX: 0, pixel: [...pink, 255] })
})

it('leaves out a level that shows another picture, and says so', async () => {
  /** Spots of 64 px, halved so often; as `shown` says. */
  const level = (halvings: number, shown: (spot: boolean) => number): TiffPicture => {
    const side = 1024 >> halvings
    const samples = new Uint8Array(side * side * 3)
    for (let i = 0; i < side * side; i++) {
      const [x, y] = [((i % side) << halvings) >> 6, (Math.floor(i / side) << halvings) >> 6]
      samples.fill(shown((x + y) % 3 === 0), 3 * i, 3 * i + 3)
    }
    const fields = halvings > 0 ? [reduced] : resolution(40_000, 40_000, 3)
    return { width: side, height: side, samplesPerPixel: 3, samples, tilePx: 64, fields }
  }
  const grey = (spot: boolean): number => (spot ? 80 : 240)
  const good = await opened([level(0, grey), level(1, grey), level(3, grey)])
  expect(good.levels.map(({ width }) => width)).toEqual([1024, 512, 128])
  expect(good.warnings).toEqual([])
  const white = await opened([level(0, grey), level(1, grey), level(3, () => 255)])
  expect(white.levels.map(({ width }) => width)).toEqual([1024, 512])
  expect(white.warnings).toEqual([
    'Level 2 (128 × 128 px) shows another picture than the finer levels and is not used; they stand in for it.',
  ])
})

it('finds the largest of many pages', async () => {
  const small = Array.from({ length: 79 }, () => plain(8, 8, [0, 0, 0], { fields: [reduced] }))
  const slide = await opened([...small, plain(60, 50, pink)])
  expect(slide.levels[0]).toMatchObject({ width: 60, height: 50 })
  expect(slide.pixel).toEqual([...pink, 255])
})

it('shows tiles of CMYK through their alpha', async () => {
  const half = plain(256, 256, [0, 255, 255, 0, 128], { tilePx: 256, fields: [short(262, 5), short(338, 2)] })
  const { pixel } = await opened([half])
  // Red over white: half of it is white.
  expect(pixel[0]).toBeGreaterThan(235)
  expect(Math.abs(pixel[1]! - 128)).toBeLessThan(12)
  expect(Math.abs(pixel[2]! - 128)).toBeLessThan(24)
})

it.each(['plain-tiles', 'lzma-strips'])('has every px of what tifffile wrote (%s)', async (name) => {
  const slide = await openNative(join(import.meta.dirname, '..', '..', 'fixtures', 'slides', 'tifffile', `${name}.tif`))
  const { rgba, unreadable } = await slide.readScaled(1, 0, 0, 40, 24)
  slide.close()
  expect(unreadable).toEqual([])
  const expected = Array.from({ length: 40 * 24 }, (_, i) => (7 * (i % 40) + 13 * Math.floor(i / 40)) % 256)
  expect(expected.map((_, i) => rgba[4 * i])).toEqual(expected)
})

it('says of a compression that nobody here has a decoder for which it is', async () => {
  const page = plain(256, 256, pink, { tilePx: 256, fields: [short(259, 65000)] })
  await expect(opened([page])).rejects.toThrow(
    /a TIFF of a kind that OpenSlide .* does not know \(compression 65000\).*Convert it/,
  )
})

it('names the line of a Slidedat.ini that OpenSlide does not take', async () => {
  const path = join(folder, 'empty-key.mrxs')
  await mkdir(join(folder, 'empty-key'))
  await writeFile(path, '')
  await writeFile(join(folder, 'empty-key', 'Slidedat.ini'), '[GENERAL]\nSLIDE_ID=x\n=5\n')
  await expect(openNative(path)).rejects.toThrow(
    /Slidedat\.ini in .* has a line that it does not take: .*=5.* need not be damaged/,
  )
})

it('says that a name which is not UTF-8 must be changed', async () => {
  await expect(openNative(join(folder, 'T\uFFFDst.svs'))).rejects.toThrow(/holds bytes that are not UTF-8.*rename it/)
})

it('counts all pages of one size', async () => {
  const { warnings } = await opened(Array.from({ length: 70 }, () => plain(16, 16, pink)))
  expect(warnings.join()).toContain('70 images of this size')
})
