// Pictures of 16 bits a sample: they keep them, and one rule makes 8 of them, whichever reader and whatever part of the range a camera used.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { depthWords } from '../../../app/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { decodeImage } from '../../../main/slide/decodeImage'
import { toSlideInfo } from '../../../main/slide/slideInfo'
import { openNative } from '../../../main/slide/slides'
import { deepTiff } from './deepTiff'

let folder: string
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'morphoscope-16-'))))
afterAll(async () => await rm(folder, { recursive: true, force: true }))

const width = 9
const height = 5

async function opened(channels: 1 | 3, samples: Uint16Array, kind: 'png' | 'tiff') {
  const path = join(folder, `${channels}.${kind}`)
  const picture = sharp(samples, { raw: { width, height, channels } }).toColourspace(channels === 1 ? 'grey16' : 'rgb16')
  await (kind === 'png' ? picture.png() : picture.tiff({ compression: 'deflate' })).toFile(path)
  const slide = await decodeImage(path, new Error('refused'))
  try {
    return { ...(await slide.readScaled(1, 0, 0, width, height)), warnings: slide.info().warnings }
  } finally {
    slide.close()
  }
}

it.each(['png', 'tiff'] as const)('of 12 bits are not black (%s)', async (kind) => {
  const grey = Uint16Array.from({ length: width * height }, (_, i) => (i * 4095) / 44)
  const { rgba, warnings } = await opened(1, grey, kind)
  for (const [i, value] of grey.entries()) {
    const expected = Math.round((value * 255) / 4095)
    expect([...rgba.subarray(4 * i, 4 * i + 4)]).toEqual([expected, expected, expected, 255])
  }
  expect(warnings.join()).toContain('0 to 4095')
})

it('keep their colours', async () => {
  const colors = Uint16Array.from({ length: width * height * 3 }, (_, i) => (i % 3 === 2 ? 2000 - (i % 700) : i % 41))
  const most = Math.max(...colors)
  const { rgba } = await opened(3, colors, 'png')
  for (let i = 0; i < width * height; i++)
    for (let c = 0; c < 3; c++) expect(rgba[4 * i + c]).toBe(Math.round((colors[3 * i + c]! * 255) / most))
})

it('keep their 16 bits where they are grey, in each reader alike', async () => {
  const grey = Uint16Array.from({ length: width * height }, (_, i) => (i * 4095) / 44)
  const png = join(folder, 'kept.png')
  await sharp(grey, { raw: { width, height, channels: 1 } })
    .toColourspace('grey16')
    .png()
    .toFile(png)
  const slide = await openNative(png)
  const info = slide.info()
  expect([info.depth, info.channels.map(({ type, low, high }) => [type, low, high])]).toEqual([16, [['uint16', 0, 4095]]])
  expect([...(await slide.readChannel(0, 0, 0, 0, width, height)).samples]).toEqual([...grey])
  const { deep } = await slide.readScaled(1, 0, 0, width, height, undefined, { deep: true })
  expect([...deep!]).toEqual([...grey].map((value) => Math.round((value * 65535) / 4095)))
  expect(info.warnings.join()).toContain('by Fluorescence nuclei as 0 to 65535')
  expect(depthWords(toSlideInfo('s', info))).toBe('16 bits by Fluorescence nuclei, 8 bits by other recipes')
  slide.close()
})

it('are the same 8 bits in colours, whichever reader: PNG, flat TIFF and tiled TIFF', async () => {
  const side = 64
  // Three of 4,096 px shine far beyond: outliers, which no reader takes for the range's end.
  const colors = Uint16Array.from({ length: side * side * 3 }, (_, i) =>
    i < 9 ? 60_000 : Math.round(2000 + 1900 * Math.sin(i / 7) - (i % 97)),
  )
  const png = join(folder, 'colors.png')
  await sharp(colors, { raw: { width: side, height: side, channels: 3 } })
    .toColourspace('rgb16')
    .png()
    .toFile(png)
  const page = { width: side, height: side, samples: 3, bits: 16, format: 'uint', values: colors, photometric: 2 } as const
  const flat = join(folder, 'colors-flat.tif')
  await writeFile(flat, deepTiff([page]))
  const tiled = join(folder, 'colors-tiled.tif')
  await writeFile(tiled, deepTiff([{ ...page, tilePx: 32 }]))
  const all = await Promise.all(
    [png, flat, tiled].map(async (path) => {
      const slide = await openNative(path)
      const { rgba } = await slide.readScaled(1, 0, 0, side, side)
      const info = toSlideInfo('s', slide.info())
      slide.close()
      return { rgba: Buffer.from(rgba).toString('hex'), words: depthWords(info), reader: info.reader, warnings: info.warnings }
    }),
  )
  expect(all.map(({ reader }) => reader)).toEqual(['sharp', 'Morphoscope TIFF', 'Morphoscope TIFF'])
  const words = /^8 bits by all recipes: 0 to 389\d of uint16 are 0 to 255, rounded to the nearest$/
  for (const { rgba, words: said, warnings } of all) {
    expect(rgba).toBe(all[0]!.rgba)
    expect(said).toMatch(words)
    expect(said).toBe(all[0]!.words)
    expect(warnings.join()).toContain('without outliers beyond')
  }
})

it('are seen through their opacity', async () => {
  const samples = Uint16Array.from(
    { length: 4 * 4 },
    (_, i) => (i % 4 === 3 ? [65535, 0, 32768, 65535] : [0, 0, 0, 4000])[i >> 2]!,
  )
  const path = join(folder, 'opacity.png')
  await sharp(samples, { raw: { width: 4, height: 1, channels: 4 } })
    .toColourspace('rgb16')
    .png()
    .toFile(path)
  const slide = await openNative(path)
  const { rgba } = await slide.readScaled(1, 0, 0, 4, 1)
  expect([0, 1, 2, 3].map((i) => rgba[4 * i])).toEqual([0, 255, 127, 255])
  expect((await slide.readChannel(0, 0, 0, 0, 4, 1)).samples).toEqual(Uint16Array.of(0, 0, 0, 4000))
  slide.close()
})
