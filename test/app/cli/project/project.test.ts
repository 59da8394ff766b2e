// `morphoscope project`: QuPath's annotations in, a table by region, annotations out, on a folder that a window opens too.
import { copyFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { gzipSync } from 'node:zlib'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sample } from '../../../main/realEngine'
import { cli } from '../inProcess'

let dir: string
beforeAll(async () => (dir = await mkdtemp(join(tmpdir(), 'project-cli-'))))
afterAll(() => rm(dir, { recursive: true, force: true }))

const ring = (x: number, y: number, side: number) => [
  [x, y],
  [x + side, y],
  [x + side, y + side],
  [x, y + side],
  [x, y],
]
const feature = (id: string, coordinates: number[][][], properties: object) => ({
  type: 'Feature',
  id,
  geometry: { type: 'Polygon', coordinates },
  properties: { objectType: 'annotation', ...properties, isLocked: false },
})
const annotations = {
  type: 'FeatureCollection',
  features: [
    feature('0b0f3a52-6ba3-4b0a-9a3e-0d3f2f5a6b11', [ring(700, 1400, 500), ring(900, 1600, 100)], {
      name: 'Front',
      classification: { name: 'Tumor', color: [213, 94, 0] },
    }),
    feature('0b0f3a52-6ba3-4b0a-9a3e-0d3f2f5a6b12', [ring(20.25, 30.5, 100)], { name: 'Glass' }),
  ],
}

it('takes annotations, counts what a recipe finds inside each, and gives them back as they came', async () => {
  const slides = join(dir, 'slides')
  await mkdir(slides)
  const slide = join(slides, 'case.svs')
  await copyFile(sample, slide)
  const given = join(dir, 'given.geojson')
  await writeFile(given, JSON.stringify(annotations))
  const folder = join(dir, 'Study.morphoscope')
  const imported = await cli('project', 'import', folder, given, '--slide', slide)
  expect(imported).toMatchObject({ code: 0, out: 'given.geojson: 2 regions' })

  // The same packed; a file of which nothing is taken, one that is no whole gzip, and a folder each end with words and a code.
  const other = join(dir, 'Other.morphoscope')
  const packed = join(dir, 'given.geojson.gz')
  await writeFile(packed, gzipSync(JSON.stringify(annotations)))
  expect(await cli('project', 'import', other, packed, '--slide', slide)).toMatchObject({
    ...{ code: 0, out: 'given.geojson.gz: 2 regions' },
  })
  const cells = join(dir, 'cells.geojson')
  await writeFile(cells, JSON.stringify({ type: 'FeatureCollection', features: [{ type: 'Feature', geometry: null }] }))
  const none = await cli('project', 'import', other, cells, '--slide', slide)
  expect([none.code, none.err]).toEqual([
    65,
    expect.stringMatching(/1 feature has no geometry[^]*No region was taken from cells/),
  ])
  await writeFile(packed, gzipSync(JSON.stringify(annotations)).subarray(0, 80))
  expect((await cli('project', 'import', other, packed, '--slide', slide)).err).toMatch(/no whole gzip file/)
  await writeFile(packed, gzipSync(Buffer.alloc(2 ** 26 + 1, 32)))
  expect((await cli('project', 'import', other, packed, '--slide', slide)).err).toMatch(/more than 64 MB/)
  expect((await cli('project', 'import', other, slides, '--slide', slide)).code).toBe(66)

  const shown = await cli('project', 'open', folder)
  expect(shown.code).toBe(0)
  expect(shown.out).toMatch(/project +Study\nlast step +Import 2 regions\n/)
  expect(shown.out).toContain('case.svs')

  const summed = await cli('project', 'summary', folder, '--recipe', 'he-nuclei', '--json')
  expect(summed.code).toBe(0)
  const rows = JSON.parse(summed.out) as { region: string; class: string; areaPx: number; objects: number }[]
  expect(rows).toMatchObject([
    { slide: 'case.svs', region: null, state: 'not run', objects: null },
    { region: 'Front', class: 'Tumor', areaPx: 240_000 },
    { region: 'Glass', class: '', areaPx: 10_000 },
  ])
  expect(rows[1]!.objects).toBeGreaterThan(100)
  expect(rows[2]!.objects).toBeLessThan(5)
  const text = await cli('project', 'summary', folder)
  expect(text.out.split('\n')).toHaveLength(4)
  expect(text.out).toMatch(/case\.svs +Front +Tumor +0\.0598 mm²/)

  const out = await cli('project', 'export', folder, '--out', dir)
  expect(out).toMatchObject({ code: 0, out: join(dir, 'case-regions.geojson') })
  expect(JSON.parse(await readFile(out.out, 'utf8'))).toEqual({ ...annotations, morphoscope: { origin: 'slide' } })
  expect(await cli('project', 'export', folder, '--out', dir)).toMatchObject({ code: 73 })
  expect(await cli('project', 'export', folder, '--out', dir, '--overwrite')).toMatchObject({ code: 0 })

  // A slide that is gone is said, and makes the result partial; beside the project it is found.
  await rename(slide, join(dir, 'elsewhere.svs'))
  const partial = await cli('project', 'summary', folder)
  expect(partial.code).toBe(3)
  expect(partial.err).toContain('case.svs is neither at')
  await rename(join(dir, 'elsewhere.svs'), join(dir, 'case.svs'))
  expect((await cli('project', 'summary', folder)).code).toBe(0)
  expect(await cli('project', 'open', join(dir, 'none.morphoscope'))).toMatchObject({ code: 66 })
})
