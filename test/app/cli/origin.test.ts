// `project import|export --origin bounds`: regions of a Leica slide where QuPath has them, and back.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { originIn } from '../../../main/project/geojsonFile/origin'
import { dataFolder } from '../../native/pixels'
import { cli } from './inProcess'

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
    expect(atSlide.morphoscope).toBeUndefined()
    const inQuPath = drawn as never as File
    expect(geometries(atSlide)).toEqual(geometries(inQuPath, bounds))
    const atBounds = await exported('A.morphoscope', 'bounds', '--origin', 'bounds')
    expect(atBounds.morphoscope).toEqual({ origin: 'bounds', ...bounds })
    expect(geometries(atBounds)).toEqual(geometries(inQuPath))
    // The file's own word goes before the option, and needs none.
    for (const [folder, ...more] of [['B.morphoscope'], ['C.morphoscope', '--origin', 'slide']] as [string, ...string[]][]) {
      expect(await imported(folder, 'bounds/leica-two-regions-regions.geojson', ...more)).toMatchObject({ code: 0 })
      expect(geometries(await exported(folder, folder.slice(0, 1)))).toEqual(geometries(atSlide))
    }
  })

  it('says of objects that they are not written so, and of another word which there are', async () => {
    const objects = await cli(
      'project',
      'export',
      join(dir, 'A.morphoscope'),
      '--out',
      dir,
      '--files',
      'objects.csv',
      '--origin',
      'bounds',
    )
    expect([objects.code, objects.err]).toEqual([2, expect.stringContaining('from the slide’s corner') as string])
    const wrong = await imported('A.morphoscope', 'qupath.geojson', '--origin', 'qupath')
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringMatching(/slide, bounds/) as string])
  })
})

it('is read from a file only where the file says it, and never from a text in it', () => {
  const stated = '"morphoscope":{"origin":"bounds","x":3,"y":-4.5}'
  expect(originIn(`{"type":"FeatureCollection",${stated},"features":[]}`)).toEqual({ x: 3, y: -4.5 })
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
