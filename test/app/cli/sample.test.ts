// Slides to learn with: each opens, a recipe finds what it says is in it, and nothing that is there is written over.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sample } from '../../main/realEngine'
import { cli } from './inProcess'

let dir: string
beforeAll(async () => void (dir = await mkdtemp(join(tmpdir(), 'sample-'))))
afterAll(() => rm(dir, { recursive: true, force: true }))
const numbers = (text: string): number[] => [...text.matchAll(/(?<![\w.])\d+(?![\w.])/g)].map(Number)

test('without a name it lists them', async () => {
  const { code, out } = await cli('sample')
  expect(code).toBe(0)
  expect(out.split('\n').map((line) => line.split(' ')[0])).toEqual(['he', 'section', 'ki67', 'her2', 'channels'])
})

test('the bundled slide is itself', async () => {
  const path = join(dir, 'he.svs')
  expect((await cli('sample', 'he', '--out', path)).code).toBe(0)
  expect((await readFile(path)).equals(await readFile(sample))).toBe(true)
})

test('Ki-67: all nuclei and all brown ones are found, as it says; its regions are there', async () => {
  const [slide, regions] = [join(dir, 'ki67.tif'), join(dir, 'ki67.geojson')]
  const { code, out } = await cli('sample', 'ki67', '--out', slide, '--regions', regions)
  expect(code).toBe(0)
  const [all, brown] = numbers(out.split('\n')[1]!)
  const done = await cli('run', slide, '--recipe', 'ihc-nuclei', '--files', 'run.json', '--out', join(dir, 'ki67'))
  expect(done.out).toContain(`${all} objects: ${all! - brown!} negative, ${brown} positive`)
  const { features } = JSON.parse(await readFile(regions, 'utf8')) as { features: { properties: { name: string } }[] }
  expect(features.map(({ properties }) => properties.name)).toEqual(['Tumor', 'Stroma'])
})

test('HER2: each cell has the score that it says', async () => {
  const slide = join(dir, 'her2.tif')
  const { out } = await cli('sample', 'her2', '--out', slide)
  const scores = [...out.matchAll(/(\d+) of \d/g)].map(([, count]) => Number(count))
  const values = ['cells.expansion=4', 'channel.image=hematoxylin', 'brown.apart=false'].flatMap((value) => ['--set', value])
  const classes = ['--class-by', 'Membrane score > 0.5,1.5,2.5']
  const done = await cli(
    ...['run', slide, '--recipe', 'ihc-nuclei', ...values, ...classes],
    ...['--files', 'run.json', '--out', join(dir, 'her2')],
  )
  expect(done.out).toContain(`126 objects: ${scores[0]} negative, ${scores[1]} weak, ${scores[2]} moderate, ${scores[3]} strong`)
})

test('channels: four kinds of cells by two limits, as it says', async () => {
  const slide = join(dir, 'channels.ome.tif')
  const { out } = await cli('sample', 'channels', '--out', slide)
  const kinds = [...out.matchAll(/(\d+) CD8/g)].map(([, count]) => count)
  const classes = ['--class-by', 'CD8 mean > 600', '--class-by', 'PanCK mean > 600']
  const done = await cli(
    ...['run', slide, '--recipe', 'fluorescence-nuclei', ...classes],
    ...['--files', 'run.json', '--out', join(dir, 'channels')],
  )
  expect(done.out).toContain('576 objects')
  for (const [i, name] of ['CD8- PanCK-', 'CD8+ PanCK-', 'CD8- PanCK+', 'CD8+ PanCK+'].entries())
    expect(done.out).toContain(`${kinds[i]} ${name}`)
})

test('what is there is kept, and what is not understood is said', async () => {
  const path = join(dir, 'mine.tif')
  await writeFile(path, 'mine')
  expect((await cli('sample', 'ki67', '--out', path)).code).toBe(73)
  expect(await readFile(path, 'utf8')).toBe('mine')
  expect((await cli('sample', 'ki67', '--out', path, '--overwrite')).code).toBe(0)
  expect((await readFile(path)).length).toBeGreaterThan(1000)
  for (const wrong of [['mouse'], ['ki67', '--out', join(dir, 'a.svs')], ['her2', '--out', join(dir, 'b.tif'), '--regions', 'c']])
    expect((await cli('sample', ...wrong)).code, wrong.join(' ')).toBe(2)
})
