// Objects in narrow columns are what they were, to the bit: values on and off their grids, outlines of every kind, rows moved between batches.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { resolveParams } from '../../../main/recipe/resolve'
import { openSpecs } from '../../../main/recipe/specs'
import { defaultRecipe } from '../../../main/recipe/validate'
import { batchRows, ObjectList } from '../../../main/run/objectList'
import { ObjectStore } from '../../../main/run/objectStore'
import { decodeRuns, encodeRuns, mostBytesPerRun } from '../../../main/run/outlineCode'
import { PackedObjects, packedObjects } from '../../../main/run/packedObjects'
import { gridOf } from '../../../main/run/plan'
import { TileObjects } from '../../../main/run/tileObjects'
import { MEASUREMENT_FIELDS, openSlide, overview, runWindow, status } from '../../../native/index'
import type { MeasurementField, ObjectColumns } from '../../../native/index'

const kept = MEASUREMENT_FIELDS.filter((field) => field !== 'label')
const assetsDir = fileURLToPath(new URL('../../../assets', import.meta.url))
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

/** What a window of the bundled slide holds, and tiles of it. */
async function found(): Promise<ObjectColumns> {
  const slide = await openSlide(sample)
  const spec = await openSpecs(assetsDir).get('he-nuclei')
  const { pipeline } = spec
  const own = resolveParams(spec, defaultRecipe(spec), 0.5)
  const { rgba, width, height } = await slide.readScaled(1, 600, 700, 700, 700)
  const params = { ...own, ...(await overview(pipeline, own, rgba, width, height)) }
  const core = { x: 0, y: 0, width: 700, height: 700 }
  const { objects } = await runWindow({ slide, scale: 1, x: 600, y: 700, width: 700, height: 700, core, pipeline, params })
  slide.close()
  return objects
}
const every = (): boolean => true

describe('PackedObjects', () => {
  it.skipIf(!status().openslide.available)(
    'keeps what the engine gives to the bit, where the window lies too, in at most 150 bytes beside the outlines',
    async () => {
      const window = await found()
      expect(window.count).toBeGreaterThan(80)
      const tile = TileObjects.from(window, 2 ** 20 + 17, 2 ** 21 + 5, every)
      const moved = new Map<MeasurementField, number>()
      for (const field of ['firstX', 'minX', 'maxX', 'centroidX'] as const) moved.set(field, 2 ** 20 + 17)
      for (const field of ['firstY', 'minY', 'maxY', 'centroidY'] as const) moved.set(field, 2 ** 21 + 5)
      for (let row = 0; row < window.count; row++) {
        for (const field of kept) expect(tile.value(row, field)).toBe(window.columns[field][row]! + (moved.get(field) ?? 0))
        const runs = window.runs.slice(window.runOffsets[row]! * 3, window.runOffsets[row + 1]! * 3)
        expect(tile.runsOf(row)).toEqual(runs.map((value, i) => value + (i % 3 === 0 ? 2 ** 21 + 5 : 2 ** 20 + 17)))
      }
      const { columns, ends, outlines } = tile.packed.batch
      const bytes = columns.reduce((sum, column) => sum + (column?.byteLength ?? 0), ends.byteLength)
      expect(bytes / window.count).toBeLessThan(150)
      expect(outlines.byteLength).toBeLessThan(window.runs.byteLength / 4)
    },
  )

  it('makes room for values off their grids, before and after others', () => {
    const values = fc.array(
      fc.oneof(fc.double(), fc.integer({ min: -70_000, max: 70_000 }), fc.constantFrom(0.25, 1 / 1024, -0.5)),
      {
        minLength: kept.length,
        maxLength: kept.length,
      },
    )
    fc.assert(
      fc.property(fc.array(values, { minLength: 1, maxLength: 6 }), (rows) => {
        const whole = rows.map((row) =>
          row.map((value, i) =>
            kept[i]!.startsWith('first') ? (Number.isFinite(value) ? Math.round(value) % 2 ** 20 : 0) : value,
          ),
        )
        const of = (row: number, field: MeasurementField): number =>
          whole[row]![(kept as readonly MeasurementField[]).indexOf(field === 'minY' ? 'firstY' : field)]!
        const packed = new PackedObjects(1)
        whole.forEach((_, row) =>
          packed.add((field) => of(row, field), Int32Array.of(of(row, 'firstY'), of(row, 'firstX'), of(row, 'firstX') + 1)),
        )
        const copy = new PackedObjects(2)
        copy.addRows(packed, 0, 1)
        copy.addRows(packed, 0, whole.length)
        copy.trim()
        whole.forEach((_, row) => {
          for (const field of kept) {
            // One zero is as good as the other.
            const expected = of(row, field) + 0
            expect(packed.value(row, field) + 0).toBe(expected)
            expect(copy.value(row + 1, field) + 0).toBe(expected)
          }
        })
      }),
    )
  })
})

describe('ObjectStore over several batches', () => {
  it('keeps ids while objects come in, and lists all in raster order', () => {
    const side = 64
    const store = new ObjectStore(gridOf(2 ** 16, 2 ** 16, 1, 256))
    const window = square()
    const places = Array.from(
      { length: batchRows * 2 + 100 },
      (_, i) => [((i * 7919) % 1024) * side, Math.floor(i / 1024) * side] as const,
    )
    for (const [x, y] of places) store.add(TileObjects.from(window, x, y, every), every)
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
    store.add(TileObjects.from(window, 1, 1, every), every)
    expect(store.all().batches[0]!.object(3)).toMatchObject({ firstX: places[3]![0], firstY: places[3]![1] })
  })

  it('takes objects that come from anywhere', () => {
    const objects = TileObjects.from(square(), 5, 6, every).object(0)
    expect(ObjectList.of([objects, objects]).at(1)).toMatchObject({ firstX: 5, firstY: 6, area: 4 })
    expect(packedObjects([objects]).runsOf(0)).toEqual(objects.runs)
  })
})

function square(): ObjectColumns {
  const values: Partial<Record<MeasurementField, number>> = {
    maxX: 1,
    maxY: 1,
    area: 4,
    centroidX: 1,
    centroidY: 1,
    perimeter: 8,
  }
  return {
    count: 1,
    columns: Object.fromEntries(
      MEASUREMENT_FIELDS.map((field) => [field, Float64Array.of(values[field] ?? 0)]),
    ) as ObjectColumns['columns'],
    runs: Int32Array.of(0, 0, 2, 1, 0, 2),
    runOffsets: Int32Array.of(0, 2),
  }
}
