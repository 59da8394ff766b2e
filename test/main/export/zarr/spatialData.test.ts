// spatialdata.zarr against the format that the library spatialdata documents: what hyparquet, zarrita, Python's zarr and anndata read of it.
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { exportRun } from '../../../../main/export/exportRun'
import type { ExportRunRequest } from '../../../../main/export/exportRun'
import type { RunResult } from '../../../../main/run/objects/result'
import { seed, seeded } from '../../../stress/seeded'
import { drawn, madeRun, madeTools } from '../madeRun'
import { numbersOf, python, readByPython } from './readBack'

let directory: string
let zarr: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'morphoscope-spatialdata-'))
  zarr = join(directory, 'spatialdata.zarr')
})
afterEach(async () => await rm(directory, { recursive: true, force: true }))

const write = (run: RunResult, more: Partial<ExportRunRequest> = {}) =>
  exportRun(
    run,
    { directory, files: ['spatialdata.zarr', 'objects.h5ad'], overwrite: true, ...more },
    madeTools,
    () => undefined,
    new AbortController().signal,
  )
const attributes = async (path: string) =>
  JSON.parse(await readFile(join(zarr, path, '.zattrs'), 'utf8')) as Record<string, unknown>

interface Shape {
  readonly id: number
  readonly geometry: { readonly type: string; readonly coordinates: readonly (readonly (readonly number[])[])[] }
}
async function rowsIn<T>(path: string): Promise<{ rows: T[]; metadata: Record<string, unknown> }> {
  const file = await asyncBufferFromFile(join(zarr, path))
  const { key_value_metadata = [] } = await parquetMetadataAsync(file)
  return {
    rows: (await parquetReadObjects({ file })) as T[],
    metadata: Object.fromEntries(key_value_metadata.map(({ key, value }) => [key, JSON.parse(value ?? 'null') as unknown])),
  }
}

const classes = [
  { id: 'small', label: 'Small "a"', color: [1, 2, 3] as [number, number, number] },
  { id: 'large', label: 'Large, ä', color: [4, 5, 6] as [number, number, number] },
]
/** Classes by hand: by turns. */
const marksOf = (count: number): NonNullable<RunResult['marks']> => ({
  ...{ deleted: null, replaced: 0, classes, always: 0, byHand: 0, deletedCount: 0, counts: [] },
  classAt: Uint8Array.from({ length: count }, (_, i) => i % 2),
})
const two = () =>
  madeRun({
    objects: [drawn(['##', '##'], 10, 20), drawn(['###', '###'], 30, 40)],
    scale: 2,
    analysedMpp: 0.5,
    region: { x: 4, y: 6, width: 90, height: 100 },
    marks: marksOf(2),
  })

describe('spatialdata.zarr', () => {
  it('says what each part is, as version 0.1 of the format has it', async () => {
    await write(two())
    expect(await attributes('')).toMatchObject({
      spatialdata_attrs: { version: '0.1' },
      morphoscope: { slide: 'slide.svs', global_unit: 'micrometer', origin: 'slide' },
    })
    expect((await readdir(zarr)).sort()).toEqual(['.zattrs', '.zgroup', 'labels', 'points', 'shapes', 'tables'])
    const axes = [
      { name: 'x', type: 'space', unit: 'unit' },
      { name: 'y', type: 'space', unit: 'unit' },
    ]
    const scale = { type: 'scale', scale: [0.25, 0.25], input: { name: 'xy', axes }, output: { name: 'global', axes } }
    expect(await attributes('shapes/objects')).toEqual({
      'encoding-type': 'ngff:shapes',
      axes: ['x', 'y'],
      coordinateTransformations: [scale],
      spatialdata_attrs: { version: '0.2' },
    })
    expect(await attributes('points/centres')).toEqual({
      'encoding-type': 'ngff:points',
      axes: ['x', 'y'],
      coordinateTransformations: [scale],
      spatialdata_attrs: { version: '0.1', instance_key: 'id', feature_key: 'class' },
    })
    expect(await attributes('tables/table')).toEqual({
      'encoding-type': 'anndata',
      'encoding-version': '0.1.0',
      'spatialdata-encoding-type': 'ngff:regions_table',
      region: 'objects',
      region_key: 'region',
      instance_key: 'id',
      version: '0.1',
    })
    const { multiscales, ...label } = (await attributes('labels/object_labels')) as {
      multiscales: { version: string; datasets: unknown; coordinateTransformations: { type: string; affine: unknown }[] }[]
    }
    expect(label).toMatchObject({ 'image-label': { version: '0.4' }, spatialdata_attrs: { version: '0.1' } })
    expect(multiscales).toHaveLength(1)
    expect(multiscales[0]).toMatchObject({
      version: '0.4',
      datasets: [{ path: '0', coordinateTransformations: [{ type: 'scale', scale: [1, 1] }] }],
      // By hand: 6 px down and 4 px across, at 0.25 µm.
      coordinateTransformations: [
        {
          type: 'affine',
          affine: [
            [0.25, 0, 1.5],
            [0, 0.25, 1],
          ],
          input: { name: 'yx' },
          output: { name: 'global' },
        },
      ],
    })
  })

  it('has shapes, points and labels at the same places, by hand-checked numbers', async () => {
    await write(two())
    const shapes = await rowsIn<Shape>('shapes/objects/shapes.parquet')
    expect(shapes.metadata['geo']).toMatchObject({
      primary_column: 'geometry',
      columns: { geometry: { encoding: 'WKB', crs: null } },
    })
    expect(shapes.metadata['pandas']).toMatchObject({ index_columns: ['id'] })
    expect(shapes.rows.map(({ id }) => id)).toEqual([1, 2])
    const box = ({ geometry: { coordinates } }: Shape) => {
      const [xs, ys] = [0, 1].map((axis) => coordinates[0]!.map((point) => point[axis]!)) as [number[], number[]]
      return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
    }
    expect(shapes.rows.map(box)).toEqual([
      [20, 40, 24, 44],
      [60, 80, 66, 84],
    ])
    const points = await rowsIn('points/centres/points.parquet/part.0.parquet')
    expect(points.rows).toEqual([
      { x: 22, y: 42, id: 1, class: 'Small "a"' },
      { x: 63, y: 82, id: 2, class: 'Large, ä' },
    ])
    const { data, shape } = await numbersOf(zarr, 'labels/object_labels/0')
    expect(shape).toEqual([100, 90])
    data.forEach((id, at) => {
      const [x, y] = [4 + (at % 90), 6 + Math.floor(at / 90)]
      const inside = shapes.rows.find((each) => {
        const [minX, minY, maxX, maxY] = box(each) as [number, number, number, number]
        return x >= minX && x < maxX && y >= minY && y < maxY
      })
      if (id !== (inside?.id ?? 0)) expect.fail(`${x},${y}: ${id}`)
    })
  })

  it.skipIf(python === null)('has the table of objects.h5ad, for Python’s anndata', async () => {
    await write(two())
    const { tree, anndata } = readByPython(zarr, { path: 'tables/table', h5ad: join(directory, 'objects.h5ad') })
    expect(Object.keys(tree.members!).sort()).toEqual(['labels', 'points', 'shapes', 'tables'])
    expect(anndata).toMatchObject({
      index: ['1', '2'],
      obs: { id: 'int32', class: 'category', region: 'category' },
      categories: { class: ['Small "a"', 'Large, ä'], region: ['objects'] },
      spatial: [5.5, 10.5, 15.75, 20.5],
      region: 'objects',
      slide: 'slide.svs',
      umPerPx: 0.25,
    })
  })

  it.skipIf(python === null)('is the same for seeded runs of many sizes and hostile names', async () => {
    const random = seeded(seed)
    for (const count of [1, 17, 300]) {
      const at = (side: number) => 2 + Math.floor(random() * side)
      const objects = Array.from({ length: count }, () => drawn(['##', '#.'], at(400), at(300)))
      const name = String.fromCodePoint(...Array.from({ length: 12 }, () => 0x20 + Math.floor(random() * 0x2e00)))
      const run = madeRun({
        objects,
        scale: 1 + random(),
        region: { x: at(9), y: at(9), width: 900, height: 700 },
        name,
        marks: marksOf(count),
      })
      await write(run, { origin: random() < 0.5 ? 'bounds' : 'slide', deidentify: random() < 0.3 })
      const { anndata } = readByPython(zarr, { path: 'tables/table', h5ad: join(directory, 'objects.h5ad') })
      const points = await rowsIn<{ x: number; y: number; id: number }>('points/centres/points.parquet/part.0.parquet')
      expect(anndata!.index).toEqual(points.rows.map(({ id }) => String(id)))
      points.rows.forEach(({ x, y }, i) => {
        const { mppX, mppY } = run.slide
        expect(anndata!.spatial[2 * i]).toBeCloseTo(x * mppX!, 9)
        expect(anndata!.spatial[2 * i + 1]).toBeCloseTo(y * mppY!, 9)
      })
      expect((await rowsIn<Shape>('shapes/objects/shapes.parquet')).rows.map(({ id }) => id)).toEqual(
        points.rows.map(({ id }) => id),
      )
    }
  })

  it('has labels alone where there is no object, and says so; and no name of the slide where that is asked', async () => {
    const { warnings } = await write(madeRun())
    expect(warnings).toEqual(['There is no object: spatialdata.zarr has empty labels alone.'])
    expect((await readdir(zarr)).sort()).toEqual(['.zattrs', '.zgroup', 'labels'])
    await write(madeRun({ name: 'Jane Doe.svs', objects: [drawn(['##'], 3, 3)] }), { deidentify: true })
    for (const each of await readdir(zarr, { recursive: true, withFileTypes: true }))
      if (each.isFile()) expect(await readFile(join(each.parentPath, each.name), 'latin1')).not.toContain('Jane')
  })
})
