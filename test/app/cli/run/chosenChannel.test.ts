// `--channel`: which of two nuclear stains is analysed, by command, in a project, and in what is written.
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { nuclearChannels } from '../../../main/slide/nuclearChannels'
import { cli } from '../inProcess'

const recipe = ['--recipe', 'fluorescence-nuclei', '--threads', '1']
let folder: string
let slide: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'morphoscope-cli-channel-'))
  slide = await nuclearChannels(join(folder, 'two.ome.tif'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

interface Record {
  readonly counts: { readonly objects: number }
  readonly slide: { readonly channels: readonly { name: string; shown: string; low: number; high: number }[] }
}
const recordIn = async (...place: string[]): Promise<Record> =>
  JSON.parse(await readFile(join(folder, ...place, 'run.json'), 'utf8')) as Record
/** How many objects, and in which channel. */
const foundIn = async (...place: string[]): Promise<[number, string | undefined]> => {
  const { counts, slide: about } = await recordIn(...place)
  return [counts.objects, about.channels.find(({ shown }) => shown === 'gray')?.name]
}

it('runs in the channel that is asked for, and says so in info and in run.json', async () => {
  for (const [out, asked] of [
    ['usual', []],
    ['named', ['--channel', 'ki67']],
    ['numbered', ['--channel', '1']],
  ] as const) {
    const run = await cli('run', slide, ...recipe, ...asked, '--out', join(folder, out))
    expect(run.err, out).toContain(`"${out === 'usual' ? 'DAPI' : 'Ki67'}" is analysed`)
    expect(run.code, out).toBe(0)
  }
  expect(await foundIn('usual')).toEqual([64, 'DAPI'])
  expect(await foundIn('named')).toEqual([16, 'Ki67'])
  expect(await foundIn('numbered')).toEqual([16, 'Ki67'])
  const objects = (out: string): Promise<string> => readFile(join(folder, out, 'objects.csv'), 'utf8')
  expect(await objects('numbered')).toBe(await objects('named'))
  const about = await cli('info', slide, '--channel', 'Ki67')
  expect(about.out).toMatch(/channels +Ki67 \(uint16, 0 to 2000; analysed\), DAPI \(uint16, 0 to 3000; measured\)/)
})

it('refuses a channel that is not there, and any on one picture', async () => {
  const wrong = await cli('run', slide, ...recipe, '--channel', 'CD9', '--out', join(folder, 'no'))
  expect(wrong.err).toContain('has no channel "CD9". It has Ki67, DAPI: choose one of them, by its name or its number (1 to 2).')
  expect(wrong.code).toBe(2)
  const sample = fileURLToPath(new URL('../../../../assets/samples/CMU-1-Small-Region.svs', import.meta.url))
  const brightfield = await cli('run', sample, '--channel', '1', '--out', join(folder, 'no'))
  expect(brightfield.err).toContain('is one picture, and has no channels of which one could be analysed.')
  expect(brightfield.code).toBe(2)
})

it('holds the choice in a project: what was run in another channel is run anew', async () => {
  const project = join(folder, 'a.morphoscope')
  const ran = async (out: string, ...more: string[]): Promise<string> => {
    const done = await cli('project', 'run', project, ...recipe, ...more, '--out', join(folder, out))
    expect(done.code, done.err).toBe(0)
    return done.out
  }
  expect((await cli('project', 'add', project, slide, '--channel', 'Ki67')).code).toBe(0)
  expect(await ran('first')).toMatch(/two.ome.tif +done +16 objects/)
  expect(await foundIn('first', 'two.ome')).toEqual([16, 'Ki67'])
  expect(await ran('second')).toMatch(/done before/)
  expect(await ran('third', '--channel', 'DAPI')).toMatch(/two.ome.tif +done +64 objects/)
  expect(await foundIn('third', 'two.ome')).toEqual([64, 'DAPI'])
  // The project has it now.
  expect(await ran('fourth')).toMatch(/done before/)
  // Each result is of its own channel, in whichever the slide is open.
  expect((await cli('project', 'objects', project, '--out', join(folder, 'all'), '--files', 'run.json')).code).toBe(0)
  const all = await Promise.all((await readdir(join(folder, 'all'))).map((name) => foundIn('all', name)))
  expect(all.sort(([a], [b]) => a - b)).toEqual([
    [16, 'Ki67'],
    [64, 'DAPI'],
  ])
})

it('judges and searches on the channel that is asked for', async () => {
  const truth = join(folder, 'truth')
  await mkdir(truth)
  await copyFile(slide, join(truth, 'two.tif'))
  await copyFile(join(folder, 'named', 'labels.ome.tif'), join(truth, 'two_inst.tif'))
  const scores = async (...more: string[]): Promise<number> => {
    const judged = await cli('evaluate', '--truth', truth, ...recipe, ...more, '--json')
    expect(judged.code, judged.err).toBe(0)
    return (JSON.parse(judged.out) as { mean: { f1: number } }).mean.f1
  }
  expect(await scores('--channel', 'Ki67')).toBe(1)
  expect(await scores()).toBeLessThan(0.5)
  const found = await cli(
    ...[
      'optimize',
      '--truth',
      truth,
      ...recipe,
      '--channel',
      'Ki67',
      '--vary',
      'threshold.level=0.7:0.9:0.1',
      '--most',
      '2',
      '--json',
    ],
  )
  expect(found.code, found.err).toBe(0)
  expect(JSON.stringify(JSON.parse(found.out))).toContain('"aji":1')
})
