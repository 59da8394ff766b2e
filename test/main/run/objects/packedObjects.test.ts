// Objects in narrow columns are what they were, to the bit: values on and off their grids, outlines of every kind, rows moved between batches.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { resolveParams } from '../../../../main/recipe/resolve'
import { openSpecs } from '../../../../main/recipe/specs'
import { defaultRecipe } from '../../../../main/recipe/validate'
import { batchRows } from '../../../../main/run/objects/packedObjects'
import { ObjectStore } from '../../../../main/run/objects/objectStore'
import { decodeRuns } from '../../../../main/run/objects/outlineCode'
import { PackedObjects } from '../../../../main/run/objects/packedObjects'
import { gridOf } from '../../../../main/run/plan/plan'
import { MEASUREMENT_FIELDS, openSlide, overview, planOf, runWindow, status } from '../../../../native/index'
import type { MeasurementField, WindowResult } from '../../../../native/index'
import { encodeRuns, listOf, mostBytesPerRun, moved, pack, plainOf, tilesOf } from '../../packing'
import type { Plain } from '../../packing'

const assetsDir = fileURLToPath(new URL('../../../../assets', import.meta.url))
const sample = join(assetsDir, 'samples', 'CMU-1-Small-Region.svs')

/** Runs in raster order that never touch. */
const outlines = fc
  .record({
    y: fc.integer({ min: 0, max: 2 ** 26 }),
    x: fc.integer({ min: 0, max: 2 ** 26 }),
    rows: fc.array(
      fc.record({
        down: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 100_000 })),
        step: fc.oneof(fc.integer({ min: -20, max: 20 }), fc.integer({ min: -(2 ** 26), max: 2 ** 26 })),
        lengths: fc.array(fc.tuple(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 70_000 })), {
          minLength: 1,
          maxLength: 3,
        }),
      }),
      { minLength: 1, maxLength: 8 },
    ),
  })
  .map(({ y, x, rows }) => {
    const runs: number[] = []
    for (const [i, { down, step, lengths }] of rows.entries()) {
      if (i > 0) y += down
      if (i > 0) x += step
      let at = x
      for (const [length, gap] of lengths) {
        runs.push(y, at, at + length)
        at += length + gap
      }
    }
    return Int32Array.from(runs)
  })

describe('outlines as bytes', () => {
  it('come back as they were', () => {
    fc.assert(
      fc.property(outlines, fc.nat(5), (runs, at) => {
        const bytes = new Uint8Array(at + (runs.length / 3) * mostBytesPerRun)
        const end = encodeRuns(runs, bytes, at)
        expect(decodeRuns(bytes, at, end, runs[1]!, runs[0]!)).toEqual(runs)
      }),
    )
  })
})

/** What a window of the bundled slide holds. */
async function found(): Promise<WindowResult> {
  const slide = await openSlide(sample)
  const spec = await openSpecs(assetsDir).get('he-nuclei')
  const { pipeline } = spec
  const own = resolveParams(spec, defaultRecipe(spec), 0.5)
  const { rgba, width, height } = await slide.readScaled(1, 600, 700, 700, 700)
  const params = { ...own, ...(await overview(pipeline, own, rgba, width, height)) }
  const core = { x: 0, y: 0, width: 700, height: 700 }
  const where = { slide, scale: 1, x: 600, y: 700, width: 700, height: 700, core }
  const result = await runWindow({ ...where, plan: planOf(pipeline, params), wantPlanes: true })
  slide.close()
  return result
}

describe('PackedObjects', () => {
  it.skipIf(!status().openslide.available)(
    'are packed by the engine as by the plain packer, to the byte, and hold the pixels of the image of labels',
    async () => {
      const { objects: window, planes } = await found()
      expect(window.count).toBeGreaterThan(80)
      expect([...window.starts]).toEqual([0, window.count])
      const packed = PackedObjects.of(window)
      const rows = Array.from({ length: window.count }, (_, row) => plainOf(packed.object(row)))
      const { count, columns, ends, outlines } = pack(rows)
      expect(columns.map((column) => column?.constructor.name)).toEqual(window.columns.map((column) => column?.constructor.name))
      expect({ count, columns, ends, outlines }).toEqual({
        count: window.count,
        columns: window.columns,
        ends: window.ends,
        outlines: window.outlines,
      })
      const labels = planes.find(({ kind }) => kind === 'labels')!
      const painted = new Int32Array(labels.data.length)
      const own = new Set<number>()
      rows.forEach(({ runs, value }) => {
        const label = labels.data[(value('firstY') - 700) * 700 + value('firstX') - 600]!
        expect(label).toBeGreaterThan(0)
        own.add(label)
        for (let r = 0; r < runs.length; r += 3)
          painted.fill(label, (runs[r]! - 700) * 700 + runs[r + 1]! - 600, (runs[r]! - 700) * 700 + runs[r + 2]! - 600)
      })
      expect(own.size).toBe(rows.length)
      expect(painted).toEqual(Int32Array.from(labels.data, (label) => (own.has(label) ? label : 0)))
      const bytes = columns.reduce((sum, column) => sum + (column?.byteLength ?? 0), ends.byteLength)
      expect(bytes / window.count).toBeLessThan(150)
      expect(outlines.byteLength).toBeLessThan(rows.reduce((sum, { runs }) => sum + runs.byteLength, 0) / 4)
    },
  )

  it('makes room for values off their grids, before and after others', () => {
    const values = fc.array(
      fc.oneof(fc.double(), fc.integer({ min: -70_000, max: 70_000 }), fc.constantFrom(0.25, 1 / 1024, -0.5)),
      {
        minLength: MEASUREMENT_FIELDS.length,
        maxLength: MEASUREMENT_FIELDS.length,
      },
    )
    fc.assert(
      fc.property(fc.array(values, { minLength: 1, maxLength: 6 }), (rows) => {
        const whole = rows.map((row) =>
          row.map((value, i) =>
            MEASUREMENT_FIELDS[i]!.startsWith('first') ? (Number.isFinite(value) ? Math.round(value) % 2 ** 20 : 0) : value,
          ),
        )
        const of = (row: number, field: MeasurementField): number =>
          whole[row]![MEASUREMENT_FIELDS.indexOf(field === 'minY' ? 'firstY' : field)]!
        const plain = whole.map((_, row): Plain => ({
          value: (field) => of(row, field),
          runs: Int32Array.of(of(row, 'firstY'), of(row, 'firstX'), of(row, 'firstX') + 1),
        }))
        const packed = PackedObjects.of(pack(plain))
        // Batches of one row each are as narrow as that row.
        const copy = new PackedObjects(2)
        copy.addRows(packed, 0, 1)
        for (const row of plain) copy.addRows(PackedObjects.of(pack([row])), 0, 1)
        copy.trim()
        whole.forEach((_, row) => {
          for (const field of MEASUREMENT_FIELDS) {
            // One zero is as good as the other.
            const expected = of(row, field) + 0
            expect(packed.value(row, field) + 0).toBe(expected)
            expect(copy.value(row + 1, field) + 0).toBe(expected)
          }
          expect(copy.runsOf(row + 1)).toEqual(plain[row]!.runs)
        })
      }),
    )
  })
})

describe('ObjectStore over several batches', () => {
  it('keeps ids while objects come in, and lists all in raster order', () => {
    const side = 64
    const store = new ObjectStore(gridOf(2 ** 16, 2 ** 16, 1, 256))
    const add = (x: number, y: number) =>
      store.add(tilesOf(moved([square], x, y), 256).map((objects) => ({ objects, keep: null })))
    const places = Array.from(
      { length: batchRows * 2 + 100 },
      (_, i) => [((i * 7919) % 1024) * side, Math.floor(i / 1024) * side] as const,
    )
    for (const [x, y] of places) add(x, y)
    const list = store.all()
    expect(list.length).toBe(places.length)
    places.forEach(([x, y], id) => {
      const object = list.batches[Math.floor(id / batchRows)]!.object(id % batchRows)
      expect([object.firstX, object.firstY]).toEqual([x, y])
    })
    const order = list.slice(0, list.length).map(({ firstX, firstY }) => firstY * 2 ** 20 + firstX)
    expect(order).toEqual([...order].sort((a, b) => a - b))
    const [x, y] = places[batchRows + 5]!
    expect(list.at(store.at(x, y)!.id - 1)).toMatchObject({ firstX: x, firstY: y })
    // Stable: what had an id has it still.
    add(1, 1)
    expect(store.all().batches[0]!.object(3)).toMatchObject({ firstX: places[3]![0], firstY: places[3]![1] })
  })

  it('takes the tiles of a window at once, what is kept of each, and knows its bytes without counting again', () => {
    const grid = gridOf(2 ** 12, 2 ** 12, 1, 256)
    const rows = Array.from({ length: 9000 }, (_, i) => moved([square], (i % 100) * 40, Math.floor(i / 100) * 40)).flat()
    const window = tilesOf(rows, 256)
    const [together, apart] = [new ObjectStore(grid), new ObjectStore(grid)]
    const keep = window.map((_, i) => (i % 3 === 1 ? (row: number) => row % 5 < 3 : null))
    const touched = new Set(
      together.add(window.map((objects, i) => ({ objects, keep: keep[i]! }))).map(({ x, y }) => `${x} ${y}`),
    )
    const told = new Set(window.flatMap((objects, i) => apart.add([{ objects, keep: keep[i]! }]).map(({ x, y }) => `${x} ${y}`)))
    expect(touched).toEqual(told)
    expect(together.count).toBe(apart.count)
    expect(together.count).toBeLessThan(rows.length)
    const values = (store: ObjectStore) =>
      store
        .all()
        .slice(0, store.count)
        .map(({ firstX, firstY }) => [firstX, firstY])
    expect(values(together)).toEqual(values(apart))
    for (const store of [together, apart]) {
      const sum = store.all().batches.reduce((bytes, batch) => bytes + batch.bytes, 0)
      expect(store.all().batches.length).toBe(1)
      expect(store.bytes).toBe(sum + store.count * 16)
    }
    const rect = { x: 200, y: 100, width: 700, height: 900 }
    expect(together.inRect(rect).length).toBe(apart.inRect(rect).length)
    expect(together.inRect(rect).length).toBe(
      values(together).filter(([x, y]) => x! + 1 >= 200 && x! < 900 && y! + 1 >= 100 && y! < 1000).length,
    )
  })

  it('takes objects that come from anywhere', () => {
    const object = tilesOf(moved([square], 5, 6))[0]!.object(0)
    expect(listOf([object, object]).at(1)).toMatchObject({ firstX: 5, firstY: 6, area: 4 })
  })
})

const values: Partial<Record<MeasurementField, number>> = {
  maxX: 1,
  maxY: 1,
  area: 4,
  centroidX: 1,
  centroidY: 1,
  perimeter: 8,
}
const square: Plain = { value: (field) => values[field] ?? 0, runs: Int32Array.of(0, 0, 2, 1, 0, 2) }
