// What the contract says of each call's argument: whole by its types (a call without it does not compile), and what is made of it.
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { calls, callTraits, filePath, pathsOf, traitsOf, withPaths } from '../../../app/contract'
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
})

it('no argument names a file or a folder as a plain text', () => {
  const found: string[] = []
  const look = (schema: unknown, way: string, name: CallName): void => {
    if (typeof schema !== 'object' || schema === null) return
    const { properties = {}, items, anyOf = [], prefixItems = [] } = schema as {
      properties?: Record<string, { type?: string }>
      items?: unknown
      anyOf?: unknown[]
      prefixItems?: unknown[]
    } // oxfmt-ignore
    for (const [field, held] of Object.entries(properties)) {
      const here = way === '' ? field : `${way}.${field}`
      if (held.type === 'string' && /path|file|folder|directory/i.test(field) && traitsOf(name).paths?.[here] === undefined)
        found.push(`${name}: ${here}`)
      look(held, here, name)
    }
    look(items, `${way}[]`, name)
    for (const each of [...anyOf, ...prefixItems]) look(each, way, name)
  }
  for (const name of names) look(z.toJSONSchema(calls[name].arg, { io: 'input', unrepresentable: 'any' }), '', name)
  expect(found).toEqual([])
  // It would be found: that of a call without its description.
  expect(Object.keys(callTraits['export:start'].paths)).toEqual(['directory'])
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
