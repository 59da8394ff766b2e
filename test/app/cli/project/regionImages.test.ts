// `project region-images`: pictures of a project's regions and cores, by size, form, class and result; the same px as the slide's.
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ExitCode } from '../../../../app/cli/exitCodes'
import { openSlide } from '../../../../native/index'
import { sample } from '../../../main/realEngine'
import { madeCores, paintsArray, tmaDiameterPx } from '../../../tmaPicture'
import { cli } from '../inProcess'

let folder: string
let project: string
const out = (name: string): string => join(folder, name)
const images = (to: string, ...more: string[]) => cli('project', 'region-images', project, '--out', out(to), ...more)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'region-images-'))
  project = out('study.morphoscope')
  const square = (x: number, y: number, w: number, h: number) => [
    [
      [x, y],
      [x + w, y],
      [x + w, y + h],
      [x, y + h],
      [x, y],
    ],
  ]
  const feature = (name: string, coordinates: number[][][], classification?: object) => ({
    type: 'Feature',
    geometry: { type: 'Polygon', coordinates },
    properties: { objectType: 'annotation', name, ...(classification && { classification }) },
  })
  const features = [
    feature('Front', square(600, 700, 640, 480), { name: 'Tumor' }),
    feature('../Back', square(1200, 1500, 333, 211)),
  ]
  await writeFile(out('regions.geojson'), JSON.stringify({ type: 'FeatureCollection', features }))
  const run = await cli('project', 'add', project, sample)
  expect(run.code, run.err).toBe(ExitCode.ok)
  expect((await cli('project', 'import', project, out('regions.geojson'), '--slide', sample)).code).toBe(ExitCode.ok)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const raw = (path: string) => sharp(path).raw().toBuffer({ resolveWithObject: true })

it('has the slide’s own px in its files, and lines where they are asked for', async () => {
  const done = await images('own')
  expect(done.code, done.err).toBe(ExitCode.ok)
  const where = out('own/CMU-1-Small-Region')
  expect((await readdir(where)).sort()).toEqual(['region-Back.png', 'region-Front.png'])
  const { data, info } = await raw(join(where, 'region-Front.png'))
  expect([info.width, info.height, info.channels]).toEqual([640, 480, 3])
  const slide = await openSlide(sample)
  const { rgba } = await slide.readScaled(1, 600, 700, 640, 480)
  slide.close()
  for (let i = 0; i < 640 * 480; i++) for (let c = 0; c < 3; c++) if (data[3 * i + c] !== rgba[4 * i + c]) expect.fail(`px ${i}`)
  expect((await images('own')).err).toContain('region-Front.png')
  expect((await images('own', '--overwrite')).code).toBe(ExitCode.ok)

  const ran = await cli('project', 'run', project, '--recipe', 'max-tree-nuclei')
  expect(ran.code, ran.err).toBe(ExitCode.ok)
  expect((await images('lined', '--outlines', '--border', '--class', 'Tumor')).code).toBe(ExitCode.ok)
  expect(await readdir(out('lined/CMU-1-Small-Region'))).toEqual(['region-Front.png'])
  const lined = (await raw(out('lined/CMU-1-Small-Region/region-Front.png'))).data
  const inLine = (at: number): boolean => lined[at] === 190 && lined[at + 1] === 255 && lined[at + 2] === 0
  let lines = 0
  for (let at = 0; at < lined.length; at += 3) lines += Number(inLine(at))
  // The border alone is some 2240 px; nuclei have their own.
  expect(lines).toBeGreaterThan(6000)
}, 120_000)

it('has a magnification, OME-TIFF, and names of nobody', async () => {
  const done = await images('tenfold', '--magnification', '5', '--form', 'ome-tiff', '--deidentify')
  expect(done.code, done.err).toBe(ExitCode.ok)
  const [slide = ''] = await readdir(out('tenfold'))
  expect(slide).toMatch(/^slide-[0-9a-f]{16}$/)
  const names = await readdir(join(out('tenfold'), slide))
  expect(names.join()).not.toMatch(/Front|Back/)
  const sizes = await Promise.all(names.map(async (name) => (await sharp(join(out('tenfold'), slide, name)).metadata()).width))
  // 20× to 5×: a quarter, and the px that the rims touch.
  expect(sizes.sort((a, b) => a - b)).toEqual([84, 160])
  expect(await images('x', '--um', '1', '--magnification', '5')).toMatchObject({ code: ExitCode.usage })
  expect((await images('x', '--class', 'None')).err).toContain('received None')
  expect(await images('x', '--cores')).toMatchObject({ code: ExitCode.badSlide })
  expect(await readdir(folder)).not.toContain('x')
})

it('has a picture of each core that is there', async () => {
  const slide = out('array.tif')
  await paintsArray(slide)
  const array = out('array.morphoscope')
  expect((await cli('tma', slide, '--project', array)).code).toBe(ExitCode.ok)
  const done = await cli('project', 'region-images', array, '--out', out('cores'), '--cores')
  expect(done.code, done.err).toBe(ExitCode.ok)
  const names = await readdir(out('cores/array'))
  expect(names).toHaveLength(madeCores.filter(({ missing }) => !missing).length)
  expect(names).toContain('region-A-2.png')
  const { width } = await sharp(out('cores/array/region-A-2.png')).metadata()
  expect(Math.abs(width / tmaDiameterPx - 1)).toBeLessThan(0.15)
})
