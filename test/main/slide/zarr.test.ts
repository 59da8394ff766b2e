// OME-Zarr with the whole engine: by its folder and by files in it, beside zarrita as an independent reader and writer; and folders that change.
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { FileSystemStore } from '@zarrita/storage'
import { create, get, open, root, set, slice } from 'zarrita'
import type { DataType } from 'zarrita'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SlideIdentity } from '../../../main/slide/identity'
import { slideFileIn } from '../../../main/slide/slideFile'
import { isZarrImage, zarrFiles } from '../../../main/slide/zarrFiles'
import type { Engine } from '../../../main/engine'
import { openSlide } from '../../../native/index'
import { dataFolder, root as repository } from '../../native/pixels'
import { realEngine } from '../realEngine'

const addon = join(repository, 'build', 'native', 'morphoscope.node')

let dir: string
let engine: Engine

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'zarr-'))
  engine = realEngine(join(dir, 'settings'))
})
afterAll(async () => {
  await engine.close()
  await rm(dir, { recursive: true, force: true })
})

const levels = [0, 1, 2]
const wholeWidth = 150
const wholeHeight = 90
const valueAt = (c: number, y: number, x: number): number => c * 1000 + y * 7 + x

/** Three levels of three channels, written by zarrita. */
async function written(
  name: string,
  type: DataType,
  codecs: { name: string; configuration: Record<string, unknown> }[],
): Promise<string> {
  const folder = join(dir, name)
  const store = new FileSystemStore(folder)
  for (const level of levels) {
    const step = 2 ** level
    const [w, h] = [Math.ceil(wholeWidth / step), Math.ceil(wholeHeight / step)]
    const array = await create(root(store).resolve(String(level)), {
      shape: [3, h, w],
      chunkShape: [1, 64, 64],
      dtype: type,
      codecs,
    } as never)
    const length = 3 * h * w
    const data =
      type === 'uint16' ? new Uint16Array(length) : type === 'int32' ? new Int32Array(length) : new Float32Array(length)
    for (let i = 0; i < length; i++) data[i] = valueAt(Math.floor(i / (h * w)), (Math.floor(i / w) % h) * step, (i % w) * step)
    await set(array as never, null, { data, shape: [3, h, w], stride: [h * w, w, 1] })
  }
  const space = { type: 'space', unit: 'micrometer' }
  const multiscales = [
    {
      axes: [
        { name: 'c', type: 'channel' },
        { name: 'y', ...space },
        { name: 'x', ...space },
      ],
      datasets: levels.map((level) => ({
        path: String(level),
        coordinateTransformations: [{ type: 'scale', scale: [1, 0.5 * 2 ** level, 0.5 * 2 ** level] }],
      })),
    },
  ]
  const omero = { channels: ['CD8', 'DAPI', 'PanCK'].map((label) => ({ label, color: '00FF00' })) }
  const attributes = { ome: { version: '0.5', multiscales, omero } }
  await writeFile(join(folder, 'zarr.json'), JSON.stringify({ zarr_format: 3, node_type: 'group', attributes }))
  return folder
}

/** All samples of all levels and channels, ours beside zarrita's. */
async function expectSame(folder: string): Promise<number> {
  const slide = await openSlide(folder)
  let compared = 0
  const info = slide.info()
  for (const [level, { width, height }] of info.levels.entries()) {
    const array = await open(root(new FileSystemStore(folder)).resolve(String(level)), { kind: 'array' })
    for (const channel of info.channels.keys()) {
      const theirs = (await get(array, [channel, slice(null), slice(null)])) as unknown as { data: ArrayLike<number> }
      const ours = await slide.readChannel(level, channel, 0, 0, width, height)
      expect(ours.unreadable).toEqual([])
      expect(Array.from(ours.samples)).toEqual(Array.from(theirs.data))
      compared += ours.samples.length
    }
  }
  slide.close()
  return compared
}

const little = { name: 'bytes', configuration: { endian: 'little' } }
const big = { name: 'bytes', configuration: { endian: 'big' } }
const blosc = (cname: string): { name: string; configuration: Record<string, unknown> } => ({
  name: 'blosc',
  configuration: { cname, clevel: 5, shuffle: 'shuffle', typesize: 4, blocksize: 0 },
})

describe('what zarrita wrote and reads', () => {
  it.each([
    ['raw', 'uint16', [big]],
    ['zstd', 'float32', [little, { name: 'zstd', configuration: { level: 1, checksum: true } }]],
    ['blosc-lz4', 'int32', [little, blosc('lz4')]],
    ['blosc-zstd', 'float32', [little, blosc('zstd')]],
    // Unpacked by the zlib that Node offers to libraries.
    ['blosc-zlib', 'float32', [little, blosc('zlib')]],
  ] as const)('%s has the same samples at all levels', async (name, type, codecs) => {
    const folder = await written(`${name}.ome.zarr`, type, [...codecs])
    expect(await expectSame(folder)).toBe(3 * (150 * 90 + 75 * 45 + 38 * 23))
    const chosen = await openSlide(folder, undefined, undefined, 'PanCK')
    expect(chosen.info().channels.map(({ name, shown }) => [name, shown])).toEqual([
      ['CD8', 'no'],
      ['DAPI', 'no'],
      ['PanCK', 'gray'],
    ])
    chosen.close()
  })

  it('gzip, which zarrita reads and does not write, is read alike', async () => {
    const folder = await written('gzip.ome.zarr', 'uint16', [big])
    for (const level of levels) {
      const metadata = join(folder, String(level), 'zarr.json')
      const array = JSON.parse(await readFile(metadata, 'utf8')) as { codecs: object[] }
      array.codecs.push({ name: 'gzip', configuration: { level: 5 } })
      await writeFile(metadata, JSON.stringify(array))
      const chunks = await readdir(join(folder, String(level), 'c'), { recursive: true, withFileTypes: true })
      for (const chunk of chunks.filter((entry) => entry.isFile())) {
        const path = join(chunk.parentPath, chunk.name)
        await writeFile(path, gzipSync(await readFile(path)))
      }
    }
    expect(await expectSame(folder)).toBe(3 * (150 * 90 + 75 * 45 + 38 * 23))
  })

  it('opens by its folder and by the metadata in it, under the folder’s name', async () => {
    const folder = await written('stained.ome.zarr', 'uint16', [little])
    const slide = await engine.invoke('slide:open', { path: join(folder, 'zarr.json') })
    expect([slide.path, slide.name, slide.reader]).toEqual([folder, 'stained.ome.zarr', 'Morphoscope OME-Zarr'])
    expect([slide.widthPx, slide.heightPx, slide.levels.length, slide.mppX]).toEqual([150, 90, 3, 0.5])
    // Node offers its own to all libraries: half of the system's would call half of Node's, and crash.
    if (process.platform !== 'win32') expect(process.versions.zlib).toContain(/zlib ([\d.]+)/.exec(slide.readerVersion)![1])
    expect(slide.channels.map(({ name, shown }) => [name, shown])).toEqual([
      ['CD8', 'no'],
      ['DAPI', 'gray'],
      ['PanCK', 'no'],
    ])
    const again = await engine.invoke('slide:open', { path: `${folder}/` })
    expect(again.slideId).toBe(slide.slideId)
    await expect(engine.invoke('slide:open', { path: join(folder, '1') })).rejects.toThrow(/one level of an image/)
  })
})

describe('without a library', () => {
  it.each([
    ['BLOSC', blosc('lz4'), /needed \(Debian: sudo apt install libblosc1; macOS: brew install c-blosc; switched off/],
    ['ZSTD', { name: 'zstd', configuration: { level: 1 } }, /packed by Zstandard, for which its library is needed/],
  ] as const)('%s, the slide is refused in words that name the package', async (library, codec, words) => {
    const folder = await written(`without-${library}.ome.zarr`, 'uint16', [little, codec])
    const script = `require(${JSON.stringify(addon)}).openSlide(${JSON.stringify(folder)}).then(() => console.log('opened'), (e) => console.log(e.message))`
    const env = { ...process.env, [`MORPHOSCOPE_${library}`]: 'off' }
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], { env })
    expect(stdout).toMatch(words)
  })
})

describe('a folder that is a slide', () => {
  it('is another slide once a chunk, its metadata or a level’s is', async () => {
    const folder = await written('changing.ome.zarr', 'uint16', [little])
    const before = await SlideIdentity.of(folder)
    for (const file of ['zarr.json', '1/zarr.json', '2/c/1/0/0', '0/c/2/1/2']) {
      const now = await SlideIdentity.of(folder)
      await utimes(join(folder, file), 1, 1)
      expect(await now.compare()).toEqual({ state: 'changed', path: join(folder, file) })
    }
    expect((await before.compare()).state).toBe('changed')
    expect(await before.sha256(new AbortController().signal)).toEqual({
      sha256: null,
      reason: expect.stringContaining('folder') as string,
    })
    expect(await before.includes(join(folder, 'objects.csv'))).toBe(true)
    expect(await before.includes(`${folder}.csv`)).toBe(false)
    const copy = join(dir, 'copy.ome.zarr')
    await cp(folder, copy, { recursive: true })
    expect(await (await SlideIdentity.of(copy)).contentKey()).toBe(await (await SlideIdentity.of(folder)).contentKey())
    await rm(join(folder, '0/c/0/0/0'))
    expect((await (await SlideIdentity.of(copy)).compare()).state).toBe('same')
  })

  it('is looked at in 512 files at most, the coarsest level’s first, and never through links', async () => {
    const folder = join(dir, 'many.ome.zarr')
    for (const level of [0, 1]) await mkdir(join(folder, String(level), 'c'), { recursive: true })
    await writeFile(join(folder, 'zarr.json'), '{"attributes": {"ome": {"multiscales": []}}}')
    await writeFile(join(folder, '0', 'zarr.json'), '{}')
    for (let k = 0; k < 600; k++) await writeFile(join(folder, '0', 'c', String(k)), 'x')
    for (let k = 0; k < 12; k++) await writeFile(join(folder, '1', 'c', String(k)), 'x')
    await symlink(join(folder, '0', 'c'), join(folder, '1', 'link'))
    const files = (await zarrFiles(folder))!
    expect(files).toHaveLength(512)
    expect(files.slice(0, 2)).toEqual([join(folder, 'zarr.json'), join(folder, '0', 'zarr.json')])
    expect(files.slice(2, 14)).toEqual(Array.from({ length: 12 }, (_, k) => join(folder, '1', 'c', String(k))))
    expect(files.slice(14)).toEqual(Array.from({ length: 498 }, (_, k) => join(folder, '0', 'c', String(k))))
  })

  it('is told from other folders', async () => {
    const folder = join(dir, 'several.zarr')
    await mkdir(join(folder, 'A'), { recursive: true })
    await writeFile(join(folder, '.zattrs'), '{"bioformats2raw.layout": 3}')
    await writeFile(join(folder, 'A', '.zgroup'), '{"zarr_format": 2}')
    expect(await Promise.all([isZarrImage(folder), isZarrImage(join(folder, 'A')), isZarrImage(dir)])).toEqual([
      true,
      false,
      false,
    ])
    expect(await slideFileIn(join(folder, '.zattrs'))).toBe(folder)
    expect(await slideFileIn(dir)).toBe(dir)
    expect(await slideFileIn(join(dir, 'zarr.json'))).toBe(join(dir, 'zarr.json'))
  })
})

const data = dataFolder()
describe.runIf(data)('the public images (../shared/data)', () => {
  it.each(['blobs_image_v04.ome.zarr', 'blobs_image_v05.ome.zarr'])('%s has zarrita’s samples', async (name) => {
    const folder = join(data!, 'formats', 'ome-zarr', name)
    expect(await expectSame(folder)).toBe(3 * 12 * 12)
    const slide = await engine.invoke('slide:open', { path: folder })
    expect([slide.widthPx, slide.heightPx, slide.mppX]).toEqual([12, 12, null])
    expect(slide.channels.map((channel) => [channel.name, channel.type])).toEqual(['0', '1', '2'].map((k) => [k, 'float64']))
  })
})
