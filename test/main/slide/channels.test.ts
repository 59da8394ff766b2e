// Slides of several channels, or of more than 8 bits: what is found of them, what of it is shown, and that it is said.
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { deflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { channelWords } from '../../../app/contract'
import { openNative } from '../../../main/slide/slides'
import type { Slide } from '../../../native/index'
import { deepTiff } from './deepTiff'
import type { DeepPage } from './deepTiff'

let folder: string
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'morphoscope-channels-'))))
afterAll(async () => await rm(folder, { recursive: true, force: true }))

let files = 0
async function opened(pages: readonly DeepPage[], how?: Parameters<typeof deepTiff>[1]): Promise<Slide> {
  const path = join(folder, `${(files += 1)}.tif`)
  await writeFile(path, deepTiff(pages, how))
  return await openNative(path)
}
/** Of an image of side × side px. */
const picture = (side: number, bits: DeepPage['bits'], format: DeepPage['format'], value: (i: number) => number): DeepPage => ({
  ...{ width: side, height: side, samples: 1, bits, format },
  values: Array.from({ length: side * side }, (_, i) => value(i)),
})
async function pixels(slide: Slide, count: number): Promise<number[][]> {
  const { rgba, unreadable } = await slide.readScaled(1, 0, 0, count, 1)
  expect(unreadable).toEqual([])
  return Array.from({ length: count }, (_, i) => [...rgba.subarray(4 * i, 4 * i + 3)])
}
const grey = (value: number): number[] => [value, value, value]

describe('depth', () => {
  it('of a 12-bit camera in 16 bits is spread over what it holds, and said', async () => {
    const slide = await opened([{ ...picture(256, 16, 'uint', (i) => (i % 256) * 16), tilePx: 64 }])
    expect(await pixels(slide, 3)).toEqual([grey(0), grey(1), grey(2)])
    const info = slide.info()
    expect(info.channels).toEqual([{ name: 'Channel 1', color: null, type: 'uint16', low: 0, high: 4080, shown: 'gray' }])
    expect(info.warnings).toContain(
      'The image has uint16 samples: 0 to 4080, all that it holds, were taken as 0 to 255, by Fluorescence nuclei as 0 to 65535.',
    )
    expect((await slide.readChannel(0, 0, 255, 0, 1, 1)).samples).toEqual(Uint16Array.of(4080))
    slide.close()
  })

  it.each([
    ['signed 16 bits', picture(64, 16, 'int', (i) => (i % 3) * 1000 - 1000), [0, 128, 255], -1000, 1000],
    ['unsigned 32 bits', picture(64, 32, 'uint', (i) => (i % 3) * 2e9), [0, 128, 255], 0, 4e9],
    ['floats from 0 to 1', picture(64, 32, 'float', (i) => (i % 3) / 2), [0, 128, 255], 0, 1],
    ['floats with NaN', picture(64, 32, 'float', (i) => [0, NaN, 8][i % 3]!), [0, 0, 255], 0, 8],
    ['floats with infinities', picture(64, 32, 'float', (i) => [-Infinity, 4, 8, Infinity][i % 4]!), [0, 128, 255, 255], 0, 8],
    ['doubles', picture(64, 64, 'float', (i) => (i % 3) * 1e100), [0, 128, 255], 0, 2e100],
  ])('of %s', async (_, page, shown, low, high) => {
    for (const layout of [{ tilePx: 64 }, { rows: 10 }])
      for (const bigEndian of [false, true]) {
        const slide = await opened([{ ...page, ...layout }], { bigEndian })
        expect(await pixels(slide, shown.length)).toEqual(shown.map(grey))
        expect(slide.info().channels).toMatchObject([{ low, high, shown: 'gray' }])
        slide.close()
      }
  })

  it('is uncertain, and said, where a piece that it stands on cannot be read', async () => {
    const page = { ...picture(128, 16, 'uint', (i) => (i % 256) * 16), tilePx: 64 }
    const tile = deflateSync(Buffer.alloc(64 * 64 * 2, 16))
    const whole = await opened([{ ...page, compression: 'deflate', pieces: Array.from({ length: 4 }, () => tile) }])
    expect(whole.info().uncertainPixels).toBeUndefined()
    const pieces = [tile, tile, Buffer.alloc(tile.length, 0xa5), tile]
    const damaged = await opened([{ ...page, compression: 'deflate', pieces }])
    expect(damaged.info().uncertainPixels).toMatch(
      /^Parts that could not be read while the file was opened \(.+\) are not in the range/,
    )
    whole.close()
    damaged.close()
  })

  it('does not end at an outlier', async () => {
    const slide = await opened([{ ...picture(64, 16, 'uint', (i) => (i === 9 ? 65535 : 100 + (i % 101))), tilePx: 64 }])
    expect(slide.info().channels).toMatchObject([{ low: 0, high: 200 }])
    expect(slide.info().warnings.join()).toContain('without outliers beyond')
    slide.close()
  })

  it('of three colours has one range for all', async () => {
    const values = Array.from({ length: 64 * 64 * 3 }, (_, i) => [1000, 2000, 4000][i % 3]!)
    const slide = await opened([{ ...picture(64, 16, 'uint', () => 0), samples: 3, values, photometric: 2, tilePx: 64 }])
    expect(await pixels(slide, 1)).toEqual([[64, 128, 255]])
    expect(slide.info().channels.map(({ name, shown }) => [name, shown])).toEqual([
      ['red', 'red'],
      ['green', 'green'],
      ['blue', 'blue'],
    ])
    slide.close()
  })
})

describe('extra samples', () => {
  const five = (extra: number[] | undefined, more: Partial<DeepPage>): DeepPage => ({
    ...picture(64, 8, 'uint', () => 0),
    ...{ samples: 5, values: Array.from({ length: 64 * 64 * 5 }, (_, i) => [10, 60, 110, 160, 210][i % 5]!), tilePx: 64 },
    ...(extra && { extra }),
    ...more,
  })

  it.each([[undefined], [[0, 0, 0, 0]]])('that are not said to be opacity are channels (ExtraSamples %j)', async (extra) => {
    for (const planar of [false, true]) {
      const slide = await opened([five(extra, { planar })])
      expect(await pixels(slide, 1)).toEqual([grey(10)])
      const { channels, warnings } = slide.info()
      expect(channels.map(({ shown }) => shown)).toEqual(['gray', 'no', 'no', 'no', 'no'])
      expect(warnings).toContain(
        'The file holds 5 channels: Channel 1, Channel 2, Channel 3, Channel 4, Channel 5. "Channel 1" is analysed; objects are measured in all of them.',
      )
      expect((await slide.readChannel(0, 4, 7, 7, 1, 1)).samples).toEqual(Uint8Array.of(210))
      slide.close()
    }
  })

  it('beside red, green and blue are not blended either', async () => {
    const slide = await opened([five([0, 0], { photometric: 2 })])
    expect(await pixels(slide, 1)).toEqual([[10, 60, 110]])
    expect(slide.info().channels.map(({ shown }) => shown)).toEqual(['red', 'green', 'blue', 'no', 'no'])
    slide.close()
  })

  it('that are opacity let the background through', async () => {
    const values = Array.from({ length: 64 * 64 * 4 }, (_, i) => [0, 0, 65535, 32768][i % 4]!)
    const page = { ...picture(64, 16, 'uint', () => 0), samples: 4, values, photometric: 2, extra: [2], tilePx: 64 }
    const slide = await opened([page])
    expect(await pixels(slide, 1)).toEqual([[127, 127, 255]])
    expect(slide.info().channels).toHaveLength(3)
    slide.close()
  })
})

const ome = (order: string, more = ''): string =>
  `<?xml version="1.0" encoding="UTF-8"?><OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06"><Image ID="Image:0"><Pixels ID="Pixels:0" DimensionOrder="${order}" Type="uint16" SizeX="256" SizeY="256" SizeC="3" SizeZ="1" SizeT="1" PhysicalSizeX="0.5" PhysicalSizeY="0.25"><Channel ID="Channel:0:0" Name="CD8" Color="16711935" SamplesPerPixel="1"/><Channel ID="Channel:0:1" Name="DAPI" Color="65535" SamplesPerPixel="1"/><Channel ID="Channel:0:2" Name="PanCK" Color="-16776961" SamplesPerPixel="1"/>${more || '<TiffData/>'}</Pixels></Image></OME>`

describe('OME-TIFF', () => {
  const level = (side: number, value: number): DeepPage => ({
    ...picture(side, 16, 'uint', (i) => value + (i % 2)),
    ...{ tilePx: 64, compression: 'deflate', predictor: 2 },
  })
  const channel = (value: number, description?: string): DeepPage => ({
    ...level(256, value),
    children: [level(128, value), level(64, value)],
    ...(description !== undefined && { description }),
  })

  it('has all its channels and levels, by name and colour, and shows the nuclear one', async () => {
    for (const how of [{}, { bigEndian: true }, { big: true }, { big: true, bigEndian: true }]) {
      const slide = await opened([channel(100, ome('XYCZT')), channel(1000), channel(4000)], how)
      const { levels, channels, mppX, mppY, mppSource, warnings, vendor } = slide.info()
      expect(levels.map(({ width, downsample }) => [width, downsample])).toEqual([
        [256, 1],
        [128, 2],
        [64, 4],
      ])
      expect(vendor).toBe('ome-tiff')
      expect(channels.map(channelWords)).toEqual([
        'CD8 (uint16, 0 to 101; measured)',
        'DAPI (uint16, 0 to 1001; analysed)',
        'PanCK (uint16, 0 to 4001; measured)',
      ])
      expect(channels.map(({ color }) => color)).toEqual(['#00ff00', '#0000ff', '#ff0000'])
      expect([mppX, mppY, mppSource]).toEqual([0.5, 0.25, 'ome-xml'])
      expect(warnings.join('\n')).toContain('"DAPI" is analysed; objects are measured in all of them.')
      expect(await pixels(slide, 2)).toEqual([grey(255), grey(255)])
      for (const k of [0, 1, 2])
        for (const [c, value] of [100, 1000, 4000].entries())
          expect((await slide.readChannel(k, c, 2, 3, 2, 1)).samples).toEqual(Uint16Array.of(value, value + 1))
      slide.close()
    }
  })

  it('finds the planes where its description says', async () => {
    const data = [2, 0, 1].map((ifd, c) => `<TiffData IFD="${ifd}" FirstC="${c}" PlaneCount="1"/>`).join('')
    const slide = await opened([channel(100, ome('XYZCT', data)), channel(1000), channel(4000)])
    for (const [c, value] of [4000, 100, 1000].entries())
      expect((await slide.readChannel(0, c, 0, 0, 1, 1)).samples).toEqual(Uint16Array.of(value))
    slide.close()
  })

  it('that lies about its planes is read by its directories, and says so', async () => {
    const lie = ome('XYCZT').replace('SizeX="256"', 'SizeX="512"')
    const slide = await opened([channel(100, lie), channel(1000), channel(4000)])
    expect(slide.info().channels.map(({ name }) => name)).toEqual(['Channel 1', 'Channel 2', 'Channel 3'])
    expect(slide.info().warnings.join('\n')).toContain('does not agree with the file')
    slide.close()
    const few = await opened([channel(100, ome('XYCZT', '<TiffData IFD="0" PlaneCount="1"/>')), channel(7)])
    expect(few.info().warnings.join('\n')).toContain('2 of the 3 channels in the OME description are not in the file')
    few.close()
  })
})

describe('other stacks', () => {
  it('of ImageJ have its channels', async () => {
    const page = { ...picture(64, 16, 'uint', () => 500), rows: 64 }
    const text = 'ImageJ=1.54p\nimages=4\nchannels=2\nslices=2\nhyperstack=true\nunit=micron\n'
    const slide = await opened([{ ...page, description: text }, page, page, page])
    expect(slide.info().channels).toHaveLength(2)
    expect(slide.info().warnings.join('\n')).toContain('2 focal planes or times: the first is shown')
    slide.close()
  })

  it('of QPTIFF have names and colours, and no label among their levels', async () => {
    const of = (type: string, name: string): string =>
      `<?xml version="1.0"?><PerkinElmer-QPI-ImageDescription><ImageType>${type}</ImageType><Name>${name}</Name><Color>0,0,255</Color></PerkinElmer-QPI-ImageDescription>`
    const page = (side: number, type: string, name: string): DeepPage => ({
      ...picture(side, 16, 'uint', () => 500),
      ...{ tilePx: 64, description: of(type, name) },
    })
    const small = { reduced: true }
    const slide = await opened([
      page(256, 'FullResolution', 'Opal 520'),
      page(256, 'FullResolution', 'DAPI'),
      { ...page(128, 'ReducedResolution', 'Opal 520'), ...small },
      { ...page(128, 'ReducedResolution', 'DAPI'), ...small },
      page(64, 'Label', ''),
    ])
    const { channels, levels, associated, vendor } = slide.info()
    expect(vendor).toBe('qptiff')
    expect(channels).toMatchObject([
      { name: 'Opal 520', color: '#0000ff', shown: 'no' },
      { name: 'DAPI', shown: 'gray' },
    ])
    expect(levels.map(({ width }) => width)).toEqual([256, 128])
    expect(associated).toEqual(['label'])
    slide.close()
  })
})

it('says why samples of another kind are not read', async () => {
  const page = { ...picture(64, 16, 'float', () => 0), tilePx: 64, pieces: [Buffer.alloc(8192)] }
  await expect(opened([page])).rejects.toThrow(/a TIFF with samples of 16 bits \(sample format 3\)\. Export it anew/)
})

const shared = resolve('../shared/data')
describe.runIf(existsSync(shared))('public and made files', () => {
  const info = async (name: string) => {
    const slide = await openNative(join(shared, name))
    const found = slide.info()
    const [first] = await pixels(slide, 1)
    slide.close()
    return { ...found, first: first!, shown: found.channels.map(channelWords) }
  }

  it("Viv's three channels", async () => {
    for (const name of ['formats/multi-channel.ome.tif', 'formats/multi-channel-tiny.ome.tif']) {
      const { channels, warnings } = await info(name)
      expect(channels).toHaveLength(3)
      // It has 0, which states none.
      expect(warnings.join()).not.toContain('resolution')
    }
  })

  it.each([
    ['tiled-gray16-12bit', ['Channel 1 (uint16, 0 to 4080; analysed)'], 0],
    [
      'tiled-5ch-planar8',
      [10, 60, 110, 160, 210].map((_, i) => `Channel ${i + 1} (uint8, 0 to 255; ${i ? 'measured' : 'analysed'})`),
      10,
    ],
    ['two-samples', ['Channel 1 (uint8, 0 to 255; analysed)', 'Channel 2 (uint8, 0 to 255; measured)'], undefined],
  ])('odd/%s.tif', async (name, shown, first) => {
    const seen = await info(`odd/${name}.tif`)
    expect(seen.shown).toEqual(shown)
    if (first !== undefined) expect(seen.first).toEqual(grey(first))
  })

  it('odd files open with the range of what they hold', async () => {
    for (const name of ['s16', 'u32', 'float01', 'tiled-float', 'tiled-rgb16', 'tiled-4ch-ifds']) {
      const { channels } = await info(`odd/${name}.tif`)
      expect(channels.length, name).toBeGreaterThan(0)
      for (const { low, high } of channels) expect(high, name).toBeGreaterThan(low)
    }
  })
})
