// The H-score from a click to every file: cut-offs are numbers in OD, whatever the slide holds, and each figure is told with them.
import { existsSync } from 'node:fs'
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parquetReadObjects } from 'hyparquet'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { isOver } from '../../../../app/contract'
import type { Recipe, RunStatus } from '../../../../app/contract'
import { defaultRecipe } from '../../../../main/engine'
import type { Engine } from '../../../../main/engine'
import { cli } from '../../../app/cli/inProcess'
import { paintsIhc } from '../../../ihcPicture'
import { realEngine } from '../../realEngine'

let dir: string
beforeAll(async () => (dir = await mkdtemp(join(tmpdir(), 'h-score-'))))
afterAll(() => rm(dir, { recursive: true, force: true }))

/** DeepLIIF's, for research: read from its place, never committed. Elsewhere a painted picture takes its place. */
const tile = join(import.meta.dirname, '../../../../../shared/data/tiles/deepliif_Bladder1.png')

async function ihcRecipe(engine: Engine, classes: Record<string, number | string> = {}): Promise<Recipe> {
  const spec = (await engine.invoke('recipe:list', undefined)).find(({ id }) => id === 'ihc-nuclei')!
  const plain = defaultRecipe(spec)
  return { ...plain, params: { ...plain.params, classes: { ...plain.params['classes'], ...classes } } }
}

async function done(engine: Engine, runId: string): Promise<RunStatus> {
  const found = await vi.waitUntil(async () =>
    (await engine.invoke('run:list', undefined)).find(({ status }) => status.runId === runId && isOver(status)),
  )
  expect(found.status).toMatchObject({ state: 'done' })
  return found.status
}

/** By hand from the file's own means: 1 × weak + 2 × moderate + 3 × strong, in percent. */
function scoredFromCsv(text: string, limits: readonly number[]) {
  const [header, ...rows] = text.trimEnd().split('\r\n')
  const at = header!.split(',').indexOf('dab_mean_od')
  const classAt = header!.split(',').indexOf('class')
  const grades = rows.map((row) => limits.filter((limit) => Number(row.split(',')[at]) > limit).length)
  const names = ['negative', 'weak', 'moderate', 'strong']
  return {
    hScore: (100 * grades.reduce((sum, grade) => sum + grade, 0)) / rows.length,
    expected: grades.map((grade) => names[grade]),
    named: rows.map((row) => row.split(',')[classAt]),
    positive: grades.filter((grade) => grade > 0).length / rows.length,
  }
}

it('stands on typed cut-offs in table, run.json, CSV, Parquet, report and summary, and is there again', async () => {
  const slide = join(dir, 'tile.png')
  if (existsSync(tile)) await copyFile(tile, slide)
  else await paintsIhc(slide)
  const engine = realEngine(join(dir, 'typed'), { shell: 'serve' })
  const { slideId } = await engine.invoke('slide:open', { path: slide })
  await engine.invoke('project:state', { slideId })
  const recipe = await ihcRecipe(engine, { by: 'grades' })
  const { runId } = await engine.invoke('run:start', { slideId, region: 'whole', recipe, purpose: 'run' })
  const first = await done(engine, runId)
  // Weakest first, whoever classifies.
  expect(first.classes!.map(({ id }) => id)).toEqual(['negative', 'weak', 'moderate', 'strong'])
  expect(first.cuts).toEqual({ column: 'stain2Mean', title: 'DAB mean', unit: 'OD', limits: [0.2, 0.4, 0.6], ofStain: true })

  const exported = async (folder: string, limits: readonly number[]) => {
    const directory = join(dir, folder)
    const files = ['objects.csv', 'objects.parquet', 'run.json', 'report.html'] as const
    await engine.invoke('export:start', { runId, directory, files: [...files] })
    const found = scoredFromCsv(await readFile(join(directory, 'objects.csv'), 'utf8'), limits)
    expect(found.named).toEqual(found.expected)
    const bytes = await readFile(join(directory, 'objects.parquet'))
    const rows = await parquetReadObjects({ file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) })
    expect(rows.map((row) => String(row['class']))).toEqual(found.expected)
    const { counts, recipe: written } = JSON.parse(await readFile(join(directory, 'run.json'), 'utf8')) as {
      counts: { hScore: number; positiveShare: number; classCuts: object }
      recipe: Recipe
    }
    expect(counts.hScore).toBeCloseTo(found.hScore, 9)
    expect(counts.positiveShare).toBeCloseTo(found.positive, 9)
    expect(counts.classCuts).toEqual({ column: 'stain2Mean', measurement: 'DAB mean', unit: 'OD', limits })
    // Whoever runs it again gets the same classes.
    const [positiveAbove, moderateAbove, strongAbove] = limits
    expect(written.params['classes']).toMatchObject({ by: 'grades', positiveAbove, moderateAbove, strongAbove })
    const words = `DAB mean: 1+ above ${positiveAbove}, 2+ above ${moderateAbove}, 3+ above ${strongAbove} OD`
    expect(await readFile(join(directory, 'report.html'), 'utf8')).toContain(words)
    return { ...found, words }
  }
  const before = await exported('as-recipe', [0.2, 0.4, 0.6])
  const limits = [0.15, 0.35, 0.55]
  await engine.invoke('object:rule', { runId, rule: { column: 'stain2Mean', limits } })
  const after = await exported('typed-files', limits)
  expect(after.hScore).toBeGreaterThanOrEqual(before.hScore)

  const { rows, csv } = await engine.invoke('project:summary', {})
  expect(rows[0]!.hScore).toBeCloseTo(after.hScore, 9)
  expect(rows[0]!.cuts!.limits).toEqual(limits)
  const [header, line] = csv.split('\n').map((each) => each.split(','))
  expect(line![header!.indexOf('class_measurement')]).toBe('DAB mean (OD)')
  expect(line![header!.indexOf('class_cutoffs')]).toBe('0.15; 0.35; 0.55')
  // What is no stain's density has classes, and no H-score.
  await engine.invoke('object:rule', { runId, rule: { column: 'area', limits: [10, 20, 30] } })
  expect((await engine.invoke('project:summary', {})).rows[0]!.hScore).toBeNull()
  await engine.invoke('object:rule', { runId, rule: null })
  expect((await done(engine, runId)).classes!.map(({ id }) => id)).toEqual(['negative', 'weak', 'moderate', 'strong'])
  await engine.close()
}, 120_000)

it('judges nuclei by how much of them is brown where that is asked for, in every file and in the summary', async () => {
  const slide = join(dir, 'brown.png')
  await paintsIhc(slide)
  const folder = join(dir, 'by-area')
  const options = ['--recipe', 'ihc-nuclei', '--set', 'classes.by=area', '--set', 'classes.areaAbove=35']
  const ran = await cli('run', slide, '--out', folder, ...options, '--files', 'objects.csv,objects.geojson,run.json,report.html')
  expect(ran.code).toBe(0)
  const [header, ...rows] = (await readFile(join(folder, 'objects.csv'), 'utf8'))
    .trimEnd()
    .split('\r\n')
    .map((row) => row.split(','))
  const valuesIn = (name: string): string[] => rows.map((row) => row[header!.indexOf(name)]!)
  const shares = valuesIn('stained_area_percent').map(Number)
  const expected = shares.map((share) => (share > 35 ? 'positive' : 'negative'))
  expect(valuesIn('class')).toEqual(expected)
  // Some are brown in part, and by their means others would be positive.
  expect(shares.some((share) => share > 0 && share < 100)).toBe(true)
  expect(new Set(expected).size).toBe(2)
  const { counts } = JSON.parse(await readFile(join(folder, 'run.json'), 'utf8')) as { counts: Record<string, unknown> }
  expect(counts).toMatchObject({
    positiveShare: expected.filter((name) => name === 'positive').length / rows.length,
    classCuts: { column: 'stainedArea', measurement: 'Stained area', unit: '%', limits: [35] },
  })
  expect(counts['hScore'] ?? null).toBeNull()
  expect(await readFile(join(folder, 'report.html'), 'utf8')).toContain('Stained area above 35 %')
  const { features } = JSON.parse(await readFile(join(folder, 'objects.geojson'), 'utf8')) as {
    features: { properties: { measurements: Record<string, number>; classification: { name: string } } }[]
  }
  expect(features.map(({ properties }) => properties.measurements['Stained area %'])).toEqual(shares)
  expect(features.map(({ properties }) => properties.classification.name.toLowerCase())).toEqual(expected)

  // Other recipes' tables are what they were.
  await cli('run', slide, '--out', join(dir, 'by-he'), '--files', 'objects.csv,objects.geojson')
  for (const file of ['objects.csv', 'objects.geojson'])
    expect(await readFile(join(dir, 'by-he', file), 'utf8')).not.toMatch(/stained/i)

  const project = join(dir, 'by-area.morphoscope')
  await cli('project', 'add', project, slide)
  await cli('project', 'run', project, '--recipe', 'ihc-nuclei')
  const again = await cli('project', 'run', project, '--recipe', 'ihc-nuclei', '--set', 'classes.by=area')
  expect(again.out).toMatch(/done before, now by these cut-offs/)
  expect((await cli('project', 'summary', project)).out).toContain('Stained area above 10 %')
}, 120_000)

it('is the same for all slides of a project: a batch sets its cut-offs without computing anew, and a difference is said', async () => {
  const [a, b] = [join(dir, 'a.png'), join(dir, 'b.png')]
  await paintsIhc(a)
  await paintsIhc(b)
  // Another file, so another slide.
  const { default: sharp } = await import('sharp')
  await sharp(await readFile(a))
    .extend({ right: 40, background: '#eeece8' })
    .png()
    .toFile(b)
  const project = join(dir, 'batch.morphoscope')
  await cli('project', 'add', project, a, b)
  const runs = ['project', 'run', project, '--recipe', 'ihc-nuclei', '--set', 'classes.by=grades']
  expect((await cli(...runs)).out).toMatch(/a\.png\s+done\s/)
  const told = await cli(...runs, '--set', 'classes.positiveAbove=0.1', '--only', 'a.png')
  expect(told.out).toMatch(/a\.png\s+done before, now by these cut-offs/)
  const differing = await cli('project', 'summary', project)
  expect(differing.out).toContain('DAB mean: 1+ above 0.1, 2+ above 0.4, 3+ above 0.6 OD')
  expect(differing.err).toContain('Not all rows stand on the same cut-offs')
  expect(differing.code).toBe(0)
  await cli(...runs)
  const same = await cli('project', 'summary', project)
  expect(same.err).not.toContain('Not all rows stand')
  expect(same.out.match(/1\+ above 0\.2/g)).toHaveLength(2)
}, 120_000)

it('a batch of another recipe marks the slide before it, beside its result and in the summary, and runs it all the same', async () => {
  const slide = join(dir, 'ihc.png')
  await paintsIhc(slide)
  const project = join(dir, 'unfit.morphoscope')
  await cli('project', 'add', project, slide)
  const ran = await cli('project', 'run', project)
  const words = /looks like H-DAB \(\d+ %\), and H&E nuclei is made for H&E/
  expect(ran.err).toMatch(words)
  expect(ran.out).toMatch(words)
  expect([ran.code, ran.out]).toEqual([0, expect.stringMatching(/ihc\.png\s+done\s/)])
  expect((await cli('project', 'summary', project)).out).toMatch(words)
  expect((await cli('project', 'summary', project, '--csv')).out).toMatch(/,stain_warning,.*\n.*looks like H-DAB/)
  expect((await cli('project', 'run', project, '--recipe', 'ihc-nuclei')).out).not.toMatch(/looks like/)
}, 120_000)
