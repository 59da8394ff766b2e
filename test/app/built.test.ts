// The built program as a user starts it: the launcher, signals, and a server with the real engine in its own process.
import { execFileSync, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { availableParallelism, constants, getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { AppEvent } from '../../app/contract'
import { EngineClient } from '../../app/host/parent/engineClient'
import { forkEngine } from '../../app/host/parent/forkEngine'
import { threadPoolSize } from '../../app/host/threadPool'
import { childrenOf, keyOf } from './serve/realServer'

const root = fileURLToPath(new URL('../../', import.meta.url))
const launcher = join(root, 'app/cli/morphoscope.cjs')
const sample = join(root, 'assets/samples/CMU-1-Small-Region.svs')
const isBuilt = ['cli.mjs', 'guard.cjs', 'engine.mjs', 'renderer/index.html'].every((file) =>
  existsSync(join(root, 'dist', file)),
)

let directory: string
const started: ChildProcess[] = []
beforeEach(async () => (directory = await mkdtemp(join(tmpdir(), 'morphoscope-built-'))))
afterEach(async () => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
  await rm(directory, { recursive: true })
})

interface Started {
  child: ChildProcess
  out: () => string
  err: () => string
  ended: Promise<number | null>
}
interface StartOptions {
  program?: string
  nodeArgs?: string[]
  /** undefined takes a variable away. */
  env?: Record<string, string | undefined>
}
function start(args: string[], { program = launcher, nodeArgs = [], env = {} }: StartOptions = {}): Started {
  // Its own settings: a test must not touch those of whoever runs it.
  const child = spawn(process.execPath, [...nodeArgs, program, ...args], {
    cwd: directory,
    env: { ...process.env, XDG_CONFIG_HOME: directory, HOME: directory, ...env },
  })
  started.push(child)
  let [out, err] = ['', '']
  child.stdout.on('data', (data: Buffer) => (out += data.toString()))
  child.stderr.on('data', (data: Buffer) => (err += data.toString()))
  return { child, out: () => out, err: () => err, ended: new Promise((resolve) => child.on('exit', (code) => resolve(code))) }
}

it('says how to build what is not built', async () => {
  await mkdir(join(directory, 'app/cli'), { recursive: true })
  const copy = join(directory, 'app/cli/morphoscope.cjs')
  await copyFile(launcher, copy)
  const { ended, err } = start(['info', 'x'], { program: copy })
  expect(await ended).toBe(69)
  expect(err()).toContain('run "npm start" or "npm run build" first')
})

describe.skipIf(!isBuilt)('the built command line', () => {
  it('ends with the code of its outcome', async () => {
    const version = start(['--version'])
    expect(await version.ended).toBe(0)
    expect(version.out()).toMatch(/^\d+\.\d+\.\d+\n$/)
    expect(await start(['nothing']).ended).toBe(2)
    const info = start(['info', sample, '--json'])
    expect(await info.ended).toBe(0)
    expect(JSON.parse(info.out())).toMatchObject({ widthPx: 2220 })
    expect(await start(['info', join(directory, 'none.svs')]).ended).toBe(66)
  })

  it('is started by its earlier name too, which npx has linked', async () => {
    const program = join(root, 'app/cli/morphoscope.mjs')
    const version = start(['--version'], { program })
    expect(await version.ended).toBe(0)
    expect(version.out()).toMatch(/^\d+\.\d+\.\d+\n$/)
    expect(await start(['nothing'], { program }).ended).toBe(2)
  })

  for (const { whose, own, threads } of [
    {
      whose: 'a thread for every core and four for tiles and files',
      own: undefined,
      threads: threadPoolSize(availableParallelism()),
    },
    { whose: 'what the user has set', own: String(availableParallelism() + 7), threads: availableParallelism() + 7 },
  ]) {
    it(`has a pool of ${whose}`, async (context) => {
      context.skip(process.platform === 'win32', 'Windows has no FIFOs to hold the threads of a pool with')
      const fifos = join(directory, 'fifos')
      await mkdir(fifos)
      // One fewer than threads: the last must be free.
      execFileSync(
        'mkfifo',
        Array.from({ length: threads - 1 }, (_, i) => join(fifos, String(i))),
      )
      const version = start(['--version'], {
        nodeArgs: ['--require', join(root, 'test/app/poolProbe.cjs')],
        env: { POOL_PROBE: fifos, UV_THREADPOOL_SIZE: own },
      })
      expect(await version.ended).toBe(0)
      await vi.waitFor(() => expect(version.err()).toBe('pool probe: room\n'))
      expect(version.out()).toMatch(/^\d/)
    })
  }
  it.skipIf(process.platform !== 'linux')(
    'says which file it was reading when its process dies of a signal, and how',
    async () => {
      for (const [signal, code, said] of [
        ['SIGTRAP', 65, /crashed.*\(SIGTRAP\)\. It was reading CMU-1-Small-Region\.svs\. The file may be damaged/],
        ['SIGKILL', 75, /killed.*memory.*It was reading CMU-1-Small-Region\.svs/],
      ] as const) {
        const run = start(['run', sample, '--out', join(directory, signal)])
        await vi.waitFor(() => expect(run.err()).toMatch(/tiles/), 60_000)
        const [worker] = childrenOf(run.child.pid!, 'cli.mjs')
        process.kill(worker!, signal)
        expect(await run.ended).toBe(code)
        expect(run.err()).toMatch(said)
        expect(run.out()).toBe('')
      }
    },
  )
  it.skipIf(process.platform !== 'linux')('leaves no process behind where its parent is killed', async () => {
    const run = start(['run', sample, '--out', join(directory, 'out')])
    await vi.waitFor(() => expect(run.err()).toMatch(/tiles/), 60_000)
    const [worker] = childrenOf(run.child.pid!, 'cli.mjs')
    run.child.kill('SIGKILL')
    await vi.waitFor(() => expect(() => process.kill(worker!, 0)).toThrow('ESRCH'), 30_000)
    expect(await resultFiles()).toEqual([])
  })
  /** Without the journal of what is finished, which a run that is cut off leaves. */
  const resultFiles = async (): Promise<string[]> => {
    const names = await readdir(join(directory, 'out')).catch(() => [])
    return names.filter((name) => !name.endsWith('.journal'))
  }
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    it(`ends a run on ${signal} with ${code} and no file of results`, async () => {
      const run = start(['run', sample, '--out', join(directory, 'out')])
      await vi.waitFor(() => expect(run.err()).toMatch(/tiles/), 60_000)
      run.child.kill(signal)
      expect(await run.ended).toBe(code)
      expect(run.out()).toBe('')
      expect(await resultFiles()).toEqual([])
      // A folder stays for a journal alone, and that is said.
      expect((await readdir(directory)).includes('out')).toBe(run.err().includes('--resume'))
    })
  }
})

/** How far each thread of a process stands back (Linux: 0 as others, more for less). The first is the one with JavaScript. */
async function standsBack(pid: number): Promise<{ first: number; others: number[] }> {
  const ids = await readdir(`/proc/${pid}/task`)
  const of = async (id: string | number) =>
    Number((await readFile(`/proc/${pid}/task/${id}/stat`, 'utf8')).replace(/^.*\) /, '').split(' ')[16])
  return { first: await of(pid), others: await Promise.all(ids.filter((id) => Number(id) !== pid).map(of)) }
}

describe.skipIf(!isBuilt)('the built server', () => {
  it.skipIf(process.platform !== 'linux')('computes behind the window, and answers it as everybody', async () => {
    const server = start(['serve', sample])
    await vi.waitFor(() => expect(server.out()).toMatch(/\n/), 30_000)
    const [engine] = childrenOf(server.child.pid!, 'engine.mjs')
    const behind = Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL)
    await vi.waitFor(async () => {
      const { first, others } = await standsBack(engine!)
      expect(first).toBe(getPriority())
      expect(others.filter((each) => each === behind).length).toBeGreaterThanOrEqual(threadPoolSize(availableParallelism()))
    }, 10_000)
  })

  it('prints one line, lets in who has it, and closes on a signal', async () => {
    const server = start(['serve', sample])
    await vi.waitFor(() => expect(server.out()).toMatch(/\n/), 30_000)
    const [line, url] = /^Morphoscope is at (http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43})\n$/.exec(server.out()) ?? []
    expect(line).toBeDefined()
    const { origin } = new URL(url!)
    const tile = `${origin}/tile/slide/s1-0a9f3c/0/0_0`
    expect((await fetch(tile)).status).toBe(401)
    const key = await keyOf(url!)
    expect(await (await fetch(origin)).text()).toContain('<html')
    // No slide is open yet: the engine itself answers.
    expect((await fetch(`${tile}?key=${key}`)).status).toBe(404)
    server.child.kill('SIGINT')
    expect(await server.ended).toBe(0)
  })
})

describe.skipIf(!isBuilt)('the built engine', () => {
  it('answers, dies by SIGKILL in the middle of a run, and is replaced', async () => {
    const engine = new EngineClient({
      spawn: () => forkEngine(join(root, 'dist/engine.mjs')),
      settings: { settingsDir: directory, assetsDir: join(root, 'assets'), version: '0', shell: 'serve', dialogs: false },
    })
    const events: AppEvent[] = []
    engine.onEvent((event) => events.push(event))
    try {
      const open = async () => {
        const slide = await engine.call('slide:open', { path: sample })
        if (!slide.ok) expect.fail(slide.error.message)
        return slide.value.slideId
      }
      const recipe = { format: 'morphoscope-recipe' as const, version: 1 as const, spec: 'he-nuclei', name: 'x', params: {} }
      const slideId = await open()
      const tile = await engine.tile(`/tile/slide/${slideId}/0/0_0`)
      expect([tile.status, [...tile.body.subarray(0, 2)]]).toEqual([200, [0xff, 0xd8]])
      await engine.call('run:start', { slideId, region: 'whole', recipe, purpose: 'run' })
      const inFlight = engine.call('object:segment', { slideId, recipe, x: 1000, y: 1000 })
      process.kill(engine.pid!, 'SIGKILL')
      expect(await inFlight).toMatchObject({ ok: false, error: { code: 'ENGINE_LOST' } })
      const again = await open()
      expect(events.some((event) => event.type === 'engine:lost')).toBe(true)
      expect((await engine.tile(`/tile/slide/${again}/0/0_0`)).status).toBe(200)
    } finally {
      await engine.close()
    }
  })
})
