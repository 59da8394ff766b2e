// Long slides whose levels have rounded sizes: what lies at their far end is found there at every scale, also by the tissue mask.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toSlideInfo } from '../../../main/slide/slideInfo'
import type { OpenSlide } from '../../../main/slide/slides'
import { tissueOf } from '../../../main/slide/tissue'
import { openSlide } from '../../../native/index'
import type { Slide } from '../../../native/index'

/** 0.25 µm a px. */
const mpp = 0.25
const long = 16_000
const short = 1000
const nucleusPx = 28
/** 81 nuclei, 9 rows of 9, in the last 1,100 px. */
const places = Array.from({ length: 81 }, (_, i) => ({
  along: long - 1090 + (i % 9) * 120 + 40,
  across: 20 + Math.floor(i / 9) * 110,
}))

let folder: string
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'morphoscope-long-'))))
afterAll(async () => await rm(folder, { recursive: true, force: true }))

describe.each(['lying', 'standing'] as const)('a slide of 16,000 × 1,000 px, %s', (way) => {
  const lying = way === 'lying'
  const [width, height] = lying ? [long, short] : [short, long]
  let slide: Slide
  beforeAll(async () => {
    const rgb = Buffer.alloc(width * height * 3, 243)
    for (const { along, across } of places)
      for (let j = 0; j < nucleusPx; j++)
        for (let i = 0; i < nucleusPx; i++) {
          const [x, y] = lying ? [along + i, across + j] : [across + i, along + j]
          rgb.set([92, 60, 130], (y * width + x) * 3)
        }
    const path = join(folder, `${way}.tif`)
    // libvips halves and rounds down: 1,000 px become 31 where 31.25 would be 32 times fewer.
    const pyramid = { tile: true, pyramid: true, compression: 'deflate', xres: 1000 / mpp, yres: 1000 / mpp } as const
    await sharp(rgb, { raw: { width, height, channels: 3 } })
      .tiff(pyramid)
      .toFile(path)
    slide = await openSlide(path)
  })
  afterAll(() => slide.close())

  it('has levels whose sizes are rounded down, each a whole number of times smaller', () => {
    const info = slide.info()
    expect(info.mppX).toBeCloseTo(mpp, 6)
    expect(info.levels.map(({ downsample }) => downsample)).toEqual(info.levels.map((_, k) => 2 ** k))
    expect(info.levels[5]).toMatchObject(lying ? { width: 500, height: 31 } : { width: 31, height: 500 })
    expect(info.warnings).toEqual([])
  })

  it('shows its nuclei where they are at every scale', async () => {
    const centre = places.reduce((total, { along }) => total + along + nucleusPx / 2, 0) / places.length
    for (const scale of [1, 2, 5.3, 8, 20, 32, 64, 100]) {
      const from = Math.floor((long - 2000) / scale)
      const [columns, rows] = [Math.ceil(long / scale) - from, Math.ceil(short / scale)]
      const read = await (lying
        ? slide.readScaled(scale, from, 0, columns, rows)
        : slide.readScaled(scale, 0, from, rows, columns))
      let dark = 0
      let sum = 0
      for (let i = 0; i < read.rgba.length / 4; i++) {
        const weight = 243 - read.rgba[4 * i]!
        dark += weight
        sum += weight * (from + (lying ? i % read.width : Math.floor(i / read.width)) + 0.5) * scale
      }
      expect(Math.abs(sum / dark - centre), `at ${scale}`).toBeLessThan(2 + scale / 8)
    }
  })

  it('has all of its nuclei in its tissue', async () => {
    const info = toSlideInfo('s1', slide.info())
    const rule = { shines: false, level: 8 }
    const tissue = await tissueOf({ info, native: slide } as OpenSlide, mpp, rule, 1, new AbortController().signal)
    const found = places.filter(({ along, across }) => {
      const [x, y] = lying ? [along, across] : [across, along]
      return tissue!.touches({ x, y, width: nucleusPx, height: nucleusPx }, 0)
    })
    expect(found).toHaveLength(places.length)
    expect(tissue!.scale).toBe(32)
    // And nothing but glass in the first half.
    const half = lying ? { x: 0, y: 0, width: long / 2, height: short } : { x: 0, y: 0, width: short, height: long / 2 }
    expect(tissue!.areaIn(half)).toBe(0)
  })

  it('has no white rim where its levels end early', async () => {
    const scale = 32
    const [columns, rows] = [Math.ceil(width / scale), Math.ceil(height / scale)]
    const { rgba } = await slide.readScaled(scale, 0, 0, columns, rows)
    // 1,000 px are 31 px and a quarter: the last one begins on the slide, which is 243 there.
    const last = (rows * columns - 1) * 4
    expect([...rgba.subarray(last, last + 3)]).toEqual([243, 243, 243])
  })
})
