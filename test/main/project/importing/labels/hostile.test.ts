// Label images that are broken or lie: each is refused in words that name it, within bounds, and nothing of it is left.
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EngineError } from '../../../../../main/base/errors'
import { openLabelImage } from '../../../../../main/project/importing/labels/labelImage'
import { LabelRuns } from '../../../../../main/project/importing/labels/labelRuns'
import { placeOf } from '../../../../../main/project/importing/labels/place'
import { WorkingFile } from '../../../../../main/project/importing/workingFile'
import { npyOf, seeded } from './made'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hostile-labels-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const files = new URL('files/', import.meta.url)
const fixture = (name: string): Promise<Buffer> => readFile(new URL(name, files))

/** How many px are not 0. */
async function readThrough(bytes: Uint8Array, signal = new AbortController().signal): Promise<number> {
  const path = join(folder, 'file')
  await writeFile(path, bytes)
  const image = await openLabelImage({ path, called: 'bad.file', threads: 2, signal })
  try {
    let count = 0
    for await (const { values } of image.bands()) {
      signal.throwIfAborted()
      for (const value of values) if (value !== 0) count++
    }
    return count
  } finally {
    await image.close()
  }
}
const refusal = (bytes: Uint8Array): Promise<unknown> =>
  readThrough(bytes).then(
    () => 'it was read',
    (error: unknown) => error,
  )

/** A TIFF of one deflated strip that claims a size. */
function tiffOf(width: number, height: number, packed: Uint8Array, rowsPerStrip = height, strips = 1): Buffer {
  const entries: [tag: number, type: number, count: number, value: number][] = [
    [256, 4, 1, width],
    [257, 4, 1, height],
    [258, 3, 1, 32],
    [259, 3, 1, 8],
    [262, 3, 1, 1],
    [273, 4, strips, 0],
    [277, 3, 1, 1],
    [278, 4, 1, rowsPerStrip],
    [279, 4, strips, 0],
  ]
  const tables = 8 + 2 + 12 * entries.length + 4
  const dataAt = tables + (strips > 1 ? 8 * strips : 0)
  const file = Buffer.alloc(dataAt + packed.length)
  file.write('II*\0', 'latin1')
  file.writeUInt32LE(8, 4)
  file.writeUInt16LE(entries.length, 8)
  entries.forEach(([tag, type, count, value], i) => {
    const at = 10 + 12 * i
    file.writeUInt16LE(tag, at)
    file.writeUInt16LE(type, at + 2)
    file.writeUInt32LE(count, at + 4)
    const own = tag === 273 ? dataAt : tag === 279 ? packed.length : value
    file.writeUInt32LE(strips > 1 && (tag === 273 || tag === 279) ? (tag === 273 ? tables : tables + 4 * strips) : own, at + 8)
  })
  if (strips > 1)
    for (let strip = 0; strip < strips; strip++) {
      // All are the same bytes.
      file.writeUInt32LE(dataAt, tables + 4 * strip)
      file.writeUInt32LE(packed.length, tables + 4 * strips + 4 * strip)
    }
  packed.forEach((byte, i) => (file[dataAt + i] = byte))
  return file
}

const npy = (text: string, bytes = 64): Buffer => {
  const head = Buffer.from(`\x93NUMPY\x01\x00\0\0${text}\n`, 'latin1')
  head.writeUInt16LE(text.length + 1, 8)
  return Buffer.concat([head, Buffer.alloc(bytes)])
}

describe('a file that is refused', () => {
  it.each([
    ['nothing', Buffer.alloc(0), 'is no label image'],
    ['a text', Buffer.from('label,x,y\n1,2,3\n'), 'is no label image'],
    ['a TIFF of eight bytes', Buffer.from('II*\0\x08\0\0\0', 'latin1'), 'TIFF'],
    ['a TIFF of 2^31 px a side', tiffOf(2 ** 31, 2 ** 31, deflateSync(Buffer.alloc(100))), 'px'],
    [
      'a TIFF of a million px a side and more',
      tiffOf(2 ** 21, 16, deflateSync(Buffer.alloc(100)), 1),
      'at most 1,048,576 a side',
    ],
    ['a strip that holds less than it claims', tiffOf(1000, 1000, deflateSync(Buffer.alloc(100))), 'is damaged at px 0, 0'],
    ['a strip of 400 MB', tiffOf(10_000, 10_000, deflateSync(Buffer.alloc(100))), 'strips'],
    ['a strip of no deflate', tiffOf(100, 100, Buffer.alloc(500, 7)), 'is damaged at px 0, 0'],
    ['a PNG of eight bytes', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), 'is a damaged PNG'],
    ['an array without a shape', npy("{'descr': '<u2', 'fortran_order': False}"), 'has a broken header'],
    [
      'an array of code',
      npy("{'descr': __import__('os').system('x'), 'fortran_order': False, 'shape': (1, 1)}"),
      'holds records or no type',
    ],
    [
      'an array of 10^40 numbers',
      npy(`{'descr': '<u2', 'fortran_order': False, 'shape': (${'9'.repeat(20)}, ${'9'.repeat(20)})}`),
      'claims',
    ],
    [
      'an array of endless numbers',
      npy(`{'descr': '<u2', 'fortran_order': False, 'shape': (${'9'.repeat(400)}, 0)}`),
      'bad.file',
    ],
    ['an array of one dimension', npy("{'descr': '<u2', 'fortran_order': False, 'shape': (32,)}"), 'expected (height, width)'],
    ['an array of five', npy("{'descr': '<u2', 'fortran_order': False, 'shape': (2, 2, 2, 2, 2)}"), 'expected (height, width)'],
    [
      'an array of complex numbers',
      npy("{'descr': '<c8', 'fortran_order': False, 'shape': (2, 2)}"),
      'holds numbers of type <c8',
    ],
    [
      'an array that ends early',
      npy("{'descr': '<u8', 'fortran_order': False, 'shape': (100, 100)}"),
      'claims 100 × 100 numbers of 8 bytes',
    ],
    ['an array of nothing', npy("{'descr': '<u2', 'fortran_order': False, 'shape': (0, 5)}"), 'there is nothing in it'],
    ['a head that goes on for ever', Buffer.from('\x93NUMPY\x02\x00\xff\xff\xff\xff{', 'latin1'), 'is incomplete'],
  ])('%s', async (_, bytes, why) => {
    const error = await refusal(bytes)
    expect(error).toBeInstanceOf(EngineError)
    expect(error).toMatchObject({ code: 'INVALID_PARAMETER', message: expect.stringMatching(/^bad\.file /) as string })
    expect((error as Error).message).toContain(why)
  })

  it('cut off anywhere, or with any bytes changed, is read or refused, and nothing else', async () => {
    const random = seeded(5)
    const names = (await readdir(files)).filter((name) => name !== 'objects_seg.npy')
    let refused = 0
    for (const name of names) {
      const whole = await fixture(name)
      for (let i = 0; i < 24; i++) {
        const bytes = Buffer.from(i % 3 === 0 ? whole.subarray(0, random(whole.length)) : whole)
        if (i % 3 > 0)
          for (let n = 0; n <= i % 8; n++) bytes[random(i % 2 === 0 ? Math.min(400, bytes.length) : bytes.length)] = random(256)
        const error = await refusal(bytes)
        if (error === 'it was read') continue
        refused++
        expect(error).toMatchObject({
          name: 'EngineError',
          code: 'INVALID_PARAMETER',
          message: expect.stringMatching(/^bad\.file /) as string,
        })
      }
    }
    expect(refused).toBeGreaterThan(names.length * 8)
  }, 60_000)

  it('unpacks to much more than it has: read in bands, and ended when told to', async () => {
    // 40,000 × 40,000 px, 6.4 GB, in strips that are all the same 320 KB of zeros.
    const strip = deflateSync(Buffer.alloc(40_000 * 4 * 64))
    const bomb = tiffOf(40_000, 40_000, strip, 64, 625)
    expect(bomb.length).toBeLessThan(200_000)
    const stop = new AbortController()
    const before = process.memoryUsage().rss
    setTimeout(() => stop.abort(new Error('enough')), 500)
    const begun = performance.now()
    await expect(readThrough(bomb, stop.signal)).rejects.toThrow('enough')
    expect(performance.now() - begun).toBeLessThan(5000)
    expect(process.memoryUsage().rss - before).toBeLessThan(600 * 2 ** 20)
  })
})

describe('labels without end', () => {
  const grid = (width: number) => ({ lefts: Int32Array.from({ length: width + 1 }, (_, i) => i), outside: new Uint8Array(width) })
  it('are counted to ten million and no further', () => {
    const width = 2 ** 20
    const runs = new LabelRuns('noise.tif', grid(width))
    const row = new Uint32Array(width)
    const add = (y: number): void => {
      for (let i = 0; i < width; i++) row[i] = 1 + y * width + i
      // None of its px is analysed: labels are counted all the same.
      runs.row(row, 0, width, y, y, false)
    }
    for (let y = 0; y < 9; y++) add(y)
    expect(runs.labels).toBe(9 * width)
    expect(() => add(9)).toThrow('noise.tif has more than 10,000,000 labels')
  }, 30_000)
  it('change along a row as often as memory holds', () => {
    const width = 2 ** 20
    const runs = new LabelRuns('ragged.tif', grid(width))
    const row = Uint8Array.from({ length: width }, (_, i) => 1 + (i % 2))
    expect(() => runs.row(row, 0, width, 0, 100, false)).toThrow('ragged.tif is too ragged')
  }, 30_000)
})

it('a working file goes with what it was for', async () => {
  const file = new WorkingFile('x.tif')
  expect(file.path).toBeNull()
  await file.append(npyOf({ width: 2, height: 2, labels: new Uint32Array(4) }))
  const path = file.path!
  expect([existsSync(path), file.bytes]).toEqual([true, 144])
  await file.remove()
  expect([existsSync(join(path, '..')), file.path]).toEqual([false, null])
})

describe('where an image lies', () => {
  const slide = { widthPx: 3000, heightPx: 2000, bounds: { x: 100, y: 200, width: 1500, height: 1000 } }
  const of = (width: number, height: number, description = '', asked: object = {}) =>
    placeOf('a.tif', { width, height, description }, slide, { corner: null, ...asked })
  const xml = (position: string, said = '') =>
    `<OME Creator="Morphoscope 1.2.3"><Image>${said}<Pixels PhysicalSizeX="0.5" PhysicalSizeY="0.25"><Plane TheC="0" ${position}/></Pixels></Image></OME>`
  it('is what somebody said, else what our file says, else the slide’s corner where it has its size', () => {
    expect(of(10, 10, '', { place: { x: 5, scale: 2 } })).toMatchObject({ x: 5, y: 0, scale: 2 })
    expect(of(10, 10, '', { place: { scale: 2 }, corner: slide.bounds })).toMatchObject({ x: 100, y: 200, scale: 2 })
    expect(of(3000, 2000)).toMatchObject({ x: 0, y: 0, scale: 1, note: null })
    expect(of(1500, 1000)).toMatchObject({ x: 100, y: 200, scale: 1, note: expect.stringContaining('bounds') as string })
    expect(of(1500, 1000, '', { corner: slide.bounds })).toMatchObject({ x: 100, y: 200, note: null })
    expect(of(10, 10, xml('PositionX="20" PositionXUnit="&#181;m" PositionY="10" PositionYUnit="&#181;m"'))).toMatchObject({
      x: 40,
      y: 40,
      scale: 1,
    })
    expect(of(10, 10, xml('PositionX="20" PositionXUnit="pixel" PositionY="10" PositionYUnit="pixel"'))).toMatchObject({
      x: 20,
      y: 10,
    })
    const moved = xml(
      'PositionX="-5" PositionXUnit="&#181;m" PositionY="-1" PositionYUnit="&#181;m"',
      '<Description>The position counts from the slide&#39;s bounds, at level-0 px 100, 200.</Description>',
    )
    expect(of(10, 10, moved)).toMatchObject({ x: 90, y: 196 })
  })
  it('is not known else; of the slide’s shape it is said how large its px would be', () => {
    expect(of(750, 500)).toEqual({ width: 750, height: 500, scale: 4 })
    // As the levels of scanners are, rounded.
    expect(of(429, 286)).toEqual({ width: 429, height: 286, scale: 7 })
    expect(of(10, 10)).toEqual({ width: 10, height: 10, scale: null })
    expect(of(10, 10, xml('PositionX="x" PositionXUnit="pixel" PositionY="10"'))).toEqual({ width: 10, height: 10, scale: null })
    expect(of(10, 10, xml('PositionX="-50" PositionXUnit="pixel" PositionY="10"'))).toEqual({
      width: 10,
      height: 10,
      scale: null,
    })
    expect(() => of(10, 10, '', { place: { x: -10 } })).toThrow('No px of a.tif lies on the slide')
  })
})
