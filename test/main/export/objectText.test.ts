// objects.csv and objects.geojson of the engine's writers, byte by byte against the plain ones: numbers of every size, shapes of every kind, 1, 2 and 5 threads.
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { exportRun } from '../../../main/export/exportRun'
import { batchRows } from '../../../main/run/objects/packedObjects'
import type { RunObject, RunResult } from '../../../main/run/objects/result'
import { formatObjects, objectTable, paintTile, traceOutlines } from '../../../native/index'
import type { ObjectFormat, PackedBatch } from '../../../native/index'
import { seeded } from '../../stress/seeded'
import { listOf, pack } from '../packing'
import { drawn, madeRun, madeTools } from './madeRun'
import { plainCsv, plainGeoJson, rounded } from './plainWriters'

let directory: string
beforeEach(async () => (directory = await mkdtemp(join(tmpdir(), 'morphoscope-text-'))))
afterEach(async () => await rm(directory, { recursive: true, force: true }))

const seed = 'ab'.repeat(32)

/** Blobs, lakes, lines and dust of a thresholded noise, each four-connected part an object, wherever they touch by corners. */
function shapes(count: number): RunObject[] {
  const random = seeded(7)
  return Array.from({ length: count }, (_, n) => {
    const side = 1 + Math.floor(random() * 14)
    const full = 0.35 + random() * 0.6
    const rows = Array.from({ length: side }, () => Array.from({ length: side }, () => (random() < full ? '#' : '.')).join(''))
    // An object has a pixel.
    rows[0] = `#${rows[0]!.slice(1)}`
    const object = drawn(rows, Math.floor(random() * 90_000), 17 * n)
    return {
      ...object,
      perimeter: random() * 100,
      orientation: random() * 180 - 90,
      solidity: n % 7 === 0 ? NaN : random(),
      circularity: n % 5 === 0 ? Infinity : random(),
      // As objects that were made by hand, which have neither.
      contrast: n % 3 === 0 ? NaN : random() * 3 - 0.2,
      score: n % 3 === 0 ? NaN : Math.floor(random() * 101),
    }
  })
}

async function written(result: RunResult, threads: number, simplifyPx = 0, deidentify = false) {
  await exportRun(
    result,
    { directory, files: ['objects.csv', 'objects.geojson'], simplifyPx, deidentify, overwrite: true },
    { ...madeTools, threads },
    () => undefined,
    new AbortController().signal,
  )
  const read = (name: string): Promise<string> => readFile(join(directory, name), 'utf8')
  return { csv: await read('objects.csv'), json: await read('objects.geojson') }
}
async function plain(result: RunResult, shown: string, simplifyPx = 0) {
  const objects = result.objects.slice(0, result.objects.length)
  const runOffsets = new Int32Array(objects.length + 1)
  objects.forEach(({ runs }, i) => (runOffsets[i + 1] = runOffsets[i]! + runs.length / 3))
  const runs = Int32Array.from(objects.flatMap((object) => [...object.runs]))
  const exact = await traceOutlines(runs, runOffsets, 0)
  const outlines = await traceOutlines(runs, runOffsets, simplifyPx / result.scale)
  const told = { result, shown, seed }
  return { csv: plainCsv(told), json: plainGeoJson(told, outlines, exact) }
}

describe('objects as text', () => {
  it.each([
    ['calibrated', { scale: 1, analysedMpp: 0.499 }, 0],
    ['uncalibrated', { scale: 1, analysedMpp: null }, 0],
    ['scaled', { scale: 1.0080645161290323, analysedMpp: 0.5 }, 0],
    ['scaled far', { scale: 7.3 / 3, analysedMpp: 0.25 }, 0],
    ['simplified', { scale: 2, analysedMpp: 0.5 }, 3],
    ['simplified beyond its size', { scale: 1, analysedMpp: 0.5 }, 60],
  ] as const)('%s, as the plain writers have it', async (_, how, simplifyPx) => {
    const result = madeRun({ ...how, objects: shapes(700), name: 'a "b", c.svs' })
    const expected = await plain(result, result.slide.name, simplifyPx)
    for (const threads of [1, 2, 5]) {
      const { csv, json } = await written(result, threads, simplifyPx)
      expect(csv === expected.csv).toBe(true)
      expect(json === expected.json).toBe(true)
    }
  })

  it('names no slide where it must not', async () => {
    const result = madeRun({ objects: shapes(3), name: 'Doe.svs' })
    const { csv, json } = await written(result, 2, 0, true)
    const pseudonym = `slide-${createHash('sha256').update(`morphoscope-pseudonym\0${seed}`).digest('hex').slice(0, 16)}`
    expect(csv).toBe((await plain(result, pseudonym)).csv)
    expect(csv + json).not.toContain('Doe')
  })

  it('is whole over several batches, and with an outline that no buffer was made for', async () => {
    const dust = Array.from({ length: batchRows + 300 }, (_, i) => drawn(['#.#', '.#.'], (i % 100) * 4, Math.floor(i / 100) * 4))
    // A third of a million lakes, whose text is longer than a buffer.
    const wide = 2000
    const runs: number[] = []
    for (let y = 0; y < 700; y += 2) {
      runs.push(y, 0, wide)
      for (let x = 0; x < wide && y < 698; x += 2) runs.push(y + 1, x, x + 1)
    }
    const comb = { ...drawn(['#']), maxX: wide - 1, maxY: 698, runs: Int32Array.from(runs) }
    const result = madeRun({ objects: [...dust, comb, ...dust.slice(0, 70)], scale: 1 })
    const { csv, json } = await written(result, 2)
    const expected = await plain(result, result.slide.name)
    expect(csv === expected.csv).toBe(true)
    expect(json === expected.json).toBe(true)
    expect(Math.max(...json.split('\n').map((line) => line.length))).toBeGreaterThan(16 * 2 ** 20)
  }, 120_000)

  it('writes any double as JavaScript does', async () => {
    const table = (values: readonly number[]) => {
      const runs = Int32Array.of(0, 0, 1)
      return objectTable(
        [pack(values.map((value) => ({ value: (field) => (field === 'perimeter' ? value : 0), runs })))],
        Uint32Array.from(values, (_, i) => i),
        batchRows,
      )
    }
    const text = async (values: readonly number[]): Promise<string[]> => {
      const out = new Uint8Array(values.length * 40 + 64)
      const format: ObjectFormat = {
        uuidPrefix: '',
        kind: 'csv',
        cells: [{ source: 'value', field: 'perimeter', factor: 1, times: 0 }],
      }
      const { bytes, objects } = await formatObjects({
        table: table(values),
        format,
        begin: 0,
        end: values.length,
        out,
        threads: 1,
      })
      expect(objects).toBe(values.length)
      return Buffer.from(out.subarray(0, bytes)).toString('utf8').split('\r\n').slice(0, -1)
    }
    const expected = (values: readonly number[]) => values.map((value) => String(rounded(value) ?? ''))
    // Halves at the eighth digit, on both sides of every power of ten.
    const halves = [...Array(60).keys()].flatMap((e) =>
      [1234567.5, 1234568.5, 9999999.5, 1000000.5, 12345.625, 0.5, 5, 9.9999995].flatMap((x) => [
        x * 10 ** (e - 30),
        x * 2 ** (e - 30),
      ]),
    )
    const powers = [...Array(700).keys()].flatMap((e) => {
      const x = Number(`1e${e - 320}`)
      const bits = new BigUint64Array(new Float64Array([x]).buffer)[0]!
      const beside = (by: bigint) => new Float64Array(new BigUint64Array([bits + by]).buffer)[0]!
      return [x, beside(1n), x > 0 && bits > 0n ? beside(-1n) : x]
    })
    const known = [
      0,
      -0,
      1e21,
      1e-7,
      123456789,
      1.5e300,
      5e-324,
      NaN,
      Infinity,
      -Infinity,
      0.1 + 0.2,
      2 ** 53,
      ...halves,
      ...powers,
    ]
    expect(await text(known)).toEqual(expected(known))
    expect(await text(known.map((x) => -x))).toEqual(expected(known.map((x) => -x)))
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            fc.double(),
            fc.double({ min: -1e5, max: 1e5, noNaN: true }),
            fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }).map((n) => n / 2 ** 20),
          ),
          { minLength: 1, maxLength: 300 },
        ),
        async (values) => {
          expect(await text(values)).toEqual(expected(values))
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe('the boundary', () => {
  const list = listOf(shapes(5))
  const batches = list.batches.map(({ batch }) => batch)
  const format: ObjectFormat = { kind: 'csv', uuidPrefix: '', cells: [{ source: 'number' }] }

  it('refuses ids of nothing, columns that are too short or of another type, and what is no table', async () => {
    expect(() => objectTable(batches, Uint32Array.of(5), batchRows)).toThrow(/ids/)
    expect(() => objectTable(batches, Uint32Array.of(batchRows), batchRows)).toThrow(/ids/)
    const broken = (change: Partial<PackedBatch>) => () => objectTable([{ ...batches[0]!, ...change }], list.ids, batchRows)
    expect(broken({ columns: batches[0]!.columns.slice(1) })).toThrow(/columns/)
    expect(broken({ columns: batches[0]!.columns.map(() => new Int16Array(5)) })).toThrow(/columns\[0\]/)
    expect(broken({ columns: batches[0]!.columns.map(() => new Float64Array(4)) })).toThrow(/columns\[0\]/)
    expect(broken({ ends: new Uint32Array(2) })).toThrow(/ends/)
    const table = {} as unknown as ReturnType<typeof objectTable>
    const own = objectTable(batches, list.ids, batchRows)
    const window = { left: 0, top: 0, level: 0, width: 4, height: 4 }
    for (const [numbers, stride] of [
      [15, 4],
      [16, 3],
      [16, 5],
    ] as const)
      await expect(paintTile(own, window, new Int32Array(numbers), stride, false)).rejects.toMatchObject({
        code: 'INVALID_PARAMETER',
      })
    await expect(paintTile(table, window, new Int32Array(16), 4, false)).rejects.toMatchObject({ code: 'INVALID_PARAMETER' })
    await expect(formatObjects({ table, format, begin: 0, end: 0, out: new Uint8Array(9), threads: 1 })).rejects.toMatchObject({
      code: 'INVALID_PARAMETER',
    })
  })

  it('stops at outlines that are none, instead of reading beyond them', async () => {
    for (const outlines of [new Uint8Array(0), new Uint8Array(400).fill(255), new Uint8Array(400)]) {
      const table = objectTable([{ ...batches[0]!, outlines }], list.ids, batchRows)
      await expect(formatObjects({ table, format, begin: 0, end: 5, out: new Uint8Array(999), threads: 1 })).rejects.toThrow(
        /outline is damaged/,
      )
    }
  })

  it('hears a cancel, and leaves nothing', async () => {
    const result = madeRun({ objects: shapes(400) })
    const abort = new AbortController()
    const going = exportRun(
      result,
      { directory, files: ['objects.geojson'] },
      madeTools,
      () => abort.abort(new Error('enough')),
      abort.signal,
    )
    await expect(going).rejects.toThrow('enough')
    expect(await readdir(directory)).toEqual([])
  })
})

it('takes whole columns of numbers beside the objects, and refuses others', async () => {
  const { batches, ids } = listOf(shapes(3))
  const given = [batches.map(({ batch }) => batch), ids, batchRows] as const
  const marks = { numbers: Uint32Array.of(7, 8, 9), classes: new Uint8Array(3) }
  const table = objectTable(...given, { ...marks, extras: Float64Array.of(1.5, NaN, -3, 1e9, Infinity, 0) })
  const value = (field: `extra${number}`) => ({ source: 'value', field, factor: 1, times: 0 }) as const
  const cells = [{ source: 'number' } as const, value('extra1'), value('extra2'), value('extra3')]
  const out = new Uint8Array(1000)
  const format = { kind: 'csv', uuidPrefix: '', cells } as const
  const { bytes } = await formatObjects({ table, format, begin: 0, end: 3, threads: 1, out })
  expect(Buffer.from(out.subarray(0, bytes)).toString()).toBe('7,1.5,1000000000,\r\n8,,,\r\n9,-3,0,\r\n')
  expect(() => objectTable(...given, { ...marks, extras: new Float64Array(4) })).toThrow(
    'expected whole columns of 3 numbers for marks.extras but received 4 numbers',
  )
  for (const field of ['extra0', 'extra', 'extra1x', 'extra999999999'] as `extra${number}`[]) {
    const wrong = { ...format, cells: [value(field)] }
    await expect(formatObjects({ table, format: wrong, begin: 0, end: 3, threads: 1, out })).rejects.toThrow(
      'a field of an object',
    )
  }
})
