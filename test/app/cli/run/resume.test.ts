// `morphoscope run` killed at random moments and gone on with: the same files in the end. And what becomes of it where the disk is full.
// In full (20 kills, 20 resumed runs): MORPHOSCOPE_STRESS=1 npx vitest run test/app/cli/run/resume.test.ts
import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, watch } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { ExitCode } from '../../../../app/cli/exitCodes'
import { writeTissueSlide } from '../../../main/run/hugeSlide'
import { noLimit, seed, seeded } from '../../../stress/seeded'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const program = join(root, 'dist', 'cli.mjs')
const full = process.env['MORPHOSCOPE_STRESS'] === '1'
if (full) vi.setConfig({ testTimeout: noLimit })
const kills = full ? 20 : 3

interface Ended {
  readonly code: number | null
  readonly signal: string | null
  readonly out: string
  readonly err: string
}
let base: string
let slide: string
/** Of a run that nobody interrupted: its files' hash, and how long it took. */
let whole: { hash: string; ms: number }

function start(env: Record<string, string>, ...args: string[]) {
  const child = spawn(process.execPath, [program, 'run', ...args], { env: { ...process.env, ...env } })
  let err = ''
  let out = ''
  child.stderr.on('data', (text) => (err += String(text)))
  child.stdout.on('data', (text) => (out += String(text)))
  const ended = new Promise<Ended>((resolve) => child.on('close', (code, signal) => resolve({ code, signal, out, err })))
  return { child, ended }
}

const asked = (out: string): string[] => [
  slide,
  '--out',
  out,
  '--mpp',
  '0.5',
  '--threads',
  '1',
  '--files',
  'objects.csv,objects.geojson,run.json',
]

async function hashOf(folder: string): Promise<string> {
  const sum = createHash('sha256')
  for (const name of ['objects.csv', 'objects.geojson']) sum.update(await readFile(join(folder, name)))
  return sum.digest('hex')
}
const folder = (): Promise<string> => mkdtemp(join(base, 'out-'))
const journals = async (at: string): Promise<string[]> => (await readdir(at)).filter((name) => name.endsWith('.journal'))

/** Kills the process itself, as a machine that goes off would end it. */
async function killedAfter(ms: number, ...args: string[]): Promise<Ended> {
  const { child, ended } = start({}, ...args)
  const timer = setTimeout(() => child.kill('SIGKILL'), ms)
  const end = await ended
  clearTimeout(timer)
  return end
}

describe.skipIf(!existsSync(program))('a run that was cut off', () => {
  beforeAll(async () => {
    base = await mkdtemp(join(tmpdir(), 'morphoscope-resume-'))
    slide = join(base, 'slide.tif')
    await writeTissueSlide(slide, 3072, 2560)
    const out = await folder()
    const from = performance.now()
    const { code, err } = await start({}, ...asked(out)).ended
    expect(code, err).toBe(0)
    whole = { hash: await hashOf(out), ms: performance.now() - from }
    expect(await journals(out)).toEqual([])
  })
  afterAll(() => rm(base, { recursive: true, force: true }))

  it(`and killed ${kills} times at random moments is the same in the end`, async () => {
    const random = seeded(seed)
    const out = await folder()
    let died = 0
    for (let n = 0; died < kills && n < 3 * kills; n++) {
      // Of one run: each goes on where the last was killed.
      // The first when it has something to go on from: `whole` may have been measured on a machine that was busier.
      const end = await (n === 0
        ? killedWithSomethingFinal(out)
        : killedAfter(random() * whole.ms * (full ? 0.25 : 0.5) + 250, ...asked(out), '--resume'))
      if (end.signal === 'SIGKILL') died += 1
      else break
    }
    expect(died).toBeGreaterThan(0)
    console.log(`one run, killed ${died} times`)
    const { code, err } = await start({}, ...asked(out), '--resume').ended
    expect(code, err).toBe(0)
    expect(await hashOf(out)).toBe(whole.hash)
    expect(await journals(out)).toEqual([])
  })

  async function killedWithSomethingFinal(out: string) {
    const { child, ended } = start({}, ...asked(out))
    const size = async (): Promise<number> => (await readFile(join(out, (await journals(out))[0]!))).length
    await vi.waitFor(async () => expect(await size()).toBeGreaterThan(30_000), { interval: 10, timeout: 20_000 })
    child.kill('SIGKILL')
    return await ended
  }

  it('and killed as it begins its journal leaves none when it is begun again', async () => {
    const out = await folder()
    const { child, ended } = start({}, ...asked(out))
    const watching = watch(out, (_, name) => name?.endsWith('.journal') && child.kill('SIGKILL'))
    expect((await ended).signal).toBe('SIGKILL')
    watching.close()
    expect(await journals(out)).toHaveLength(1)
    const { code, err } = await start({}, ...asked(out), '--resume').ended
    expect(code, err).toBe(0)
    expect(await hashOf(out)).toBe(whole.hash)
    expect(await journals(out)).toEqual([])
  })

  it(`and each of ${kills} runs that were killed once goes on by its folder alone`, async () => {
    const random = seeded(seed + 1)
    let resumed = 0
    for (let n = 0; n < kills; n++) {
      const out = await folder()
      // The first when it has something to go on from, however fast the machine is.
      const end = await (n === 0
        ? killedWithSomethingFinal(out)
        : killedAfter(400 + random() * 0.8 * (whole.ms - 400), ...asked(out)))
      if (end.signal !== 'SIGKILL' || (await journals(out)).length === 0) continue
      const { code, err } = await start({}, '--resume', out).ended
      if (code === ExitCode.noInput) continue
      resumed += 1
      expect(code, err).toBe(0)
      expect(err).toMatch(/resuming: \d+ % is there/)
      expect(await hashOf(out)).toBe(whole.hash)
      expect((await readdir(out)).sort()).toEqual(['objects.csv', 'objects.geojson', 'run.json'])
    }
    expect(resumed).toBeGreaterThan(0)
    console.log(`of ${kills} runs ${resumed} were killed with something to go on from, and went on`)
  })

  it('is not thrown away unasked, nor mixed with another run, nor begun beside itself; --partial writes what there is', async () => {
    const out = await folder()
    const { child, ended } = start({}, ...asked(out))
    await vi.waitFor(async () => expect((await readFile(join(out, (await journals(out))[0]!))).length).toBeGreaterThan(30_000))
    // Beside it nobody begins anew into its folder.
    child.kill('SIGSTOP')
    for (const beside of [
      [...asked(out), '--resume'],
      [...asked(out), '--overwrite'],
      ['--resume', out],
    ]) {
      const { code, err } = await start({}, ...beside).ended
      expect([code, err]).toEqual([
        ExitCode.tryAgain,
        expect.stringMatching(/Another run into .* is going on .*Wait for its end/),
      ])
    }
    child.kill('SIGCONT')
    child.kill('SIGINT')
    const end = await ended
    expect([end.code, end.err]).toEqual([
      ExitCode.interrupted,
      expect.stringMatching(/Cancelled: no file was written.*--resume .*goes on/),
    ])
    const again = await start({}, ...asked(out)).ended
    expect([again.code, again.err]).toEqual([
      ExitCode.cannotCreate,
      expect.stringMatching(/was interrupted.*--resume.*--overwrite/),
    ])
    const other = await start({}, ...asked(out), '--set', 'objects.minArea=50', '--resume').ended
    expect([other.code, other.err]).toEqual([ExitCode.usage, expect.stringMatching(/another recipe/)])

    const size = async (): Promise<number> => (await stat(join(out, (await journals(out))[0]!))).size
    const before = await size()
    const part = start({}, ...asked(out), '--resume', '--partial')
    await vi.waitFor(async () => expect(await size()).toBeGreaterThan(before))
    part.child.kill('SIGINT')
    const partial = await part.ended
    expect(partial.code).toBe(ExitCode.interrupted)
    const record = JSON.parse(await readFile(join(out, 'run.json'), 'utf8')) as {
      state: string
      counts: { tiles: number; tilesDone: number; objects: number }
    }
    expect(record.state).toBe('cancelled')
    expect(record.counts.tilesDone).toBeGreaterThan(0)
    expect(record.counts.tilesDone).toBeLessThan(record.counts.tiles)
    // It can still be gone on with, to its end.
    const last = await start({}, '--resume', out).ended
    expect(last.code, last.err).toBe(0)
    expect(await hashOf(out)).toBe(whole.hash)
  })

  it.skipIf(process.platform !== 'linux')('stops at Ctrl-Z when its windows have ended, and goes on where it was', async () => {
    const out = await folder()
    // Through its parent, which a terminal's shell knows.
    const parent = spawn(process.execPath, [join(root, 'app/cli/morphoscope.cjs'), 'run', ...asked(out)])
    let err = ''
    parent.stderr.on('data', (text) => (err += String(text)))
    parent.stdout.resume()
    const ended = new Promise<number | null>((resolve) => parent.on('close', resolve))
    await vi.waitFor(async () => expect((await journals(out)).length).toBe(1))
    const child = Number((await readFile(`/proc/${parent.pid}/task/${parent.pid}/children`, 'utf8')).trim().split(' ')[0])
    const stateOf = async (pid: number): Promise<string> => (await readFile(`/proc/${pid}/stat`, 'latin1')).split(') ')[1]![0]!
    parent.kill('SIGTSTP')
    await vi.waitFor(async () => expect([await stateOf(parent.pid!), await stateOf(child)]).toEqual(['T', 'T']))
    expect(err).toContain('paused: fg goes on')
    const [name] = await journals(out)
    const before = (await stat(join(out, name!))).size
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect((await stat(join(out, name!))).size).toBe(before)
    parent.kill('SIGCONT')
    expect(await ended, err).toBe(0)
    expect(await hashOf(out)).toBe(whole.hash)
    const { elapsedMs, timeline } = JSON.parse(await readFile(join(out, 'run.json'), 'utf8')) as {
      elapsedMs: number
      timeline: { pauses: { from: number; to: number }[]; endedMs: number }
    }
    expect(timeline.pauses).toHaveLength(1)
    expect(timeline.endedMs - (timeline.pauses[0]!.to - timeline.pauses[0]!.from)).toBeLessThan(elapsedMs + 100)
  })

  it('is verified against one window, and says how much of it was certain', async () => {
    const out = await folder()
    const { code, out: said, err } = await start({}, ...asked(out), '--verify', '900,900,400,300', '--verify', '1').ended
    expect(code, err).toBe(0)
    expect(err.match(/verify \d+,\d+,\d+,\d+: equal, \d+ objects/g)).toHaveLength(2)
    expect(said).toMatch(/objects in .* s, 100 % certain/)
    const bad = await start({}, ...asked(await folder()), '--verify', 'all').ended
    expect([bad.code, bad.err]).toEqual([ExitCode.usage, expect.stringMatching(/for --verify but received all/)])
  })

  it.skipIf(process.platform !== 'linux' || !existsSync('/usr/bin/cc'))(
    'where the disk is full loses its journal, says so once, and comes to its end',
    async () => {
      const shim = join(base, 'fault.so')
      execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', shim, join(root, 'test/stress/fault.c'), '-ldl'])
      const out = await folder()
      const env = {
        LD_PRELOAD: shim,
        FAULT_BELOW: out,
        // A record: the folder's fsync comes before it or after it.
        FAULT_ONLY: 'write',
        FAULT_AT: '4',
        FAULT_DO: String(constants.errno.ENOSPC),
        FAULT_LOG: join(base, 'log'),
      }
      const { code, err } = await start(env, ...asked(out)).ended
      const log = (await readFile(join(base, 'log'), 'utf8')).split('\n')
      expect([code, err, log]).toEqual([
        0,
        expect.stringMatching(/journal could not be written any further \(ENOSPC.*The run goes on/),
        expect.anything(),
      ])
      expect(err.match(/warning: The run’s journal/g)?.length).toBe(1)
      expect(await hashOf(out)).toBe(whole.hash)
      expect(await journals(out)).toEqual([])
    },
  )
})
