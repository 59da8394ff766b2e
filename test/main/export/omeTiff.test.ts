// labels.ome.tif: what sharp decodes and what the bytes say, against labels painted pixel by pixel here.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { exportRun } from '../../../main/export/exportRun'
import { OutputSet } from '../../../main/export/output/outputSet'
import { TiffFile } from '../../../main/export/picture/tiffFile'
import type { RunResult } from '../../../main/run/objects/result'
import { drawn, madeRun, madeTools } from './madeRun'

let directory: string
beforeEach(async () => (directory = await mkdtemp(join(tmpdir(), 'morphoscope-tiff-'))))
afterEach(async () => await rm(directory, { recursive: true }))

async function exported(run: RunResult): Promise<Buffer> {
  await exportRun(
    run,
    { directory, files: ['labels.ome.tif'], overwrite: true },
    madeTools,
    () => undefined,
    new AbortController().signal,
  )
  return await readFile(join(directory, 'labels.ome.tif'))
}

interface Directory {
  numbers(tag: number): number[]
  text(tag: number): string
  has(tag: number): boolean
}
function directoryAt(file: Buffer, offset: number): Directory {
  const entries = new Map<number, { type: number; count: number; at: number }>()
  const width = { 1: 1, 2: 1, 3: 2, 4: 4, 5: 8 } as Record<number, number>
  let last = 0
  for (let i = 0; i < file.readUInt16LE(offset); i++) {
    const at = offset + 2 + 12 * i
    const [tag, type, count] = [file.readUInt16LE(at), file.readUInt16LE(at + 2), file.readUInt32LE(at + 4)]
    expect(tag).toBeGreaterThan(last)
    last = tag
    entries.set(tag, { type, count, at: count * width[type]! <= 4 ? at + 8 : file.readUInt32LE(at + 8) })
  }
  return {
    has: (tag) => entries.has(tag),
    numbers(tag) {
      const { type, count, at } = entries.get(tag)!
      return Array.from({ length: count }, (_, i) => (type === 3 ? file.readUInt16LE(at + 2 * i) : file.readUInt32LE(at + 4 * i)))
    },
    text(tag) {
      const { count, at } = entries.get(tag)!
      return file.toString('latin1', at, at + count - 1)
    },
  }
}
/** The whole level, from its tiles. */
function pixelsOf(file: Buffer, ifd: Directory): { width: number; height: number; data: Uint32Array } {
  const [width, height, tile] = [ifd.numbers(256)[0]!, ifd.numbers(257)[0]!, ifd.numbers(322)[0]!]
  const data = new Uint32Array(width * height)
  const across = Math.ceil(width / tile)
  const [offsets, sizes] = [ifd.numbers(324), ifd.numbers(325)]
  expect(offsets.length).toBe(across * Math.ceil(height / tile))
  offsets.forEach((offset, t) => {
    const bytes = inflateSync(file.subarray(offset, offset + sizes[t]!))
    expect(bytes.length).toBe(tile * tile * 4)
    for (let y = 0; y < tile; y++)
      for (let x = 0; x < tile; x++) {
        const [px, py] = [(t % across) * tile + x, Math.floor(t / across) * tile + y]
        if (px < width && py < height) data[py * width + px] = bytes.readUInt32LE((y * tile + x) * 4)
      }
  })
  return { width, height, data }
}

/** The definition, pixel by pixel. */
function expectedLevel0({ objects, status: { region }, scale }: RunResult): Uint32Array {
  const ids = new Map<string, number>()
  objects.slice(0, objects.length).forEach(({ runs }, i) => {
    for (let r = 0; r < runs.length; r += 3) for (let x = runs[r + 1]!; x < runs[r + 2]!; x++) ids.set(`${x},${runs[r]!}`, i + 1)
  })
  const expected = new Uint32Array(region.width * region.height)
  for (let y = 0; y < region.height; y++)
    for (let x = 0; x < region.width; x++) {
      const at = (v: number): number => Math.floor((v + 0.5) / scale)
      expected[y * region.width + x] = ids.get(`${at(region.x + x)},${at(region.y + y)}`) ?? 0
    }
  return expected
}

const blob = ['..###..', '.#####.', '###.###', '.#####.', '..###..']

describe('labels.ome.tif', () => {
  for (const [name, scale] of [
    ['twice', 2],
    ['an odd multiple of', 1.9871],
    ['finer than', 0.5],
    ['the same as', 1],
  ] as const) {
    it(`holds every id where the analysed px are ${name} the level-0 px`, async () => {
      const objects = Array.from({ length: 60 }, (_, i) => drawn(blob, ((i * 37) % 300) - 3, 10 + Math.floor(i / 6) * 26))
      const run = madeRun({ objects, scale, region: { x: 7, y: 11, width: 700, height: 530 } })
      const file = await exported(run)
      const first = directoryAt(file, file.readUInt32LE(4))
      const level0 = pixelsOf(file, first)
      expect([level0.width, level0.height]).toEqual([700, 530])
      const expected = expectedLevel0(run)
      expect(Buffer.compare(Buffer.from(level0.data.buffer), Buffer.from(expected.buffer))).toBe(0)
      expect(expected.some((id) => id > 0)).toBe(true)

      // The pyramid: one SubIFD, nearest neighbour.
      const subIfds = first.numbers(330)
      expect(subIfds.length).toBe(1)
      const half = directoryAt(file, subIfds[0]!)
      expect(half.numbers(254)).toEqual([1])
      const level1 = pixelsOf(file, half)
      expect([level1.width, level1.height]).toEqual([350, 265])
      for (let y = 0; y < level1.height; y++)
        for (let x = 0; x < level1.width; x++)
          if (level1.data[y * 350 + x] !== expected[Math.min(2 * y + 1, 529) * 700 + Math.min(2 * x + 1, 699)])
            expect.fail(`level 1 differs at ${x},${y}`)

      // Another program's reader.
      const { data, info } = await sharp(join(directory, 'labels.ome.tif'))
        .extractChannel(0)
        .raw({ depth: 'uint' })
        .toBuffer({ resolveWithObject: true })
      expect([info.width, info.height, info.channels]).toEqual([700, 530, 1])
      expect(Buffer.compare(data, Buffer.from(expected.buffer))).toBe(0)
      const small = await sharp(join(directory, 'labels.ome.tif'), { subifd: 0 })
        .extractChannel(0)
        .raw({ depth: 'uint' })
        .toBuffer({ resolveWithObject: true })
      expect(Buffer.compare(small.data, Buffer.from(level1.data.buffer))).toBe(0)
    })
  }

  it('says its size in µm where the slide is calibrated, and names the region', async () => {
    const region = { x: 100, y: 40, width: 20, height: 10 }
    const calibrated = await exported(madeRun({ scale: 2, analysedMpp: 0.5, region }))
    const xml = directoryAt(calibrated, calibrated.readUInt32LE(4)).text(270)
    expect(xml).toContain('PhysicalSizeX="0.25"')
    expect(xml).toContain('PositionX="25"')
    expect(xml).toContain('SizeX="20" SizeY="10"')
    expect(directoryAt(calibrated, calibrated.readUInt32LE(4)).numbers(296)).toEqual([3])
    const plain = await exported(madeRun({ analysedMpp: null, region }))
    const ifd = directoryAt(plain, plain.readUInt32LE(4))
    expect(ifd.text(270)).not.toContain('PhysicalSize')
    expect(ifd.has(282)).toBe(false)
  })

  it('survives a hostile slide name', async () => {
    const file = await exported(madeRun({ name: '"><Image ID="x\u0001&ü😀.svs' }))
    const xml = directoryAt(file, file.readUInt32LE(4)).text(270)
    expect(xml).toContain('&#34;&#62;&#60;Image ID=&#34;x\\u0001&#38;&#252;&#128512;.svs')
    expect(/^[\x20-\x7e]*$/.test(xml)).toBe(true)
    expect(xml).not.toContain('patients')
  })

  it('stores all empty tiles once', async () => {
    const file = await exported(madeRun({ region: { x: 0, y: 0, width: 20_000, height: 20_000 } }))
    const ifd = directoryAt(file, file.readUInt32LE(4))
    expect(ifd.numbers(324).length).toBe(1600)
    expect(new Set(ifd.numbers(324)).size).toBe(1)
    expect(file.length).toBeLessThan(60_000)
  })

  it('becomes a BigTIFF where 4 GiB might not do', async () => {
    const run = madeRun({ objects: [drawn(blob, 14_990, 9_990)], region: { x: 0, y: 0, width: 30_000, height: 40_000 } })
    const file = await exported(run)
    expect([file.readUInt16LE(2), file.readUInt16LE(4), file.readUInt16LE(6)]).toEqual([43, 8, 0])
    const { data } = await sharp(join(directory, 'labels.ome.tif'), { limitInputPixels: false })
      .extract({ left: 29_980, top: 19_980, width: 14, height: 10 })
      .extractChannel(0)
      .raw({ depth: 'uint' })
      .toBuffer({ resolveWithObject: true })
    const ids = new Uint32Array(data.buffer, data.byteOffset, data.length / 4)
    expect(ids.reduce((sum, id) => sum + id, 0)).toBe(drawn(blob).area * 4)
  })

  it('writes tags of every kind in both containers', async () => {
    const set = await OutputSet.in(directory)
    for (const big of [false, true]) {
      const out = await set.create(`${big}.tif`)
      const tiff = await TiffFile.create(out, big)
      await tiff.data(new Uint8Array(3))
      const at = await tiff.directory([
        { tag: 270, kind: 'ascii', value: 'abc' },
        { tag: 282, kind: 'rational', value: [3, 2] },
      ])
      expect(at % 8).toBe(0)
      await tiff.finish(at)
    }
    await set.discard()
  })
})
