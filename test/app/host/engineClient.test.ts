// The engine's process from its parent: answers, tiles, events; a killed child is noticed, said and replaced.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { AppEvent } from '../../../app/contract'
import { EngineClient } from '../../../app/host/engineClient'
import type { EngineClientOptions, EnginePort } from '../../../app/host/engineClient'
import { forkEngine } from '../../../app/host/forkEngine'
import type { FromEngine, ToEngine } from '../../../app/host/messages'

const child = fileURLToPath(new URL('./fakeEngine.mjs', import.meta.url))
const settings = (version = '1') => ({ settingsDir: '/none', assetsDir: '/none', shell: 'cli' as const, dialogs: false, version })
const clients: EngineClient[] = []
function client(options: Partial<EngineClientOptions> = {}): EngineClient {
  const made = new EngineClient({ spawn: () => forkEngine(child), settings: settings(), restartDelaysMs: [10, 10], ...options })
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
      { type: 'engine:lost', message: expect.stringMatching(/killed.*A new one is running/s) as unknown, restarted: true },
    ])
  })
  it('gives a tile in flight a status, not an exception', async () => {
    const port = quietPort()
    const engine = client({ spawn: () => port.port, restartDelaysMs: [] })
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

/** A port that does nothing by itself. */
function quietPort(): { port: EnginePort; exit: (how: string) => void; say: (message: FromEngine) => void; heard: ToEngine[] } {
  let onExit = (_how: string): void => undefined
  let onMessage = (_message: FromEngine): void => undefined
  const heard: ToEngine[] = []
  return {
    port: {
      post: (message) => void heard.push(message),
      onMessage: (listener) => void (onMessage = listener),
      onExit: (listener) => void (onExit = listener),
      kill: () => undefined,
    },
    exit: (how) => onExit(how),
    say: (message) => onMessage(message),
    heard,
  }
}
