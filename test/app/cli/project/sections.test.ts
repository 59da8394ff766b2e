// `project carry`: one section laid on the next, its regions and objects carried over; refusals say why, with their codes.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ExitCode } from '../../../../app/cli/exitCodes'
import { applied } from '../../../../main/project/sections/affine'
import { makesSections, sectionTruth } from '../../../sectionPictures'
import { cli } from '../inProcess'

let folder: string
let project: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'carry-'))
  project = join(folder, 'study.morphoscope')
  await makesSections(folder)
  const ring = [
    [500, 600],
    [900, 600],
    [900, 900],
    [500, 900],
    [500, 600],
  ]
  const feature = {
    type: 'Feature',
    geometry: { type: 'Polygon', coordinates: [ring] },
    properties: { objectType: 'annotation', name: 'Box' },
  }
  await writeFile(join(folder, 'box.geojson'), JSON.stringify(feature))
  await cli('project', 'add', project, at('first.tif'), at('second.tif'))
  await cli('project', 'import', project, at('box.geojson'), '--slide', at('first.tif'))
}, 120_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

const at = (name: string): string => join(folder, name)
const carries = (...more: string[]) =>
  cli('project', 'carry', project, '--from', at('first.tif'), '--to', at('second.tif'), ...more)

it('says how they lie, and carries regions', async () => {
  const { code, out } = await carries()
  expect(code).toBe(ExitCode.ok)
  expect(out).toMatch(/^laid on each other by their tissue: turned by 1[67]\.\d°, scaled by 1\.000; borders lie \d+ µm apart/)
  expect(out.split('\n')[1]).toBe('1 region carried')
  expect((await cli('project', 'open', project)).out).toContain('second.tif')
})

it('refuses objects where there is no result, and carries them once there is one', async () => {
  const none = await carries('--what', 'objects')
  expect(none.code).toBe(ExitCode.usage)
  expect(none.err).toContain('The project holds no result of all of')
  await cli('project', 'run', project, '--only', 'first.tif')
  const { code, out } = await carries('--what', 'objects')
  expect(code).toBe(ExitCode.ok)
  expect(out).toMatch(/\n\d{4} objects carried, as the result Whole slide of first\.tif$/)
}, 120_000)

it('takes pairs from a file, and says which line is none', async () => {
  const places = [
    [400, 500],
    [1800, 600],
    [1000, 2400],
  ] as const
  const lines = places.map((place) => [...place, ...applied(sectionTruth, place)].join(','))
  await writeFile(at('pairs.csv'), `x,y,x2,y2\n${lines.join('\n')}\n`)
  const { code, out } = await carries('--pairs', at('pairs.csv'), '--what', 'nothing')
  expect(code).toBe(ExitCode.ok)
  expect(out).toContain('laid on each other by 3 pairs: turned by 17.0°')
  expect(out).toContain('three pairs always fit')
  const json = JSON.parse((await carries('--pairs', at('pairs.csv'), '--what', 'nothing', '--json')).out) as {
    fit: { by: string }
  }
  expect(json.fit.by).toBe('pairs')

  await writeFile(at('wrong.csv'), `${lines[0]}\n1,2,three,4\n`)
  const wrong = await carries('--pairs', at('wrong.csv'))
  expect(wrong.code).toBe(ExitCode.badSlide)
  expect(wrong.err).toContain('line 2: expected four numbers')
  expect(wrong.err).toContain('“1,2,three,4”')
  await writeFile(at('two.csv'), lines.slice(0, 2).join('\n'))
  expect((await carries('--pairs', at('two.csv'))).err).toContain('expected three or more pairs of places but received 2')
  expect((await carries('--pairs', at('none.csv'))).code).toBe(ExitCode.noInput)
})

it('refuses one slide on itself', async () => {
  const { code, err } = await cli('project', 'carry', project, '--from', at('first.tif'), '--to', at('first.tif'))
  expect(code).toBe(ExitCode.usage)
  expect(err).toContain('the same slide')
})
