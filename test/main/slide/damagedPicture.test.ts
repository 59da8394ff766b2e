// A flat picture of which a part cannot be unpacked says so: the part would be black, and pass for tissue.
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { decodeImage } from '../../../main/slide/decodeImage'
import { seeded } from '../../stress/seeded'

let folder: string
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'morphoscope-damaged-'))))
afterAll(async () => await rm(folder, { recursive: true, force: true }))

const side = 400

async function warningsOf(path: string): Promise<string> {
  const slide = await decodeImage(path, new Error('refused'))
  const { warnings, uncertainPixels = '' } = slide.info()
  slide.close()
  return [...warnings, uncertainPixels].join()
}

/** The same picture, whole and with a quarter of its bytes overwritten. */
async function pictures(compression: 'jpeg' | 'deflate' | 'lzw'): Promise<{ whole: string; damaged: string }> {
  const [whole, damaged] = [join(folder, `${compression}.tif`), join(folder, `damaged-${compression}.tif`)]
  const random = seeded(3)
  const samples = Uint8Array.from({ length: side * side * 3 }, () => random() * 256)
  await sharp(samples, { raw: { width: side, height: side, channels: 3 } })
    .tiff({ compression })
    .toFile(whole)
  const bytes = readFileSync(whole)
  writeFileSync(damaged, bytes.fill(0x55, bytes.length >> 2, bytes.length >> 1))
  return { whole, damaged }
}

it('JPEG within TIFF opens, and says what its decoder said', async () => {
  const { whole, damaged } = await pictures('jpeg')
  expect(await warningsOf(whole)).not.toContain('damaged')
  expect(await warningsOf(damaged)).toMatch(/Parts of the image may be damaged, and are black where they are: \S/)
})

it.each(['deflate', 'lzw'] as const)('%s is refused', async (compression) => {
  const { whole, damaged } = await pictures(compression)
  expect(await warningsOf(whole)).not.toContain('damaged')
  await expect(warningsOf(damaged)).rejects.toThrow('could not be decoded')
})
