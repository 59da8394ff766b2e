// The server's doors: token, Host, Origin, paths, sizes, roots; and the protocol of app/serve/README.md.
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { maxCallBytes } from '../../../app/contract'
import type { AppEvent, CallName, Result } from '../../../app/contract'
import { Roots } from '../../../app/serve/roots'
import { remoteWarning, serve } from '../../../app/serve/server'
import type { RunningServer } from '../../../app/serve/server'

const token = 'a-token-for-tests'
let base: string
let server: RunningServer
const listeners = new Set<(event: AppEvent) => void>()
const engineCall = vi.fn<(name: CallName, arg: unknown) => Promise<Result<unknown>>>()

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'morphoscope-serve-'))
  for (const folder of ['renderer/assets', 'slides/deep', 'more', 'secret']) await mkdir(join(base, folder), { recursive: true })
  await writeFile(join(base, 'renderer/index.html'), '<title>Morphoscope</title>')
  await writeFile(join(base, 'renderer/assets/a.js'), 'export {}')
  await writeFile(join(base, 'secret/index.html'), 'secret')
  await writeFile(join(base, 'secret.html'), 'secret')
  await writeFile(join(base, 'secret/s.svs'), 'secret')
  await symlink(join(base, 'secret'), join(base, 'slides/way-out'))
  await symlink(join(base, 'secret/s.svs'), join(base, 'slides/link.svs'))
  await symlink(join(base, 'nowhere'), join(base, 'slides/dangling'))
  await symlink(join(base, 'secret'), join(base, 'renderer/out'))
  await writeFile(join(base, 'slides/b.svs'), '12345')
  await writeFile(join(base, 'slides/.hidden.svs'), '')
  await writeFile(join(base, 'slides/notes.txt'), '')
  server = await serve({
    engine: {
      call: (name, arg) => engineCall(name, arg),
      tile: async (url) => ({
        status: 200,
        headers: { 'Content-Type': 'image/png', 'Cache-Control': 'immutable' },
        body: Buffer.from(url),
      }),
      onEvent: (listener) => {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
    },
    roots: await Roots.of([join(base, 'slides'), join(base, 'more')]),
    rendererDirectory: join(base, 'renderer'),
    host: '127.0.0.1',
    port: 0,
    token,
  })
  expect(server.url).toBe(`http://127.0.0.1:${server.port}/?token=${token}`)
  key = keyIn((await get(`/?token=${token}`)).body)
})
afterAll(async () => {
  await server.close()
  await rm(base, { recursive: true })
})
beforeEach(() => {
  engineCall.mockReset()
  engineCall.mockImplementation(async (name, arg) => ({ ok: true, value: { name, arg } }))
})

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: string
}
/** Raw: no client between the test and the path or the headers. */
function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port: server.port, path, method, headers: { Host: `127.0.0.1:${server.port}`, ...headers } },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks).toString() }),
        )
      },
    )
    sent.on('error', reject)
    sent.end()
  })
}
const keyIn = (html: string): string => /setItem\('morphoscope-key', "([^"]+)"\)/.exec(html)?.[1] ?? ''
let key: string
const auth = () => ({ Authorization: `Bearer ${key}` })

describe('the door', () => {
  it('changes a token for a key, once, and takes it out of the address', async () => {
    const url = new URL(server.newUrl())
    expect(url.href).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${server.port}/\\?token=[\\w-]{43}$`))
    const entry = url.pathname + url.search
    // Neither of these is someone who comes in.
    for (const ahead of [await get(entry, {}, 'HEAD'), await get(entry, { 'Sec-Purpose': 'prefetch;prerender' })])
      expect([ahead.status, ahead.body]).toEqual([503, expect.not.stringContaining('key')])
    const first = await get(entry)
    expect(first.status).toBe(200)
    const found = keyIn(first.body)
    expect(found).toHaveLength(43)
    expect(entry).not.toContain(found)
    expect(first.body).toContain('location.replace("/")')
    const nonce = /<script nonce="([^"]+)">/.exec(first.body)?.[1]
    expect(first.headers['content-security-policy']).toContain(`script-src 'nonce-${nonce}'`)
    expect(first.headers['cache-control']).toBe('no-store')
    // No cookie: every server of this machine would get it.
    expect(first.headers['set-cookie']).toBeUndefined()
    expect((await get('/key', { Authorization: `Bearer ${found}` })).status).toBe(200)
    const second = await get(entry)
    expect(second.status).toBe(401)
    expect(second.body).not.toMatch(/setItem|[\w-]{43}/)
    // Whoever came in by it comes in again by the key.
    expect(second.body).toMatch(/getItem\('morphoscope-key'\)\) location.replace\("\/"\)/)
  })
  it('gives the page to whoever asks, and what it shows to nobody without a key', async () => {
    const page = await get('/')
    expect([page.status, page.body]).toEqual([200, '<title>Morphoscope</title>'])
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
    expect(page.headers['content-security-policy']).not.toContain('unsafe-eval')
    expect(page.headers['x-content-type-options']).toBe('nosniff')
    const tile = '/tile/slide/s1-0a9f3c/0/0_0'
    for (const [path, headers] of [
      [tile, {}],
      [`${tile}?key=`, {}],
      [`${tile}?key=${token}`, {}],
      [`${tile}?key=${key}x`, {}],
      [tile, { Cookie: `morphoscope-${server.port}=${key}; key=${key}` }],
      [tile, { Authorization: 'Bearer ' }],
      [tile, { Authorization: key }],
      [tile, { Authorization: `Bearer ${token}` }],
      ['/key', {}],
    ] as [string, Record<string, string>][]) {
      expect([path, headers, (await get(path, headers)).status]).toEqual([path, headers, 401])
    }
    expect((await get(`${tile}?key=${key}`)).status).toBe(200)
    for (const path of ['/?token=', '/?token=wrong', `/?token=${token}`]) expect((await get(path, auth())).status).toBe(401)
  })
  it('keeps out names that are not its own (DNS rebinding)', async () => {
    for (const Host of [
      'evil.example',
      `evil.example:${server.port}`,
      '127.0.0.1.evil.example',
      'localhost.evil.example',
      '10.0.0.1',
      'a b',
      '127.0.0.1:1@evil.example',
    ]) {
      expect((await get('/', { ...auth(), Host })).status).toBe(403)
    }
    for (const Host of ['localhost', `LOCALHOST:${server.port}`, `[::1]:${server.port}`, '127.0.0.1:9999'])
      expect((await get('/', { ...auth(), Host })).status).toBe(200)
  })
  it('keeps out other sites', async () => {
    for (const Origin of [
      'http://evil.example',
      'null',
      `https://127.0.0.1:${server.port}`,
      `http://127.0.0.1:${server.port + 1}`,
    ]) {
      expect((await get('/', { ...auth(), Origin })).status).toBe(403)
    }
    expect((await get('/', { ...auth(), Origin: `http://127.0.0.1:${server.port}` })).status).toBe(200)
    expect(
      (await get('/tile/slide/s1-0a9f3c/0/0_0', { ...auth(), 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Mode': 'no-cors' }))
        .status,
    ).toBe(403)
    expect((await get('/', { ...auth(), 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' })).status).toBe(200)
  })
  it('never redirects to another host', async () => {
    for (const path of ['//evil.example/', '/\\evil.example/', '///evil.example', '/</script>']) {
      const { search } = new URL(server.newUrl())
      const { body } = await get(path + search)
      const target = /location.replace\((".*")\)<\/script>/.exec(body)?.[1] ?? ''
      expect(new URL(JSON.parse(target) as string, server.url).host).toBe(`127.0.0.1:${server.port}`)
      expect(body.match(/<\/script>/g)).toHaveLength(1)
    }
  })
  it('warns of a host that is not loopback', () => {
    expect(remoteWarning('0.0.0.0')).toContain('not encrypted')
    for (const host of ['127.0.0.1', '127.1.2.3', 'localhost', '::1']) expect(remoteWarning(host)).toBeNull()
    for (const host of ['::', '192.168.1.2', '127.0.0.1.example', '']) expect(remoteWarning(host)).not.toBeNull()
  })
})

describe('files and tiles', () => {
  it('leaves the folder by no path', async () => {
    for (const path of [
      '/../secret.html',
      '/..%2fsecret.html',
      '/%2e%2e/secret.html',
      '/assets/../../secret.html',
      '/..%5csecret.html',
      '/out/index.html',
      '/%00.html',
      '/%zz',
      '//secret.html',
      '/assets',
      '/index.html/',
      '/.env',
    ]) {
      const { status, body } = await get(path, auth())
      expect([path, status]).toEqual([path, 404])
      expect(body).not.toContain('secret')
    }
  })
  it('hands tiles on with their headers', async () => {
    const tile = await get('/tile/objects/r1-0a9f3c/3/0/1_2?x=1', auth())
    expect([tile.status, tile.body, tile.headers['content-type'], tile.headers['cache-control']]).toEqual([
      200,
      '/tile/objects/r1-0a9f3c/3/0/1_2',
      'image/png',
      'immutable',
    ])
  })
  it('answers GET and HEAD only', async () => {
    expect((await get('/', auth(), 'POST')).status).toBe(405)
    const head = await get('/', auth(), 'HEAD')
    expect([head.status, head.body, head.headers['content-length']]).toEqual([200, '', '26'])
  })
  it('survives what is not HTTP', async () => {
    await new Promise<void>((resolve) => {
      const raw = connect(server.port, '127.0.0.1', () => raw.write('GET /\0 nonsense\r\n\r\n'))
      raw.on('close', () => resolve())
      raw.resume()
    })
    expect((await get('/', auth())).status).toBe(200)
  })
})

interface Offered {
  protocols?: string[]
  Origin?: string
  Host?: string
}
function open(headers: Offered = {}, path = '/ws'): WebSocket {
  const { protocols = ['morphoscope', `key.${key}`], ...rest } = headers
  return new WebSocket(`ws://127.0.0.1:${server.port}${path}`, protocols, {
    headers: { Origin: `http://127.0.0.1:${server.port}`, ...rest },
  })
}
const opened = (socket: WebSocket) => new Promise<void>((resolve, reject) => socket.on('open', resolve).on('error', reject))
const message = (socket: WebSocket) =>
  new Promise<unknown>((resolve) => socket.once('message', (data: Buffer) => resolve(JSON.parse(data.toString()))))
const closed = (socket: WebSocket) => new Promise<number>((resolve) => socket.on('close', resolve).on('error', () => undefined))
async function call(name: string, arg: unknown): Promise<Result<unknown>> {
  const socket = open()
  await opened(socket)
  socket.send(JSON.stringify({ id: 7, name, arg }))
  const answer = (await message(socket)) as { id: number; result: Result<unknown> }
  expect(answer.id).toBe(7)
  socket.close()
  return answer.result
}

describe('the socket', () => {
  it('opens for its own page alone', async () => {
    for (const headers of [
      { protocols: ['morphoscope'] },
      { protocols: ['morphoscope', 'key.x'] },
      { Origin: 'http://evil.example' },
      { Host: 'evil.example' },
    ]) {
      await expect(opened(open(headers))).rejects.toThrow(/401|403/)
    }
    await expect(opened(open({}, '/other'))).rejects.toThrow(/404/)
  })
  it('answers calls by their ids, in any order', async () => {
    const release: (() => void)[] = []
    engineCall.mockImplementation((name) => new Promise((resolve) => release.push(() => resolve({ ok: true, value: name }))))
    const socket = open()
    await opened(socket)
    socket.send('{"id":1,"name":"settings:get"}')
    socket.send('{"id":2,"name":"recipe:list","arg":{}}')
    await vi.waitFor(() => expect(release.length).toBe(2))
    release[1]!()
    expect(await message(socket)).toEqual({ id: 2, result: { ok: true, value: 'recipe:list' } })
    release[0]!()
    expect(await message(socket)).toEqual({ id: 1, result: { ok: true, value: 'settings:get' } })
    socket.close()
  })
  it('sends facts to everybody', async () => {
    const sockets = [open(), open()]
    await Promise.all(sockets.map(opened))
    const heard = Promise.all(sockets.map(message))
    const lost: AppEvent = { type: 'engine:lost', message: 'gone', restarted: true, reopen: true, canRestart: false }
    await vi.waitFor(() => expect(listeners.size).toBeGreaterThanOrEqual(2))
    for (const listener of listeners) listener(lost)
    expect(await heard).toEqual([{ event: lost }, { event: lost }])
    for (const socket of sockets) {
      socket.close()
      await closed(socket)
    }
    await vi.waitFor(() => expect(listeners.size).toBe(0))
  })
  it('closes on frames that are none', async () => {
    const frames: [string | Buffer, number][] = [
      ['hello', 1008],
      ['null', 1008],
      ['{"id":-1,"name":"app:info"}', 1008],
      ['{"id":1.5,"name":"app:info"}', 1008],
      ['{"id":1,"name":"app:info","more":1}', 1008],
      [Buffer.from('{"id":1,"name":"app:info"}'), 1008],
      [Buffer.alloc(maxCallBytes + 1, 'x'), 1009],
    ]
    for (const [frame, code] of frames) {
      const socket = open()
      await opened(socket)
      socket.send(frame)
      expect(await closed(socket)).toBe(code)
    }
    expect(engineCall).not.toHaveBeenCalled()
  })
  it('takes a call of megabytes beside others that are in flight, and answers what is none in words', async () => {
    let answer = (_: Result<unknown>): void => undefined
    engineCall.mockImplementation((name) =>
      name === 'app:info'
        ? new Promise((resolve) => (answer = resolve))
        : Promise.resolve({ ok: true, value: { added: 1, leftOut: [] } }),
    )
    const socket = open()
    await opened(socket)
    const heard: { id: number; result: Result<unknown> }[] = []
    socket.on('message', (data: Buffer) => heard.push(JSON.parse(data.toString('utf8')) as (typeof heard)[number]))
    socket.send('{"id":1,"name":"app:info"}')
    const text = JSON.stringify({ type: 'FeatureCollection', features: ['"'.repeat(2 * 1024 * 1024)] })
    socket.send(JSON.stringify({ id: 2, name: 'project:import', arg: { slideId: 's1-abcdef', text } }))
    socket.send(JSON.stringify({ id: 3, name: 'app:info', arg: 'x'.repeat(1024 * 1024) }))
    await vi.waitFor(() => expect(heard).toHaveLength(2))
    answer({ ok: true, value: {} })
    await vi.waitFor(() => expect(heard).toHaveLength(3))
    const byId = new Map(heard.map(({ id, result }) => [id, result]))
    expect(byId.get(2)).toEqual({ ok: true, value: { added: 1, leftOut: [] } })
    expect(byId.get(3)).toMatchObject({ ok: false, error: { code: 'INVALID_PARAMETER' } })
    expect(byId.get(1)).toMatchObject({ ok: true })
    expect(engineCall.mock.calls.find(([name]) => name === 'project:import')?.[1]).toMatchObject({ text })
    socket.close()
  })
  it('refuses an id that is in flight, and more calls than it can hold', async () => {
    engineCall.mockImplementation(() => new Promise(() => undefined))
    const twice = open()
    await opened(twice)
    twice.send('{"id":1,"name":"app:info"}')
    twice.send('{"id":1,"name":"app:info"}')
    expect(await closed(twice)).toBe(1008)
    const many = open()
    await opened(many)
    for (let id = 0; id < 300; id++) many.send(JSON.stringify({ id, name: 'app:info' }))
    expect(await closed(many)).toBe(1013)
  })
})

describe('calls', () => {
  it('checks names and arguments before the engine sees them', async () => {
    for (const [name, arg] of [
      ['nothing', {}],
      ['toString', {}],
      ['__proto__', {}],
      ['slide:open', {}],
      ['slide:open', { path: 'a\0b' }],
      ['run:start', { slideId: 's1-0a9f3c' }],
    ] as const) {
      expect(await call(name, arg)).toMatchObject({ ok: false, error: { code: 'INVALID_PARAMETER' } })
    }
    expect(engineCall).not.toHaveBeenCalled()
  })
  it('opens, reads, writes and exports below the roots only', async () => {
    const slides = join(base, 'slides')
    const recipe = { format: 'morphoscope-recipe', version: 1, spec: 'a', name: 'a', params: {} }
    const slide = (path: string) => ({ key: 'a'.repeat(32), path })
    const tries = (path: string): [string, unknown][] => [
      ['slide:open', { path }],
      ['recipe:load', { path }],
      ['project:addFile', { path }],
      ['recipe:save', { path, recipe }],
      ['export:start', { runId: 'r1-0a9f3c', directory: path, files: ['run.json'] }],
      ['cohort:run', { slides: [slide(join(slides, 'b.svs')), slide(path)], recipe, again: false }],
      ['files:list', { path }],
    ]
    for (const outside of [
      '/etc/passwd',
      base,
      join(slides, '../secret/s.svs'),
      join(slides, 'link.svs'),
      join(slides, 'way-out/s.svs'),
      join(slides, 'way-out/new'),
      join(slides, 'dangling'),
      join(slides, 'dangling/x'),
      `${slides}2/x`,
      'b.svs',
      join(base, 'not-there'),
      // Below a root, and hidden.
      join(slides, '.bashrc'),
      join(slides, '.config/autostart/new.json'),
      join(slides, 'deep/.ssh/x'),
      join(slides, '.hidden.svs'),
    ]) {
      for (const [name, arg] of tries(outside)) {
        expect([outside, name, await call(name, arg)]).toMatchObject([
          outside,
          name,
          { ok: false, error: { code: 'INVALID_PARAMETER' } },
        ])
      }
    }
    expect(engineCall).not.toHaveBeenCalled()
    await call('slide:open', { path: join(slides, 'deep/../b.svs') })
    expect(engineCall).toHaveBeenLastCalledWith('slide:open', { path: join(slides, 'b.svs') })
    await call('export:start', { runId: 'r1-0a9f3c', directory: join(slides, 'new/folder'), files: ['run.json'] })
    expect(engineCall).toHaveBeenLastCalledWith('export:start', {
      runId: 'r1-0a9f3c',
      directory: join(slides, 'new/folder'),
      files: ['run.json'],
    })
  })
  it('takes "~" for the home folder, as a shell does, and makes no folder of that name', async () => {
    vi.stubEnv('HOME', join(base, 'slides'))
    try {
      await call('export:start', { runId: 'r1-0a9f3c', directory: '~/out', files: ['run.json'] })
      expect(engineCall.mock.lastCall?.[1]).toMatchObject({ directory: join(base, 'slides/out') })
      expect(await call('export:start', { runId: 'r1-0a9f3c', directory: '~/../secret', files: ['run.json'] })).toMatchObject({
        error: { code: 'INVALID_PARAMETER' },
      })
    } finally {
      vi.unstubAllEnvs()
    }
  })
  it('remembers a folder to export to below the roots only, and shows no other', async () => {
    expect(await call('settings:set', { exportDirectory: base })).toMatchObject({ error: { code: 'INVALID_PARAMETER' } })
    expect(await call('settings:set', { exportDirectory: '~/out' })).toMatchObject({ error: { code: 'INVALID_PARAMETER' } })
    expect(engineCall).not.toHaveBeenCalled()
    await call('settings:set', { exportDirectory: join(base, 'slides/deep/../new'), threads: 2 })
    expect(engineCall).toHaveBeenLastCalledWith('settings:set', { exportDirectory: join(base, 'slides/new'), threads: 2 })
    for (const [kept, shown] of [
      [join(base, 'slides'), join(base, 'slides')],
      [base, ''],
    ]) {
      engineCall.mockResolvedValueOnce({ ok: true, value: { exportDirectory: kept, threads: 0 } })
      expect(await call('settings:get', {})).toEqual({ ok: true, value: { exportDirectory: shown, threads: 0 } })
    }
  })
  it('lists folders and slides below the roots', async () => {
    const value = async (arg: object) =>
      ((await call('files:list', arg)) as { value: { path: string; parent: string | null; entries: { name: string }[] } }).value
    const roots = await value({})
    expect(roots).toMatchObject({
      path: '',
      parent: null,
      entries: [{ path: join(base, 'slides'), directory: true }, { path: join(base, 'more') }],
    })
    const slides = await value({ path: join(base, 'slides') })
    expect(slides.parent).toBeNull()
    expect(slides.entries).toEqual([
      { name: 'deep', path: join(base, 'slides/deep'), directory: true, sizeBytes: 0 },
      { name: 'b.svs', path: join(base, 'slides/b.svs'), directory: false, sizeBytes: 5 },
    ])
    expect((await value({ path: join(base, 'slides/deep') })).parent).toBe(join(base, 'slides'))
    await mkdir(join(base, 'slides/deep/a.ome.zarr'))
    await writeFile(join(base, 'slides/deep/a.ome.zarr/.zattrs'), '{"multiscales": []}')
    expect((await value({ path: join(base, 'slides/deep') })).entries).toEqual([
      { name: 'a.ome.zarr', path: join(base, 'slides/deep/a.ome.zarr'), directory: false, sizeBytes: 0 },
    ])
    expect(await call('files:list', { path: join(base, 'slides/none') })).toMatchObject({
      ok: false,
      error: { code: 'NOT_FOUND' },
    })
  })
  it('has no dialogs, and shows only slides that it can open', async () => {
    for (const [name, arg] of [
      ['dialog:slide', {}],
      ['dialog:directory', { title: 'x' }],
      ['dialog:recipe', { mode: 'open' }],
    ] as const) {
      expect(await call(name, arg)).toEqual({ ok: true, value: null })
    }
    for (const name of ['export:show', 'export:open'] as const)
      expect(await call(name, { path: join(base, 'slides/b.svs') })).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } })
    engineCall.mockResolvedValueOnce({ ok: true, value: { version: '1', shell: 'cli', dialogs: true } })
    expect(await call('app:info', {})).toEqual({ ok: true, value: { version: '1', shell: 'serve', dialogs: false } })
    engineCall.mockResolvedValueOnce({
      ok: true,
      value: [{ path: join(base, 'slides/b.svs') }, { path: join(base, 'secret/s.svs') }],
    })
    expect(await call('recent:list', {})).toEqual({ ok: true, value: [{ path: join(base, 'slides/b.svs') }] })
    const entries = [{ path: join(base, 'slides/b.svs') }, { path: join(base, 'secret/s.svs') }]
    const [mine] = entries
    // Of projects without a name, those alone whose slides are all below the roots and known.
    const unnamed = [{ slides: [mine] }, { slides: entries }, { slides: null }]
    engineCall.mockResolvedValueOnce({ ok: true, value: { slides: entries, projects: entries, unnamed } })
    const shown = { slides: [mine], projects: [mine], unnamed: [{ slides: [mine] }] }
    expect(await call('start:list', {})).toEqual({ ok: true, value: shown })
    const failed = { path: join(base, 'secret/s.svs'), missing: false, why: 'secret/s.svs cannot be read' }
    engineCall.mockResolvedValueOnce({ ok: true, value: [failed] })
    expect(await call('project:slides', {})).toEqual({ ok: true, value: [{ path: '', missing: true, why: null }] })
  })
  it('turns a throwing engine into a result', async () => {
    engineCall.mockRejectedValueOnce(new Error('boom'))
    expect(await call('settings:get', {})).toMatchObject({ ok: false, error: { code: 'INTERNAL', detail: 'Error: boom' } })
  })
})
