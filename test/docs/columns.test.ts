// The reference against real files: every column, every name of run.json and every version that an export writes is on its page, as it is.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Ajv from 'ajv/dist/2020'
import { asyncBufferFromFile, parquetMetadataAsync } from 'hyparquet'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { columnOf, objectColumns } from '../../docs/site/reference/columns'
import { runJsonTexts, writtenFormats } from '../../docs/site/reference/fileTexts'
import { schemaOf } from '../../docs/site/reference/schemas'
import { cli } from '../app/cli/inProcess'
import { threeChannels } from '../main/slide/threeChannels'
import { paintsMembranes } from '../membranePicture'

let folder: string
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'morphoscope-columns-'))))
afterAll(() => rm(folder, { recursive: true, force: true }))

let made = 0
const sample = join(import.meta.dirname, '../../assets/samples/CMU-1-Small-Region.svs')
async function exported(name: string, slide: string, ...options: string[]): Promise<string> {
  // A second try finds nothing of the first.
  const out = join(folder, `${name}-${++made}`)
  const { code, err } = await cli('run', slide, '--out', out, ...options)
  expect(code, err).toBe(0)
  return out
}
const headersOf = async (out: string): Promise<string[]> =>
  (await readFile(join(out, 'objects.csv'), 'utf8')).split('\r\n', 1)[0]!.split(',')

/** They need a project, or a person's hand: test/app/cli/project/project.test.ts and origin.test.ts have files with them. */
const ofProjects = ['made_by', 'regions', 'distance_border_CLASS_um']
/** Of slides that are cropped. */
const ofBounds = ['origin', 'origin_x_px', 'origin_y_px']

test('every column of objects.csv is on its page, once, and what is there is a column', async () => {
  const picture = join(folder, 'membranes.png')
  await paintsMembranes(picture)
  const spatial = ['--spatial', 'nearest,density=50,mean=5,neighbours=60', '--files', 'objects.csv']
  const headers = [
    ...(await headersOf(await exported('he', sample, '--region', '700,700,600,600', ...spatial))),
    ...(await headersOf(
      await exported('ihc', picture, '--recipe', 'ihc-nuclei', '--mpp', '0.25', '--set', 'cells.expansion=4', '--set', 'channel.image=hematoxylin', '--set', 'brown.apart=false', ...spatial), // oxfmt-ignore
    )),
    ...(await headersOf(
      await exported(
        'channels',
        await threeChannels(join(folder, 'three.ome.tif'), 600),
        '--recipe',
        'fluorescence-nuclei',
        ...spatial,
      ),
    )),
    ...(await headersOf(await exported('px', picture, '--recipe', 'max-tree-nuclei', ...spatial))),
  ]
  const columns = objectColumns().flatMap(({ columns: own }) => own)
  const found = [...new Set(headers)].map((header) => [header, columnOf(header, columns)?.header] as const)
  expect(found.filter(([, own]) => own === undefined)).toEqual([])
  expect(Object.fromEntries(found)).toMatchObject({
    membrane_dab_mean_od: 'membrane_STAIN_mean_od',
    channel_cd8_sum: 'channel_CHANNEL_sum',
    area_px2: 'area_um2',
  })
  const told = new Set(found.map(([, own]) => own))
  expect(columns.map(({ header }) => header).filter((header) => !told.has(header))).toEqual([...ofBounds, ...ofProjects])
})

test('every name of run.json is on its page, every version is the one that is written, and schemas hold', async () => {
  const files = 'objects.parquet,objects.h5ad,labels.ome.tif,labels.zarr,spatialdata.zarr,run.json'
  const out = await exported('versions', sample, '--region', '700,700,400,400', '--files', files)
  const json = async (name: string) => JSON.parse(await readFile(join(out, name), 'utf8')) as Record<string, unknown>
  const run = await json('run.json')
  expect(Object.keys(run).filter((name) => !(name in runJsonTexts))).toEqual([])
  const source = await readFile(join(import.meta.dirname, '../../main/export/runJson.ts'), 'utf8')
  expect(Object.keys(runJsonTexts).filter((name) => !(name in run) && !new RegExp(`\\b${name}\\b`).test(source))).toEqual([])
  expect(writtenFormats['run.json'].version).toBe(`${String(run['format'])} ${String(run['version'])}`)

  const { key_value_metadata: about } = await parquetMetadataAsync(await asyncBufferFromFile(join(out, 'objects.parquet')))
  const geo = JSON.parse(about!.find(({ key }) => key === 'geo')!.value!) as { version: string }
  expect(writtenFormats['objects.parquet'].version).toBe(`GeoParquet ${geo.version}`)
  const { multiscales } = (await json('labels.zarr/.zattrs')) as { multiscales: { version: string }[] }
  const { zarr_format: zarr } = (await json('labels.zarr/.zgroup')) as { zarr_format: number }
  expect(writtenFormats['labels.zarr'].version).toBe(`OME-Zarr ${multiscales[0]!.version} (Zarr ${zarr})`)
  const { spatialdata_attrs: container } = (await json('spatialdata.zarr/.zattrs')) as { spatialdata_attrs: { version: string } }
  expect(writtenFormats['spatialdata.zarr'].version).toContain(`container ${container.version} `)
  const table = (await json('spatialdata.zarr/tables/table/.zattrs')) as { 'encoding-version': string }
  expect(writtenFormats['objects.h5ad'].version).toContain(`AnnData ${table['encoding-version']} `)
  const tiff = (await readFile(join(out, 'labels.ome.tif'))).toString('latin1')
  expect(writtenFormats['labels.ome.tif'].version).toBe(`OME ${/Schemas\/OME\/([\d-]+)"/.exec(tiff)![1]}`)

  const ajv = new Ajv({ strict: false })
  const isRun = ajv.compile(schemaOf('morphoscope-run'))
  expect([isRun(run), isRun.errors]).toEqual([true, null])
  expect(isRun({ ...run, elapsedMs: 'long' })).toBe(false)
  const isRecipe = ajv.compile(schemaOf('morphoscope-recipe'))
  expect([isRecipe(run['recipe']), isRecipe.errors]).toEqual([true, null])
  expect(isRecipe({ ...(run['recipe'] as object), version: 2 })).toBe(false)
  const isSpec = ajv.compile(schemaOf('morphoscope-recipe-spec'))
  const spec = JSON.parse(await readFile(join(import.meta.dirname, '../../assets/recipes/he-nuclei.json'), 'utf8')) as object
  expect([isSpec(spec), isSpec.errors]).toEqual([true, null])
  expect(isSpec({ ...spec, stages: [{}] })).toBe(false)
})
