// The channel that is analysed, chosen by a name or a number: whose pixels a slide gives then, and what is refused.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openNative, Slides } from '../../../main/slide/slides'
import { nuclearChannels } from './nuclearChannels'

let folder: string
let slide: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'morphoscope-chosen-channel-'))
  slide = await nuclearChannels(join(folder, 'two.ome.tif'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The middle of the first cell, which is in both, and of the second, which is in DAPI alone. */
async function seen(path: string, channel?: string): Promise<{ analysed: string[]; cells: number[]; warnings: string }> {
  const opened = await openNative(path, channel)
  try {
    const cells = []
    for (const x of [25, 75]) cells.push((await opened.readScaled(1, x, 25, 1, 1)).rgba[0]!)
    const { channels, warnings } = opened.info()
    return {
      analysed: channels.flatMap(({ name, shown }) => (shown === 'gray' ? [name] : [])),
      cells,
      warnings: warnings.join(' '),
    }
  } finally {
    opened.close()
  }
}

it('analyses the nuclear stain where nobody chooses, and the chosen channel else', async () => {
  expect(await seen(slide)).toMatchObject({ analysed: ['DAPI'], cells: [255, 255] })
  for (const channel of ['Ki67', 'ki67', '1', '#1']) {
    const { analysed, cells, warnings } = await seen(slide, channel)
    expect({ analysed, cells }, channel).toEqual({ analysed: ['Ki67'], cells: [255, 8] })
    expect(warnings).toContain('"Ki67" is analysed; objects are measured in all of them.')
    expect(warnings).toContain('0 to 2000, all that it holds, were taken as 0 to 255')
  }
  expect(await seen(slide, 'DAPI')).toMatchObject({ analysed: ['DAPI'], cells: [255, 255] })
})

it('takes a name before a number, and a # for a number whatever channels are called', async () => {
  const numbered = await nuclearChannels(join(folder, 'numbered.ome.tif'), ['2', 'first'])
  expect((await seen(numbered, '2')).analysed).toEqual(['2'])
  expect((await seen(numbered, '#2')).analysed).toEqual(['first'])
})

it('names the channels there are where there is no such one', async () => {
  for (const channel of ['CD9', '0', '3', '-1', '1.5', '#', ' '])
    await expect(openNative(slide, channel), channel).rejects.toThrow(
      `two.ome.tif has no channel "${channel}". It has Ki67, DAPI: choose one of them, by its name or its number (1 to 2).`,
    )
})

it('has none to choose from where the file is one picture', async () => {
  const sample = fileURLToPath(new URL('../../../assets/samples/CMU-1-Small-Region.svs', import.meta.url))
  const png = join(folder, 'a.png')
  await writeFile(
    png,
    await sharp({ create: { width: 64, height: 64, channels: 3, background: 'red' } })
      .png()
      .toBuffer(),
  )
  for (const path of [sample, png])
    await expect(openNative(path, 'DAPI'), path).rejects.toThrow(
      'is one picture, and has no channels of which one could be analysed',
    )
})

it('keeps a slide for each choice, and one for two ways to say it', async () => {
  const slides = new Slides(
    () => undefined,
    () => undefined,
    () => false,
  )
  try {
    const usual = await slides.open(slide)
    const first = await slides.open(slide, undefined, 'Ki67')
    const again = await slides.open(slide, undefined, '#1')
    expect(usual.info.channelGiven).toBeUndefined()
    expect(first.info).toMatchObject({ channelGiven: true, channels: [{ shown: 'gray' }, { shown: 'no' }] })
    expect(first.info.slideId).not.toBe(usual.info.slideId)
    expect(again.info.slideId).toBe(first.info.slideId)
    expect((await slides.open(slide)).info.slideId).toBe(usual.info.slideId)
  } finally {
    slides.closeAll()
  }
})
