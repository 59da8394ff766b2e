// Inputs of public reports about files that programs exchange, made anew from what each says: what came of them elsewhere must not come of them here. test/faults.md has the list.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ImportedFile, Recipe } from '../../../../app/contract'
import type { Engine } from '../../../../main/engine'
import { importer } from './importer'
import { importedText } from './importedText'

let engine: Engine
let slideId: string
let recipe: Recipe

let end: () => Promise<void>

beforeAll(async () => void ({ engine, slideId, recipe, end } = await importer('reports-')))
afterAll(() => end())

const ring = (x: number, y: number, side = 20): number[][] => [[x, y], [x + side, y], [x + side, y + side], [x, y + side], [x, y]] // prettier-ignore
const square = (x: number, y: number, side = 20) => ({ type: 'Polygon', coordinates: [ring(x, y, side)] })
const feature = (geometry: unknown, properties: unknown = { objectType: 'detection' }, more: object = {}) => ({
  ...{ type: 'Feature', geometry, properties },
  ...more,
})
const collection = (features: readonly unknown[], more: object = {}): string =>
  JSON.stringify({ type: 'FeatureCollection', ...more, features })
const bring = (text: string, more: object = {}): Promise<ImportedFile> =>
  importedText(engine, { slideId, recipe, unsaid: 'objects', ...more }, text)

interface Report {
  readonly report: string
  readonly text: string
  readonly objects: number | null
  readonly regions?: number
  readonly leftOut?: RegExp
  readonly repaired?: RegExp
  readonly classes?: readonly string[]
}
const beside = feature(square(60, 60))
const classed = (classification: unknown) => feature(square(200, 60), { objectType: 'detection', classification })

const reports: readonly Report[] = [
  {
    report: 'qupath/qupath#1293: NaN, Infinity and -Infinity among measurements, bare as Java writes them',
    text: collection([
      feature(square(200, 60), { objectType: 'detection', measurements: { a: 'NaN', b: 'Infinity', c: '-Infinity', d: 2 } }),
      beside,
    ]).replace(/"(NaN|-?Infinity)"/g, '$1'),
    objects: 2,
  },
  {
    report: 'digitalpathologybern/hover_next_inference#26: an outline that crosses itself',
    text: collection([feature({ type: 'Polygon', coordinates: [[[200, 60], [220, 80], [220, 60], [200, 80], [200, 60]]] }), beside]), // prettier-ignore
    objects: 2,
  },
  {
    report: 'ConservationMetrics/gc-scripts-hub#148: a feature whose geometry is null among others',
    text: collection([feature(null), beside]),
    ...{ objects: 1, leftOut: /1 feature has no geometry/ },
  },
  {
    report: 'NetTopologySuite.IO.GeoJSON#96: positions of null',
    text: collection([feature({ type: 'Polygon', coordinates: [[[null]]] }), beside]),
    ...{ objects: 1, leftOut: /no coordinates of a Polygon/ },
  },
  {
    report: 'hotosm/tasking-manager#3145: a MultiPolygon with an empty part',
    text: collection([feature({ type: 'MultiPolygon', coordinates: [[]] }), feature({ type: 'MultiPolygon', coordinates: [[], [ring(200, 60)]] }), beside]),
    ...{ objects: 2, leftOut: /less than three points|no coordinates/, repaired: /less than three points/ },
  },
  {
    report: 'msk-mind/luna#390 and NoiseCapture#98: a list in place of a collection',
    text: JSON.stringify([feature(square(200, 60)), beside]),
    objects: 2,
  },
  {
    report: 'prism-oncology/sopa#112: GeoPandas’ file, with a crs, a bbox, null properties and no kinds',
    text: collection([feature(square(200, 60), null, { id: '0', bbox: [200, 60, 220, 80] }), feature(square(60, 60), {}, { id: '1' })], {
      name: 'cellpose_boundaries',
      crs: { type: 'name', properties: { name: 'urn:ogc:def:crs:OGC:1.3:CRS84' } },
      bbox: [60, 60, 220, 80],
    }),
    objects: 2,
  },
  {
    report: 'geopandas/pyogrio#548: QuPath’s cell with its nucleus beside the geometry',
    text: collection([feature(square(200, 60, 40), { objectType: 'cell' }, { nucleusGeometry: square(210, 70, 10) })]),
    objects: 1,
  },
  {
    report: 'qupath/qupath#698: the kind in place of the id, as before 0.3',
    text: collection([
      feature(square(200, 60), { isLocked: false }, { id: 'PathDetectionObject' }),
      feature(square(300, 60), {}, { id: 'PathAnnotationObject' }),
    ]),
    ...{ objects: 1, regions: 1 },
  },
  {
    report: 'boyden/NuHTC#9: points and outlines in one file',
    text: collection([feature({ type: 'Point', coordinates: [200, 60] }), feature({ type: 'MultiPoint', coordinates: [[1, 1], [2, 2]] }), beside]), // prettier-ignore
    ...{ objects: 1, leftOut: /2 features: each is points/ },
  },
  {
    report: 'QuPath 0.2: a colour as one negative number',
    text: collection([classed({ name: 'Immune', colorRGB: -3670016 })]),
    ...{ objects: 1, classes: ['Immune'] },
  },
  { report: 'a class as text', text: collection([classed('Other cells')]), objects: 1, classes: ['Other cells'] },
  {
    report: 'a class of several names, QuPath 0.4',
    text: collection([classed({ names: ['CD3', 'CD8'], color: [1, 2, 3] })]),
    ...{ objects: 1, classes: ['CD3: CD8'] },
  },
  { report: 'a byte order mark and Windows’ line ends', text: `\ufeff${collection([beside]).replace(/,/g, ',\r\n')}\r\n`, objects: 1 },
  { report: 'measurements as a list of names and values, QuPath 0.2', text: collection([feature(square(200, 60), { objectType: 'detection', measurements: [{ name: 'a', value: 1 }] })]), objects: 1 },
  { report: 'positions with a height', text: collection([feature({ type: 'Polygon', coordinates: [ring(200, 60).map((p) => [...p, 7])] })]), objects: 1 },
  { report: 'a ring that is not closed', text: collection([feature({ type: 'Polygon', coordinates: [ring(200, 60).slice(0, -1)] })]), objects: 1 },
  { report: 'a feature a line (GeoJSON Text Sequences)', text: [feature(square(200, 60)), beside].map((each) => `\u001e${JSON.stringify(each)}\n`).join(''), objects: 2 },
  { report: 'a collection of geometries, which no program draws', text: collection([feature({ type: 'GeometryCollection', geometries: [square(1, 1)] }), beside]), objects: 1, leftOut: /GeometryCollection/ },
  { report: 'an object beyond the slide, and one across its edge', text: collection([feature(square(-90, 60)), feature(square(-10, 60)), beside]), objects: 2, leftOut: /beyond the slide/, repaired: /reaches beyond the slide/ },
  { report: 'whole numbers as texts', text: collection([feature({ type: 'Polygon', coordinates: [ring(200, 60).map((p) => p.map(String))] }), beside]), objects: 1, leftOut: /no coordinates of a Polygon/ },
  { report: 'an empty collection, as QuPath writes of a slide without objects', text: collection([]), objects: null, regions: 0 },
] // oxfmt-ignore

it.each(reports)('$report', async ({ text, objects, regions = null, leftOut, repaired, classes }) => {
  const found = await bring(text)
  expect(found.objects?.objects ?? null).toBe(objects)
  expect(found.regions?.added ?? null).toBe(regions)
  const said = [...(found.objects?.leftOut ?? []), ...found.leftOut].join('\n')
  if (leftOut) expect(said).toMatch(leftOut)
  else expect(said).toBe('')
  if (repaired) expect(found.objects!.repaired.join('\n')).toMatch(repaired)
  if (!classes) return
  const status = await engine.invoke('run:status', { runId: found.objects!.runId })
  expect(status.classes!.filter((each) => each.objects > 0).map(({ label }) => label)).toEqual(classes)
})

it('msk-mind/luna#390: far more than 100,000 features are objects of one result', async () => {
  const many = Array.from({ length: 120_000 }, (_, i) => feature(square(6 * (i % 360), 6 * Math.floor(i / 360), 4)))
  const { objects } = await bring(collection(many), { partLength: 2 ** 22 })
  expect(objects).toMatchObject({ objects: 120_000, leftOut: [] })
}, 120_000)
