// Every call of the contract in a browser, with a path outside --root in each path of its argument: refused, and the engine never hears of it.
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { calls, traitsOf } from '../../../app/contract'
import type { CallName, Result } from '../../../app/contract'
import { Roots } from '../../../app/serve/roots'
import { createCallHandler } from '../../../app/serve/shellCalls'
import { pathArguments } from '../contract/pathArguments'

const arguments_ = Object.entries(pathArguments) as [CallName, (path: string) => unknown][]
const signal = new AbortController().signal
const engine = vi.fn<(name: CallName, arg: unknown) => Promise<Result<unknown>>>()
let base: string
let handle: ReturnType<typeof createCallHandler>

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'morphoscope-call-paths-'))
  for (const folder of ['root/deep', 'root/.hidden', 'outside']) await mkdir(join(base, folder), { recursive: true })
  await writeFile(join(base, 'outside/a.svs'), '')
  await writeFile(join(base, 'root/deep/a.svs'), '')
  await symlink(join(base, 'outside'), join(base, 'root/way-out'))
  handle = createCallHandler(engine, await Roots.of([join(base, 'root')]))
})
afterAll(() => rm(base, { recursive: true }))
beforeEach(() => {
  engine.mockReset()
  engine.mockImplementation(async (name, arg) => ({ ok: true, value: { name, arg } }))
})

it('a path outside', async () => {
  const outside = [
    join(base, 'outside'),
    join(base, 'outside/a.svs'),
    join(base, 'outside/new/b.svs'),
    join(base, 'root/way-out/a.svs'),
    join(base, 'root/way-out'),
    `${join(base, 'root')}/deep/../../outside/a.svs`,
    join(base, 'root/.hidden/a.svs'),
    join(base, 'root/deep/.a.svs'),
    `${base}/rooted/a.svs`,
    '~/a.svs',
    '/',
    '/dev/stdin',
    '/proc/self/environ',
  ]
  for (const [name, argument] of arguments_)
    for (const path of outside) {
      const answer = await handle(name, argument(path), signal)
      expect([name, path, answer]).toMatchObject([name, path, { ok: false }])
      const code = traitsOf(name).answeredBy === 'system' ? 'NOT_FOUND' : 'INVALID_PARAMETER'
      expect([name, path, answer]).toMatchObject([name, path, { error: { code } }])
    }
  // One of several is enough.
  const { slides, ...rest } = pathArguments['cohort:run'](join(base, 'root/deep/a.svs'))
  const mixed = { ...rest, slides: [slides[0]!, { ...slides[1]!, path: join(base, 'outside/a.svs') }] }
  expect(await handle('cohort:run', mixed, signal)).toMatchObject({ ok: false, error: { code: 'INVALID_PARAMETER' } })
  expect(engine).not.toHaveBeenCalled()
})

it('a path with NUL in it is none', async () => {
  for (const [name, argument] of arguments_)
    expect([name, await handle(name, argument(join(base, 'root/deep/a.svs\0')), signal)]).toMatchObject([name, { ok: false }])
  expect(engine).not.toHaveBeenCalled()
})

it('a path below is the real one for the engine; what is only compared stays as it was told', async () => {
  await symlink(join(base, 'root/deep'), join(base, 'root/link'))
  for (const [name, argument] of arguments_) {
    engine.mockClear()
    const answer = await handle(name, argument(join(base, 'root/link')), signal)
    const { answeredBy, paths } = traitsOf(name)
    if (answeredBy !== undefined) {
      expect([name, answer.ok, engine.mock.calls.length]).toEqual([name, answeredBy === 'files', 0])
      continue
    }
    const asked = Object.values(paths!)[0] === 'name' ? 'root/link' : 'root/deep'
    expect(engine.mock.calls[0]!.slice(0, 2)).toEqual([name, calls[name].arg.parse(argument(join(base, asked)))])
  }
})
