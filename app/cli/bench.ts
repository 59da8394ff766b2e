// `morphoscope bench`: times every operation with the C++ benchmark, a program of its own, so that no Node runs inside what is measured.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { CliError, ExitCode } from './exitCodes'
import { installation } from './installation'
import type { Terminal } from './terminal'

/** Every option takes a value and is passed on as it is: the benchmark itself says what it expected. */
export const benchOptions: readonly (readonly [flags: string, help: string])[] = [
  ['--op <names>', 'operations, such as label or label,erode (`--list` names them)'],
  ['--only <name>', 'every operation whose name begins so'],
  ['--variant <names>', 'variants, or settings such as "r=10"'],
  ['--input <name>', 'tissue, noise, checkerboard, flat, serpentine or spiral (default: all)'],
  ['--size <px>', 'width and height (default: 4096)'],
  ['--connectivity <n>', '4 or 8 (default: both)'],
  ['--threads <list>', 'such as 1,2 (default: 1)'],
  ['--device <name>', 'cpu or gpu (default: cpu)'],
  ['--repeat <n>', 'runs of each line after one to warm up; the median counts (default: 5)'],
  ['--budget-ms <ms>', 'a line runs no more often than fits in this (default: 8000)'],
  ['--jitter <levels>', 'each copy of the tile is up to so many grey levels brighter or darker (default: 2)'],
  ['--tile <file>', 'the .npy image that tissue is made of (default: the bundled one)'],
  ['--dump <file>', 'also write the first input, raw uint8, and what label gets to FILE.objects'],
]

/** Values by commander's names, and the two flags. */
export type BenchOptions = Readonly<Record<string, string | boolean | undefined>>

const camel = (flag: string): string => flag.replace(/^--/, '').replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

/** The benchmark's own command line. */
export function benchArguments(options: BenchOptions, bundledTile: string): string[] {
  const args: string[] = []
  for (const [flags] of benchOptions) {
    const flag = flags.split(' ')[0]!
    const value = options[camel(flag)]
    if (typeof value === 'string') args.push(flag, value)
  }
  if (options['tile'] === undefined) args.push('--tile', bundledTile)
  if (options['json'] === true) args.push('--json')
  if (options['list'] === true) args.push('--list')
  return args
}

export interface BenchProgram {
  /** The built benchmark, or where it would be. */
  readonly path: string
  /** The script that builds it; absent where the sources are not here. */
  readonly builder?: string
  readonly tile: string
}

export function benchProgram(root: string = installation().root): BenchProgram {
  const tile = join(root, 'test', 'fixtures', 'oracle', 'tile_cmu.npy')
  const given = process.env['MORPHOSCOPE_BENCH']
  if (given) return { path: given, tile }
  const folder = join(root, 'build', 'native')
  const candidates = [join(folder, 'morpho_bench'), join(folder, 'Release', 'morpho_bench.exe')]
  const path = candidates.find((each) => existsSync(each)) ?? candidates[0]!
  const builder = join(root, 'app', 'setup', 'build.mjs')
  const hasSources = existsSync(builder) && existsSync(join(root, 'test', 'bench', 'morpho_bench.cpp'))
  return hasSources ? { path, builder, tile } : { path, tile }
}

/** Runs a program, its lines as they come; `how` is its exit code, or the signal or the failure that ended it. */
async function passThrough(
  command: string,
  args: readonly string[],
  lines: { out: (line: string) => void; err: (line: string) => void },
  signal: AbortSignal,
): Promise<{ code: number | null; how: string }> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const stop = (): void => void child.kill('SIGTERM')
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  const read = (stream: Readable, take: (line: string) => void): Promise<void> =>
    new Promise((done) => createInterface({ input: stream }).on('line', take).on('close', done))
  const ended = new Promise<{ code: number | null; how: string }>((done) => {
    child.on('error', (error) => done({ code: null, how: error.message }))
    child.on('close', (code, name) => done({ code, how: name ?? `exit code ${code}` }))
  })
  try {
    const [result] = await Promise.all([ended, read(child.stdout, lines.out), read(child.stderr, lines.err)])
    return result
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

async function build(builder: string, path: string, terminal: Terminal, signal: AbortSignal): Promise<void> {
  terminal.note('building the benchmark (once)')
  const said: string[] = []
  const keep = (line: string): void => void said.push(line)
  const { code } = await passThrough(process.execPath, [builder, 'bench'], { out: keep, err: keep }, signal)
  if (signal.aborted) return
  if (code !== 0 || !existsSync(path)) throw new CliError(ExitCode.notThere, 'The benchmark could not be built.', said.join('\n'))
}

const codes: readonly number[] = [ExitCode.usage, ExitCode.notThere, ExitCode.cannotCreate, ExitCode.tryAgain]

export async function bench(
  terminal: Terminal,
  options: BenchOptions,
  signal: AbortSignal,
  { path, builder, tile }: BenchProgram = benchProgram(),
): Promise<ExitCode> {
  if (!existsSync(path)) {
    if (builder === undefined)
      throw new CliError(
        ExitCode.notThere,
        `The benchmark is not here (${path}), and neither are the sources that it is built from: run it in a checkout of the repository, or set MORPHOSCOPE_BENCH to the path of a built morpho_bench.`,
      )
    await build(builder, path, terminal, signal)
    if (signal.aborted) return ExitCode.interrupted
  }
  const args = benchArguments(options, tile)
  const errors: string[] = []
  const err = (line: string): void => {
    errors.push(line)
    terminal.note(line)
  }
  const { code, how } = await passThrough(path, args, { out: (line) => terminal.print(line), err }, signal)
  if (signal.aborted) return ExitCode.interrupted
  if (code === 0) return ExitCode.ok
  // A result that is not what another variant or another number of threads gives is a bug; so is an end by a signal.
  if (code === 1) throw new CliError(ExitCode.bug, 'a result above is WRONG: variants or threads disagree. Please report it.')
  const known = codes.find((each) => each === code)
  if (known !== undefined) return known as ExitCode
  throw new CliError(ExitCode.bug, `The benchmark ${path} ended by ${how}.`, errors.at(-1))
}
