// What is told after an engine ended: of the project that ended it, and where no other can take its place.
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { AppEvent } from '../../../app/contract'
import { EngineClient } from '../../../app/host/parent/engineClient'
import type { EngineClientOptions } from '../../../app/host/parent/engineClient'
import { forkEngine } from '../../../app/host/parent/forkEngine'
import { quietPort } from './quietPort'

const child = fileURLToPath(new URL('./fakeEngine.mjs', import.meta.url))
const settings = { settingsDir: '/none', assetsDir: '/none', shell: 'cli' as const, dialogs: false, version: '1' }
const clients: EngineClient[] = []
function client(options: Partial<EngineClientOptions> = {}): EngineClient {
  const made = new EngineClient({ spawn: () => forkEngine(child), settings, ...options })
  clients.push(made)
  return made
}
afterEach(() => Promise.all(clients.splice(0).map((each) => each.close())))

describe('an engine in place of another', () => {
  it.each([
    [
      'that crashed',
      (port: ReturnType<typeof quietPort>) => {
        port.exit('SIGSEGV')
        return null
      },
    ],
    [
      'that was restarted',
      (port: ReturnType<typeof quietPort>, engine: EngineClient) => {
        const restarted = engine.restart()
        port.exit('exit code 0')
        return restarted
      },
    ],
  ] as const)('%s: who shows the end of the one before hears that it cannot start', async (_what, ends) => {
    const ports: ReturnType<typeof quietPort>[] = []
    const engine = client({
      spawn: () => {
        ports.push(quietPort())
        return ports.at(-1)!.port
      },
    })
    const events: AppEvent[] = []
    engine.onEvent((event) => events.push(event))
    ports[0]!.say({ kind: 'ready' })
    const restarted = ends(ports[0]!, engine)
    await vi.waitFor(() => expect(ports).toHaveLength(2))
    const error = { code: 'NATIVE_UNAVAILABLE' as const, message: 'The addon is gone. Install it again.' }
    ports[1]!.say({ kind: 'failed', error })
    ports[1]!.exit('exit code 1')
    const message = 'The engine ended, and another could not start. The addon is gone. Install it again.'
    expect(events).toEqual([{ type: 'engine:lost', message, restarted: false, reopen: false, canRestart: true }])
    expect(await restarted).toEqual(restarted && { ok: false, error })
    expect(await engine.call('app:info', {})).toEqual({ ok: false, error })
    // Offered, and taken.
    const again = engine.restart()
    ports[2]!.say({ kind: 'ready' })
    expect(await again).toEqual({ ok: true, value: null })
    expect(events[1]).toMatchObject({ type: 'engine:lost', restarted: true })
    void engine.close()
    ports[2]!.exit('exit code 0')
  })
})

describe.skipIf(process.platform === 'win32')('what ended the engine', () => {
  it('a project that crashes it is named, and the slide that was open is not blamed', async () => {
    const engine = client()
    const events: AppEvent[] = []
    engine.onEvent((event) => events.push(event))
    await engine.call('slide:open', { path: '/slides/a.svs' })
    await engine.call('project:open', { path: '/projects/good.morphoscope' })
    const killer = await engine.call('project:open', { path: '/projects/SIGABRT.morphoscope' })
    const words = 'it crashed while opening a project (SIGABRT). It was opening the project SIGABRT.'
    expect(killer).toMatchObject({
      error: {
        code: 'ENGINE_LOST',
        message: `The engine stopped while it worked on this: ${words} It starts again by itself; try again.`,
      },
    })
    // It comes back once, as after a kill from outside.
    await vi.waitFor(() => expect(events).toMatchObject([{ restarted: true, reopen: true }]))
    expect(events[0]).toMatchObject({ message: expect.stringContaining(words) as unknown })
    expect(JSON.stringify([killer, events])).not.toMatch(/slide.{0,40}a\.svs|slide \(SIG/)
    // A slide that crashes it after a project was opened is to blame again.
    await engine.call('project:open', { path: '/projects/good.morphoscope' })
    const slide = await engine.call('slide:open', { path: '/slides/SIGSEGV.svs' })
    expect(slide).toMatchObject({
      error: { message: expect.stringMatching(/the slide \(SIGSEGV\).*SIGSEGV.svs was open/) as unknown },
    })
  })
})
