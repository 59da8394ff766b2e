// A workflow's folder: what it says of slides with names of strangers, and its steps as a scheduler runs them, failures among them.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { appendFile, copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ExitCode } from '../../../../app/cli/exitCodes'
import { plainNames, quoted, slidesText } from '../../../../app/cli/workflow/workflowFiles'
import { cli } from '../inProcess'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const sample = join(root, 'assets/samples/CMU-1-Small-Region.svs')
const isBuilt = existsSync(join(root, 'dist', 'cli.mjs'))
const isPosix = process.platform !== 'win32'

let base: string
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'morphoscope-workflow-'))
})
afterAll(() => rm(base, { recursive: true, force: true }))

describe('names of slides', () => {
  it('become plain ones, each once, whatever a stranger called them', () => {
    const names = ['A 1', 'a-1', '../../etc/passwd', '-rf', '.hidden', '名', 'é', '$(reboot)', 'x'.repeat(200), '']
    const plain = plainNames(names)
    expect(plain).toEqual(['A-1', 'a-1-2', 'etc-passwd', 'rf', 'hidden', 'slide', 'e-', 'reboot-', 'x'.repeat(80), 'slide-2'])
    expect(plain.every((name) => /^[A-Za-z0-9_][A-Za-z0-9._-]*$/.test(name))).toBe(true)
  })

  it.skipIf(!isPosix)('are one word for a shell, whatever is in them', () => {
    for (const text of ["it's", '$HOME `id` "x" \\', '*', 'a\nb', ''])
      expect(execFileSync('sh', ['-c', `printf %s ${quoted(text)}`], { encoding: 'utf8' })).toBe(text)
  })

  it('that would break the list are refused', () => {
    const row = { name: 'a', shards: 1, threads: 1, memoryMb: 1, minutes: 1, options: [], isOpened: true }
    expect(() => slidesText([{ ...row, path: '/a\tb.svs' }])).toThrow(/cannot name/)
    expect(slidesText([{ ...row, path: '/a b.svs' }])).toContain('a\t/a b.svs\t1\t1\t1\t1\t\n')
  })
})

describe.skipIf(!isBuilt || !isPosix)('a workflow', () => {
  let at: string
  let names: string[]
  const step = (...args: string[]): number | null => spawnSync(join(at, 'step.sh'), args, { stdio: 'ignore' }).status

  beforeAll(async () => {
    const slides = join(base, "it's $(touch hit) slides")
    await mkdir(slides)
    for (const n of [1, 2]) {
      await copyFile(sample, join(slides, `slide ${n}.svs`))
      // Another slide to whoever looks at its bytes.
      await appendFile(join(slides, `slide ${n}.svs`), String(n))
    }
    await writeFile(join(slides, 'torn.svs'), 'no slide')
    at = join(base, 'cohort')
    const { code, err } = await cli('workflow', slides, '--out', at, '--files', 'objects.csv', '--threads', '1')
    expect([code, err]).toEqual([ExitCode.partial, expect.stringMatching(/torn cannot be opened here, and its step will say so/)])
    await writeFile(
      join(at, 'settings.sh'),
      (await readFile(join(at, 'settings.sh'), 'utf8')).replace(/RETRY_AFTER_S=\d+/, 'RETRY_AFTER_S=0'),
    )
    names = (await readFile(join(at, 'slides.tsv'), 'utf8'))
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split('\t')[0]!)
  })

  it('names its slides, is not replaced unasked, and lists what each needs', async () => {
    expect(names).toEqual(['slide-1', 'slide-2', 'torn'])
    const again = await cli('workflow', sample, '--out', at)
    expect([again.code, again.err]).toEqual([ExitCode.cannotCreate, expect.stringContaining('--overwrite')])
    const nothing = join(base, 'nothing')
    await mkdir(nothing)
    expect((await cli('workflow', nothing, '--out', join(base, 'none'))).code).toBe(ExitCode.noInput)
    const hidden = await cli('workflow', sample, '--out', join(base, 'hidden'), '--deidentify', '--shard-megapixels', '10')
    expect([hidden.code, hidden.out.includes('CMU')]).toEqual([0, false])
  })

  it('is run step by step: each writes its mark, a slide that is none fails alone, and the table is of the others', async () => {
    for (const name of names) for (const each of [['prepare'], ['shard', '1'], ['merge']]) expect(step(name, ...each)).toBe(0)
    expect(await readdir(join(at, 'runs', 'torn'))).toEqual(
      expect.arrayContaining(['failed', 'merge.ok', 'prepare.ok', 'shard-1.ok']),
    )
    expect(await readFile(join(at, 'runs', 'torn', 'failed'), 'utf8')).toMatch(
      /^prepare\t65\terror: .*torn\.svs is not in a format/,
    )
    const state = await cli('status', join(at, 'runs'))
    expect(state.code).toBe(ExitCode.partial)
    expect(state.out).toMatch(/done +slide-1; 1 of 1 shard; 3003 objects/)
    expect(state.out).toMatch(/failed +torn; .*is not in a format/)
    const one = join(base, 'one')
    await cli('run', sample, '--out', one, '--files', 'objects.csv')
    // Its bytes have a name: the rest is the sample's.
    const rows = (text: string): string[] => text.split('\n').slice(1)
    for (const name of ['slide-1', 'slide-2'])
      expect(rows(await readFile(join(at, 'runs', name, 'objects.csv'), 'utf8')).length).toBe(
        rows(await readFile(join(one, 'objects.csv'), 'utf8')).length,
      )
    expect(step('-', 'cohort')).toBe(0)
    const table = (await readFile(join(at, 'cohort.csv'), 'utf8')).trim().split('\n')
    expect(table.slice(1).map((line) => line.split(',').slice(0, 4).join())).toEqual(['slide 1.svs,,,done', 'slide 2.svs,,,done'])
    expect(await readFile(join(at, 'failed.tsv'), 'utf8')).toMatch(/^slide\tstep\texit_code\twhy\ntorn\tprepare\t65\t/)
    expect((await readdir(base)).includes('hit')).toBe(false)
  })

  it('brings its results into a project once', async () => {
    const project = join(base, 'study.morphoscope')
    const first = await cli('project', 'take', project, at)
    expect([first.code, first.err]).toEqual([0, ''])
    expect(first.out).toBe('slide-1: 3003 objects\nslide-2: 3003 objects')
    expect((await cli('project', 'take', project, at)).out).toBe('slide-1: is there already\nslide-2: is there already')
    const summary = await cli('project', 'summary', project, '--csv')
    expect(summary.out.match(/,done,/g)).toHaveLength(2)
    expect((await cli('project', 'take', project, base)).code).toBe(ExitCode.noInput)
  })

  it('goes on after what failed is mended, and computes nothing twice', async () => {
    const slides = join(base, "it's $(touch hit) slides")
    await copyFile(sample, join(slides, 'torn.svs'))
    expect(step('torn', 'again')).toBe(0)
    expect((await readdir(join(at, 'runs', 'torn'))).filter((name) => name.endsWith('.ok'))).toEqual([])
    expect(existsSync(join(at, 'cohort.csv'))).toBe(false)
    for (const each of [['prepare'], ['shard', '1'], ['merge']]) expect(step('torn', ...each)).toBe(0)
    expect(existsSync(join(at, 'runs', 'torn', 'failed'))).toBe(false)
    expect(await readFile(join(at, 'runs', 'torn', 'objects.csv'), 'utf8')).toContain('\n')
    expect(step('slide-1', 'shard', '1')).toBe(0)
    expect(await readFile(join(at, 'logs', 'slide-1-shard-1.log'), 'utf8')).toContain('shard 1 of 1 is there already')
    expect(step('slide-1', 'nonsense')).toBe(2)
  })

  it('tries again what may succeed later, and stops at a signal', async () => {
    const count = join(base, 'count')
    const program = (code: number): string => `morphoscope() { echo x >>${quoted(count)}; return ${code}; }\n`
    const settings = await readFile(join(at, 'settings.sh'), 'utf8')
    try {
      for (const [code, tries, exit] of [
        [74, 3, 0],
        [75, 3, 0],
        [65, 1, 0],
        [143, 1, 143],
      ] as const) {
        await rm(count, { force: true })
        await rm(join(at, 'runs', 'slide-2', 'failed'), { force: true })
        await writeFile(join(at, 'settings.sh'), settings + program(code))
        expect(step('slide-2', 'prepare')).toBe(exit)
        expect((await readFile(count, 'utf8')).length / 2).toBe(tries)
        expect(existsSync(join(at, 'runs', 'slide-2', 'failed'))).toBe(exit === 0)
      }
    } finally {
      await writeFile(join(at, 'settings.sh'), settings)
    }
  })

  it('of a project’s slides is that of the slides', async () => {
    const project = join(base, 'study.morphoscope')
    const out = join(base, 'of-project')
    const { code } = await cli('project', 'run', project, '--workflow', out, '--only', 'slide 1', '--files', 'objects.csv')
    expect(code).toBe(0)
    const [line] = (await readFile(join(out, 'slides.tsv'), 'utf8')).split('\n').slice(1)
    expect(line).toMatch(/^slide-1\t.*slide 1\.svs\t1\t4\t\d+\t\d+\t$/)
  })
})
