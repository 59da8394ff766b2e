// Pictures of regions: the slide's own px, px of other sizes and what they say of themselves, for sharp and our own reader; lines; names; limits.
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 as zlibCrc32 } from 'node:zlib'
import sharp from 'sharp'
import type { SharpOptions } from 'sharp'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SlideInfo } from '../../../../app/contract'
import { crc32 } from '../../../../main/export/images/png'
import { writeRegionImages } from '../../../../main/export/images/regionImages'
import type { ImagesAsked, PicturedRegion } from '../../../../main/export/images/regionImages'
import type { ExportTools } from '../../../../main/export/exporter'
import { openSlide } from '../../../../native/index'
import { drawn, madeRun, madeTools } from '../madeRun'

let directory: string
beforeEach(async () => (directory = await mkdtemp(join(tmpdir(), 'morphoscope-images-'))))
afterEach(async () => await rm(directory, { recursive: true, force: true }))

/** What the slide shows at each px of its own: any mistake of place shows. */
const colourAt = (x: number, y: number): readonly [number, number, number] => [x % 251, y % 241, (x * 7 + y * 3) % 239]
const tools: ExportTools = {
  ...madeTools,
  readRgba: async (scale, { x, y, width, height }) => {
    const rgba = new Uint8Array(width * height * 4).fill(255)
    for (let row = 0; row < height; row++)
      for (let column = 0; column < width; column++)
        rgba.set(colourAt(Math.floor((x + column) * scale), Math.floor((y + row) * scale)), 4 * (row * width + column))
    return { rgba, unreadable: 0 }
  },
}
const slide = (more: Partial<SlideInfo> = {}): SlideInfo => ({
  ...madeRun({ scale: 1, analysedMpp: 0.25 }).slide,
  widthPx: 4000,
  heightPx: 3000,
  ...more,
})
const box = (title: string, x: number, y: number, width: number, height: number): PicturedRegion => ({
  title,
  shape: { kind: 'rectangle', x, y, width, height },
  box: { minX: x, minY: y, maxX: x + width, maxY: y + height },
})
const write = (more: Partial<ImagesAsked>, with_: Partial<ExportTools> = {}, signal = new AbortController().signal) => {
  const asked = {
    slide: slide(),
    directory,
    form: 'png' as const,
    regions: [box('Tumour', 101, 57, 300, 200)],
    result: null,
    hidden: false,
  }
  return writeRegionImages({ ...asked, ...more }, { ...tools, ...with_ }, () => undefined, signal)
}
const pixels = async (name: string, more: SharpOptions = {}) => {
  const { data, info } = await sharp(join(directory, name), { limitInputPixels: false, ...more })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height, channels: info.channels }
}

describe('pictures of regions', () => {
  it.each(['png', 'ome-tiff'] as const)('%s has the slide’s px, all of them and no other', async (form) => {
    const { files } = await write({ form, regions: [box('Tumour', 101, 57, 1300, 700)] })
    const name = form === 'png' ? 'region-Tumour.png' : 'region-Tumour.ome.tif'
    expect(files).toMatchObject([{ name, width: 1300, height: 700, bytes: (await readFile(join(directory, name))).length }])
    expect(await readdir(directory)).toEqual([name])
    const { data, width, height, channels } = await pixels(name)
    expect([width, height, channels]).toEqual([1300, 700, 3])
    for (let i = 0; i < width * height; i++) {
      const [x, y] = [101 + (i % width), 57 + Math.floor(i / width)]
      const [r, g, b] = colourAt(x, y)
      if (data[3 * i] !== r || data[3 * i + 1] !== g || data[3 * i + 2] !== b) expect.fail(`${x},${y}`)
    }
  })

  it('says how large a px is, and where it lies, by hand-checked numbers', async () => {
    // 40× at 0.25 µm: 10× is 1 µm a px, four px of the slide.
    const { files } = await write({ pixel: { magnification: 10 } })
    expect(files).toMatchObject([{ width: 76, height: 51 }])
    const png = await readFile(join(directory, 'region-Tumour.png'))
    const at = png.indexOf('pHYs', 0, 'latin1')
    expect([png.readUInt32BE(at + 4), png.readUInt32BE(at + 8), png[at + 12]]).toEqual([1_000_000, 1_000_000, 1])
    expect(png.indexOf('pHYs', at + 1, 'latin1')).toBe(-1)
    expect((await sharp(png).metadata()).density).toBeCloseTo(25_400, -1)
    await write({ form: 'ome-tiff', pixel: { um: 0.5 }, regions: [box('Tumour', 100, 60, 3000, 2000)] })
    const opened = await openSlide(join(directory, 'region-Tumour.ome.tif'))
    const { mppX, mppY, levels } = opened.info()
    opened.close()
    expect([mppX, mppY]).toEqual([0.5, 0.5])
    expect(levels.map(({ width, height }) => [width, height])).toEqual([
      [1500, 1000],
      [750, 500],
      [375, 250],
    ])
    const text = (await readFile(join(directory, 'region-Tumour.ome.tif'))).toString('latin1')
    expect(text).toContain('PhysicalSizeX="0.5" PhysicalSizeXUnit="&#181;m"')
    expect(text).toContain('PositionX="25" PositionXUnit="&#181;m" PositionY="15"')
    await write({ slide: slide({ mppX: null, mppY: null }), overwrite: true })
    expect((await readFile(join(directory, 'region-Tumour.png'))).includes('pHYs')).toBe(false)
  })

  it('has means of four px in each smaller level, at odd rims of those that are there', async () => {
    await write({ form: 'ome-tiff', regions: [box('Odd', 3, 5, 1031, 517)] })
    const whole = await pixels('region-Odd.ome.tif')
    const half = await pixels('region-Odd.ome.tif', { subifd: 0 })
    expect([half.width, half.height]).toEqual([516, 259])
    for (let y = 0; y < half.height; y++)
      for (let x = 0; x < half.width; x++)
        for (let c = 0; c < 3; c++) {
          const of = (dx: number, dy: number): number =>
            whole.data[3 * (Math.min(2 * y + dy, 516) * 1031 + Math.min(2 * x + dx, 1030)) + c]!
          const mean = (of(0, 0) + of(1, 0) + of(0, 1) + of(1, 1) + 2) >> 2
          if (half.data[3 * (y * half.width + x) + c] !== mean) expect.fail(`${x},${y},${c}`)
        }
  })

  it('paints outlines and borders where they are asked for, the same in tiles as in one piece', async () => {
    const objects = Array.from({ length: 200 }, (_, i) =>
      drawn(['.###.', '#####', '#####', '.###.'], 100 + (i % 20) * 61, 60 + Math.floor(i / 20) * 53),
    )
    const result = madeRun({ objects, scale: 1, analysedMpp: 0.25 })
    const regions = [box('Tumour', 90, 50, 1300, 560)]
    await write({ form: 'png', regions })
    const plain = await pixels('region-Tumour.png')
    await write({ form: 'png', regions, result, border: true, overwrite: true })
    await write({ form: 'ome-tiff', regions, result, border: true })
    const [one, tiled] = [await pixels('region-Tumour.png'), await pixels('region-Tumour.ome.tif')]
    expect(Buffer.compare(one.data, tiled.data)).toBe(0)
    const [line, changed] = [[190, 255, 0], new Set<number>()]
    for (let i = 0; i < one.width * one.height; i++) {
      if (![0, 1, 2].every((c) => one.data[3 * i + c] === plain.data[3 * i + c])) changed.add(i)
    }
    // An object's outline is drawn, and its middle is not.
    const px = (x: number, y: number) => (y - 50) * one.width + (x - 90)
    expect(changed.has(px(100, 61))).toBe(true)
    expect(changed.has(px(130, 80))).toBe(false)
    expect([0, 1, 2].map((c) => one.data[3 * px(700, 50) + c])).toEqual(line)
  })
})

describe('names and limits', () => {
  it('gives hostile and equal titles names that every system takes, and writes nowhere else', async () => {
    const titles = ['../../up', 'CON', 'a/b\\c:*?"<>|', 'same', 'Same', '\u202egnp.exe', '', 'x'.repeat(300)]
    const { files } = await write({ regions: titles.map((title, i) => box(title, 10 * i, 10, 8, 8)) })
    const names = files.map(({ name }) => name)
    expect(names).toEqual([
      ...['region-up.png', 'region-CON.png', 'region-a-b-c.png', 'region-same.png', 'region-Same-2.png', 'region-gnp.exe.png'],
      ...['region-region.png', `region-${'x'.repeat(40)}.png`],
    ])
    expect((await readdir(directory)).sort()).toEqual([...names].sort())
  })

  it('says who the slide is not where that is asked', async () => {
    const region = box('"><Image ID="x', 10, 10, 20, 20)
    await write({ form: 'ome-tiff', hidden: true, slide: slide({ name: 'Jane Doe.svs' }), regions: [region] })
    const [name = ''] = await readdir(directory)
    const text = (await readFile(join(directory, name))).toString('latin1')
    expect(text).not.toContain('Jane')
    expect(text).toMatch(/Name="&#34;&#62;&#60;Image ID=&#34;x of slide-[0-9a-f]{16}"/)
  })

  it('refuses what is too large, unknown, beyond the slide or in the way, and leaves the folder as it was', async () => {
    await writeFile(join(directory, 'region-Tumour.png'), 'mine')
    const refused = async (more: Partial<ImagesAsked>, message: string, code = 'INVALID_PARAMETER') => {
      await expect(write(more)).rejects.toMatchObject({ code, message: expect.stringContaining(message) as string })
      expect(await readdir(directory)).toEqual(['region-Tumour.png'])
    }
    const wide = { widthPx: 200_000, heightPx: 200_000 }
    await refused(
      { slide: slide(wide), regions: [box('Huge', 0, 0, 9000, 9000)] },
      'The picture of Huge would have 9000 × 9000 px: expected 32 Mi px',
    )
    await refused({ slide: slide(wide), form: 'ome-tiff', regions: [box('Huge', 0, 0, 200_000, 200_000)] }, 'Choose larger px')
    await refused(
      { slide: slide({ mppX: null, mppY: null, objectivePower: null }), pixel: { um: 1 } },
      'says neither its pixel size',
    )
    await refused({ regions: [box('Far', 9000, 9000, 10, 10)] }, 'There is no region')
    await refused({}, 'region-Tumour.png', 'OUTPUT_EXISTS')
    expect(await readFile(join(directory, 'region-Tumour.png'), 'utf8')).toBe('mine')
    const { warnings, files } = await write({
      pixel: { um: 0.1 },
      overwrite: true,
      regions: [box('Tumour', 3990, 0, 50, 10), box('Far', 9e4, 0, 5, 5)],
    })
    expect(warnings).toEqual([
      'That is finer than the slide: the pictures have its own px.',
      'Far lies beyond the slide, and has no picture.',
    ])
    expect(files).toMatchObject([{ width: 10, height: 10 }])
  })

  it.each(['png', 'ome-tiff'] as const)('%s: a cancel, a slide that changes and a failed read leave nothing', async (form) => {
    const regions = [box('A', 0, 0, 100, 100), box('B', 0, 0, 1500, 1500)]
    const stop = new AbortController()
    let reads = 0
    const stopping: ExportTools['readRgba'] = (...asked) => {
      if (++reads === 2) stop.abort()
      return tools.readRgba(...asked)
    }
    await expect(write({ form, regions }, { readRgba: stopping }, stop.signal)).rejects.toThrow()
    expect(await readdir(directory)).toEqual([])
    await expect(write({ form, regions }, { slideState: async () => 'changed' })).rejects.toMatchObject({ code: 'SLIDE_CHANGED' })
    const failing: ExportTools['readRgba'] = async (...asked) => {
      if (++reads % 5 === 0) throw new Error('the disk is gone')
      return tools.readRgba(...asked)
    }
    await expect(write({ form, regions: [...regions, ...regions, ...regions] }, { readRgba: failing })).rejects.toThrow(
      'the disk is gone',
    )
    expect(await readdir(directory)).toEqual([])
  })

  it('has PNG’s checksum', () => {
    expect(crc32(Buffer.from('123456789'))).toBe(0xcbf43926)
    if (zlibCrc32) expect(crc32(Buffer.from('pHYs'))).toBe(zlibCrc32(Buffer.from('pHYs')))
  })
})
