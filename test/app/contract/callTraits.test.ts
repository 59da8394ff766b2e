// What the contract says of each call's argument: whole by its types (a call without it does not compile), and what is made of it.
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import {
  calls,
  callTraits,
  filePath,
  pathsOf,
  readablePaths,
  toldPath,
  toldWithin,
  traitsOf,
  withPaths,
} from '../../../app/contract'
import type { CallName, Described, PathsIn } from '../../../app/contract'
import { pathArguments } from './pathArguments'

const names = Object.keys(calls) as CallName[]

describe('by its types', () => {
  const arg = z.strictObject({ path: filePath, beside: z.array(z.strictObject({ to: filePath.optional(), name: z.string() })) })
  const planted = { ...calls, 'slide:shred': { arg, value: z.null() } }
  type Table = Described<typeof planted>
  const traits = { cancellable: false, idempotent: false } as const

  it('a call needs a description, and in it each path and nothing else', () => {
    const found: PathsIn<z.output<typeof arg>>[] = ['path', 'beside[].to']
    expect(found).toHaveLength(2)
    // @ts-expect-error: it says nothing of the new call
    const missing: Table = { ...callTraits }
    // @ts-expect-error: nothing of its paths
    const pathless: Table = { ...callTraits, 'slide:shred': traits }
    // @ts-expect-error: nothing of one of them
    const one: Table = { ...callTraits, 'slide:shred': { ...traits, paths: { path: 'write' } } }
    // @ts-expect-error: a use that is none
    const other: Table = { ...callTraits, 'slide:shred': { ...traits, paths: { path: 'shred', 'beside[].to': 'read' } } }
    // @ts-expect-error: a path where there is none
    const tooMuch: Table = { ...callTraits, 'run:list': { ...traits, paths: { path: 'read' } } }
    // @ts-expect-error: not whether it may be asked again
    const half: Table = { ...callTraits, 'slide:shred': { cancellable: true, paths: { path: 'write', 'beside[].to': 'read' } } }
    const whole: Table = { ...callTraits, 'slide:shred': { ...traits, paths: { path: 'write', 'beside[].to': 'read' } } }
    for (const each of [missing, pathless, one, other, tooMuch, half, whole]) expect(each['run:list']).toBeDefined()
  })

  it('and each path of its answer', () => {
    const value = z.array(z.object({ slide: toldPath.nullable(), name: z.string() }))
    const told = { ...calls, 'slide:tell': { arg: z.strictObject({}), value } }
    type Told = Described<typeof told>
    const found: PathsIn<z.output<typeof value>>[] = ['[].slide']
    expect(found).toHaveLength(1)
    // @ts-expect-error: nothing of the path
    const pathless: Told = { ...callTraits, 'slide:tell': traits }
    // @ts-expect-error: not what becomes of it elsewhere
    const half: Told = { ...callTraits, 'slide:tell': { ...traits, tells: { '[].slide': { readable: true } } } }
    // @ts-expect-error: a path where there is none
    const tooMuch: Told = { ...callTraits, 'slide:tell': { ...traits, tells: { '[].name': { elsewhere: 'blank' } } } }
    const whole: Told = { ...callTraits, 'slide:tell': { ...traits, tells: { '[].slide': { elsewhere: 'blank' } } } }
    for (const each of [pathless, half, tooMuch, whole]) expect(each['run:list']).toBeDefined()
  })
})

/** Fields that are called as a file or a folder is, and are texts that the table does not name. */
function plainPaths(side: 'arg' | 'value'): string[] {
  const found: string[] = []
  const look = (schema: unknown, way: string, name: CallName): void => {
    if (typeof schema !== 'object' || schema === null) return
    const { properties = {}, items, anyOf = [], prefixItems = [] } = schema as {
      properties?: Record<string, { type?: string; anyOf?: { type?: string }[] }>
      items?: unknown
      anyOf?: unknown[]
      prefixItems?: unknown[]
    } // oxfmt-ignore
    for (const [field, held] of Object.entries(properties)) {
      const here = way === '' ? field : `${way}.${field}`
      const named = (side === 'arg' ? traitsOf(name).paths : traitsOf(name).tells)?.[here] !== undefined
      const isText = [held, ...(held.anyOf ?? [])].some(({ type }) => type === 'string')
      if (isText && /path|file|folder|directory/i.test(field) && !named) found.push(`${name}: ${here}`)
      look(held, here, name)
    }
    look(items, `${way}[]`, name)
    for (const each of [...anyOf, ...prefixItems]) look(each, way, name)
  }
  for (const name of names)
    look(z.toJSONSchema(calls[name][side], { io: side === 'arg' ? 'input' : 'output', unrepresentable: 'any' }), '', name)
  return found
}

it('no argument and no answer names a file or a folder as a plain text', () => {
  expect(plainPaths('arg')).toEqual([])
  expect(plainPaths('value')).toEqual([])
  // They would be found: those of a call without its description.
  expect(Object.keys(callTraits['export:start'].paths)).toEqual(['directory'])
  expect(Object.keys(callTraits['export:start'].tells)).toEqual(['directory', 'files[].path'])
})

describe('an answer', () => {
  it('asks of each path once, however many entries name it', async () => {
    const asked: string[] = []
    const isThere = (path: string): Promise<boolean> => Promise.resolve(asked.push(path) > 0)
    const runs = Array.from({ length: 500 }, (_, n) => ({ slidePath: `/mine/${n % 3}.svs`, n }))
    expect(await toldWithin('run:list', runs, isThere)).toEqual(runs)
    expect(asked).toEqual(['/mine/0.svs', '/mine/1.svs', '/mine/2.svs'])
  })

  it('says nothing beside a path that lies elsewhere', async () => {
    const slides = [
      { path: '/mine/a', missing: false, why: 'failed' },
      { path: '/other/b', missing: false, why: '/other/b cannot be read' },
    ]
    expect(await toldWithin('project:slides', slides, (path) => Promise.resolve(path === '/mine/a'))).toEqual([
      slides[0],
      { path: '', missing: true, why: null },
    ])
  })

  const below = (path: string): Promise<boolean> => Promise.resolve(path.startsWith('/mine/'))

  it('loses the entries, or the names, of what lies elsewhere', async () => {
    const start = {
      slides: [{ path: '/mine/a' }, { path: '/other/b' }],
      projects: [{ path: '/other/p' }],
      unnamed: [
        { id: '1', slides: [{ path: '/mine/a' }, { path: '/mine/c' }] },
        { id: '2', slides: [{ path: '/mine/a' }, { path: '/other/b' }] },
        { id: '3', slides: [] },
        // Nobody knows where its slides lie.
        { id: '4', slides: null },
      ],
    }
    expect(await toldWithin('start:list', start, below)).toEqual({
      slides: [{ path: '/mine/a' }],
      projects: [],
      unnamed: [start.unnamed[0], start.unnamed[2]],
    })
    expect(
      await toldWithin('journal:list', [{ slidePath: '/mine/a' }, { slidePath: '/other/b' }, { slidePath: null }], below),
    ).toEqual([{ slidePath: '/mine/a' }])
    expect(await toldWithin('run:list', [{ slidePath: '/other/b', n: 1 }], below)).toEqual([{ slidePath: '', n: 1 }])
    expect(await toldWithin('project:addFile', { key: 'k', knownAs: { name: 'b', path: '/other/b' } }, below)).toEqual({
      key: 'k',
      knownAs: { name: 'b', path: '' },
    })
    expect(await toldWithin('project:add', { key: 'k' }, below)).toEqual({ key: 'k' })
    expect(await toldWithin('slide:open', { path: '/other/b' }, below)).toEqual({ path: '/other/b' })
  })

  it('says which slides may be named next', () => {
    expect(readablePaths('slide:open', { path: '/a' })).toEqual(['/a'])
    expect(readablePaths('app:info', { initialSlide: null, sampleSlide: '/s' })).toEqual(['/s'])
    expect(readablePaths('start:list', { slides: [{ path: '/a' }], projects: [{ path: '/p' }], unnamed: [] })).toEqual(['/a'])
    expect(readablePaths('export:start', { directory: '/out', files: [{ path: '/out/run.json' }] })).toEqual([])
    expect(readablePaths('run:list', [{ slidePath: '/a' }])).toEqual([])
  })
})

it('each path of an argument is found and can be changed, and nothing else changes', async () => {
  for (const [name, argument] of Object.entries(pathArguments) as [CallName, (path: string) => unknown][]) {
    const arg = calls[name].arg.parse(argument('/a/b'))
    const found = pathsOf(name, arg)
    expect([name, found.length]).toEqual([name, name === 'cohort:run' ? 2 : 1])
    expect(new Set(found.map(({ path }) => path))).toEqual(new Set(['/a/b']))
    expect(await withPaths(name, arg, async ({ path }) => `${path}/c`)).toEqual(argument('/a/b/c'))
  }
  const withPath = new Set<string>(Object.keys(pathArguments))
  for (const name of names) if (!withPath.has(name)) expect([name, traitsOf(name).paths]).toEqual([name, undefined])
  expect(pathsOf('settings:set', { threads: 2 })).toEqual([])
  expect(pathsOf('settings:set', { exportDirectory: '' })).toEqual([])
  const slides = [{ key: '1', path: '/a' }, { key: '2', path: '/b' }] // oxfmt-ignore
  expect(await withPaths('cohort:run', { slides, again: true }, async ({ path }) => path + path)).toEqual({
    slides: [{ key: '1', path: '/a/a' }, { key: '2', path: '/b/b' }], // oxfmt-ignore
    again: true,
  })
  await expect(withPaths('slide:open', { path: '/a' }, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
})
