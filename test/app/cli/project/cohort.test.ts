// `morphoscope project add|run|summary|export`: slides into a project, a recipe over all of them, one table, files; what fails stops nothing else.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { realEngine, sample } from '../../../main/realEngine'
import { childrenOf } from '../../serve/realServer'
import { cli } from '../inProcess'

let dir: string
beforeAll(async () => (dir = await mkdtemp(join(tmpdir(), 'cohort-'))))
afterAll(() => rm(dir, { recursive: true, force: true }))

/** A part of the sample as a picture of its own. */
async function picture(name: string, left: number, top: number): Promise<string> {
  const path = join(dir, name)
  await sharp(sample).extract({ left, top, width: 600, height: 500 }).png({ compressionLevel: 1 }).toFile(path)
  return path
}

interface SlideRow {
  readonly slide: string
  readonly region: string | null
  readonly state: string
  readonly objects: number | null
  readonly perMm2: number | null
  readonly positiveShare: number | null
  readonly hScore: number | null
  readonly why: string | null
}
const summed = async (folder: string): Promise<SlideRow[]> =>
  JSON.parse((await cli('project', 'summary', folder, '--json')).out) as SlideRow[]
const states = async (...args: string[]): Promise<{ code: number; states: string[] }> => {
  const { code, out } = await cli('project', 'run', ...args, '--json')
  return { code, states: (JSON.parse(out) as { state: string }[]).map(({ state }) => state) }
}

it('runs a recipe over all slides, says which failed and why, does only the rest the next time, and tells it in one table', async () => {
  const folder = join(dir, 'Study.morphoscope')
  const paths = [await picture('a.png', 700, 1400), await picture('b.png', 300, 300), await picture('c.png', 900, 1900)]
  const text = join(dir, 'notes.txt')
  await writeFile(text, 'no slide')
  const added = await cli('project', 'add', folder, ...paths, text, '--mpp', '0.5')
  expect([added.code, added.out]).toEqual([3, 'a.png: added\nb.png: added\nc.png: added'])
  expect(added.err).toContain('notes.txt')
  expect(await cli('project', 'add', folder, paths[0]!)).toMatchObject({ code: 0, out: 'a.png: is there already' })
  expect((await summed(folder)).map(({ slide, state }) => [slide, state])).toEqual([
    ['a.png', 'not run'],
    ['b.png', 'not run'],
    ['c.png', 'not run'],
  ])

  // One is gone, another is a different picture under the same name.
  await rename(paths[1]!, join(dir, 'away.png'))
  await rename(paths[2]!, join(dir, 'third.png'))
  await copyFile(paths[0]!, paths[2]!)
  expect(await states(folder, '--recipe', 'ihc-nuclei')).toEqual({ code: 3, states: ['done', 'failed', 'failed'] })
  const nameless = await cli('project', 'summary', folder, '--csv', '--deidentify')
  expect(nameless.code).toBe(3)
  expect(nameless.out).toMatch(/^slide,region,(.*\n)slide-[0-9a-f]{16},/)
  expect(nameless.out + nameless.err).not.toMatch(/[abc]\.png/)
  expect(nameless.out + nameless.err).not.toContain(dir)
  const failed = await summed(folder)
  expect(failed.map(({ state }) => state)).toEqual(['done', 'failed', 'failed'])
  expect(failed[0]!.objects).toBeGreaterThan(20)
  expect(failed[2]!.why).toContain('Another slide than c.png is at its path now')

  await rename(join(dir, 'away.png'), paths[1]!)
  await rename(join(dir, 'third.png'), paths[2]!)
  expect(await states(folder, '--recipe', 'ihc-nuclei', '--only', 'b.')).toEqual({ code: 0, states: ['done'] })
  expect(await states(folder, '--recipe', 'ihc-nuclei')).toEqual({ code: 0, states: ['there', 'there', 'done'] })
  // Done before is said of a slide that was run, not of another file that lies in its place now.
  await rename(paths[1]!, join(dir, 'away.png'))
  await copyFile(paths[0]!, paths[1]!)
  expect(await states(folder, '--recipe', 'ihc-nuclei')).toEqual({ code: 3, states: ['there', 'failed', 'there'] })
  expect((await summed(folder))[1]).toMatchObject({
    ...{ slide: 'b.png', state: 'failed' },
    why: expect.stringContaining('Another slide than b.png is at its path now') as unknown,
  })
  await rename(join(dir, 'away.png'), paths[1]!)
  expect(await states(folder, '--recipe', 'ihc-nuclei')).toEqual({ code: 0, states: ['there', 'there', 'there'] })
  // Other values are another run; the same again only where that is asked.
  const other = ['--set', 'split.depth=0.9', '--only', 'a.']
  expect(await states(folder, '--recipe', 'ihc-nuclei', ...other)).toEqual({ code: 0, states: ['done'] })
  expect(await states(folder, '--recipe', 'ihc-nuclei', ...other, '--again')).toEqual({ code: 0, states: ['done'] })

  const rows = await summed(folder)
  for (const { state, objects, perMm2, positiveShare } of rows) {
    expect(state).toBe('done')
    expect(perMm2).toBeGreaterThan(objects!)
    expect(positiveShare).toBeGreaterThanOrEqual(0)
    expect(positiveShare).toBeLessThanOrEqual(1)
  }
  const csv = (await cli('project', 'summary', folder, '--csv')).out.split('\n')
  expect(csv[0]).toMatch(
    /^slide,region,class,state,.*,objects,objects_per_mm2_area,objects_per_mm2_tissue,positive_share,h_score,why,points,length_um,length_px,result,values,analysed_mm2,class_measurement,class_cutoffs,stain_warning,positive_share_low,positive_share_high,allred,hot_spot_positive_share,hot_spot_share_low,hot_spot_share_high,hot_spot_objects,hot_spot_um,hot_spot_x_px,hot_spot_y_px,core_row,core_column,case_label$/,
  )
  expect(csv).toHaveLength(4)
  expect((await cli('project', 'summary', folder)).out).toMatch(/b\.png +done .* mm² .* %/)

  const out = join(dir, 'out')
  await mkdir(out)
  const exported = await cli('project', 'export', folder, '--out', out, '--files', 'objects.csv')
  expect([exported.code, await readdir(out)]).toEqual([0, ['a', 'b', 'c']])
  const lines = (await readFile(join(out, 'b', 'objects.csv'), 'utf8')).trim().split('\n')
  expect(lines).toHaveLength(rows[1]!.objects! + 1)
})

it('keeps what is done when it is cancelled, and says what is left', async () => {
  const folder = join(dir, 'Cut.morphoscope')
  const paths = [await picture('one.png', 700, 1400), sample]
  expect((await cli('project', 'add', folder, ...paths)).code).toBe(0)
  const { main } = await import('../../../../app/cli/cli')
  const stop = new AbortController()
  const out: string[] = []
  const err: string[] = []
  // The first of the list is the bundled sample.
  const terminal = {
    print: (text: string) => void out.push(text),
    note: (text: string) => void err.push(text),
    progress: (text: string) => void (text.startsWith('1/2') && stop.abort()),
    endProgress: () => undefined,
  }
  const code = await main(['project', 'run', folder], terminal, stop.signal)
  expect(code).toBe(130)
  expect(out.join('\n')).toMatch(/CMU-1-Small-Region\.svs +done .*\none\.png +not run/)
  expect(err.join('\n')).toContain('1 of 2 slides are left')
  expect(await states(folder)).toEqual({ code: 0, states: ['there', 'done'] })
})

it('carries corrections over to the next run where that is asked, and else says that there are some', async () => {
  const folder = join(dir, 'Corrected.morphoscope')
  const path = await picture('d.png', 700, 1400)
  expect((await cli('project', 'add', folder, path, '--mpp', '0.5')).code).toBe(0)
  expect((await cli('project', 'run', folder)).code).toBe(0)
  const engine = realEngine(join(dir, 'settings'))
  await engine.invoke('project:open', { path: folder })
  const { slideId } = await engine.invoke('slide:open', { path, mpp: 0.5 })
  const [run] = await engine.invoke('project:restore', { slideId })
  const choice = { ids: [3, 5] }
  await engine.invoke('object:edit', { runId: run!.runId, choice, edit: { type: 'delete' } })
  await engine.close()

  const plain = await cli('project', 'run', folder, '--again')
  expect([plain.code, plain.out]).toEqual([0, expect.stringContaining('2 corrected on Whole slide, not carried over')])
  const carried = await cli('project', 'run', folder, '--again', '--carry')
  expect([carried.code, carried.out]).toEqual([0, expect.stringContaining('2 of 2 corrections carried over from Whole slide')])
  expect((await summed(folder))[0]!.objects).toBe(run!.objects - 2)
})

const root = fileURLToPath(new URL('../../../../', import.meta.url))
it.skipIf(process.platform !== 'linux' || !existsSync(join(root, 'dist', 'cli.mjs')))(
  'pauses at Ctrl-Z where it is, and goes on to the same end',
  async () => {
    // Another each time that it is tried: one that was cut off may be in use still.
    const folder = join(await mkdtemp(join(dir, 'paused-')), 'Paused.morphoscope')
    expect((await cli('project', 'add', folder, sample)).code).toBe(0)
    const run = spawn(process.execPath, [join(root, 'app/cli/morphoscope.cjs'), 'project', 'run', folder, '--threads', '1'])
    let said = ''
    for (const stream of [run.stdout, run.stderr]) stream.on('data', (text) => (said += String(text)))
    const ended = new Promise<number | null>((resolve) => run.on('close', resolve))
    await expect.poll(() => said, { timeout: 20_000 }).toContain('0/1 slide, ')
    // The process that a shell knows, and the one that computes.
    const [worker] = childrenOf(run.pid!, 'cli.mjs')
    const stateOf = async (pid: number): Promise<string> => (await readFile(`/proc/${pid}/stat`, 'latin1')).split(') ')[1]![0]!
    run.kill('SIGTSTP')
    await expect.poll(() => Promise.all([run.pid!, worker!].map(stateOf)), { timeout: 10_000 }).toEqual(['T', 'T'])
    expect(said).toContain('paused: fg goes on')
    run.kill('SIGCONT')
    expect(await ended, said).toBe(0)
    expect(said).toMatch(/CMU-1-Small-Region\.svs +done +\d+ objects/)
    expect((await summed(folder))[0]).toMatchObject({ state: 'done' })
  },
  60_000,
)
