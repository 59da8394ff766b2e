// Pictures of 16 bits a sample: the whole of what they hold is spread over 8, whatever part of the range a camera used.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { decodeImage } from '../../../main/slide/decodeImage'

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
