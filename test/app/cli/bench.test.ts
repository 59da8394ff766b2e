// `morphoscope bench`: its options reach the benchmark, its lines and exit codes come back, and it can be stopped.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { bench, benchArguments, benchOptions, benchProgram } from '../../../app/cli/bench'
import { main } from '../../../app/cli/cli'
import { ExitCode } from '../../../app/cli/exitCodes'
import { gpus } from '../../../native/index'
import { cli } from './inProcess'

const there = await gpus()
const folder = mkdtempSync(join(tmpdir(), 'morphoscope-bench-'))
afterAll(() => rmSync(folder, { recursive: true }))
const override = process.env['MORPHOSCOPE_BENCH']
afterEach(() => {
  if (override === undefined) delete process.env['MORPHOSCOPE_BENCH']
  else process.env['MORPHOSCOPE_BENCH'] = override
})

/** A stand-in for the benchmark: what it does is a shell script. */
function standIn(name: string, script: string): string {
  const path = join(folder, name)
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
  process.env['MORPHOSCOPE_BENCH'] = path
  return path
}
const posix = process.platform !== 'win32'

describe('bench', () => {
  it('passes every option on, with the bundled tile where none is given', () => {
    const options = Object.fromEntries(
      benchOptions.map(([flags]) => [
        flags
          .split(' ')[0]!
          .slice(2)
          .replace(/-(\w)/g, (_, c: string) => c.toUpperCase()),
        'x',
      ]),
    )
    expect(benchArguments({ ...options, json: true, list: true }, 'bundled')).toEqual([
      ...benchOptions.flatMap(([flags]) => [flags.split(' ')[0]!, 'x']),
      '--json',
      '--list',
    ])
    expect(benchArguments({ op: 'label' }, 'bundled')).toEqual(['--op', 'label', '--tile', 'bundled'])
    expect(existsSync(benchProgram().tile)).toBe(true)
  })

  it.runIf(posix)('shows lines and notes as they come, and hands on the exit codes that it knows', async () => {
    standIn('lines', 'echo "$@"; echo note >&2; exit 0')
    const { code, out, err } = await cli('bench', '--op', 'label', '--budget-ms', '5', '--tile', 't.npy')
    expect([code, out, err]).toEqual([0, '--op label --budget-ms 5 --tile t.npy', 'note'])
    for (const known of [2, 69, 73, 75]) {
      standIn(`code${known}`, `echo why >&2; exit ${known}`)
      expect(await cli('bench')).toEqual({ code: known, out: '', err: 'why' })
    }
    standIn('wrong', 'exit 1')
    expect(await cli('bench')).toMatchObject({ code: ExitCode.bug, err: expect.stringContaining('WRONG') as unknown })
    standIn('crash', 'kill -SEGV $$')
    expect(await cli('bench')).toMatchObject({ code: ExitCode.bug, err: expect.stringContaining('SIGSEGV') as unknown })
  })

  it.runIf(posix)('ends the benchmark when it is told to stop', async () => {
    standIn('endless', 'echo begun; exec sleep 1000') // longer than a test may take
    const controller = new AbortController()
    const terminal = {
      print: () => controller.abort(),
      note: () => undefined,
      progress: () => undefined,
      endProgress: () => undefined,
    }
    expect(await main(['bench'], terminal, controller.signal)).toBe(ExitCode.interrupted)
  })

  it('says what to do where neither the benchmark nor its sources are', async () => {
    delete process.env['MORPHOSCOPE_BENCH']
    mkdirSync(join(folder, 'package'), { recursive: true })
    const program = benchProgram(join(folder, 'package'))
    const terminal = {
      print: () => undefined,
      note: () => undefined,
      progress: () => undefined,
      endProgress: () => undefined,
    }
    await expect(bench(terminal, {}, new AbortController().signal, program)).rejects.toMatchObject({
      exitCode: ExitCode.notThere,
      message: expect.stringMatching(/checkout.*MORPHOSCOPE_BENCH/) as unknown,
    })
  })

  it.runIf(posix)('builds what is missing, once, and says what a failed build said', async () => {
    delete process.env['MORPHOSCOPE_BENCH']
    const notes: string[] = []
    const terminal = {
      print: (text: string) => void notes.push(text),
      note: (text: string) => void notes.push(text),
      progress: () => undefined,
      endProgress: () => undefined,
    }
    const path = join(folder, 'built')
    const builder = join(folder, 'build.mjs')
    const signal = new AbortController().signal
    writeFileSync(builder, 'console.error("no compiler"); process.exit(1)')
    await expect(bench(terminal, {}, signal, { path, builder, tile: 't' })).rejects.toMatchObject({
      exitCode: ExitCode.notThere,
      detail: 'no compiler',
    })
    writeFileSync(
      builder,
      `import { writeFileSync } from 'node:fs'
       if (process.argv[2] !== 'bench') process.exit(9)
       writeFileSync(${JSON.stringify(path)}, '#!/bin/sh\\necho timed', { mode: 0o755 })`,
    )
    expect(await bench(terminal, {}, signal, { path, builder, tile: 't' })).toBe(ExitCode.ok)
    expect(notes.at(-1)).toBe('timed')
    rmSync(builder)
    expect(await bench(terminal, {}, signal, { path, builder, tile: 't' })).toBe(ExitCode.ok)
  })
})

// `npm test` builds it; a bare `vitest` may come before.
describe.skipIf(!existsSync(benchProgram().path))('the real benchmark', () => {
  it('times an operation of each kind, with the memory that it took', async () => {
    const { code, out } = await cli(
      'bench',
      '--op',
      'label',
      '--input',
      'tissue',
      '--size',
      '128',
      '--threads',
      '1,2',
      '--repeat',
      '1',
      '--json',
    )
    expect(code).toBe(0)
    const { results } = JSON.parse(out) as { results: Record<string, unknown>[] }
    expect(results.map(({ connectivity, threads }) => [connectivity, threads])).toEqual([
      [8, 1],
      [8, 2],
      [4, 1],
      [4, 2],
    ])
    for (const line of results) {
      expect(line).toMatchObject({ op: 'label', size: 128, device: 'cpu', runs: 1 })
      expect(line['workspace_bytes_per_pixel']).toBeGreaterThan(0)
      expect(line['result']).toMatch(/^(reference|exact)$/)
    }
    const table = await cli('bench', '--op', 'threshold', '--input', 'noise', '--size', '64', '--repeat', '1')
    expect(table.out).toMatch(/^threshold .* reference$/m)
  })
  it('runs a line once where the budget allows no second run', async () => {
    const args = [
      '--op',
      'max_tree',
      '--variant',
      'union_find',
      '--connectivity',
      '8',
      '--input',
      'noise',
      '--size',
      '256',
      '--repeat',
      '50',
      '--json',
    ]
    const runs = async (...more: string[]): Promise<unknown> =>
      (JSON.parse((await cli('bench', ...args, ...more)).out) as { results: { runs: number }[] }).results[0]?.runs
    expect(await runs('--budget-ms', '1')).toBe(1)
    expect(await runs()).toBe(50)
  })
  it.each([
    [['--op', 'nonsense'], /expected one of reconstruct, .* for --op but received nonsense/],
    [['--op', 'label', '--variant', 'queue'], /expected nothing .* for --variant but received queue/],
    [['--op', 'watershed', '--variant', 'x'], /expected one of automatic, drop_of_water, .* for --variant but received x/],
    [['--size', '4k'], /expected a whole number from 16 to 40000 for --size but received 4k/],
    [['--threads', '1,0'], /expected a whole number from 1 to 256 for --threads but received 0/],
    [['--connectivity', '6'], /expected one of 4, 8 for --connectivity but received 6/],
    [['--input', 'moon'], /expected one of tissue, .* for --input but received moon/],
    [['--device', 'tpu'], /expected one of cpu, gpu for --device but received tpu/],
    [['--repeat', '0'], /for --repeat but received 0/],
    [['--jitter', '-1'], /for --jitter but received|expected a value for --jitter/],
    [['--budget-ms', 'soon'], /for --budget-ms but received soon/],
    [['--tile', '/nowhere.npy'], /expected a readable \.npy image of integers for --tile but received \/nowhere\.npy/],
    [['--nonsense', '1'], /unknown option '--nonsense'/],
    [['--size'], /argument missing/],
  ])('refuses %j', async (args, message) => {
    const { code, out, err } = await cli('bench', ...args)
    expect([code, out]).toEqual([ExitCode.usage, ''])
    expect(err).toMatch(message)
  })
  it.skipIf(there.devices.length > 0)('says why there is no GPU to time', async () => {
    const { code, err } = await cli('bench', '--device', 'gpu')
    expect(code).toBe(ExitCode.notThere)
    expect(err).toMatch(/^GPU_UNAVAILABLE: gpu0 is not there: .* 0 GPUs, because ./)
  })
})
