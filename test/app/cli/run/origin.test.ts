// `--origin bounds`: regions and objects of a Leica slide where QuPath has them, and back.
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { originIn } from '../../../../main/project/geojsonFile/origin'
import { dataFolder } from '../../../native/pixels'
import { cli } from '../inProcess'

const data = dataFolder()
const leica = data && join(data, 'slides', 'synthetic', 'leica-two-regions.scn')
/** What the slide states. */
const bounds = { x: 300, y: 2500 }

type Positions = number[] | Positions[]
interface File {
  readonly morphoscope?: object
  readonly features: { readonly id: string; readonly geometry: { type: string; coordinates: Positions } }[]
}
const feature = (id: number, type: string, coordinates: Positions): object => ({
  type: 'Feature',
  id: `0b0f3a52-6ba3-4b0a-9a3e-0d3f2f5a6b1${id}`,
  geometry: { type, coordinates },
  properties: { objectType: 'annotation' },
})
/** All kinds of shapes; the last lies left of the bounds. */
const drawn = {
  type: 'FeatureCollection',
  features: [
    feature(1, 'Polygon', [
      [
        [0, 0],
        [1000, 0],
        [1000, 500.5],
        [0, 500.5],
        [0, 0],
      ],
    ]),
    feature(2, 'Polygon', [
      [
        [10, 10],
        [400, 20],
        [90, 700.25],
        [10, 10],
      ],
    ]),
    feature(3, 'LineString', [
      [5, 6],
      [7.5, 8],
    ]),
    feature(4, 'MultiPoint', [
      [100, 200],
      [300, 400],
    ]),
    feature(5, 'Polygon', [
      [
        [-200, 10],
        [-100, 10],
        [-150, 90],
        [-200, 10],
      ],
    ]),
  ],
}
const shift = (value: Positions, by: { x: number; y: number }): Positions =>
  typeof value[0] === 'number'
    ? [value[0] + by.x, (value[1] as number) + by.y]
    : (value as Positions[]).map((each) => shift(each, by))
const geometries = ({ features }: File, by = { x: 0, y: 0 }): object =>
  Object.fromEntries(features.map(({ id, geometry }) => [id, { ...geometry, coordinates: shift(geometry.coordinates, by) }]))
/** Of each object its rings, wherever they begin. */
const rings = ({ features }: File): string[] =>
  features
    .flatMap(({ geometry: { type, coordinates } }) => (type === 'Polygon' ? [coordinates] : (coordinates as Positions[])))
    .flatMap((polygon) => polygon as [number, number][][])
    .map((ring) => ring.slice(0, -1).map(String).sort().join(' '))
    .sort()

describe.runIf(leica)('a Leica slide with bounds (../shared/data)', () => {
  let dir: string
  beforeAll(async () => void (dir = await mkdtemp(join(tmpdir(), 'origin-'))))
  afterAll(() => rm(dir, { recursive: true, force: true }))

  const read = async (out: string): Promise<File> =>
    JSON.parse(await readFile(join(dir, out, 'leica-two-regions-regions.geojson'), 'utf8')) as File
  const exported = async (folder: string, out: string, ...more: string[]): Promise<File> => {
    expect(await cli('project', 'export', join(dir, folder), '--out', join(dir, out), ...more)).toMatchObject({ code: 0 })
    return read(out)
  }
  const imported = (folder: string, file: string, ...more: string[]) =>
    cli('project', 'import', join(dir, folder), join(dir, file), '--slide', leica!, ...more)

  it('takes QuPath’s regions to their place, writes them where QuPath has them, and reads that back', async () => {
    await writeFile(join(dir, 'qupath.geojson'), JSON.stringify(drawn))
    expect(await imported('A.morphoscope', 'qupath.geojson', '--origin', 'bounds')).toMatchObject({
      code: 0,
      out: 'qupath.geojson: 5 regions',
    })
    const atSlide = await exported('A.morphoscope', 'slide')
    expect(atSlide.morphoscope).toEqual({ origin: 'slide' })
    const inQuPath = drawn as never as File
    expect(geometries(atSlide)).toEqual(geometries(inQuPath, bounds))
    const atBounds = await exported('A.morphoscope', 'bounds', '--origin', 'bounds')
    expect(atBounds.morphoscope).toEqual({ origin: 'bounds', ...bounds })
    expect(geometries(atBounds)).toEqual(geometries(inQuPath))
    // The file's own word goes before the option, and needs none.
    for (const [folder, file, ...more] of [
      ['B.morphoscope', 'bounds'],
      ['C.morphoscope', 'bounds', '--origin', 'slide'],
      ['G.morphoscope', 'slide', '--origin', 'bounds'],
    ] as [string, string, ...string[]][]) {
      expect(await imported(folder, `${file}/leica-two-regions-regions.geojson`, ...more)).toMatchObject({ code: 0 })
      expect(geometries(await exported(folder, folder.slice(0, 1)))).toEqual(geometries(atSlide))
    }
  })

  it('writes a run’s objects where QuPath has them, and takes them back to their place as regions', async () => {
    const run = (out: string, ...more: string[]) =>
      cli('run', leica!, '--region', '300,2500,1024,1024', '--mpp', '0.5', '--out', join(dir, out), ...more)
    expect(await run('run-slide')).toMatchObject({ code: 0 })
    expect(await run('run-bounds', '--origin', 'bounds')).toMatchObject({ code: 0 })
    const objects = async (out: string): Promise<File> =>
      JSON.parse(await readFile(join(dir, out, 'objects.geojson'), 'utf8')) as File
    const [atSlide, atBounds] = [await objects('run-slide'), await objects('run-bounds')]
    expect(atSlide.features.length).toBeGreaterThan(0)
    expect(atBounds.morphoscope).toEqual({ origin: 'bounds', ...bounds })
    expect(geometries(atBounds, bounds)).toEqual(geometries(atSlide))
    const record = JSON.parse(await readFile(join(dir, 'run-bounds', 'run.json'), 'utf8')) as { export: object }
    expect(record.export).toMatchObject({ origin: 'bounds', originPx: bounds })
    // Detections are no regions: as annotations, with the file's own word, and with the option alone as QuPath leaves it.
    const features = atBounds.features.map((each) => ({ ...each, properties: { objectType: 'annotation' } }))
    const { morphoscope } = atBounds
    await writeFile(join(dir, 'own.geojson'), JSON.stringify({ type: 'FeatureCollection', morphoscope, features }))
    await writeFile(join(dir, 'of-qupath.geojson'), JSON.stringify({ type: 'FeatureCollection', features }))
    for (const [folder, file, ...more] of [
      ['D.morphoscope', 'own.geojson'],
      ['E.morphoscope', 'of-qupath.geojson', '--origin', 'bounds'],
    ] as [string, string, ...string[]][]) {
      expect(await imported(folder, file, ...more)).toMatchObject({ code: 0 })
      expect(rings(await exported(folder, folder.slice(0, 1)))).toEqual(rings(atSlide))
    }
  })

  it('writes the objects of a project’s runs so, and says of another word which there are', async () => {
    const folder = join(dir, 'F.morphoscope')
    expect(await cli('project', 'add', folder, leica!, '--mpp', '0.5')).toMatchObject({ code: 0 })
    expect(
      await cli('project', 'run', folder, '--out', join(dir, 'F-run'), '--files', 'objects.csv', '--origin', 'bounds'),
    ).toMatchObject({ code: 0 })
    const exportedTo = ['--out', join(dir, 'F-export'), '--files', 'objects.csv', '--origin', 'bounds']
    expect(await cli('project', 'export', folder, ...exportedTo)).toMatchObject({ code: 0 })
    expect(await cli('project', 'objects', folder, '--out', join(dir, 'F-objects'), '--files', 'objects.csv')).toMatchObject({
      code: 0,
    })
    const csv = async (out: string): Promise<string[][]> => {
      const [sub] = await readdir(join(dir, out))
      const text = await readFile(join(dir, out, sub!, 'objects.csv'), 'utf8')
      return text
        .trimEnd()
        .split('\r\n')
        .map((row) => row.split(','))
    }
    const [ran, again, plain] = [await csv('F-run'), await csv('F-export'), await csv('F-objects')]
    expect(again).toEqual(ran)
    expect(ran.length).toBe(plain.length)
    expect(ran.length).toBeGreaterThan(1)
    const at = (rows: string[][], name: string): number[] => rows.slice(1).map((row) => Number(row[rows[0]!.indexOf(name)]))
    expect(at(ran, 'bounds_x_px').map((x) => x + bounds.x)).toEqual(at(plain, 'bounds_x_px'))
    expect(at(ran, 'bounds_y_px').map((y) => y + bounds.y)).toEqual(at(plain, 'bounds_y_px'))
    expect(plain[0]).not.toContain('origin')
    const wrong = await imported('A.morphoscope', 'qupath.geojson', '--origin', 'qupath')
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringMatching(/slide, bounds/) as string])
  })
})

it('is read from a file only where the file says it, and never from a text in it', () => {
  const stated = '"morphoscope":{"origin":"bounds","x":3,"y":-4.5}'
  expect(originIn(`{"type":"FeatureCollection",${stated},"features":[]}`)).toEqual({ x: 3, y: -4.5 })
  expect(originIn('{"morphoscope":{"origin":"slide"},"features":[]}')).toEqual({ x: 0, y: 0 })
  expect(originIn(`{"features":[${' '.repeat(9000)}],${stated}}`)).toEqual({ x: 3, y: -4.5 })
  expect(originIn(JSON.stringify({ features: [{ properties: { name: stated } }] }))).toBeNull()
  for (const other of [
    '{"origin":"slide","x":3,"y":4}',
    '{"origin":"bounds","x":1e300,"y":4}',
    '{"origin":"bounds","x":"3"}',
    '{nonsense}',
  ])
    expect(originIn(`{"morphoscope":${other},"features":[]}`)).toBeNull()
})
