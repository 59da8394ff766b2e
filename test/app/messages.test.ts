// Messages that no program of ours sends, at each door that one could come in by: every one is answered, refused or ends its line, and no more.
// By hand: MORPHOSCOPE_STRESS_MESSAGES=10000 npx vitest run test/app/messages.test.ts
import { mkdtempSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { calls } from '../../app/contract'
import type { CallName } from '../../app/contract'
import { Grants } from '../../app/desktop/grants'
import { WrittenFiles } from '../../app/desktop/writtenFiles'
import { createCallHandler } from '../../app/desktop/ipc'
import { EngineClient } from '../../app/host/parent/engineClient'
import { encodeFrame, FrameReader } from '../../app/host/frames'
import type { FromEngine, ToEngine } from '../../app/host/messages'
import { isBuilt, sample, startServer } from './serve/realServer'
import { noLimit, seed, seeded, times } from '../stress/seeded'

const count = times('MESSAGES', 1000)
type Random = () => number
const pick = <T>(random: Random, of: readonly T[]): T => of[Math.floor(random() * of.length)]!

const odd: readonly ((random: Random) => unknown)[] = [
  () => null,
  () => true,
  () => -1,
  () => 1e308,
  () => 2 ** 53,
  (random) => Math.floor(random() * 10),
  () => '',
  () => '\0',
  () => '../../../etc/passwd',
  () => '__proto__',
  () => '\ud800',
  (random) => 'x'.repeat(Math.floor(random() * 70_000)),
  () => [],
  () => ({}),
  () => JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}') as unknown,
  (random) => {
    let deep: unknown = 0
    for (let i = random() * 3000; i > 0; i--) deep = [deep]
    return deep
  },
]

const recipe = { format: 'morphoscope-recipe', version: 1, spec: 'he-nuclei', name: 'x', params: { objects: { radius: 1 } } }
const runId = 'r1-0a9f3c'
const slideId = 's1-0a9f3c'
/** Well-formed, and of slides and runs that are not there; what would write is not among them whole. */
const plain: readonly [CallName, unknown][] = [
  ['app:info', null],
  ['slide:open', { path: '/nowhere/a.svs' }],
  ['slide:close', { slideId }],
  ['recipe:save', { path: '/nowhere/a.json', recipe }],
  ['run:start', { slideId, region: { x: 0, y: 0, width: 10, height: 10 }, recipe, purpose: 'preview', focus: { x: 1, y: 1 } }],
  ['run:status', { runId }],
  ['object:at', { runId, x: 1, y: 1 }],
  ['object:segment', { slideId, recipe, x: 1, y: 1 }],
  ['export:show', { path: '/nowhere/out/run.json' }],
  ['export:open', { path: '/nowhere/out/report.html' }],
  ['export:start', { runId, directory: '/nowhere/out', files: ['run.json'] }],
  ['recent:list', null],
  ['files:list', { path: '/nowhere' }],
  ['dialog:recipe', { mode: 'open' }],
]

/** One thing somewhere in it replaced, dropped, doubled or added. */
function damaged(random: Random, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || random() < 0.15) return pick(random, odd)(random)
  if (Array.isArray(value)) {
    const list = [...(value as unknown[])]
    const at = Math.floor(random() * (list.length + 1))
    list[at] = damaged(random, list[at])
    return list
  }
  const copy: Record<string, unknown> = { ...(value as Record<string, unknown>) }
  const name = pick(random, [...Object.keys(copy), 'more'])
  if (random() < 0.2) delete copy[name]
  else copy[name] = damaged(random, copy[name])
  return copy
}

/** A frame of any value. */
function whole(value: unknown): Buffer {
  if (typeof value === 'object' && value !== null && !('reply' in value)) return encodeFrame(value as FromEngine)
  const json = Buffer.from(JSON.stringify(value) ?? 'null')
  const head = Buffer.alloc(8)
  head.writeUInt32LE(json.length, 0)
  return Buffer.concat([head, json])
}

describe(`${count} malformed messages (seed ${seed})`, () => {
  it.skipIf(!isBuilt)(
    'over the WebSocket of the real server: the owner is answered all the while',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'morphoscope-messages-'))
      const server = await startServer(folder, [join(sample, '..')])
      try {
        const random = seeded(seed)
        const owner = await server.client()
        const [engine] = server.engines()
        let stranger = await server.client()
        const outcomes: Record<string, number> = {}
        const note = (what: string) => (outcomes[what] = (outcomes[what] ?? 0) + 1)
        for (let i = 0; i < count; i++) {
          const [name, arg] = pick(random, plain)
          const frame = damaged(random, { id: i, name, arg })
          const text = JSON.stringify(frame)
          const cut = random()
          const bytes: string | Buffer =
            cut < 0.1 ? text.slice(0, Math.floor(random() * text.length)) : cut < 0.15 ? Buffer.from(text) : text
          const answered = new Promise<string>((resolve) => {
            stranger.socket.once('message', (data: Buffer) => {
              const { result } = JSON.parse(data.toString()) as { result?: { ok: boolean; error?: { code: string } } }
              resolve(result ? (result.ok ? 'ok' : result.error!.code) : 'event')
            })
            void stranger.closed.then((code) => resolve(`closed ${code}`))
          })
          stranger.socket.send(bytes)
          // {"cancel": n} of nothing has no answer; the next call shows that the line lives.
          if (typeof bytes === 'string' && /^\{"cancel":\d+\}$/.test(bytes)) continue
          const outcome = await answered
          note(outcome)
          if (outcome.startsWith('closed')) stranger = await server.client()
          if (i % 50 === 0) expect(await owner.ask('recent:list', null)).toEqual([])
        }
        console.log(`WebSocket, ${count} messages:`, JSON.stringify(outcomes))
        expect(
          Object.keys(outcomes).filter((what) => !/^(ok|INVALID_PARAMETER|NOT_FOUND|closed (1007|1008|1009))$/.test(what)),
        ).toEqual([])
        expect(outcomes['INVALID_PARAMETER']).toBeGreaterThan(0)
        // The same engine, not a replaced one; and a slide opens.
        expect(server.engines()).toEqual([engine])
        expect(await owner.ask('slide:open', { path: sample })).toHaveProperty('slideId')
        owner.close()
        stranger.close()
      } finally {
        expect(await server.close()).toBe(0)
        await rm(folder, { recursive: true })
      }
    },
    noLimit,
  )

  it('over the desktop’s channel: what passes is what the contract says, and each is answered with a Result', async () => {
    const random = seeded(seed + 1)
    const engine = vi.fn(async (name: CallName, arg: unknown) => {
      expect(calls[name].arg.safeParse(arg).success).toBe(true)
      return { ok: true as const, value: null }
    })
    const page = { senderFrame: { url: 'morphoscope://app/index.html', parent: null } }
    const handler = createCallHandler({
      engine,
      grants: new Grants(join(mkdtempSync(join(tmpdir(), 'messages-')), 'grants.json')),
      written: new WrittenFiles({ showItemInFolder: () => undefined, openPath: async () => '' }),
      dialogs: { slide: async () => null, slides: async () => [], directory: async () => null, recipe: async () => null },
    })
    const structured: readonly ((random: Random) => unknown)[] = [
      ...odd,
      () => 10n,
      () => new Map([['path', '/a']]),
      () => new Date(NaN),
      () => new Uint8Array(8),
      () => NaN,
      () => new Error('x'),
      () => {
        const circle: Record<string, unknown> = {}
        circle['path'] = circle
        return circle
      },
    ]
    for (let i = 0; i < count; i++) {
      const [name, arg] = pick(random, plain)
      const [sentName, sentArg] = [
        random() < 0.1 ? pick(random, structured)(random) : name,
        random() < 0.3 ? pick(random, structured)(random) : damaged(random, arg),
      ]
      const id = random() < 0.5 ? pick(random, structured)(random) : i
      const result = await handler.call(page, sentName, sentArg, id)
      expect(typeof result.ok).toBe('boolean')
      if (!result.ok) expect(['INVALID_PARAMETER', 'NOT_FOUND']).toContain(result.error.code)
      handler.cancel(page, pick(random, structured)(random))
      handler.dropped(page, pick(random, structured)(random))
    }
    expect(engine).not.toHaveBeenCalledWith('recipe:save', expect.anything(), expect.anything())
    expect(engine).not.toHaveBeenCalledWith('export:start', expect.anything(), expect.anything())
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

  it(
    'from an engine that a slide has taken over: its parent lives, ends it, and starts another',
    async () => {
      const random = seeded(seed + 2)
      const good: readonly FromEngine[] = [
        { kind: 'ready' },
        { kind: 'result', id: 1, result: { ok: true, value: { initialSlide: null } } },
        { kind: 'tile', id: 2, reply: { status: 200, headers: { a: 'b' }, body: new Uint8Array([1, 2]) } },
        { kind: 'event', event: { type: 'command', command: 'x' } },
        { kind: 'log', line: { level: 'info', message: 'x' } },
      ]
      const outcomes = { heard: 0, refused: 0, ended: 0 }
      // Each takes a tenth of a millisecond. One in some thousands is an answer of the other kind, which once was waited for for ever.
      const many = times('MESSAGES', 10_000)
      for (let i = 0; i < many; i++) {
        const heard: ((message: FromEngine) => void)[] = []
        let killed = 0
        const sent: ToEngine[] = []
        const engine = new EngineClient({
          spawn: () => ({
            post: (message) => void sent.push(message),
            onMessage: (listener) => void heard.push(listener),
            onExit: (listener) => void (killed > 0 && listener('SIGKILL')),
            kill: () => void killed++,
          }),
          settings: { settingsDir: '/none', assetsDir: '/none', shell: 'cli', dialogs: false, version: '1' },
        })
        const answers = Promise.all([engine.call('app:info', null), engine.tile('/tile/x')])
        const frame = encodeFrame(pick(random, good))
        // Bytes that are wrong, and messages that are whole and mean nothing.
        const bytes =
          random() < 0.5
            ? frame.map((byte) => (random() < 0.05 ? Math.floor(random() * 256) : byte))
            : whole(damaged(random, pick(random, good)))
        const reader = new FrameReader((message) => heard.at(-1)!(message as FromEngine))
        try {
          for (let at = 0; at < bytes.length;) {
            const next = at + 1 + Math.floor(random() * 40)
            reader.push(Buffer.from(bytes.subarray(at, next)))
            at = next
          }
          outcomes[killed > 0 ? 'ended' : 'heard']++
        } catch {
          // The pipe's owner ends the process then (pipeEngine.ts).
          outcomes.refused++
        }
        const closing = engine.close()
        for (const [result, tile] of [await answers]) {
          expect(typeof result.ok).toBe('boolean')
          expect(Number.isInteger(tile.status)).toBe(true)
        }
        void closing
      }
      console.log(`from the engine, ${many} messages:`, JSON.stringify(outcomes))
      expect(outcomes.ended).toBeGreaterThan(0)
      expect(outcomes.refused).toBeGreaterThan(0)
    },
    noLimit,
  )
})
