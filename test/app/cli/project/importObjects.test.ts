// `project import-objects`: a packed file of others' cells becomes a result that a project keeps, lists and writes; refusals say why, with their codes.
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ExitCode } from '../../../../app/cli/exitCodes'
import { tiffNumbers, tiffRows } from '../../../../native/index'
import { sample } from '../../../main/realEngine'
import { cli } from '../inProcess'

let folder: string
let project: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'import-objects-'))
  project = join(folder, 'study.morphoscope')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** As StarDist's polygons are written by Python: octagons, nothing said of what they are. */
const octagon = (x: number, y: number, r: number): object => ({
  type: 'Feature',
  geometry: {
    type: 'Polygon',
    coordinates: [
      Array.from({ length: 9 }, (_, i) => [x + r * Math.cos((i * Math.PI) / 4), y + r * Math.sin((i * Math.PI) / 4)]),
    ],
  },
  properties: { probability: Number.NaN },
})
const importing = (file: string, ...more: string[]) => cli('project', 'import-objects', project, file, '--slide', sample, ...more)

it('takes a packed file, a feature a line, and the project has the result from then on', async () => {
  const cells = Array.from({ length: 300 }, (_, i) => octagon(40 + (i % 20) * 30, 40 + Math.floor(i / 20) * 30, 8))
  const lines = [...cells, octagon(-100, 0, 8), octagon(40, 40, 8)].map((each) => JSON.stringify(each).replace('null', 'NaN'))
  const file = join(folder, 'stardist.geojson.gz')
  await writeFile(file, gzipSync(`\ufeff${lines.join('\n')}\n`))
  const { code, out, err } = await importing(file)
  expect([code, out]).toEqual([ExitCode.ok, 'stardist.geojson.gz: 300 objects, as the result stardist.geojson.gz'])
  expect(err).toContain('left out: 1 feature lies beyond the slide')
  expect(err).toContain('left out: 1 feature lies on another object, which was there first')

  const second = await importing(file, '--set', 'image.pixelSizeUm=1')
  expect(second.out).toContain('as the result stardist.geojson.gz, run 2')
  const shown = await cli('project', 'open', project)
  expect(shown.out).toContain('stardist.geojson.gz, run 2')
  expect(shown.out).toContain('300 objects by Imported, measured as H&E nuclei')

  const written = await cli('project', 'objects', project, '--out', join(folder, 'files'), '--files', 'objects.csv,run.json')
  expect(written).toMatchObject({ code: ExitCode.ok })
  const tables = (await readdir(join(folder, 'files'), { recursive: true })).filter((name) => name.endsWith('objects.csv'))
  expect(tables).toHaveLength(2)
  for (const table of tables) expect((await readFile(join(folder, 'files', table), 'utf8')).trim().split('\n')).toHaveLength(301)
})

it('takes label images, and says what to pass where nobody knows where one lies', async () => {
  const labels = new URL('../../../main/project/importing/labels/files/', import.meta.url).pathname
  const masks = join(labels, 'cells_cp_masks.png')
  const asked = await importing(masks)
  expect(asked).toMatchObject({ code: ExitCode.badSlide, out: '' })
  expect(asked.err).toContain(
    'cells_cp_masks.png has 40 × 32 px, which is not the slide’s size: say where it lies, by --origin X,Y',
  )
  const placed = await importing(masks, '--origin', '100,200.5', '--scale', '2')
  expect(placed).toMatchObject({ code: ExitCode.ok, out: 'cells_cp_masks.png: 20 objects, as the result cells_cp_masks.png' })
  expect(await importing(join(labels, 'zstd-u16.tif'), '--origin', '10,20')).toMatchObject({ code: ExitCode.ok })
  const colours = await importing(join(labels, 'colours.png'))
  expect(colours).toMatchObject({ code: ExitCode.usage, out: '' })
  expect(colours.err).toContain('colours.png has colours')
  expect(await importing(masks, '--origin', 'corner')).toMatchObject({ code: ExitCode.usage })
  expect(await importing(masks, '--scale', '0')).toMatchObject({ code: ExitCode.usage })
  const geojson = join(folder, 'one.geojson')
  await writeFile(geojson, JSON.stringify({ type: 'FeatureCollection', features: [octagon(50, 50, 8)] }))
  expect(await importing(geojson, '--scale', '2')).toMatchObject({ code: ExitCode.usage })
  const sized = await importing(masks, '--radius', '3')
  expect(sized).toMatchObject({ code: ExitCode.usage, out: '' })
  expect(sized.err).toContain('is no table of points: --radius is for tables of points alone')
})

it.each([
  ['of a region', ['--region', '300,200,1500,1100'], { x: 300, y: 200 }],
  ['of the whole slide', [], { x: 0, y: 0 }],
])(
  'takes its own labels.zarr %s back where it lay, px by px',
  async (name, region, { x: x0, y: y0 }) => {
    const [first, again, other] = ['first', 'again', 'back.morphoscope'].map((each) => join(folder, `${name} ${each}`)) as [
      string,
      string,
      string,
    ]
    const recipe = ['--set', 'image.pixelSizeUm=0']
    const run = await cli('run', sample, ...region, ...recipe, '--files', 'labels.zarr,labels.ome.tif,run.json', '--out', first)
    expect(run.code, run.err).toBe(ExitCode.ok)
    const back = await cli('project', 'import-objects', other, join(first, 'labels.zarr'), '--slide', sample, ...recipe)
    expect(back.code, back.err).toBe(ExitCode.ok)
    expect(back.err).not.toContain('left out')
    const asked = ['--files', 'labels.ome.tif,run.json']
    expect(await cli('project', 'objects', other, '--out', again, ...asked)).toMatchObject({ code: ExitCode.ok })
    const file = (await readdir(again, { recursive: true })).find((each) => each.endsWith('labels.ome.tif'))!
    const labels = async (path: string) => {
      const { width, height } = (await tiffNumbers(path))!
      return { width, height, ids: (await tiffRows(path, 0, height)) as Uint32Array }
    }
    // The result of an import is of the whole slide.
    const [was, is] = [await labels(join(first, 'labels.ome.tif')), await labels(join(again, file))]
    const pairs = new Map<number, number>()
    const wrong = new Set<number>()
    const atRim = new Set<number>()
    was.ids.forEach((a, at) => {
      const [x, y] = [at % was.width, Math.floor(at / was.width)]
      const b = is.ids[(y + y0) * is.width + x + x0]!
      if (!pairs.has(a)) pairs.set(a, b)
      if (pairs.get(a) !== b) wrong.add(a)
      if (x === 0 || y === 0 || x === was.width - 1 || y === was.height - 1) atRim.add(a)
    })
    expect(pairs.size).toBeGreaterThan(100)
    expect(new Set(pairs.values()).size).toBe(pairs.size)
    // Whole objects have their px and no other: Dice is 1. Of one that the region's rim cuts into pieces the largest is taken, which is said.
    expect([...wrong].filter((id) => region.length === 0 || !atRim.has(id))).toEqual([])
    expect(back.err.includes('in several pieces')).toBe(wrong.size > 0)
  },
  120_000,
)

it.each([2, 3])(
  'takes label images of Zarr %i where the reader of slides reads them, and says what is damaged',
  async (version) => {
    const zarr = join(folder, `v${version}.zarr`)
    const [side, chunk] = [70, 25]
    const axes = ['y', 'x'].map((name) => ({ name, type: 'space' }))
    const datasets = [{ path: '0', coordinateTransformations: [{ type: 'scale', scale: [1, 1] }] }]
    const multiscales = [{ version: version === 2 ? '0.4' : '0.5', axes, datasets }]
    await mkdir(join(zarr, '0'), { recursive: true })
    const say = (name: string, what: object) => writeFile(join(zarr, name), JSON.stringify(what))
    if (version === 2) {
      await say('.zgroup', { zarr_format: 2 })
      await say('.zattrs', { multiscales })
      const of = { shape: [side, side], chunks: [chunk, chunk], dtype: '<u4', compressor: { id: 'gzip', level: 1 } }
      await say('0/.zarray', { zarr_format: 2, fill_value: 0, order: 'C', filters: null, ...of })
    } else {
      await say('zarr.json', { zarr_format: 3, node_type: 'group', attributes: { ome: { version: '0.5', multiscales } } })
      await say('0/zarr.json', {
        ...{ zarr_format: 3, node_type: 'array', shape: [side, side], data_type: 'uint32', fill_value: 0, attributes: {} },
        chunk_grid: { name: 'regular', configuration: { chunk_shape: [chunk, chunk] } },
        chunk_key_encoding: { name: 'v2', configuration: { separator: '.' } },
        codecs: [
          { name: 'bytes', configuration: { endian: 'little' } },
          { name: 'gzip', configuration: { level: 1 } },
        ],
      })
    }
    // Squares of 8 px, a pitch of 10: 7 across and down.
    const label = (x: number, y: number): number =>
      x < side && y < side && x % 10 < 8 && y % 10 < 8 ? 1 + 7 * Math.floor(y / 10) + Math.floor(x / 10) : 0
    for (let cy = 0; cy < 3; cy++)
      for (let cx = 0; cx < 3; cx++) {
        const values = Uint32Array.from({ length: chunk * chunk }, (_, i) =>
          label(cx * chunk + (i % chunk), cy * chunk + Math.floor(i / chunk)),
        )
        await writeFile(join(zarr, '0', `${cy}.${cx}`), gzipSync(new Uint8Array(values.buffer)))
      }
    const taken = await importing(zarr, '--origin', '100,200', '--scale', '2')
    expect(taken).toMatchObject({ code: ExitCode.ok })
    expect(taken.out).toContain('49 objects')
    // A chunk that is damaged is said, and nothing is taken.
    await writeFile(join(zarr, '0', '1.1'), Buffer.from('no gzip'))
    const damaged = await importing(zarr, '--origin', '100,200', '--scale', '2')
    expect(damaged.code).not.toBe(ExitCode.ok)
    expect(damaged.err).toContain('is damaged')
  },
)

it('refuses a Zarr that is no label image, by what is wrong', async () => {
  const zarr = join(folder, 'bad.zarr')
  const write = async (attributes: unknown, array: object): Promise<string> => {
    await mkdir(join(zarr, '0'), { recursive: true })
    await writeFile(join(zarr, '.zattrs'), JSON.stringify(attributes))
    const good = { zarr_format: 2, shape: [32, 32], chunks: [16, 16], dtype: '<u4', compressor: null, fill_value: 0, order: 'C' }
    await writeFile(join(zarr, '0', '.zarray'), JSON.stringify({ ...good, ...array }))
    const { code, err } = await importing(zarr)
    expect(code).not.toBe(ExitCode.ok)
    return err
  }
  const image = { multiscales: [{ datasets: [{ path: '0' }] }] }
  const place = { ...image, morphoscope: { x: 0, y: 0 } }
  expect(await importing(folder)).toMatchObject({ code: ExitCode.badSlide })
  expect(await write({ multiscales: [{ datasets: [{ path: '../0' }] }] }, {})).toContain(
    'names a level outside of itself: "../0"',
  )
  expect(await write(image, { dtype: '<f4' })).toContain('holds numbers of type <f4')
  // What is packed otherwise the reader of slides refuses.
  expect(await write(image, { compressor: { id: 'lzma' } })).toMatch(/bad.zarr cannot be read as a label image/)
  expect(await write(image, { shape: [2 ** 20, 2 ** 20] })).toContain('claims 4294967296 chunks')
  expect(await write(image, { shape: [3, 32, 32], chunks: [1, 16, 16] })).toContain('has the shape (3, 32, 32)')
  expect(await write({}, {})).toContain('has a .zattrs that is damaged')
  await writeFile(join(zarr, '0', '0.1'), Buffer.alloc(1000))
  expect(await write(place, {})).toContain('bad.zarr')
  await rm(join(zarr, '0', '0.1'))
  await symlink('/etc/hostname', join(zarr, '0', '0.1'))
  expect(await write(place, {})).toContain('holds something that is no chunk: 0.1')
  await rm(join(zarr, '0', '0.1'))
  expect(await write(image, {})).toContain('say where it lies')
})

it('takes points of a table as discs', async () => {
  const file = join(folder, 'points.csv')
  await writeFile(file, 'Centroid X µm,Centroid Y µm\n50,50\n100,100\n-5,5\n')
  const taken = await importing(file, '--radius', '3')
  expect(taken).toMatchObject({ code: ExitCode.ok, out: 'points.csv: 2 objects, as the result points.csv' })
  expect(taken.err).toContain('its objects are discs around points, with a radius of 3 µm')
  expect(taken.err).toContain('left out: 1 point lies beyond the slide')
})

it('says what is wrong with a file, and takes nothing of it', async () => {
  const [broken, empty, cut] = [join(folder, 'broken.geojson'), join(folder, 'empty.geojson'), join(folder, 'cut.geojson.gz')]
  await writeFile(broken, '{"type":"FeatureCollection","features":[{"type":"Feature"')
  await writeFile(empty, JSON.stringify({ type: 'FeatureCollection', features: [octagon(-100, 0, 8)] }))
  await writeFile(cut, gzipSync(JSON.stringify({ type: 'FeatureCollection', features: [octagon(10, 10, 8)] })).subarray(0, 60))
  expect(await importing(broken)).toMatchObject({ code: ExitCode.usage, out: '' })
  expect(await importing(empty)).toMatchObject({ code: ExitCode.badSlide })
  expect(await importing(cut)).toMatchObject({ code: ExitCode.badSlide })
  expect(await importing(join(folder, 'none.geojson'))).toMatchObject({ code: ExitCode.noInput })
  expect(await importing(folder)).toMatchObject({ code: ExitCode.badSlide })
  expect((await cli('project', 'open', project, '--json')).out.match(/"recipeName"/g)).toHaveLength(7)
})

it('is no figure of a summary beside a recipe’s own result, unless somebody asks for it', async () => {
  const study = join(folder, 'summed.morphoscope')
  const file = join(folder, 'theirs.geojson')
  await writeFile(file, JSON.stringify({ type: 'FeatureCollection', features: [octagon(60, 60, 9), octagon(160, 60, 9)] }))
  const summary = async (...more: string[]) => {
    const { code, out, err } = await cli('project', 'summary', study, '--json', ...more)
    const [row] = code === ExitCode.ok ? (JSON.parse(out) as { result: string; objects: number }[]) : []
    return { code, err, result: row?.result, objects: row?.objects }
  }
  await cli('project', 'import-objects', study, file, '--slide', sample, '--memory', '1G')
  // There is no other yet.
  expect(await summary()).toMatchObject({ code: ExitCode.ok, result: 'theirs.geojson', objects: 2 })
  expect((await cli('project', 'run', study, '--recipe', 'he-nuclei')).code).toBe(ExitCode.ok)
  await cli('project', 'import-objects', study, file, '--slide', sample)
  const own = await summary()
  expect(own.objects).toBeGreaterThan(500)
  expect(own.result).not.toContain('theirs')
  expect(await summary('--result', 'own')).toEqual(own)
  expect(await summary('--result', 'imported')).toMatchObject({ result: 'theirs.geojson, run 2', objects: 2 })
  expect(await summary('--result', 'newest')).toMatchObject({ result: 'theirs.geojson, run 2' })
  expect(await summary('--result', 'theirs.geojson')).toMatchObject({ result: 'theirs.geojson', objects: 2 })
  expect(await summary('--result', 'nobody’s')).toMatchObject({
    code: ExitCode.badSlide,
    err: expect.stringContaining('called nobody’s') as string,
  })
  expect(await summary('--result', 'own', '--recipe', 'he-nuclei')).toMatchObject({ code: ExitCode.usage })
  expect((await cli('project', 'summary', study, '--result', 'imported')).out).toContain('theirs.geojson, run 2')
}, 60_000)
