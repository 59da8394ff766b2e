// The engine's process from its parent: answers, tiles, events; a killed child is noticed, said and replaced.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { AppEvent } from '../../../app/contract'
import { EngineClient } from '../../../app/host/parent/engineClient'
import type { EngineClientOptions } from '../../../app/host/parent/engineClient'
import { Printing } from '../../../app/host/parent/printing'
import { forkEngine } from '../../../app/host/parent/forkEngine'
import { quietPort } from './quietPort'

const child = fileURLToPath(new URL('./fakeEngine.mjs', import.meta.url))
const settings = (version = '1') => ({ settingsDir: '/none', assetsDir: '/none', shell: 'cli' as const, dialogs: false, version })
const clients: EngineClient[] = []
function client(options: Partial<EngineClientOptions> = {}): EngineClient {
  const made = new EngineClient({ spawn: () => forkEngine(child), settings: settings(), ...options })
  clients.push(made)
  return made
}
afterEach(async () => {
  vi.unstubAllEnvs()
  await Promise.all(clients.splice(0).map((each) => each.close()))
})
const running = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('a living engine', () => {
  it('answers calls and tiles with their bytes', async () => {
    const engine = client()
    expect(await engine.call('app:info', { x: 1 })).toEqual({ ok: true, value: { pid: engine.pid, arg: { x: 1 } } })
    const tile = await engine.tile('/tile/x')
    expect(tile).toMatchObject({ status: 200, headers: { a: 'b' } })
    expect(tile.body).toBeInstanceOf(Uint8Array)
    expect([...tile.body]).toEqual([1, 2, 255])
  })
  it('hands on events and log lines, and stops when told', async () => {
    const lines: string[] = []
    const engine = client({ log: (line) => lines.push(line.message) })
    const events: AppEvent[] = []
    const stop = engine.onEvent((event) => events.push(event))
    void engine.call('recent:list', {})
    void engine.call('recent:clear', {})
    await vi.waitFor(() => expect([events.length, lines]).toEqual([1, ['careful']]))
    stop()
    void engine.call('recent:list', {})
    await engine.call('app:info', {})
    expect(events).toEqual([{ type: 'command', command: 'hello' }])
  })
})

describe('an engine that has something to print', () => {
  const said = async (page: unknown, print?: EngineClientOptions['print']): Promise<string[]> => {
    const lines: string[] = []
    const engine = client({ log: ({ message }) => lines.push(message), ...(print && { print }) })
    void engine.call('slide:close', { page })
    await vi.waitFor(() => expect(lines.length).toBeGreaterThan(0))
    return lines
  }
  it('gets the bytes, or why there are none', async () => {
    expect(await said('<p>1</p>', async (page) => Uint8Array.from([page.length, 2]))).toEqual(['8,2'])
    expect(await said('<p>1</p>', () => Promise.reject(new Error('no paper')))).toEqual(['no paper'])
    expect(await said('<p>1</p>')).toEqual(['this program cannot print'])
    expect(await said('x'.repeat(64 * 2 ** 20 + 1), async () => new Uint8Array(1))).toEqual(['the page is too large'])
  })
  it('ends where what it wants printed is no page', async () => {
    expect((await said(7, async () => new Uint8Array(1)))[0]).toBe('The engine sent what is no message')
  })
  it('waits for its turn, and is one of eight at most', async () => {
    const done: (() => void)[] = []
    let [now, most] = [0, 0]
    const printing = new Printing(async () => {
      most = Math.max(most, ++now)
      await new Promise<void>((resolve) => done.push(resolve))
      now--
      return new Uint8Array(1)
    })
    const asked = Array.from({ length: 9 }, () => printing.of('x'))
    expect((await asked[8]!).problem).toBe('too many pages wait to be printed')
    for (let i = 0; i < 8; i++) {
      await vi.waitFor(() => expect(done.length).toBe(i + 1))
      done[i]!()
    }
    expect((await Promise.all(asked)).map(({ problem }) => problem).slice(0, 8)).toEqual(Array(8).fill(null))
    expect(most).toBe(1)
  })
})

describe('a dying engine', () => {
  it('is noticed when killed: calls in flight answer, a new one is up, and the user hears of it', async () => {
    const engine = client()
    const events: AppEvent[] = []
    engine.onEvent((event) => events.push(event))
    await engine.call('app:info', {})
    const first = engine.pid!
    // Calls that the child never answers.
    const inFlight = [engine.call('run:start', {}), engine.call('slide:open', {})]
    process.kill(first, 'SIGKILL')
    for (const result of await Promise.all(inFlight)) {
      expect(result).toMatchObject({
        ok: false,
        error: { code: 'ENGINE_LOST', message: expect.stringContaining('memory') as unknown },
      })
    }
    // Already while there is none: the call waits for the next.
    const next = await engine.call('app:info', {})
    expect(next).toMatchObject({ ok: true, value: { pid: engine.pid } })
    expect(engine.pid).not.toBe(first)
    expect(events).toEqual([
      {
        type: 'engine:lost',
        message: expect.stringMatching(/killed.*A new one is running/s) as unknown,
        restarted: true,
        reopen: true,
        canRestart: false,
      },
    ])
  })
  it('gives a tile in flight a status, not an exception', async () => {
    const port = quietPort()
    const engine = client({ spawn: () => port.port, restartsByItself: 0 })
    const tile = engine.tile('/tile/x')
    port.exit('SIGSEGV')
    expect(await tile).toMatchObject({ status: 503, headers: { 'Cache-Control': 'no-store' } })
  })
  it('names the exit code', async () => {
    const engine = client()
    expect(await engine.call('settings:get', {})).toMatchObject({
      ok: false,
      error: { code: 'ENGINE_LOST', message: expect.stringContaining('exit code 3') as unknown },
    })
  })
  it('is not started for ever', async () => {
    let started = 0
    const events: AppEvent[] = []
    const engine = client({
      settings: settings('dies'),
      spawn: () => {
        started++
        return forkEngine(child)
      },
    })
    engine.onEvent((event) => events.push(event))
    await vi.waitFor(() => expect(events.length).toBe(1), 20_000)
    expect(started).toBe(3)
    expect(events[0]).toMatchObject({
      type: 'engine:lost',
      message: expect.stringMatching(/3 times in a row/) as unknown,
      restarted: false,
      reopen: false,
      canRestart: true,
    })
    expect(await engine.call('app:info', {})).toMatchObject({ ok: false, error: { code: 'ENGINE_LOST' } })
    expect((await engine.tile('/tile/x')).status).toBe(503)
  })
  it('has its patience back after a stable time', () => {
    vi.useFakeTimers()
    try {
      const ports: ReturnType<typeof quietPort>[] = []
      const engine = client({
        spawn: () => {
          ports.push(quietPort())
          return ports.at(-1)!.port
        },
        stableAfterMs: 0,
      })
      for (let i = 0; i < 10; i++) {
        ports.at(-1)!.exit('SIGKILL')
        vi.advanceTimersByTime(10)
      }
      expect(ports.length).toBe(11)
      void engine.close()
      ports.at(-1)!.exit('exit code 0')
    } finally {
      vi.useRealTimers()
    }
  })
  it('that cannot start says why, once and for all', async () => {
    const engine = client({ settings: settings('broken') })
    expect(await engine.call('app:info', {}).then((r) => (r.ok ? null : r.error.code))).toMatch(/NATIVE_UNAVAILABLE/)
    await vi.waitFor(() => expect(engine.pid === undefined || !running(engine.pid)).toBe(true))
    expect(await engine.call('app:info', {})).toEqual({ ok: false, error: { code: 'NATIVE_UNAVAILABLE', message: 'no addon' } })
  })
})

describe('what ended the engine', () => {
  const path = (signal: string) => ({ path: `/slides/${signal}.svs` })
  it.skipIf(process.platform === 'win32').each(['SIGTRAP', 'SIGABRT', 'SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGFPE'])(
    'a slide that crashes it (%s) is named, not opened again, and not given to the next engine',
    async (signal) => {
      const engine = client()
      const events: AppEvent[] = []
      engine.onEvent((event) => events.push(event))
      const [killer, beside] = await Promise.all([engine.call('slide:open', path(signal)), engine.call('run:start', {})])
      const named = expect.stringMatching(new RegExp(`crashed.*\\(${signal}\\).*${signal}.svs was open`)) as unknown
      for (const result of [killer, beside]) expect(result).toMatchObject({ error: { code: 'ENGINE_LOST', message: named } })
      expect(await engine.call('app:info', {})).toMatchObject({ ok: true })
      expect(events).toEqual([{ type: 'engine:lost', message: named, restarted: true, reopen: false, canRestart: false }])
    },
  )
  it('a kill from outside: the slide comes back once, and after the second kill in a row it is asked for', async () => {
    const engine = client()
    const events: AppEvent[] = []
    engine.onEvent((event) => events.push(event))
    for (const count of [1, 2, 3]) {
      await engine.call('app:info', {})
      process.kill(engine.pid!, 'SIGKILL')
      await vi.waitFor(() => expect(events).toHaveLength(count))
    }
    const said = events.map((event) => event.type === 'engine:lost' && [event.restarted, event.reopen, event.canRestart])
    expect(said).toEqual([
      [true, true, false],
      [true, false, false],
      [false, false, true],
    ])
    // Offered, and taken.
    expect(engine.pid).toBeUndefined()
    expect(await engine.call('engine:restart', undefined)).toEqual({ ok: true, value: null })
    expect(await engine.call('app:info', {})).toMatchObject({ ok: true, value: { pid: engine.pid } })
    expect(events[3]).toMatchObject({ type: 'engine:lost', restarted: true, canRestart: false })
    // Its patience is back.
    process.kill(engine.pid!, 'SIGKILL')
    await vi.waitFor(() => expect(events[4]).toMatchObject({ restarted: true, reopen: true }))
  })
  it('the slide of the start is not offered as such after it crashed the engine', async () => {
    const port = quietPort()
    const engine = client({ spawn: () => port.port })
    const info = () => {
      const asked = engine.call('app:info', undefined)
      const { id } = port.heard.at(-1) as { id: number }
      port.say({ kind: 'result', id, result: { ok: true, value: { initialSlide: '/b.svs', sampleSlide: '/a.svs' } } })
      return asked
    }
    expect(await info()).toMatchObject({ value: { initialSlide: '/b.svs', sampleSlide: '/a.svs' } })
    const opening = engine.call('slide:open', { path: '/a.svs' })
    port.exit('exit code 133')
    expect(await opening).toMatchObject({ ok: false })
    expect(await info()).toMatchObject({ value: { initialSlide: '/b.svs', sampleSlide: null } })
    void engine.close()
    port.exit('exit code 0')
  })
})

describe('an engine that answers with what was not asked', () => {
  // Seen as a call that waited for ever: a slide that has taken its engine over can send anything.
  it.each([
    ['a tile for a call', { kind: 'tile', id: 1, reply: { status: 200, headers: {}, body: new Uint8Array(1) } }],
    ['a result for a tile', { kind: 'result', id: 2, result: { ok: true, value: null } }],
  ] as const)('is ended for %s, and whoever waited is answered', async (_what, answer) => {
    const port = quietPort()
    const kill = vi.spyOn(port.port, 'kill')
    const engine = client({ spawn: () => port.port, restartsByItself: 0 })
    const asked = [engine.call('app:info', null), engine.tile('/tile/x')] as const
    port.say(answer)
    expect(kill).toHaveBeenCalledOnce()
    port.exit('SIGKILL')
    expect(await asked[0]).toMatchObject({ ok: false, error: { code: 'ENGINE_LOST' } })
    expect(await asked[1]).toMatchObject({ status: 503 })
  })
})

describe('a call taken back', () => {
  it('reaches the engine, which answers when its work has stopped', async () => {
    const engine = client()
    const controller = new AbortController()
    const clicked = engine.call('object:segment', {}, controller.signal)
    await engine.call('app:info', {})
    controller.abort()
    expect(await clicked).toEqual({ ok: false, error: { code: 'CANCELLED', message: 'stopped' } })
    expect(await engine.call('object:segment', {}, controller.signal)).toMatchObject({ error: { code: 'CANCELLED' } })
  })
  it('between two engines never reaches the second', async () => {
    const ports: ReturnType<typeof quietPort>[] = []
    const engine = client({
      spawn: () => {
        ports.push(quietPort())
        return ports.at(-1)!.port
      },
    })
    // Replaced: until the old one has ended there is none.
    void engine.call('engine:restart', undefined)
    const controller = new AbortController()
    const [taken, kept] = [engine.call('recent:list', undefined, controller.signal), engine.call('recipe:list', undefined)]
    controller.abort()
    expect(await taken).toMatchObject({ error: { code: 'CANCELLED' } })
    ports[0]!.exit('exit code 0')
    await vi.waitFor(() => expect(ports).toHaveLength(2))
    expect(ports[1]!.heard).toMatchObject([{ kind: 'start' }, { kind: 'call', name: 'recipe:list' }])
    void engine.close()
    ports[1]!.exit('exit code 0')
    expect(await kept).toMatchObject({ error: { code: 'ENGINE_LOST' } })
  })
})

describe('a lost GPU', () => {
  const ended = (over: object): AppEvent =>
    ({ type: 'run:end', status: { runId: 'r1', slideId: 's1', purpose: 'run', state: 'done', error: null, ...over } }) as never
  const lostRun = ended({ runId: 'r2', state: 'failed', error: { code: 'GPU_LOST', message: 'poisoned' } })
  async function living() {
    const engine = client()
    const events: AppEvent[] = []
    engine.onEvent((event) => events.push(event))
    await engine.call('app:info', {})
    return { engine, events, pid: engine.pid! }
  }
  it('replaces the engine where nothing else would be lost, by a run’s end or by an answer', async () => {
    const { engine, events, pid } = await living()
    void engine.call('run:status', lostRun)
    await vi.waitFor(() => expect(events.at(-1)).toMatchObject({ type: 'engine:lost', restarted: true, reopen: true }), 10_000)
    expect(engine.pid).not.toBe(pid)
    expect(running(pid)).toBe(false)
    const second = engine.pid
    expect(await engine.call('object:at', {})).toMatchObject({ error: { code: 'GPU_LOST' } })
    await vi.waitFor(() => expect(events.filter(({ type }) => type === 'engine:lost')).toHaveLength(2), 10_000)
    expect(engine.pid).not.toBe(second)
    // A GPU that is always lost does not cost an engine each time.
    const third = engine.pid
    await engine.call('object:at', {})
    await engine.call('app:info', {})
    await engine.call('app:info', {})
    expect(engine.pid).toBe(third)
  })
  it('keeps an engine that holds what no export has saved, until someone asks for another', async () => {
    const { engine, events, pid } = await living()
    void engine.call('run:status', ended({}))
    void engine.call('run:status', lostRun)
    expect(await engine.call('object:at', {})).toMatchObject({ error: { code: 'GPU_LOST' } })
    // Answered after the question that decides.
    await engine.call('app:info', {})
    await engine.call('app:info', {})
    expect([engine.pid, events.some(({ type }) => type === 'engine:lost')]).toEqual([pid, false])
    expect(await engine.call('engine:restart', undefined)).toEqual({ ok: true, value: null })
    expect(engine.pid).not.toBe(pid)
    expect(events.at(-1)).toMatchObject({ type: 'engine:lost', restarted: true })
  })
  it('does not keep one for what was exported', async () => {
    const { engine, events, pid } = await living()
    void engine.call('run:status', ended({}))
    await vi.waitFor(() => expect(events).toHaveLength(1))
    await engine.call('export:start', { runId: 'r1' })
    void engine.call('run:status', lostRun)
    await vi.waitFor(() => expect(events.at(-1)).toMatchObject({ type: 'engine:lost', restarted: true }), 10_000)
    expect(engine.pid).not.toBe(pid)
  })
})

describe('closing', () => {
  it('lets the engine close, answers what waits, and leaves no process', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'morphoscope-host-'))
    vi.stubEnv('FAKE_ENGINE_LOG', join(directory, 'log'))
    const engine = client()
    await engine.call('app:info', {})
    const pid = engine.pid!
    const waiting = engine.call('run:start', {})
    await Promise.all([engine.close(), engine.close()])
    expect(await waiting).toMatchObject({ ok: false, error: { code: 'ENGINE_LOST' } })
    expect(running(pid)).toBe(false)
    expect(await readFile(join(directory, 'log'), 'utf8')).toBe('closed')
    await rm(directory, { recursive: true })
  })
  it('kills what does not listen', async () => {
    vi.stubEnv('FAKE_ENGINE_DEAF', '1')
    const engine = client({ closeWithinMs: 100 })
    await engine.call('app:info', {})
    const pid = engine.pid!
    await engine.close()
    expect(running(pid)).toBe(false)
  })
})
