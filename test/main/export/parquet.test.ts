// objects.parquet read back by another library's reader: the columns of objects.csv before they are rounded, and the rings of objects.geojson.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { exportRun } from '../../../main/export/exportRun'
import type { RunResult } from '../../../main/run/objects/result'
import { drawn, madeRun, madeTools } from './madeRun'
import { rounded } from './plainWriters'

let directory: string
beforeEach(async () => (directory = await mkdtemp(join(tmpdir(), 'morphoscope-parquet-'))))
afterEach(async () => await rm(directory, { recursive: true, force: true }))

async function exported(run: RunResult, threads = 2): Promise<ArrayBuffer> {
  await exportRun(
    run,
    { directory, files: ['objects.parquet', 'objects.csv', 'objects.geojson'], overwrite: true },
    { ...madeTools, threads },
    () => undefined,
    new AbortController().signal,
  )
  const bytes = await readFile(join(directory, 'objects.parquet'))
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
}

const objects = Array.from({ length: 9000 }, (_, i) => ({
  ...drawn(i % 3 === 0 ? ['###', '#.#', '###'] : ['#..', '.##'], (i % 90) * 7, Math.floor(i / 90) * 5),
  perimeter: i / 3,
  circularity: i % 2 === 0 ? NaN : 0.1 + i / 1e5,
}))

describe('objects.parquet', () => {
  it('says what objects.csv and objects.geojson say', async () => {
    const file = await exported(madeRun({ objects, scale: 1.7, name: 'it’s, "here".svs' }))
    const rows = await parquetReadObjects({ file })
    const csv = (await readFile(join(directory, 'objects.csv'), 'utf8')).split('\r\n')
    const { features } = JSON.parse(await readFile(join(directory, 'objects.geojson'), 'utf8')) as {
      features: { geometry: unknown }[]
    }
    expect(rows).toHaveLength(objects.length)
    const header = csv[0]!.split(',')
    expect(Object.keys(rows[0]!)).toEqual([...header, 'geometry'])
    const slide = '"it’s, ""here"".svs"'
    rows.forEach((row, i) => {
      const cells = header.map((name) => {
        const value: unknown = row[name]
        if (name === 'slide') return value === 'it’s, "here".svs' ? slide : String(value)
        return typeof value === 'number' ? String(rounded(value) ?? '') : String(value)
      })
      expect(cells.join(',')).toBe(csv[i + 1])
      expect(row['geometry']).toEqual(features[i]!.geometry)
    })
    // Not rounded.
    expect(rows[1]!['perimeter_um']).toBe((1 / 3) * 0.5)
  })

  it('is GeoParquet, in row groups, and the same for any number of threads', async () => {
    const run = madeRun({ objects })
    const file = await exported(run, 1)
    const { key_value_metadata: told, row_groups: groups, created_by: by } = parquetMetadata(file)
    expect(JSON.parse(told!.find(({ key }) => key === 'geo')!.value!)).toMatchObject({
      version: '1.1.0',
      primary_column: 'geometry',
      columns: { geometry: { encoding: 'WKB', crs: null } },
    })
    expect(groups.length).toBeGreaterThan(1)
    // A reader that looks for a place leaves out groups by these.
    const rows = await parquetReadObjects({ file })
    let first = 0
    for (const { columns, num_rows } of groups) {
      const places = rows.slice(first, (first += Number(num_rows))).map(({ centroid_x_px: x }) => x as number)
      const told = columns.find(({ meta_data }) => meta_data!.path_in_schema[0] === 'centroid_x_px')!.meta_data!.statistics!
      expect([told.min_value, told.max_value]).toEqual([Math.min(...places), Math.max(...places)])
    }
    expect(by).toBe('Morphoscope 0.1.0')
    for (const threads of [2, 5]) expect(Buffer.compare(Buffer.from(await exported(run, threads)), Buffer.from(file))).toBe(0)
  })

  it('has outlines over several pages, and one that is longer than a page', async () => {
    const comb = (teeth: number, rows: number) => [
      '#'.repeat(2 * teeth),
      ...Array.from({ length: rows }, () => '#.'.repeat(teeth)),
    ]
    const combs = Array.from({ length: 300 }, (_, i) => drawn(comb(20 + (i % 50), 2), 0, 9 * i))
    const file = await exported(madeRun({ objects: [...combs, drawn(comb(20_000, 1), 0, 5000), ...combs.slice(0, 3)], scale: 1 }))
    const { row_groups: groups } = parquetMetadata(file)
    const geometry = groups[0]!.columns.at(-1)!.meta_data!
    expect([groups.length, geometry.path_in_schema]).toEqual([1, ['geometry']])
    expect(geometry.total_compressed_size).toBeGreaterThan(2n * 2n ** 20n)
    const rows = await parquetReadObjects({ file })
    const { features } = JSON.parse(await readFile(join(directory, 'objects.geojson'), 'utf8')) as {
      features: { geometry: unknown }[]
    }
    expect(rows.map((row): unknown => row['geometry'])).toEqual(features.map(({ geometry: written }) => written))
  })

  it('is a table without rows where nothing was found', async () => {
    const file = await exported(madeRun({ objects: [] }))
    expect(await parquetReadObjects({ file })).toEqual([])
    expect(parquetMetadata(file).schema.map(({ name }) => name)).toContain('geometry')
  })
})
