// A slide of 16 bits on the command line: nuclei that 8 bits do not hold are found, and it is said at how many bits.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { deepTiff } from '../../../main/slide/deepTiff'
import { cli } from '../inProcess'

const side = 400
const nuclei = 64
/** So much above the ground, of 65535. */
const faint = 30

let folder: string
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'morphoscope-deep-'))))
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Round nuclei 50 px apart on noise; between two rows of them a thing that shines as bright as the camera can say. */
function value(i: number): number {
  const [x, y] = [i % side, Math.floor(i / side)]
  if (x >= 42 && x < 58 && y >= 190 && y < 210) return 65000
  return (Math.hypot((x % 50) - 25, (y % 50) - 25) < 9 ? faint : 0) + ((x * 7 + y * 13) % 4)
}
async function slideOf(name: string, bits: 8 | 16, of: (i: number) => number): Promise<string> {
  const path = join(folder, name)
  const values = Array.from({ length: side * side }, (_, i) => of(i))
  await writeFile(
    path,
    deepTiff([
      {
        width: side,
        height: side,
        samples: 1,
        bits,
        format: 'uint',
        tilePx: 128,
        compression: 'deflate',
        values,
        mpp: [0.5, 0.5],
      },
    ]),
  )
  return path
}
interface Found {
  objects: number
  csv: string
  json: { resolution: { bits: number }; resolved: Record<string, unknown>; warnings: string[] }
}
async function found(slide: string, ...options: string[]): Promise<Found> {
  return foundIn(slide, '--set', 'tissue.only=false', ...options)
}
async function foundIn(slide: string, ...options: string[]): Promise<Found> {
  const out = join(folder, `out-${Math.random().toString(36).slice(2)}`)
  const run = await cli('run', slide, '--recipe', 'fluorescence-nuclei', '--out', out, ...options)
  expect(run.code, run.err).toBe(0)
  const csv = await readFile(join(out, 'objects.csv'), 'utf8')
  const json = JSON.parse(await readFile(join(out, 'run.json'), 'utf8')) as Found['json'] & { counts: { objects: number } }
  return { objects: json.counts.objects, csv, json }
}

it('finds at 16 bits what is one step at 8, on any number of threads', async () => {
  const slide = await slideOf('deep.tif', 16, value)
  const about = await cli('info', slide)
  expect(about.out).toMatch(/analysed in +16 bits by Fluorescence nuclei, 8 bits by other recipes/)
  expect(about.err).toContain('were taken as 0 to 255, by Fluorescence nuclei as 0 to 65535.')
  const deep = await found(slide, '--threads', '2')
  // And the thing itself.
  expect(deep.objects).toBe(nuclei + 1)
  expect(deep.json.resolution.bits).toBe(16)
  expect(deep.json.resolved['pixel.depth']).toBe(16)
  const level = Number(deep.json.resolved['overview.level'])
  expect(level).toBeGreaterThan(0)
  expect(level).toBeLessThan(faint * 3)
  expect((await found(slide, '--threads', '1')).csv).toBe(deep.csv)
  // Cameras say the same in 8 bits.
  const shallow = await slideOf('shallow.tif', 8, (i) => Math.round(value(i) / 257))
  expect((await cli('info', shallow)).out).not.toContain('16 bits')
  const at8 = await found(shallow, '--threads', '2')
  expect(at8.objects).toBeLessThanOrEqual(1)
  expect(at8.json.resolution.bits).toBe(8)
  expect(at8.json.resolved).not.toHaveProperty('pixel.depth')
}, 60_000)

it('knows faint nuclei for tissue, of which 8 bits show nothing', async () => {
  expect((await foundIn(await slideOf('tissue.tif', 16, value))).objects).toBe(nuclei + 1)
}, 60_000)

it('takes 8 bits of the same slide in other recipes', async () => {
  const slide = await slideOf('other.tif', 16, value)
  const out = join(folder, 'out-other')
  const run = await cli('run', slide, '--recipe', 'he-nuclei', '--set', 'tissue.only=false', '--out', out)
  expect(run.code, run.err).toBe(0)
  const json = JSON.parse(await readFile(join(out, 'run.json'), 'utf8')) as Found['json']
  expect(json.resolution.bits).toBe(8)
  expect(json.resolved).not.toHaveProperty('pixel.depth')
}, 60_000)

it('samples a large slide where its faint nuclei are, and not where something shines', async () => {
  const wide = 2304
  const field = 1024
  const path = join(folder, 'large.tif')
  // Nuclei in four patches of sixteen, and far from it a thing that is no outlier.
  const values = Float64Array.from({ length: wide * wide }, (_, i) => {
    const [x, y] = [i % wide, Math.floor(i / wide)]
    if (x >= 600 && x < 750 && y >= 1700 && y < 1850) return 65000
    const isNucleus = x >= field && x < 2 * field && y < field && Math.hypot((x % 50) - 25, (y % 50) - 25) < 9
    return (isNucleus ? 400 : 0) + ((x * 7 + y * 13) % 4)
  })
  const page = { width: wide, height: wide, samples: 1, bits: 16, format: 'uint', tilePx: 512, values } as const
  await writeFile(path, deepTiff([{ ...page, compression: 'deflate', mpp: [0.5, 0.5] }]))
  const { objects, json } = await found(path, '--threads', '2')
  const level = Number(json.resolved['overview.level'])
  // Of 255: nuclei are 1.6.
  expect(level).toBeGreaterThan(0.2)
  expect(level).toBeLessThan(1.6)
  expect(objects).toBe(441)
}, 60_000)
