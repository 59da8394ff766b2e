// Cells and membranes from the command line, beside a made truth: completeness, scores, and nucleus and cell in every file.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { madeMembranes, membraneCells, membraneScoreOf, paintsMembranes } from '../../../membranePicture'
import { numbersOf } from '../../../main/export/zarr/readBack'
import { cli } from '../inProcess'

let folder: string
let picture: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'morphoscope-cells-'))
  picture = join(folder, 'membranes.png')
  await paintsMembranes(picture)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const recipe = ['--recipe', 'ihc-nuclei', '--mpp', '0.25', '--set', 'brown.apart=false', '--set', 'channel.image=hematoxylin']
const run = async (name: string, ...more: string[]) => {
  const done = await cli('run', picture, ...recipe, ...more, '--out', join(folder, name))
  expect(done.code, done.err).toBe(0)
  return done
}
async function rowsOf(name: string): Promise<Record<string, string>[]> {
  const [head = '', ...rows] = (await readFile(join(folder, name, 'objects.csv'), 'utf8')).trim().split('\r\n')
  const names = head.split(',')
  return rows.map((row) => Object.fromEntries(row.split(',').map((cell, i) => [names[i]!, cell])))
}
it('measures how much of each membrane is stained to 3 points, and scores it', async () => {
  await run('scored', '--set', 'cells.expansion=4', '--files', 'objects.csv')
  const rows = await rowsOf('scored')
  expect(rows).toHaveLength(membraneCells)
  for (const row of rows) {
    const [x, y] = [Number(row['centroid_x_px']), Number(row['centroid_y_px'])]
    const made = madeMembranes.find((each) => Math.hypot(each.x - x, each.y - y) < 3)!
    expect(Math.abs(Number(row['membrane_completeness_percent']) - 100 * made.share), `${x}, ${y}`).toBeLessThan(3)
    expect([x, y, Number(row['membrane_score'])]).toEqual([x, y, membraneScoreOf(made)])
    const [nucleus, cytoplasm, cell] = ['area_um2', 'cytoplasm_area_um2', 'cell_area_um2'].map((name) => Number(row[name])) as [
      number,
      number,
      number,
    ]
    expect(nucleus + cytoplasm).toBeLessThan(cell)
    // What is painted brown is in the membrane, and neither in the cytoplasm nor in the nucleus.
    expect(Number(row['cytoplasm_dab_mean_od'])).toBeLessThan(0.05)
    if (made.share === 1) expect(Number(row['membrane_dab_mean_od'])).toBeGreaterThan(0.1)
  }
})

it('has nucleus and cell as one object in every file', async () => {
  await run(
    'both',
    '--set',
    'cells.expansion=4',
    '--files',
    'objects.csv,objects.geojson,objects.parquet,spatialdata.zarr,run.json',
  )
  const rows = await rowsOf('both')
  const { features } = JSON.parse(await readFile(join(folder, 'both', 'objects.geojson'), 'utf8')) as {
    features: {
      geometry: { type: string; coordinates: number[][][] }
      nucleusGeometry: { type: string; coordinates: number[][][] }
      properties: { objectType: string; measurements: Record<string, number> }
    }[]
  }
  const area = ([ring = []]: number[][][]): number =>
    Math.abs(ring.reduce((sum, [x = 0, y = 0], i) => sum + x * (ring[i + 1]?.[1] ?? y) - (ring[i + 1]?.[0] ?? x) * y, 0)) / 2
  const bytes = await readFile(join(folder, 'both', 'objects.parquet'))
  const records = await parquetReadObjects({ file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) })
  expect([features.length, records.length]).toEqual([rows.length, rows.length])
  features.forEach(({ geometry, nucleusGeometry, properties }, i) => {
    const row = rows[i]!
    expect(properties.objectType).toBe('cell')
    expect(area(geometry.coordinates) / 16).toBeCloseTo(Number(row['cell_area_um2']), 3)
    expect(area(nucleusGeometry.coordinates) / 16).toBeCloseTo(Number(row['area_um2']), 3)
    const { measurements } = properties
    expect(measurements['Cell: Area µm^2']).toBe(Number(row['cell_area_um2']))
    expect(measurements['DAB: Membrane: Mean']).toBe(Number(row['membrane_dab_mean_od']))
    expect(measurements['Membrane: Completeness %']).toBe(Number(row['membrane_completeness_percent']))
    const record = records[i] as {
      cell_area_um2: number
      geometry: { coordinates: number[][][] }
      cell_geometry: { coordinates: number[][][] }
    }
    expect(area(record.cell_geometry.coordinates)).toBe(area(geometry.coordinates))
    expect(area(record.geometry.coordinates)).toBe(area(nucleusGeometry.coordinates))
    expect(record.cell_area_um2).toBeCloseTo(Number(row['cell_area_um2']), 3)
  })
  for (const [name, column] of [
    ['objects', 'geometry'],
    ['cells', 'cell_geometry'],
  ] as const) {
    const file = await asyncBufferFromFile(join(folder, 'both', 'spatialdata.zarr', 'shapes', name, 'shapes.parquet'))
    const shapes = await parquetReadObjects({ file })
    expect(shapes).toEqual(records.map((record) => ({ id: record['id'] as number, geometry: record[column] as object })))
  }
})

it('cuts cells where that is asked, and their nuclei else', async () => {
  const marks = ['--lmd-calibration', '1,1;990,2;3,600', '--laser-tolerance', '0', '--files', 'shapes.palm.txt,objects.csv']
  await run('cut', '--set', 'cells.expansion=4', ...marks, '--laser-cells')
  await run('cut nuclei', '--set', 'cells.expansion=4', ...marks)
  const areasOf = async (name: string): Promise<Map<string, number>> => {
    const text = await readFile(join(folder, name, 'shapes.palm.txt'), 'utf8')
    return new Map([...text.matchAll(/^Freehand\t.*\t([\d.]+)\tObject (\d+)/gm)].map(([, area, id]) => [id!, Number(area)]))
  }
  const [cells, nuclei] = [await areasOf('cut'), await areasOf('cut nuclei')]
  const rows = await rowsOf('cut')
  expect(cells.size).toBe(rows.length)
  for (const row of rows) {
    expect(cells.get(row['id']!)).toBeCloseTo(Number(row['cell_area_um2']), 1)
    expect(nuclei.get(row['id']!)).toBeCloseTo(Number(row['area_um2']), 1)
  }
})

it('has cells in the label image and in the overlay', async () => {
  await run('pictured', '--set', 'cells.expansion=4', '--files', 'objects.csv,labels.ome.tif,labels.zarr,overlay.png')
  await run('nuclei', '--files', 'labels.ome.tif,overlay.png')
  const fileOf = (name: string, file: string): string => join(folder, name, file)
  const idsOf = async (name: string, page: number) => {
    const { data, info } = await sharp(fileOf(name, 'labels.ome.tif'), { page })
      .extractChannel(0)
      .raw({ depth: 'uint' })
      .toBuffer({ resolveWithObject: true })
    expect(info.channels).toBe(1)
    return new Uint32Array(data.buffer, data.byteOffset, info.width * info.height)
  }
  const [nuclei, cells, alone] = [await idsOf('pictured', 0), await idsOf('pictured', 1), await idsOf('nuclei', 0)]
  expect(Buffer.compare(Buffer.from(nuclei.buffer), Buffer.from(alone.buffer))).toBe(0)
  const count = (ids: Uint32Array, id: number): number => ids.reduce((sum, each) => sum + Number(each === id), 0)
  const rows = await rowsOf('pictured')
  for (const [i, row] of rows.entries()) {
    expect(count(nuclei, i + 1) / 16).toBeCloseTo(Number(row['area_um2']), 3)
    expect(count(cells, i + 1) / 16).toBeCloseTo(Number(row['cell_area_um2']), 3)
  }
  expect(nuclei.every((id, i) => id === 0 || cells[i] === id)).toBe(true)
  for (const [path, ids] of [['0', nuclei] as const, ['labels/cells/0', cells] as const])
    expect((await numbersOf(fileOf('pictured', 'labels.zarr'), path)).data).toEqual(ids)
  expect((await sharp(fileOf('nuclei', 'labels.ome.tif')).metadata()).pages ?? 1).toBe(1)
  expect((await sharp(fileOf('pictured', 'labels.ome.tif')).metadata()).pages).toBe(2)

  // Lines are of one colour, which the painted slide has nowhere; a cell's is the longer of the two.
  const lineOf = async (name: string): Promise<number> => {
    const { data, info } = await sharp(fileOf(name, 'overlay.png')).raw().toBuffer({ resolveWithObject: true })
    let px = 0
    for (let at = 0; at < data.length; at += info.channels)
      px += Number(data[at] === 112 && data[at + 1] === 112 && data[at + 2] === 225)
    return px
  }
  expect(await lineOf('nuclei')).toBeGreaterThan(0)
  expect(await lineOf('pictured')).toBeGreaterThan(2 * (await lineOf('nuclei')))
})

it('parts cells into 0, 1+, 2+ and 3+ by their membranes', async () => {
  const done = await run(
    'classes',
    '--set',
    'cells.expansion=4',
    '--class-by',
    'Membrane score > 0.5,1.5,2.5',
    '--files',
    'objects.csv',
  )
  const count = (score: number): number => madeMembranes.filter((made) => membraneScoreOf(made) === score).length
  expect(done.out).toContain(`${count(0)} `)
  const names = ['negative', 'weak', 'moderate', 'strong']
  for (const row of await rowsOf('classes')) expect(row['class']).toBe(names[Number(row['membrane_score'])])
})

it('changes nothing where no cells are asked for', async () => {
  await run('none', '--files', 'objects.csv,objects.geojson')
  const [row] = await rowsOf('none')
  expect(Object.keys(row!).filter((name) => /cell|cytoplasm|membrane/.test(name))).toEqual([])
  expect(await readFile(join(folder, 'none', 'objects.geojson'), 'utf8')).not.toMatch(/nucleusGeometry|"cell"/)
})
