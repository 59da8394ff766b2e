// Tiles of one channel: the file's own samples at full size, their means from afar, and what could not be read.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unpackChannelTile } from '../../../app/contract'
import { readShown } from '../../../main/slide/blendedRead'
import { levelFor, readChannelTile } from '../../../main/slide/channelTile'
import { Slides } from '../../../main/slide/slides'
import { SlideTiles } from '../../../main/slide/slideTiles'
import { pitch, side, threeChannels } from './threeChannels'

let folder: string
const slides = new Slides(
  () => undefined,
  () => undefined,
  () => false,
)
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'morphoscope-channel-tile-'))))
afterAll(async () => {
  slides.closeAll()
  await rm(folder, { recursive: true, force: true })
})
const stop = new AbortController().signal

describe('a picture of a slide of channels', () => {
  const off = { shown: false, color: '#ffffff', low: 0, high: 1, gamma: 1 }
  const looks = [off, off, { shown: true, color: '#ff8000', low: 0, high: 200, gamma: 1 }]
  const red = ({ rgba }: { rgba: Uint8Array }, at: number): number[] => [...rgba.subarray(4 * at, 4 * at + 4)]
  it('is the blend of what is shown, in its colours and contrasts, at any scale', async () => {
    const slide = await slides.open(await threeChannels(join(folder, 'shown.ome.tif')))
    const full = await readShown(slide, looks, 1, { x: 100, y: 7, width: 128, height: 2 }, stop)
    // PanCK: each pixel has its column, and 200 is as bright as can be.
    expect([red(full, 0), red(full, 127)]).toEqual([
      [128, 64, 0, 255],
      [255, 128, 0, 255],
    ])
    // The mean of columns 30 and 31, as a whole number.
    const far = await readShown(slide, looks, 2.5, { x: 12, y: 0, width: 4, height: 4 }, stop)
    expect(red(far, 0)[0]).toBe(Math.round((255 * 31) / 200))
    expect(red(far, 0)[1]).toBe(Math.round((128 * 31) / 200))
  })
  it('is what a list shows of it: not its one analysed channel in grey', async () => {
    const slide = await slides.open(await threeChannels(join(folder, 'list.ome.tif')))
    const { body } = await new SlideTiles().picture(slide, 0, 2, 0, stop)
    const { data, info } = await sharp(body).raw().toBuffer({ resolveWithObject: true })
    const at = (x: number, y: number): number[] => [
      ...data.subarray((y * info.width + x) * info.channels, (y * info.width + x) * info.channels + 3),
    ]
    const known = await readShown(slide, null, 1, { x: 256, y: 0, width: 128, height: 128 }, stop)
    expect(new Set(red(known, 64 * 128 + 64).slice(0, 3)).size).toBeGreaterThan(1)
    at(64, 64).forEach((value, c) => expect(Math.abs(value - known.rgba[4 * (64 * 128 + 64) + c]!)).toBeLessThan(12))
  })
  it('hatches and counts what could not be read', async () => {
    const slide = await slides.open(await threeChannels(join(folder, 'shownLost.ome.tif'), 400, [], true))
    const { rgba, unreadable } = await readShown(
      slide,
      [off, { ...off, shown: true, high: 100 }, off],
      1,
      { x: 0, y: 0, width: 128, height: 128 },
      stop,
    )
    expect(unreadable).toHaveLength(1)
    expect([...rgba.subarray(0, 4)]).toEqual([150, 150, 150, 255])
  })
})

describe('a tile of a channel', () => {
  it('has the file’s samples at full size, and their means from afar', async () => {
    const slide = await slides.open(await threeChannels(join(folder, 'three.ome.tif')))
    const pictures = new SlideTiles()
    const full = unpackChannelTile((await pictures.channel(slide, 2, 0, 1, 3, stop)).body.buffer)
    // PanCK: each pixel has its column.
    expect([...full.samples.subarray(0, 128)]).toEqual(Array.from({ length: 128 }, (_, x) => 128 + x))
    expect(full.holes).toEqual([])
    const half = unpackChannelTile((await pictures.channel(slide, 2, 1, 0, 0, stop)).body.buffer)
    // Of columns 2 x and 2 x + 1, rounded.
    expect([...half.samples.subarray(0, 5)]).toEqual([1, 3, 5, 7, 9])
    const far = unpackChannelTile((await pictures.channel(slide, 1, 3, 0, 0, stop)).body.buffer)
    expect([far.width, far.height]).toEqual([128, 128])
    const cell = (x: number, y: number): number => 100 * (Math.floor(y / pitch) * (side / pitch) + Math.floor(x / pitch))
    expect(far.samples[2 * 128 + 2]).toBe(cell(20, 20))
    expect(far.samples[64 * 128 + 40]).toBe(cell(324, 516))
    // The last column of tiles is narrower.
    expect(unpackChannelTile((await pictures.channel(slide, 1, 0, 9, 9, stop)).body.buffer)).toMatchObject({
      width: 48,
      height: 48,
    })
    const asked = async () => pictures.channel(slide, 3, 0, 0, 0, stop)
    await expect(asked()).rejects.toThrow('has no channel 3')
    await expect(async () => pictures.channel(slide, 0, 0, 10, 0, stop)).rejects.toThrow('no tile 10, 0')
  })
  it('is sampled where a px stands for too many, and says so', async () => {
    const slide = await slides.open(await threeChannels(join(folder, 'far.ome.tif')))
    const area = { x: 0, y: 0, width: 38, height: 38 }
    const { tile, sampledEvery } = await readChannelTile(slide, 2, 32, area, stop)
    expect(sampledEvery).toBe(2)
    // Squares of a piece, 128 px or 4 of the tile, stand for two by two of them.
    expect([...tile.samples.subarray(0, 9)]).toEqual([...Array.from({ length: 8 }, () => 64), 320])
  })
  it('names the px that could not be read', async () => {
    const slide = await slides.open(await threeChannels(join(folder, 'lost.ome.tif'), 400, [], true))
    const answer = await new SlideTiles().channel(slide, 1, 0, 0, 0, stop)
    expect(answer.unreadable).toBe(1)
    const { holes, samples } = unpackChannelTile(answer.body.buffer)
    expect(holes).toEqual([{ x: 0, y: 0, width: 128, height: 128 }])
    expect(samples[0]).toBe(0)
  })
  it('comes from the smallest level that has a px for each of its own', () => {
    const levels = [1, 4, 16.003].map((downsample) => ({ downsample }) as never)
    expect([0, 1, 2, 3, 4, 9].map((k) => levelFor({ levels }, 2 ** k))).toEqual([0, 0, 1, 1, 2, 2])
  })
})
