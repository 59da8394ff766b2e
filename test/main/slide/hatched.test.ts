// A picture of a damaged part of a slide: what the file could not give is striped, and nothing else is touched.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { openSlide, status } from '../../../native/index'
import { readHatched } from '../../../main/slide/hatchedRead'

const sample = fileURLToPath(new URL('../../../assets/samples/CMU-1-Small-Region.svs', import.meta.url))

it.skipIf(!status().openslide.available)('shows stripes where the file gave nothing, and the file everywhere else', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'hatched-'))
  const path = join(dir, 'damaged.svs')
  await writeFile(path, (await readFile(sample)).fill(0xa5, 900_000, 925_000))
  const slide = await openSlide(path)
  const { width, height } = slide.info().bounds
  const area = { x: 0, y: 0, width, height }
  const [plain, hatched] = [await slide.readScaled(1, 0, 0, width, height), await readHatched(slide, 1, area)]
  slide.close()
  expect(hatched.unreadable.length).toBeGreaterThan(0)
  const lost = new Uint8Array(width * height)
  for (const { region } of hatched.unreadable)
    for (let y = Math.max(0, region.y); y < Math.min(height, region.y + region.height); y++)
      lost.fill(1, y * width + Math.max(0, region.x), y * width + Math.min(width, region.x + region.width))
  const striped = [0, 0]
  for (let i = 0; i < lost.length; i++) {
    const same = [0, 1, 2].every((k) => plain.rgba[4 * i + k] === hatched.rgba[4 * i + k])
    if (!same) striped[lost[i]!]! += 1
  }
  const lostPixels = lost.reduce((sum, each) => sum + each, 0)
  expect(striped[0]).toBe(0)
  // Neither all of it nor next to nothing: stripes.
  expect(striped[1]! / lostPixels).toBeGreaterThan(0.1)
  expect(striped[1]! / lostPixels).toBeLessThan(0.9)
  await rm(dir, { recursive: true, force: true })
})
