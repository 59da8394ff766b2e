// `morphoscope optimize`: finds what was hidden, goes on where it was cut off, and refuses what cannot be searched.
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { writeImageFiles } from '../../../../main/ops'
import { cli } from '../inProcess'

let folder: string
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'morphoscope-optimize-test-'))))
afterEach(async () => await rm(folder, { recursive: true }))

const [width, height] = [192, 128]
/** Purple disks on pink, 5 µm across at 0.25 µm/px, and as many specks of less than 3 µm that are no nuclei. */
async function annotate(name: string): Promise<void> {
  const rgba = new Uint8Array(4 * width * height)
  const truth = new Uint16Array(width * height)
  for (let y = 0; y < height; ++y) {
    for (let x = 0; x < width; ++x) {
      const p = y * width + x
      const [column, line] = [Math.floor(x / 64), Math.floor(y / 64)]
      const inside = (x - 64 * column - 24) ** 2 + (y - 64 * line - 24) ** 2 <= 100
      const speck = (x - 64 * column - 50) ** 2 + (y - 64 * line - 50) ** 2 <= 30
      rgba.set(inside || speck ? [90, 50, 140, 255] : [240, 205, 225, 255], 4 * p)
      truth[p] = inside ? line * 3 + column + 1 : 0
    }
  }
  await writeImageFiles([
    { path: join(folder, `${name}.png`), image: { width, height, channels: 4, data: rgba } },
    { path: join(folder, `${name}_inst.png`), image: { width, height, channels: 1, data: truth } },
  ])
}

const optimize = (...more: string[]) => cli('optimize', '--truth', folder, '--mpp', '0.25', ...more)
interface Found {
  trials: number
  settled: boolean
  begin: { score: number }
  best: { params: Record<string, number>; score: number }
  after: Record<string, { f1: number }>
}

it('finds the least area that leaves specks out, says what it gains where it did not look, and goes on where it was cut off', async () => {
  await annotate('one')
  await annotate('two')
  const out = join(folder, 'best.json')
  const trials = join(folder, 'best.trials.jsonl')
  const asked = [
    '--vary',
    'objects.minArea=0:40:2',
    '--set',
    'objects.minArea=0',
    '--measure',
    'f1',
    '--hold-out',
    'two',
    '--out',
    out,
    '--json',
  ]
  const { code, out: text, err } = await optimize(...asked)
  expect([code, err.replaceAll(/^trial .*\n?/gm, '')]).toEqual([0, ''])
  const found = JSON.parse(text) as Found
  expect(found).toMatchObject({ settled: true, best: { score: 1 }, after: { one: { f1: 1 }, two: { f1: 1 } } })
  expect(found.begin.score).toBeLessThan(0.9)
  expect(found.best.params['objects.minArea']).toBeGreaterThan(1)
  const recipe = JSON.parse(await readFile(out, 'utf8')) as { spec: string; params: { objects: { minArea: number } } }
  expect([recipe.spec, recipe.params.objects.minArea]).toEqual(['he-nuclei', found.best.params['objects.minArea']])
  // Its last line was being written.
  const all = await readFile(trials, 'utf8')
  await truncate(trials, all.length - 5)
  expect((await optimize(...asked)).code).toBe(73)
  const again = await optimize(...asked, '--overwrite')
  expect([again.code, JSON.parse(again.out)]).toEqual([0, found])
  expect(again.err).toMatch(/trials are in .*best\.trials\.jsonl and are not made again/)
  expect(await readFile(trials, 'utf8')).toBe(all)
  expect((await optimize(...asked, '--overwrite', '--set', 'objects.maxArea=400')).err).toMatch(/another search \(other params\)/)
  const table = await optimize('--vary', 'objects.minArea=0:40:2', '--measure', 'f1', '--most', '2')
  expect(table.out).toMatch(/^F1 +before +after/m)
  expect(table.out).toMatch(/^2 trials; more may be found/m)
})

it('refuses, before anything is computed, what cannot be varied', async () => {
  await annotate('one')
  const refused = async (vary: string, why: RegExp) =>
    expect(await optimize('--vary', vary)).toMatchObject({ code: 2, err: expect.stringMatching(why) as string })
  await refused('nothing.here', /expected a stage of the recipe/)
  await refused('objects.nothing', /expected a parameter of the recipe/)
  await refused('objects', /expected/)
  await refused('objects.minArea=9', /low:high/)
  await refused('objects.minArea=1:2:3:4', /low:high/)
  await refused('objects.minArea=1:x', /low:high/)
  await refused('objects.minArea=0:1e9', /low:high/)
  await refused('objects.minArea=-3:900', /objects\.minArea/)
  await refused('objects.minArea=0:40:0', /step above 0/)
  await refused('objects.minArea=0:0.5', /in it, where the search begins/)
  await refused('channel.image=red,green', /channel\.image/)
  expect(await optimize('--vary', 'objects.minArea', '--vary', 'objects.minArea=0:900')).toMatchObject({ code: 2 })
  expect(await optimize('--vary', 'objects.minArea', '--hold-out', 'one')).toMatchObject({ code: 2 })
  expect(await optimize('--vary', 'objects.minArea', '--out', join(folder, 'best.txt'))).toMatchObject({ code: 2 })
  await writeFile(join(folder, 'mine.jsonl'), 'mine\n')
  expect(await optimize('--vary', 'objects.minArea', '--trials', join(folder, 'mine.jsonl'))).toMatchObject({ code: 73 })
  expect(await readFile(join(folder, 'mine.jsonl'), 'utf8')).toBe('mine\n')
})
