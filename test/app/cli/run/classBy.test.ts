// `--class-by`: classes by limits on channels, alone and together, beside the made truth.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { pitch, side, threeChannels } from '../../../main/slide/threeChannels'
import { cli } from '../inProcess'

const recipe = ['--recipe', 'fluorescence-nuclei', '--threads', '1']
let folder: string
let slide: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'morphoscope-class-by-'))
  slide = await threeChannels(join(folder, 'three.ome.tif'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const across = side / pitch
/** CD8 is 100 a cell; PanCK is a pixel's column, and so a nucleus has its own column's. */
const truth = (cd8: number, panck: number): Record<string, number> => {
  const counts: Record<string, number> = { 'CD8- PanCK-': 0, 'CD8+ PanCK-': 0, 'CD8- PanCK+': 0, 'CD8+ PanCK+': 0 }
  for (let cell = 0; cell < across ** 2; cell++) {
    const column = (cell % across) * pitch + pitch / 2
    counts[`CD8${100 * cell > cd8 ? '+' : '-'} PanCK${column > panck ? '+' : '-'}`]! += 1
  }
  return counts
}
interface Record_ {
  readonly counts: {
    readonly classes: Record<string, { label: string; objects: number; share: number }>
    readonly positiveShare?: number
    readonly classCuts: object
  }
}
const recordIn = async (out: string): Promise<Record_> =>
  JSON.parse(await readFile(join(folder, out, 'run.json'), 'utf8')) as Record_

it('gives negative and positive by one limit, as the window does', async () => {
  const run = await cli('run', slide, ...recipe, '--class-by', 'CD8 mean > 7550', '--out', join(folder, 'one'))
  expect(run.code, run.err).toBe(0)
  expect(run.out).toContain(
    '576 objects: 76 negative, 500 positive (86.8 % positive, 95 % interval 83.8 to 89.3 %; CD8 mean above 7550)',
  )
  const { counts } = await recordIn('one')
  expect(counts.classes).toMatchObject({ negative: { objects: 76 }, positive: { objects: 500, share: 500 / 576 } })
  expect(counts.positiveShare).toBe(500 / 576)
  const [head = '', ...rows] = (await readFile(join(folder, 'one', 'objects.csv'), 'utf8')).trim().split('\n')
  const at = head.split(',').indexOf('class')
  expect(rows.filter((row) => row.split(',')[at] === 'positive' || row.split(',')[at] === 'Positive')).toHaveLength(500)
})

it('gives a class for each way to be above several, by titles and by names of columns', async () => {
  const limits = ['--class-by', 'cd8 mean>7550', '--class-by', 'channel3Mean > 600']
  const run = await cli('run', slide, ...recipe, ...limits, '--out', join(folder, 'two'))
  expect(run.code, run.err).toBe(0)
  const told = await cli('run', slide, ...recipe, ...limits, '--out', join(folder, 'told'), '--json')
  expect((JSON.parse(told.out) as { classes: object }).classes).toEqual(truth(7550, 600))
  const counts = truth(7550, 600)
  for (const [label, count] of Object.entries(counts))
    expect(run.out).toContain(`${count} ${label} (${((100 * count) / 576).toFixed(1)} %)`)
  expect(run.out).toContain('CD8 mean above 7550, PanCK mean above 600')
  const record = await recordIn('two')
  expect(Object.values(record.counts.classes).map(({ objects, share }) => [objects, share])).toEqual(
    Object.values(counts).map((count) => [count, count / 576]),
  )
  expect(record.counts.classCuts).toMatchObject({
    ...{ column: 'channel2Mean', measurement: 'CD8 mean', limits: [7550] },
    and: [{ column: 'channel3Mean', measurement: 'PanCK mean', limit: 600 }],
  })
})

it('classifies what a project has found, once more where it was run before, and keeps that', async () => {
  const project = join(folder, 'study.morphoscope')
  expect(await cli('project', 'add', project, slide)).toMatchObject({ code: 0 })
  const no = await cli('project', 'run', project, ...recipe, '--class-by', 'CD9 mean > 1')
  expect(no.err).toContain('expected one of area, ')
  expect(no.code).toBe(2)
  const one = await cli('project', 'run', project, ...recipe, '--class-by', 'CD8 mean > 7550')
  expect(one.out).toMatch(/^three\.ome\.tif +done +576 objects: 76 negative, 500 positive \(86\.8 % positive/)
  const limits = ['--class-by', 'CD8 mean > 7550', '--class-by', 'PanCK mean > 600']
  const files = ['--out', join(folder, 'study'), '--files', 'run.json']
  const two = await cli('project', 'run', project, ...recipe, ...limits, ...files, '--json')
  const [row] = JSON.parse(two.out.slice(0, two.out.lastIndexOf(']') + 1)) as { state: string; classes: object }[]
  expect(row).toMatchObject({ state: 'there', classes: truth(7550, 600) })
  const { counts } = await recordIn(join('study', 'three.ome'))
  const byLabel = Object.values(counts.classes).map(({ label, objects }) => [label, objects])
  expect(Object.fromEntries(byLabel)).toEqual(truth(7550, 600))
  const summary = await cli('project', 'summary', project)
  expect(summary.out).toContain('CD8 mean above 7550, PanCK mean above 600')
})

it('grades a stain by three limits, in place of the recipe’s own', async () => {
  const sample = fileURLToPath(new URL('../../../../assets/samples/CMU-1-Small-Region.svs', import.meta.url))
  const asked = ['--recipe', 'ihc-nuclei', '--region', '0,0,600,600', '--class-by', 'DAB mean > 0.05,0.1,0.2']
  const run = await cli('run', sample, ...asked, '--threads', '1', '--out', join(folder, 'three'), '--files', 'run.json')
  expect(run.code, run.err).toBe(0)
  expect(run.out).toMatch(
    /\d+ negative, \d+ weak, \d+ moderate, \d+ strong \(H-score \d+; Allred \d \(\d \+ \d\); [\d.]+ % positive, 95 % interval [\d.]+ to [\d.]+ %; DAB mean: 1\+ above 0.05, 2\+ above 0.1, 3\+ above 0.2 OD\)/,
  )
})

it.each([
  [['CD9 mean > 1'], 'expected one of area, '],
  [['CD8 mean'], 'expected a measurement and its limit'],
  [['CD8 mean > much'], 'expected a measurement and its limit'],
  [['CD8 mean > 1,2'], 'expected one limit or three'],
  [['CD8 mean > 3,2,1'], 'expected limits that rise'],
  [['CD8 mean > 1', 'CD8 mean > 2'], 'expected columns that differ'],
  [['CD8 mean > 1,2,3', 'area > 2'], 'expected one limit for each --class-by where there are several'],
  [['area > 1', 'CD8 mean > 1', 'PanCK mean > 2', 'DAPI mean > 3', 'score > 4'], '--class-by'],
])('refuses %j before anything is computed', async (limits, words) => {
  const run = await cli('run', slide, ...recipe, ...limits.flatMap((limit) => ['--class-by', limit]), '--out', join(folder, 'no'))
  expect(run.code).toBe(2)
  expect(run.err).toContain(words)
})
