// The real server with the real engine: what a page, or a stranger beside it, can write, and whether the owner is served all the while.
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { CallName } from '../../../app/contract'
import { pathArguments } from '../contract/pathArguments'
import { keyOf, isBuilt, sample, startServer } from './realServer'
import type { Client, RealServer } from './realServer'

describe.skipIf(!isBuilt)('the built server', () => {
  let folder: string
  let server: RealServer
  let owner: Client
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'morphoscope-doors-'))
    server = await startServer(folder, [dirname(sample)], [sample])
    owner = await server.client()
  })
  afterAll(async () => {
    owner?.close()
    expect(await server?.close()).toBe(0)
    await rm(folder, { recursive: true })
  })

  describe('what a call may write', () => {
    const recipe = { format: 'morphoscope-recipe', version: 1, spec: 'he-nuclei', name: '\ntouch owned\n', params: {} } as const

    it('is a recipe, over a recipe or nothing', async () => {
      const victims = ['slide.svs', '.bashrc', 'package.json', 'run.json', 'notes', 'autostart.desktop']
      for (const name of victims) await writeFile(join(folder, name), `mine: ${name}`)
      await mkdir(join(folder, '.config/autostart'), { recursive: true })
      await symlink(join(folder, 'slide.svs'), join(folder, 'link.json'))
      const before = (await readdir(folder)).sort()
      for (const name of [
        ...victims,
        'link.json',
        '.new.json',
        '.config/new.json',
        '.config/autostart/x.json',
        'new.sh',
        'sub/x.json',
      ])
        expect([name, await owner.call('recipe:save', { path: join(folder, name), recipe })]).toMatchObject([name, { ok: false }])
      for (const name of victims) expect(await readFile(join(folder, name), 'utf8')).toBe(`mine: ${name}`)
      expect((await readdir(folder)).sort()).toEqual(before)
      expect(await readdir(join(folder, '.config'))).toEqual(['autostart'])
      for (const name of ['first', 'second']) {
        await owner.ask('recipe:save', { path: join(folder, 'mine.json'), recipe: { ...recipe, name } })
        expect(await owner.ask('recipe:load', { path: join(folder, 'mine.json') })).toMatchObject({ name })
      }
    })

    it('is no hidden folder of an export, by a call or by a setting', async () => {
      const { slideId } = await owner.ask('slide:open', { path: sample })
      const ended = owner.next('run:end')
      const region = { x: 0, y: 0, width: 300, height: 300 }
      const { runId } = await owner.ask('run:start', { slideId, region, recipe: { ...recipe, name: 'x' }, purpose: 'run' })
      expect((await ended).status).toMatchObject({ runId, state: 'done' })
      for (const directory of [join(folder, '.config'), join(folder, '.config/autostart/new'), '/tmp', `${folder}-beside`]) {
        const refused = { ok: false, error: { code: 'INVALID_PARAMETER' } }
        expect(await owner.call('export:start', { runId, directory, files: ['run.json'] })).toMatchObject(refused)
        expect(await owner.call('settings:set', { exportDirectory: directory })).toMatchObject(refused)
      }
      expect(await readdir(join(folder, '.config'))).toEqual(['autostart'])
      await owner.ask('export:start', { runId, directory: join(folder, 'out'), files: ['run.json'] })
      expect(await readdir(join(folder, 'out'))).toEqual(['run.json'])
    })
  })

  it('reaches nothing beyond the roots by any call of the contract', async () => {
    const beyond = await mkdtemp(join(tmpdir(), 'morphoscope-beyond-'))
    try {
      await writeFile(join(beyond, 'a.json'), '{}')
      for (const [name, argument] of Object.entries(pathArguments) as [CallName, (path: string) => never][])
        for (const path of [beyond, join(beyond, 'a.json'), join(beyond, 'new'), join(folder, '..', 'a.json')])
          expect([name, path, await owner.call(name, argument(path))]).toMatchObject([
            name,
            path,
            { error: { message: expect.stringMatching(/^expected a path below|^A browser cannot open/) as string } },
          ])
      expect(await readdir(beyond)).toEqual(['a.json'])
    } finally {
      await rm(beyond, { recursive: true })
    }
  })

  it('takes its address once, and prints another when asked', async () => {
    expect((await fetch(server.url)).status).toBe(401)
    const printed = () => server.said().match(/^Morphoscope is at \S+$/gm) ?? []
    expect(printed()).toHaveLength(1)
    server.child.kill('SIGUSR2')
    await vi.waitFor(() => expect(printed()).toHaveLength(2))
    const url = printed()[1]!.split(' ').at(-1)!
    const key = await keyOf(url)
    expect(key).not.toBe(server.key)
    for (const each of [key, server.key])
      expect((await fetch(`${server.origin}/key`, { headers: { Authorization: `Bearer ${each}` } })).status).toBe(200)
    expect((await fetch(url)).status).toBe(401)
  })

  it('serves its owner while hundreds without a key hold on to their sockets', async () => {
    await owner.ask('slide:open', { path: sample })
    const { port, hostname } = new URL(server.origin)
    const strangers: Socket[] = []
    const upgrade = `GET /ws HTTP/1.1\r\nHost: ${hostname}:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`
    const openings = [
      upgrade,
      '',
      'GET / HTTP/1.1\r\n',
      `GET /tile/slide/s1-000000/0/0_0 HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`,
    ]
    for (let i = 0; i < 600; i++) {
      // Half open: the refused ones never close their end.
      const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
      socket.on('error', () => undefined)
      socket.write(openings[i < 520 ? 0 : i % openings.length]!)
      strangers.push(socket)
    }
    try {
      // Answered or dropped, and none of them gone from its own side.
      const told = (socket: Socket) =>
        new Promise((resolve) => ['data', 'end', 'close'].map((event) => socket.once(event, resolve)))
      await Promise.all(strangers.slice(0, 520).map(told))
      // The socket that is open, a new one, a page, a tile.
      expect(await owner.ask('recent:list', null)).toHaveLength(1)
      const second = await server.client()
      expect(await second.ask('settings:get', null)).toHaveProperty('threads')
      second.close()
      const { slideId } = await owner.ask('slide:open', { path: sample })
      const [page, tile] = await Promise.all([fetch(server.origin), server.tile(`/tile/slide/${slideId}/0/0_0`)])
      expect([page.status, tile.status]).toEqual([200, 200])
    } finally {
      for (const socket of strangers) socket.destroy()
    }
  })
})
