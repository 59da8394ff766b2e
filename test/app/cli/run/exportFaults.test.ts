// The real command line while the disk fails or the program is killed: an export leaves the old set or the new one, whole, and nothing else.
// In full (every operation, 50 kills): MORPHOSCOPE_STRESS=1 npx vitest run test/app/cli/run/exportFaults.test.ts
import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { ExitCode } from '../../../../app/cli/exitCodes'
import { usualExportFiles } from '../../../../app/contract'
import { noLimit } from '../../../stress/seeded'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const program = join(root, 'dist', 'cli.mjs')
const sample = join(root, 'assets/samples/CMU-1-Small-Region.svs')
const full = process.env['MORPHOSCOPE_STRESS'] === '1'
if (full) vi.setConfig({ testTimeout: noLimit })
const seed = Number(process.env['MORPHOSCOPE_SEED'] ?? 11)

function compiler(): string | null {
  for (const name of ['cc', 'gcc', 'clang']) {
    try {
      execFileSync(name, ['--version'], { stdio: 'ignore' })
      return name
    } catch {
      // The next one.
    }
  }
  return null
}
const cc = compiler()
const why =
  process.platform !== 'linux'
    ? 'LD_PRELOAD is Linux’s'
    : cc === null
      ? 'no C compiler'
      : existsSync(program)
        ? null
        : 'not built'

/** mulberry32: the same faults for the same seed. */
function random(from: number): () => number {
  let state = from
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

interface Ended {
  readonly code: number | null
  readonly signal: string | null
  readonly err: string
}
let base: string
let shim: string
let old: string

/** The two sets differ in every file: other objects of another place. */
const asked = (of: 'old' | 'new'): string[] =>
  of === 'old'
    ? ['--region', '600,600,260,200', '--recipe', 'max-tree-nuclei']
    : ['--region', '900,900,300,260', '--recipe', 'he-nuclei']

function start(args: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [program, ...args], { env: { ...process.env, ...env } })
  let err = ''
  child.stderr.on('data', (text) => (err += String(text)))
  child.stdout.resume()
  const ended = new Promise<Ended>((resolve) => child.on('close', (code, signal) => resolve({ code, signal, err })))
  return { child, ended }
}
const run = (of: 'old' | 'new', to: string, env: Record<string, string> = {}, ...more: string[]): Promise<Ended> =>
  start(['run', sample, ...asked(of), '--out', to, ...more], env).ended
const faulty = (below: string, at: number, what: string, more: Record<string, string> = {}): Record<string, string> => ({
  LD_PRELOAD: shim,
  FAULT_BELOW: below,
  FAULT_AT: String(at),
  FAULT_DO: what,
  ...more,
})

/** What a run leaves whose files could not be written: it can be gone on with. */
const isJournal = (name: string): boolean => /^run-.*\.journal$/.test(name)

async function contents(folder: string): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const name of (await readdir(folder)).sort()) {
    if (name.startsWith('.morphoscope-export-') || isJournal(name)) continue
    found.set(
      name,
      createHash('sha256')
        .update(await readFile(join(folder, name)))
        .digest('hex'),
    )
  }
  return found
}
interface Written {
  recipe: { spec: string }
  files: Record<string, { sha256: string }>
}
/** 'old' or 'new' where the folder holds that set, whole and by the bytes that its run.json names; else what it holds. */
async function setIn(folder: string): Promise<string> {
  const found = await contents(folder)
  if ([...found.keys()].join() !== [...usualExportFiles].sort().join()) return `only ${[...found.keys()].join()}`
  const { files, recipe } = JSON.parse(await readFile(join(folder, 'run.json'), 'utf8')) as Written
  for (const [name, { sha256 }] of Object.entries(files)) if (found.get(name) !== sha256) return `a mix: ${name}`
  if (recipe.spec === 'he-nuclei') return 'new'
  const before = await contents(old)
  return [...before].every(([name, sum]) => found.get(name) === sum) ? 'old' : 'another'
}
/** Any command that looks at the folder puts right what was left there. */
async function next(folder: string): Promise<void> {
  const { code } = await start(['run', sample, '--region', '9999,9999,5,5', '--out', folder, '--overwrite']).ended
  expect(code).toBe(ExitCode.usage)
}
async function fresh(name: string): Promise<string> {
  const folder = join(base, name)
  await rm(folder, { recursive: true, force: true })
  await cp(old, folder, { recursive: true })
  return folder
}
async function operations(folder: string): Promise<string[]> {
  const log = join(base, 'operations')
  const { code } = await run('new', folder, faulty(folder, 0, '', { FAULT_LOG: log }))
  expect(code).toBe(0)
  const names = (await readFile(log, 'utf8')).trim().split('\n')
  await rm(log)
  return names
}

describe.skipIf(why !== null)(`exports under faults${why === null ? '' : ` (${why})`}`, () => {
  beforeAll(async () => {
    base = await mkdtemp(join(tmpdir(), 'morphoscope-faults-'))
    shim = join(base, 'fault.so')
    execFileSync(cc!, ['-shared', '-fPIC', '-O1', '-o', shim, join(root, 'test/stress/fault.c'), '-ldl'])
    old = join(base, 'old')
    expect((await run('old', old)).code).toBe(0)
  })
  afterAll(async () => rm(base, { recursive: true, force: true }))

  it('EIO and ENOSPC at each file operation: the old files to the byte, nothing left behind, the code and the reason', async () => {
    const folder = await fresh('ops')
    const names = await operations(folder)
    const counts = new Map<string, number>()
    const next_ = random(seed)
    const cases: [number, number, boolean][] = []
    names.forEach((_, i) => {
      for (const errno of [5, 28]) for (const sticky of [false, true]) cases.push([i + 1, errno, sticky])
    })
    // A rename, a link and an fsync of each kind are rarer than writes: those come first in the small variant.
    const chosen = full
      ? cases
      : cases
          .sort(() => next_() - 0.5)
          .sort((a, b) => rank(names, a) - rank(names, b))
          .slice(0, 5)
    // One that is no disk's end: the last file's last bytes, when all that was computed is in the journal.
    const lastWrite = names.lastIndexOf('write') + 1
    if (!full) chosen.push([lastWrite, 28, false])
    let goneOnWith = 0
    for (const [at, errno, sticky] of chosen) {
      const to = await fresh('faulty')
      const ended = await run('new', to, faulty(to, at, String(errno), sticky ? { FAULT_STICKY: '1' } : {}))
      const what = `${names[at - 1]} ${at} of ${names.length}, errno ${errno}${sticky ? ', and all after it' : ''}: ${ended.err}`
      const held = await setIn(to)
      const left = (await readdir(to)).filter((name) => !usualExportFiles.some((file) => file === name))
      if (ended.code === 0) {
        // Only tidying failed: what it left is the next one's.
        expect(held, what).toBe('new')
      } else {
        expect(ended.code, what).toBe(ExitCode.inputOutput)
        expect(ended.err, what).toContain(to)
        expect(ended.err, what).toContain(errno === 5 ? 'EIO' : 'ENOSPC')
        // A disk that fails for good cannot be tidied, nor can what was placed be taken back: the next start does.
        if (!sticky) {
          expect([held, left.filter((name) => !isJournal(name))], what).toEqual(['old', []])
          // What was computed is not lost: the same command goes on with it.
          if (!left.some(isJournal)) continue
          goneOnWith += 1
          const again = await run('new', to, {}, '--resume')
          expect([again.code, await setIn(to), again.err], what).toEqual([0, 'new', expect.stringContaining('resuming:')])
          expect((await readdir(to)).filter(isJournal), what).toEqual([])
        }
      }
      const outcome = `${names[at - 1]}${sticky ? '+' : ''} -> ${ended.code} ${held}${left.length > 0 ? ' +left' : ''}`
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
      if (left.length === 0) continue
      await next(to)
      const after = (await readdir(to)).filter((name) => !isJournal(name))
      expect([await setIn(to), after.length], what).toEqual([ended.code === 0 ? 'new' : expect.stringMatching(/^(old|new)$/), 5])
    }
    expect(goneOnWith).toBeGreaterThan(0)
    if (full)
      console.log(`faults: ${chosen.length} of ${names.length} operations, seed ${seed}`, Object.fromEntries([...counts].sort()))
  })

  it('SIGKILL before or after each operation that shows: after the next start the old set or the new one, and nothing else', async () => {
    const folder = await fresh('ops')
    const names = await operations(folder)
    const counts = new Map<string, number>()
    const shows = names.flatMap((name, i) => (['rename', 'link', 'unlink', 'rmdir'].includes(name) ? [i + 1] : []))
    const chosen = full ? shows : [shows[3]!, shows[9]!]
    for (const at of chosen) {
      for (const how of full ? ['kill', 'killed'] : ['kill']) {
        const to = await fresh('killed')
        const ended = await run('new', to, faulty(to, at, how))
        expect(ended.signal).toBe('SIGKILL')
        const held = await setIn(to)
        await next(to)
        expect([await setIn(to), (await readdir(to)).length]).toEqual([expect.stringMatching(/^(old|new)$/), 5])
        const outcome = `${how} at ${names[at - 1]}: ${held.split(':')[0]} -> ${await setIn(to)}`
        counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
      }
    }
    if (full) console.log('kills at operations', Object.fromEntries([...counts].sort()))
  })

  it('SIGKILL at random moments of the export, as from outside', async () => {
    const next_ = random(seed)
    const counts = new Map<string, number>()
    // How long the export takes here and now, from its first file to the program's end; the first is not killed.
    let lastsMs = Infinity
    for (let n = 0; n <= (full ? 50 : 2); n++) {
      const to = await fresh('random')
      const { child, ended } = start(['run', sample, ...asked('new'), '--out', to])
      // Once its first temporary file is there.
      const begun = async (): Promise<boolean> => {
        for (const name of await readdir(to))
          if (name.startsWith('.morphoscope-export-') && (await readdir(join(to, name)).catch(() => [])).length > 0) return true
        return child.exitCode !== null
      }
      while (!(await begun()));
      const begunAt = performance.now()
      if (n === 0) {
        await ended
        lastsMs = performance.now() - begunAt
        continue
      }
      const until = begunAt + next_() * lastsMs
      while (performance.now() < until && child.exitCode === null) await new Promise((resolve) => setImmediate(resolve))
      child.kill('SIGKILL')
      const { signal } = await ended
      const held = await setIn(to)
      const left = (await readdir(to)).length - (await contents(to)).size
      // A mix shows for microseconds, and then the journal of it lies there.
      if (!['old', 'new'].includes(held)) expect(left).toBe(1)
      await next(to)
      expect([await setIn(to), (await readdir(to)).length]).toEqual([expect.stringMatching(/^(old|new)$/), 5])
      const outcome = `${signal ?? 'ended'}: ${held.split(':')[0]}${left > 0 ? ' +left' : ''} -> ${await setIn(to)}`
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
    }
    if (full) console.log(`random kills, seed ${seed}, over ${lastsMs.toFixed(0)} ms`, Object.fromEntries([...counts].sort()))
  })
})

function rank(names: readonly string[], [at]: [number, number, boolean]): number {
  return ['rename', 'link', 'mkdir'].includes(names[at - 1]!) ? 0 : 1
}
