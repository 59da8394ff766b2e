// Files of objects that count from the slide's bounds: every coordinate moves by whole px, nothing else changes, and each file says so.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ExportFile, Origin } from '../../../app/contract'
import { exportRun } from '../../../main/export/exportRun'
import { originIn } from '../../../main/project/geojsonFile/origin'
import { seeded } from '../../stress/seeded'
import { drawn, madeRun, madeTools } from './madeRun'
import { rounded } from './plainWriters'

let directory: string
beforeEach(async () => (directory = await mkdtemp(join(tmpdir(), 'morphoscope-origin-'))))
afterEach(async () => await rm(directory, { recursive: true, force: true }))

const random = seeded(40)
/** Halves of a ten-thousandth of a px, which go up, lie among the corners: 2500.00005 and its like. */
const scale = 1.00005
const objects = Array.from({ length: 3000 }, (_, i) => {
  const object = drawn(i % 4 === 0 ? ['###', '#.#', '###'] : ['#..', '##.', '.##'], Math.floor(random() * 90_000), i * 3)
  return { ...object, perimeter: random() * 90, solidity: i % 7 === 0 ? NaN : random() }
})
const bounds = { x: 12_347, y: 2501, width: 500, height: 400 }
const files: ExportFile[] = ['objects.csv', 'objects.geojson', 'objects.parquet', 'labels.ome.tif', 'run.json']

interface Geometry {
  readonly type: string
  readonly coordinates: unknown
}
interface Feature {
  readonly id: string
  readonly geometry: Geometry
  readonly properties: unknown
}

async function written(origin: Origin | undefined) {
  const folder = join(directory, origin ?? 'none')
  const region = { x: 100, y: 40, width: 64, height: 48 }
  const { length } = objects
  await exportRun(
    madeRun({ objects, scale, region, slide: { bounds }, status: { objects: length } }),
    { directory: folder, files, simplifyPx: 0, ...(origin && { origin }) },
    madeTools,
    () => undefined,
    new AbortController().signal,
  )
  const read = (name: ExportFile) => readFile(join(folder, name))
  const parquet = new Uint8Array(await read('objects.parquet')).buffer
  const geojson = (await read('objects.geojson')).toString()
  const csv = (await read('objects.csv')).toString().trimEnd().split('\r\n')
  const header = csv[0]!.split(',')
  return {
    text: geojson,
    features: (JSON.parse(geojson) as { features: Feature[] }).features,
    header,
    cells: csv.slice(1).map((row) => row.split(',')),
    rows: await parquetReadObjects({ file: parquet }),
    stated: parquetMetadata(parquet).key_value_metadata?.find(({ key }) => key === 'morphoscope')?.value,
    labels: await read('labels.ome.tif'),
    record: JSON.parse((await read('run.json')).toString()) as { region: unknown; export: Record<string, unknown> },
  }
}

/** In ten-thousandths of a px. */
function parts(value: unknown, by: readonly [number, number]): unknown {
  if (!Array.isArray(value)) return value
  if (typeof value[0] === 'number') return value.map((each, i) => Math.round((each as number) * 1e4) + 1e4 * by[i]!)
  return value.map((each) => parts(each, by))
}
const geometries = (all: readonly { geometry: Geometry }[], by: readonly [number, number] = [0, 0]): unknown =>
  all.map(({ geometry: { type, coordinates } }) => ({ type, coordinates: parts(coordinates, by) }))

it('moves every coordinate by whole px, and nothing else', async () => {
  const slide = await written('slide')
  const moved = await written('bounds')
  const back = [bounds.x, bounds.y] as const

  expect(originIn(moved.text)).toEqual({ x: bounds.x, y: bounds.y })
  expect(moved.features.map(({ id, properties }) => [id, properties])).toEqual(
    slide.features.map(({ id, properties }) => [id, properties]),
  )
  expect(geometries(moved.features, back)).toEqual(geometries(slide.features))
  // A number of the file has no more than four digits behind its point.
  expect(/\[-?\d+\.\d{5,}/.test(moved.text)).toBe(false)

  const places: Readonly<Record<string, number>> = {
    centroid_x_px: bounds.x,
    centroid_y_px: bounds.y,
    bounds_x_px: bounds.x,
    bounds_y_px: bounds.y,
  }
  expect(JSON.parse(moved.stated!)).toEqual({ origin: 'bounds', x: bounds.x, y: bounds.y })
  expect(Object.keys(moved.rows[0]!)).toEqual(Object.keys(slide.rows[0]!))
  moved.rows.forEach((row, i) => {
    const { geometry, ...values } = row
    const { geometry: unmoved, ...others } = slide.rows[i]!
    for (const [name, by] of Object.entries(places)) others[name] = (others[name] as number) - by
    expect(values).toEqual(others)
    expect(geometry).toEqual(moved.features[i]!.geometry)
    expect(unmoved).toEqual(slide.features[i]!.geometry)
  })

  const stated = ['origin', 'origin_x_px', 'origin_y_px']
  expect(moved.header.filter((name) => !stated.includes(name))).toEqual(slide.header)
  moved.cells.forEach((row, i) => {
    const said = Object.fromEntries(moved.header.map((name, at) => [name, row[at]!]))
    const before = Object.fromEntries(slide.header.map((name, at) => [name, slide.cells[i]![at]!]))
    for (const name of Object.keys(places)) before[name] = String(rounded(moved.rows[i]![name] as number))
    expect(said).toEqual({ ...before, origin: 'bounds', origin_x_px: String(bounds.x), origin_y_px: String(bounds.y) })
  })

  expect(moved.record.region).toEqual(slide.record.region)
  expect([moved.record.export['origin'], moved.record.export['originPx']]).toEqual(['bounds', { x: bounds.x, y: bounds.y }])
  expect([slide.record.export['origin'], slide.record.export['originPx']]).toEqual(['slide', undefined])

  const umPerPx = 0.5 / scale
  const xml = moved.labels.toString('latin1')
  expect(xml).toContain(`PositionX="${(100 - bounds.x) * umPerPx}"`)
  expect(xml).toContain(`PositionY="${(40 - bounds.y) * umPerPx}"`)
  expect(xml).toContain(`at level-0 px ${bounds.x}, ${bounds.y}.</Description>`)
  expect(slide.labels.toString('latin1')).not.toContain('<Description>')
})

it('is the slide’s corner where nobody says more: the same bytes', async () => {
  const none = await written(undefined)
  const slide = await written('slide')
  expect(originIn(none.text)).toBeNull()
  expect(none.stated).toBeUndefined()
  expect([none.text, none.cells, none.header]).toEqual([slide.text, slide.cells, slide.header])
  expect(Buffer.compare(none.labels, slide.labels)).toBe(0)
})
