// The command line's guard: which commands run in a process of their own, what is said when that dies, and that a project's run outlives it.
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { program } from '../../../app/cli/cli'
import { afterSignal, environmentFor, guarded, isGuarded } from '../../../app/cli/guard'
import { sample } from '../../main/realEngine'
import { childrenOf } from '../serve/realServer'
import { cli } from './inProcess'

it('guards every command but the server, whose engine has a process of its own, and what opens no slide', () => {
  const terminal = { print: () => undefined, note: () => undefined, progress: () => undefined, endProgress: () => undefined }
  const { commands } = program(terminal, new AbortController().signal, () => undefined)
  expect(
    commands
      .map((command) => command.name())
      .filter((name) => !['serve', 'licences', 'sample', 'status'].includes(name))
      .toSorted(),
  ).toEqual(guarded.toSorted())
})

it('starts no second process for help, and its own without certificates that it has no use for', () => {
  expect(
    [['info', 'a.svs'], ['project', 'run', 'P'], ['run', '--help'], ['project', 'run', '-h'], ['--version'], []].map(isGuarded),
  ).toEqual([true, true, false, false, false, false])
  const own = { PATH: '/bin', UV_THREADPOOL_SIZE: '3', NODE_EXTRA_CA_CERTS: '/etc/ssl/all.crt' }
  expect(environmentFor('/x/dist/cli.mjs', own)).toEqual({
    PATH: '/bin',
    UV_THREADPOOL_SIZE: '3',
    NODE_COMPILE_CACHE: join('/x/dist', '.compiled'),
  })
})

it('names what was read, and offers what the command takes', () => {
  expect(afterSignal('project', 'SIGSEGV', '/a/b/c.svs')).toMatchObject({
    code: 65,
    message: expect.stringMatching(/crashed.*It was reading c\.svs\./) as string,
  })
  expect(afterSignal('project', 'SIGSEGV', null)).toMatchObject({
    code: 70,
    message: expect.stringMatching(/crashed.*Please report it/) as string,
  })
  // What a project crashed is no slide's fault.
  expect(afterSignal('project', 'SIGABRT', '/a/Study.morphoscope')).toMatchObject({
    code: 65,
    message: expect.stringMatching(
      /: it crashed while opening a project \(SIGABRT\)\. It was reading Study\.morphoscope\. /,
    ) as string,
  })
  expect(afterSignal('run', 'SIGKILL', 'c.svs')).toMatchObject({
    code: 75,
    message: expect.stringMatching(/smaller --region, or fewer --threads\.$/) as string,
  })
  expect(afterSignal('project', 'SIGKILL', 'c.svs')).toMatchObject({
    code: 75,
    message: expect.stringMatching(/reading c\.svs\. Try fewer --threads\.$/) as string,
  })
  expect(afterSignal('info', 'SIGKILL', 'c.svs')).toMatchObject({
    code: 75,
    message: expect.stringMatching(/reading c\.svs\.$/) as string,
  })
})

const root = fileURLToPath(new URL('../../../', import.meta.url))
const isBuilt = ['cli.mjs', 'guard.cjs'].every((file) => existsSync(join(root, 'dist', file)))

describe.skipIf(process.platform !== 'linux' || !isBuilt)('a project’s run through the built launcher', () => {
  let dir: string
  let folder: string
  const started: ChildProcess[] = []
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'morphoscope-guard-'))
    folder = join(dir, 'Study.morphoscope')
    const picture = join(dir, 'z.png')
    await sharp(sample).extract({ left: 700, top: 1400, width: 600, height: 500 }).png({ compressionLevel: 1 }).toFile(picture)
    // Listed by name: the sample is the first.
    expect((await cli('project', 'add', folder, picture, sample)).code).toBe(0)
  })
  afterEach(async () => {
    for (const child of started.splice(0)) child.kill('SIGKILL')
    await rm(dir, { recursive: true, force: true })
  })

  interface Started {
    readonly child: ChildProcess
    /** Of the command. */
    readonly worker: number
    readonly said: () => string
    readonly ended: Promise<number | null>
  }
  /** Until the sample is being run. */
  async function runs(...more: string[]): Promise<Started> {
    const child = spawn(process.execPath, [join(root, 'app/cli/morphoscope.cjs'), 'project', 'run', folder, ...more])
    started.push(child)
    let text = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (text += String(data)))
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
    await vi.waitFor(() => expect(text).toContain('0/2 slides, CMU-1-Small-Region.svs'), 20_000)
    const [worker] = childrenOf(child.pid!, 'cli.mjs')
    return { child, worker: worker!, said: () => text, ended }
  }

  it('ends in words and a code when its process dies, and the same command goes on', async () => {
    for (const [signal, code, words] of [
      ['SIGSEGV', 65, /crashed.*\(SIGSEGV\)\. It was reading CMU-1-Small-Region\.svs\. The file may be damaged/],
      ['SIGKILL', 75, /killed.*memory.*It was reading CMU-1-Small-Region\.svs\. Try fewer --threads\./],
    ] as const) {
      const { worker, said, ended } = await runs('--threads', '1')
      process.kill(worker, signal)
      expect(await ended).toBe(code)
      expect(said()).toMatch(words)
    }
    const again = await runs()
    expect(await again.ended).toBe(0)
    expect(again.said()).toMatch(/CMU-1-Small-Region\.svs +done +\d+ objects\nz\.png +done +\d+ objects/)
  })

  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    it(`ends at ${signal} with ${code}, and says what is left`, async () => {
      const { child, said, ended } = await runs('--threads', '1')
      child.kill(signal)
      expect(await ended).toBe(code)
      expect(said()).toContain('Cancelled: 2 of 2 slides are left')
      expect(said()).not.toMatch(/stopped|crashed/)
    })
  }

  it('takes a terminal’s two Ctrl-C, of which each process gets one, for one', async () => {
    const { child, worker, said, ended } = await runs('--threads', '1')
    process.kill(worker, 'SIGINT')
    child.kill('SIGINT')
    expect(await ended).toBe(130)
    expect(said()).toContain('Cancelled: 2 of 2 slides are left')
  })

  it('leaves no process behind where its parent is killed, and the project free', async () => {
    const { child, worker } = await runs('--threads', '1')
    child.kill('SIGKILL')
    await vi.waitFor(() => expect(() => process.kill(worker, 0)).toThrow('ESRCH'), 30_000)
    expect(await cli('project', 'open', folder)).toMatchObject({ code: 0 })
  })
})
