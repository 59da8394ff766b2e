// labels.zarr: what our own reader, zarrita and Python's zarr read of it, against labels painted px by px here; and how it takes its name.
import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { exportRun } from '../../../../main/export/exportRun'
import type { ExportRunRequest, ExportTools } from '../../../../main/export/exportRun'
import { OutputSet } from '../../../../main/export/output/outputSet'
import { markOf, Staging } from '../../../../main/export/output/staging'
import { treeOf } from '../../../../main/export/leftover/tree'
import type { RunResult } from '../../../../main/run/objects/result'
import { openSlide } from '../../../../native/index'
import { drawn, madeRun, madeTools } from '../madeRun'
import { numbersOf, python, readByPython } from './readBack'

let directory: string
let zarr: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'morphoscope-labels-zarr-'))
  zarr = join(directory, 'labels.zarr')
})
afterEach(async () => await rm(directory, { recursive: true, force: true }))

const write = (run: RunResult, more: Partial<ExportRunRequest> = {}, tools: ExportTools = madeTools, signal?: AbortSignal) =>
  exportRun(
    run,
    { directory, files: ['labels.zarr', 'run.json'], ...more },
    tools,
    () => undefined,
    signal ?? new AbortController().signal,
  )
const attributes = async (path = ''): Promise<Record<string, never>> =>
  JSON.parse(await readFile(join(zarr, path, '.zattrs'), 'utf8')) as Record<string, never>
const filesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((each) => each.isFile())
    .map(({ name, parentPath }) => join(parentPath, name).slice(folder.length + 1))
    .sort()

const blob = ['..###..', '.#####.', '###.###', '.#####.', '..###..']
const region = { x: 7, y: 11, width: 2500, height: 1300 }
const many = (count: number) =>
  Array.from({ length: count }, (_, i) => drawn(blob, ((i * 37) % 1200) + 4, 10 + Math.floor(i / 30) * 9))

/** The definition, px by px: which level-0 px each stands for, and whose analysed px that is. */
function expected({ objects, status, scale }: RunResult, k: number): Uint32Array {
  const ids = new Map<number, number>()
  objects.slice(0, objects.length).forEach(({ runs }, i) => {
    for (let r = 0; r < runs.length; r += 3) for (let x = runs[r + 1]!; x < runs[r + 2]!; x++) ids.set(runs[r]! * 1e6 + x, i + 1)
  })
  const { x: x0, y: y0, width, height } = status.region
  const [w, h] = [Math.ceil(width / 2 ** k), Math.ceil(height / 2 ** k)]
  const middle = (i: number, side: number): number => Math.min(Math.floor((i + 0.5) * 2 ** k), side - 1)
  return Uint32Array.from({ length: w * h }, (_, i) => {
    const [x, y] = [x0 + middle(i % w, width), y0 + middle(Math.floor(i / w), height)]
    return ids.get(Math.floor((y + 0.5) / scale) * 1e6 + Math.floor((x + 0.5) / scale)) ?? 0
  })
}

describe('labels.zarr', () => {
  it.each([2, 1.9871, 1])('has every id of %d level-0 px a px in all levels, for three readers', async (scale) => {
    const run = madeRun({ objects: many(900), scale, region })
    await write(run)
    const levels = [0, 1, 2].map((k) => expected(run, k))
    expect(new Set(levels[0]).size).toBe(901)
    for (const [k, data] of levels.entries()) {
      const read = await numbersOf(zarr, String(k))
      expect(read.shape).toEqual([Math.ceil(region.height / 2 ** k), Math.ceil(region.width / 2 ** k)])
      expect(Buffer.compare(Buffer.from(read.data.buffer), Buffer.from(data.buffer))).toBe(0)
    }
    const slide = await openSlide(zarr)
    const info = slide.info()
    expect(info.levels.map(({ width, height }) => [width, height])).toEqual([
      [2500, 1300],
      [1250, 650],
      [625, 325],
    ])
    expect(info.mppX).toBeCloseTo(0.5 / scale, 12)
    const { samples, unreadable } = await slide.readChannel(0, 0, 0, 0, 2500, 1300)
    slide.close()
    expect(unreadable).toEqual([])
    expect(Array.from(samples)).toEqual(Array.from(levels[0]!))
    if (python === null) return
    const { tree } = readByPython(zarr)
    for (const [k, data] of levels.entries()) {
      const array = tree.members![String(k)]!
      expect(array.dtype).toBe('uint32')
      expect(Buffer.compare(Buffer.from(array.bytes!, 'base64'), Buffer.from(data.buffer))).toBe(0)
    }
  })

  it('says size and place in µm by hand-checked numbers, and px where nothing is known', async () => {
    const run = madeRun({ objects: many(1), scale: 2, analysedMpp: 0.5, region: { x: 100, y: 40, width: 1100, height: 20 } })
    await write(run, { origin: 'bounds' })
    const { multiscales, morphoscope } = (await attributes()) as unknown as {
      multiscales: { axes: object[]; datasets: object[]; name: string }[]
      morphoscope: object
    }
    expect(multiscales[0]!.axes).toEqual([
      { name: 'y', type: 'space', unit: 'micrometer' },
      { name: 'x', type: 'space', unit: 'micrometer' },
    ])
    // 0.25 µm a px; the middle of a px of the second level lies half a px of the first further.
    expect(multiscales[0]!.datasets).toEqual([
      {
        path: '0',
        coordinateTransformations: [
          { type: 'scale', scale: [0.25, 0.25] },
          { type: 'translation', translation: [10, 25] },
        ],
      },
      {
        path: '1',
        coordinateTransformations: [
          { type: 'scale', scale: [0.5, 0.5] },
          { type: 'translation', translation: [10.125, 25.125] },
        ],
      },
    ])
    expect(morphoscope).toEqual({ version: '0.1.0', x: 100, y: 40, origin: 'bounds' })
    await rm(zarr, { recursive: true })
    await write(madeRun({ analysedMpp: null, region: { x: 3, y: 4, width: 9, height: 9 } }))
    expect(JSON.stringify(await attributes())).toContain('"axes":[{"name":"y","type":"space"},{"name":"x","type":"space"}]')
    expect(JSON.stringify(await attributes())).toContain('"translation":[4,3]')
  })

  it('takes the place from the bounds where that is asked for', async () => {
    const run = madeRun({
      objects: many(1),
      analysedMpp: null,
      region: { x: 100, y: 40, width: 20, height: 20 },
      slide: { bounds: { x: 60, y: 50, width: 500, height: 500 } },
    })
    await write(run, { origin: 'bounds' })
    expect(JSON.stringify(await attributes())).toContain('"translation":[-10,40]')
  })

  it('has cells as labels of its own, and no file for chunks without objects', async () => {
    const run = { ...madeRun({ objects: many(2), scale: 1, region: { x: 0, y: 0, width: 5000, height: 1500 } }), cellReach: 3 }
    await write(run)
    expect((await attributes('labels')) as unknown).toEqual({ labels: ['cells'] })
    expect(Object.keys(await attributes('labels/cells'))).toContain('image-label')
    const chunks = (await filesIn(zarr)).filter((name) => /^0\/\d/.test(name))
    expect(chunks).toEqual(['0/0/0'])
  })

  it('keeps a hostile name within its text', async () => {
    await write(madeRun({ name: '../"},{"x": \u202e\u0007 ü😀 1.svs' }))
    const { multiscales } = (await attributes()) as unknown as { multiscales: { name: string }[] }
    expect(multiscales[0]!.name).toBe('Objects of ../"},{"x": \\u202e\\u0007 ü😀 1.svs')
    // Zarr 2 of Python reads ASCII alone.
    expect(await readFile(join(zarr, '.zattrs'), 'latin1')).toMatch(/^[\n -~]*$/)
    if (python !== null) expect(readByPython(zarr).tree.attributes).toEqual(await attributes())
    expect(JSON.stringify(await attributes())).not.toContain('patients')
    await write(madeRun({ name: 'Jane Doe.svs' }), { deidentify: true })
    expect(JSON.stringify(await attributes())).not.toContain('Jane')
  })
})

describe('a folder among the files of a set', () => {
  const run = () => madeRun({ objects: many(40), region })

  it('is replaced while it is as it was written, and then no more; and the slide never', async () => {
    const first = await write(run())
    const { sha256, bytes } = first.files[0]!
    const all = await filesIn(zarr)
    expect(bytes).toBe((await Promise.all(all.map((name) => readFile(join(zarr, name))))).reduce((sum, b) => sum + b.length, 0))
    const again = await write(run())
    expect(again.files[0]).toEqual({ name: 'labels.zarr', path: zarr, bytes, sha256 })
    expect(await readdir(directory)).toEqual(['labels.zarr', 'run.json'])

    await writeFile(join(zarr, '0', '.zarray'), '{}')
    await expect(write(run())).rejects.toMatchObject({
      code: 'OUTPUT_EXISTS',
      message: expect.stringContaining('labels.zarr is in') as string,
    })
    const isSource = async (path: string): Promise<boolean> => path === join(zarr, '.zattrs')
    await expect(write(run(), { overwrite: true }, { ...madeTools, isSource })).rejects.toMatchObject({ code: 'OUTPUT_FAILED' })
    expect(await readFile(join(zarr, '0', '.zarray'), 'utf8')).toBe('{}')
    await write(run(), { overwrite: true })
    expect((await write(run())).files[0]!.sha256).toBe(sha256)
  })

  it.each([
    ['holds a link', (folder: string) => symlink('/etc/hostname', join(folder, '0', '7'))],
    ['is no Zarr', (folder: string) => rm(join(folder, '.zattrs')).then(() => rm(join(folder, '.zgroup')))],
    ['holds a name that no export writes', (folder: string) => writeFile(join(folder, 'my notes'), 'mine')],
  ])('stays where it %s, whatever is asked', async (_, change) => {
    await write(run())
    await change(zarr)
    const before = await readdir(zarr, { recursive: true })
    await expect(write(run(), { overwrite: true })).rejects.toThrow('a folder stands where the file should go')
    expect(await readdir(zarr, { recursive: true })).toEqual(before)
    expect(await readdir(directory)).toEqual(['labels.zarr', 'run.json'])
  })

  it('is not there after a cancel, a failed write, or a failed rename of another file', async () => {
    await writeFile(join(directory, 'mine.txt'), 'mine')
    const stop = new AbortController()
    const reading = { ...madeTools, sha256OfSlide: async () => (setTimeout(() => stop.abort(), 5), { sha256: 'ab'.repeat(32) }) }
    await expect(write(madeRun({ objects: many(900), region }), {}, reading, stop.signal)).rejects.toThrow()
    expect(await readdir(directory)).toEqual(['mine.txt'])

    const set = await OutputSet.in(directory)
    const folder = await set.createFolder('labels.zarr')
    await folder.write('0/0/1', 'x')
    await expect(folder.write('0/0/1', 'again')).rejects.toMatchObject({ code: 'OUTPUT_FAILED' })
    await set.discard()
    expect(await readdir(directory)).toEqual(['mine.txt'])

    // It has its name when the next file fails: the one that was there comes back.
    await write(run())
    const was = await filesIn(zarr)
    const later = await OutputSet.in(directory)
    await (await later.createFolder('labels.zarr')).write('new', 'x')
    const other = await later.create('zz.txt')
    await other.append('x')
    await other.finish()
    await rm(other.temporaryPath)
    await expect(later.commit()).rejects.toMatchObject({ code: 'OUTPUT_FAILED' })
    expect(await filesIn(zarr)).toEqual(was)
    expect((await readdir(directory)).sort()).toEqual(['labels.zarr', 'mine.txt', 'run.json'])
  })

  it.each([
    ['before its journal: it is gone', 'new', [], ['old']],
    ['with its journal: it takes its name', 'journal', [], ['new']],
    ['when the old one had gone aside: it takes its name', 'aside', [], ['new']],
    ['when it had its name: the old one goes', 'placed', [], ['new']],
    ['while it was taken back: the old one has its name', 'back', [], ['old']],
    ['and somebody has written into it since: all stays, and is told', 'strange', ['were changed since'], []],
  ])('is put right when the program was killed %s', async (_, until, told, names) => {
    const contents = async (folder: string, file: string): Promise<void> => {
      await mkdir(folder, { recursive: true })
      await writeFile(join(folder, file), file)
      await writeFile(join(folder, '.zgroup'), '{"zarr_format":2}')
    }
    await contents(zarr, 'old')
    const staging = await Staging.make(directory, 'export')
    await contents(staging.fileFor('labels.zarr'), 'new')
    const { bytes, sha256 } = (await treeOf(staging.fileFor('labels.zarr')))!
    const file = { name: 'labels.zarr', bytes, sha256, was: await markOf(zarr) }
    if (until !== 'new') await staging.writeJournal([file])
    if (until === 'aside') await rename(zarr, join(staging.path, 'labels.zarr.old'))
    if (['placed', 'back', 'strange'].includes(until)) await staging.place(file)
    if (until === 'back' || until === 'strange')
      await rename(join(staging.path, 'journal.json'), join(staging.path, 'journal.back'))
    if (until === 'strange') await writeFile(join(zarr, 'mine'), 'mine')
    staging.leave()
    const next = await OutputSet.in(directory)
    await next.discard()
    expect(next.notes.map((note) => told.some((part) => note.includes(part)))).toEqual(told.map(() => true))
    const left = (await readdir(directory, { recursive: true })).map((path) => path.split('/').at(-1)!)
    expect(left.filter((name) => ['old', 'new', 'mine'].includes(name)).sort()).toEqual(
      until === 'strange' ? ['mine', 'new', 'old'] : names,
    )
    if (until !== 'strange') expect(await readdir(directory)).toEqual(['labels.zarr'])
  })

  it('is not taken for an export’s where a leftover holds a link', async () => {
    const staging = await Staging.make(directory, 'export')
    await mkdir(staging.fileFor('labels.zarr'))
    await writeFile(join(directory, 'mine.txt'), 'mine')
    await symlink(join(directory, 'mine.txt'), join(staging.fileFor('labels.zarr'), 'x'))
    staging.leave()
    const next = await OutputSet.in(directory)
    await next.discard()
    expect(next.notes).toEqual([expect.stringContaining('stays as it is')])
    expect(await readdir(staging.fileFor('labels.zarr'))).toEqual(['x'])
    expect(await readFile(join(directory, 'mine.txt'), 'utf8')).toBe('mine')
  })

  it('takes the place of a file of its name where that is asked for', async () => {
    await writeFile(zarr, 'a file')
    await expect(write(run())).rejects.toMatchObject({ code: 'OUTPUT_EXISTS' })
    await write(run(), { overwrite: true })
    expect(await readdir(zarr)).toContain('.zattrs')
    await rm(zarr, { recursive: true })
    await mkdir(zarr)
    await expect(write(run())).rejects.toThrow('a folder stands')
  })
})
