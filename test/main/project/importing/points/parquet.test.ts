// Points of Parquet: tables of hyparquet-writer and of DuckDB's and Arrow's habits, points as WKB, and files whose pages claim what they do not hold.
import { deflateRawSync, gzipSync } from 'node:zlib'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parquetWriteBuffer } from 'hyparquet-writer'
import type { ParquetWriteOptions } from 'hyparquet-writer'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Recipe } from '../../../../../app/contract'
import type { Engine } from '../../../../../main/engine'
import { pointOf } from '../../../../../main/project/importing/points/parquet/wkb'
import { importedBytes } from '../importedBytes'
import { importer } from '../importer'
import { importedText } from '../importedText'
import { seeded } from '../labels/made'

let engine: Engine
let slideId: string
let folder: string
let recipe: Recipe
const mpp = 0.499

let end: () => Promise<void>

beforeAll(async () => void ({ engine, slideId, folder, recipe, end } = await importer('parquet-', 'slide')))
afterAll(() => end())

const bring = (bytes: Uint8Array, more: object = {}) =>
  importedBytes(engine, { slideId, recipe, called: 'points.parquet', form: 'parquet', ...more }, bytes)
const at = (runId: string, x: number, y: number) => engine.invoke('object:at', { runId, x, y })
const written = (columnData: ParquetWriteOptions['columnData'], more: Partial<ParquetWriteOptions> = {}): Uint8Array =>
  new Uint8Array(parquetWriteBuffer({ columnData, ...more }))
const wkb = (x: number, y: number, little = true, type = 1): Uint8Array => {
  const view = new DataView(new ArrayBuffer(21))
  view.setUint8(0, little ? 1 : 0)
  view.setUint32(1, type, little)
  view.setFloat64(5, x, little)
  view.setFloat64(13, y, little)
  return new Uint8Array(view.buffer)
}

describe('a table of points', () => {
  const names = (i: number): string => ['Tumor', 'Stroma', ''][i % 3]!
  const n = 200
  const x = Array.from({ length: n }, (_, i) => 60 + 30 * (i % 20) + 0.25)
  const y = Array.from({ length: n }, (_, i) => 60 + 30 * Math.floor(i / 20))
  const csv = ['x,y,radius,class', ...x.map((each, i) => `${each},${y[i]},${4 + (i % 5)},${names(i)}`)].join('\n')
  const columns = [
    { name: 'noise', data: Array.from({ length: n }, (_, i) => `text ${i}`), type: 'STRING' as const },
    { name: 'x', data: x, type: 'DOUBLE' as const },
    { name: 'y', data: Int32Array.from(y), type: 'INT32' as const },
    { name: 'radius', data: BigInt64Array.from(y, (_, i) => BigInt(4 + (i % 5))), type: 'INT64' as const },
    { name: 'class', data: Array.from({ length: n }, (_, i) => names(i)), type: 'STRING' as const },
  ]

  it.each([
    ['plain', { codec: 'UNCOMPRESSED' as const }],
    ['packed by Snappy', { codec: 'SNAPPY' as const }],
    [
      'packed by gzip, in groups of 7 rows',
      { codec: 'GZIP' as const, rowGroupSize: 7, compressors: { GZIP: (b: Uint8Array) => gzipSync(b) } },
    ],
  ])('%s is the same as its CSV', async (_, more) => {
    const ours = await bring(written(columns, more))
    const theirs = await importedText(engine, { slideId, recipe, called: 'points.csv', form: 'points' }, csv)
    expect(ours.objects).toMatchObject({
      objects: n,
      leftOut: [],
      repaired: ['its objects are discs around points, with radii by the column “radius”'],
    })
    const { dice, onlyA, onlyB } = await engine.invoke('run:compare', { a: ours.objects!.runId, b: theirs.objects!.runId })
    expect([dice, onlyA, onlyB]).toEqual([1, 0, 0])
    const of = async (runId: string) =>
      (await engine.invoke('run:status', { runId })).classes!.map(({ label, objects }) => [label, objects])
    expect(await of(ours.objects!.runId)).toEqual(await of(theirs.objects!.runId))
    expect(await of(ours.objects!.runId)).toContainEqual(['Tumor', 67])
  })

  it('may have points as WKB, with radii and classes beside them', async () => {
    const geo = JSON.stringify({
      version: '1.0.0',
      primary_column: 'place',
      columns: { place: { encoding: 'WKB', geometry_types: ['Point'] } },
    })
    const bytes = written(
      [
        { name: 'geometry', data: [wkb(1, 1), wkb(2, 2), wkb(3, 3)], type: 'BYTE_ARRAY' },
        { name: 'place', data: [wkb(100, 200), wkb(300, 200, false), wkb(500, 200, true, 1001)], type: 'BYTE_ARRAY' },
        { name: 'radius', data: [5, 6, 7], type: 'DOUBLE' },
        { name: 'cell_type', data: ['A', 'B', 'A'], type: 'STRING' },
      ],
      { kvMetadata: [{ key: 'geo', value: geo }] },
    )
    const { objects } = await bring(bytes)
    expect(objects).toMatchObject({ objects: 3, leftOut: [] })
    expect(await at(objects!.runId, 100, 200)).toMatchObject({ bounds: { x: 95, y: 195, width: 10, height: 10 } })
    expect(await at(objects!.runId, 300, 200)).toMatchObject({ bounds: { x: 294, y: 194, width: 12, height: 12 } })
  })

  it('asks for a radius, counts what has no place, and takes our own back', async () => {
    const places = written([
      { name: 'Centroid X µm', data: [100 * mpp, null, Number.NaN, 1e9], type: 'DOUBLE', nullable: true },
      { name: 'Centroid Y µm', data: [50 * mpp, 1, 1, 1], type: 'DOUBLE' },
    ])
    expect(await bring(places, { asks: true })).toEqual({ regions: null, objects: null, leftOut: [], undecided: 'radius' })
    const { objects } = await bring(places, { asks: true, radiusUm: 4 * mpp })
    expect(objects).toMatchObject({ objects: 1 })
    expect(objects!.leftOut.join('\n')).toMatch(/2 points: each has no number for its place[^]*lies beyond the slide/)
    const directory = join(folder, 'ours')
    await engine.invoke('export:start', { runId: objects!.runId, directory, files: ['objects.parquet'] })
    const again = await bring(new Uint8Array(await readFile(join(directory, 'objects.parquet'))), { radiusUm: 4 * mpp })
    expect(await at(again.objects!.runId, 100, 50)).toMatchObject({ centroid: { x: 100, y: 50 } })
  })

  it('is refused in words where it holds no points, or nothing that is known', async () => {
    const polygon = new Uint8Array(93)
    polygon.set([1, 3, 0, 0, 0])
    const refusals: [Uint8Array, RegExp][] = [
      [written([{ name: 'geometry', data: [polygon], type: 'BYTE_ARRAY' }]), /holds? other shapes than points|has other shapes than points/],
      [written([{ name: 'a', data: [1], type: 'DOUBLE' }]), /has no two columns of places/],
      [written([{ name: 'x', data: [1], type: 'DOUBLE' }, { name: 'y', data: [1], type: 'DOUBLE' }], { codec: 'LZ4_RAW', compressors: { LZ4_RAW: (b) => deflateRawSync(b) } }), /is packed by LZ4_RAW/],
      [new Uint8Array(0), /is empty/],
      [new TextEncoder().encode('PAR1 and nothing more'), /is damaged/],
    ] // oxfmt-ignore
    for (const [bytes, said] of refusals) await expect(bring(bytes)).rejects.toThrow(said)
  })
})

describe('a hostile file', () => {
  const good = (): Uint8Array =>
    written(
      [
        { name: 'x', data: Array.from({ length: 60 }, (_, i) => 30 + 20 * (i % 10)), type: 'DOUBLE' },
        { name: 'y', data: Array.from({ length: 60 }, (_, i) => 30 + 20 * Math.floor(i / 10)), type: 'DOUBLE' },
        { name: 'class', data: Array.from({ length: 60 }, (_, i) => 'ABC'[i % 3]!), type: 'STRING' },
      ],
      { rowGroupSize: 25 },
    )

  it('with any bytes changed, or cut off, is read or refused, and leaves nothing', async () => {
    const random = seeded(7)
    let [taken, refused] = [0, 0]
    for (let i = 0; i < 100; i++) {
      const bytes = good()
      const changes = 1 + random(4)
      for (let c = 0; c < changes; c++) bytes[4 + random(bytes.length - 8)] = random(256)
      const cut = i % 5 === 0 ? bytes.subarray(0, random(bytes.length)) : bytes
      try {
        await bring(cut, { radiusUm: 2 })
        taken++
      } catch (error) {
        expect(error).toMatchObject({ code: expect.stringMatching(/^(INVALID_PARAMETER|OUT_OF_MEMORY)$/) as string })
        refused++
      }
    }
    expect(taken).toBeGreaterThan(8)
    expect(refused).toBeGreaterThan(20)
  }, 120_000)

  it('claims rows and values without end: refused before they are made', async () => {
    const bytes = good()
    // 25 rows as zigzag varints in the footer and in pages (50): 2^28 more of them.
    const before = process.memoryUsage.rss()
    let changed = 0
    for (let i = 4; i < bytes.length - 8; i++) {
      if (bytes[i] !== 50) continue
      const claimed = new Uint8Array([...bytes.subarray(0, i), 0xfe, 0xff, 0xff, 0xff, 0x0f, ...bytes.subarray(i + 1)])
      // The footer is longer by four.
      const end = new DataView(claimed.buffer, claimed.length - 8)
      const footer = new DataView(bytes.buffer, bytes.byteOffset + bytes.length - 8).getUint32(0, true)
      if (i >= bytes.length - 8 - footer) end.setUint32(0, footer + 4, true)
      // A byte of what nobody reads, as statistics, changes nothing.
      const found = await bring(claimed, { radiusUm: 2 }).catch((error: { code: string }) => error.code)
      if (typeof found === 'string') expect(found).toBe('INVALID_PARAMETER')
      else expect(found.objects).toMatchObject({ objects: 60 })
      if (typeof found === 'string') changed++
    }
    expect(changed).toBeGreaterThan(5)
    expect(process.memoryUsage.rss() - before).toBeLessThan(600e6)
  }, 60_000)
})

it('a point as WKB: both byte orders, heights, systems, and what is none', () => {
  expect(pointOf(wkb(1.5, -2))).toEqual({ x: 1.5, y: -2 })
  expect(pointOf(wkb(1.5, -2, false))).toEqual({ x: 1.5, y: -2 })
  expect(pointOf(wkb(3, 4, true, 3001))).toEqual({ x: 3, y: 4 })
  const withSystem = new Uint8Array(25)
  withSystem.set(wkb(0, 0, true, 0x20000001).subarray(0, 5))
  withSystem.set(wkb(7, 8).subarray(5), 9)
  expect(pointOf(withSystem)).toEqual({ x: 7, y: 8 })
  expect(pointOf(wkb(1, 1, true, 3))).toBeNull()
  expect(pointOf(wkb(1, 1).subarray(0, 20))).toBeNull()
  expect(pointOf(withSystem.subarray(0, 24))).toBeNull()
})
