// The desktop's call handler: who may call, which arguments pass, and that every answer is a Result.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { createCallHandler } from '../../../app/desktop/ipc'
import type { CallTargets } from '../../../app/desktop/ipc'
import { Grants } from '../../../app/desktop/grants'
import { WrittenFiles } from '../../../app/desktop/writtenFiles'

const page = { senderFrame: { url: 'morphoscope://app/index.html?drawer=canvas', parent: null } }

function handler(over: Partial<CallTargets> = {}) {
  const engine = vi.fn<CallTargets['engine']>(async () => ({ ok: true, value: { path: '/a.svs' } }))
  const dialogs = {
    slide: vi.fn(async () => '/slides/a.svs'),
    slides: vi.fn(async () => ['/slides/a.svs']),
    directory: vi.fn(async ({ title }: { title: string }) => `/chosen for ${title}`),
    recipe: vi.fn(async () => null),
  }
  const grants = new Grants(join(mkdtempSync(join(tmpdir(), 'grants-')), 'granted.json'))
  grants.reading('/a.svs')
  const written = new WrittenFiles({ showItemInFolder: () => undefined, openPath: async () => '' })
  return { ...createCallHandler({ engine, dialogs, grants, written, ...over }), engine, dialogs }
}

describe('who may call', () => {
  test.each([
    ['another site', { senderFrame: { url: 'https://example.org/', parent: null } }],
    ['a host that only starts like ours', { senderFrame: { url: 'morphoscope://app.example.org/index.html', parent: null } }],
    ['a file', { senderFrame: { url: 'file:///etc/passwd', parent: null } }],
    ['a frame inside our page', { senderFrame: { url: 'morphoscope://app/index.html', parent: {} } }],
    ['a frame that is gone', { senderFrame: null }],
    ['no URL at all', { senderFrame: { url: '', parent: null } }],
  ])('not %s', async (_, sender) => {
    const { call, engine } = handler()
    expect(await call(sender, 'slide:open', { path: '/a.svs' })).toMatchObject({
      ok: false,
      error: { code: 'INVALID_PARAMETER' },
    })
    expect(engine).not.toHaveBeenCalled()
  })

  test('our page', async () => {
    const { call, engine } = handler()
    expect(await call(page, 'slide:open', { path: '/a.svs' })).toEqual({ ok: true, value: { path: '/a.svs' } })
    expect(engine).toHaveBeenCalledWith('slide:open', { path: '/a.svs' }, undefined)
  })
})

describe('what may be called', () => {
  test.each([
    ['an unknown call', 'slide:delete', { path: '/a' }],
    ["an object's own names", 'constructor', {}],
    ['no string', 7, {}],
    ['a path with NUL', 'slide:open', { path: '/a\0.svs' }],
    ['a field too many', 'slide:open', { path: '/a.svs', then: 'rm' }],
    ['a wrong type', 'run:cancel', { runId: 7 }],
    ['an id of another shape', 'run:cancel', { runId: '../r1' }],
    ['nothing where something is needed', 'slide:open', undefined],
  ])('not %s', async (_, name, arg) => {
    const { call, engine } = handler()
    const answer = await call(page, name, arg)
    expect(answer).toMatchObject({ ok: false, error: { code: 'INVALID_PARAMETER' } })
    expect(engine).not.toHaveBeenCalled()
  })

  test('the message names the call and the field', async () => {
    const answer = await handler().call(page, 'run:cancel', { runId: 7 })
    expect(answer).toMatchObject({ error: { message: expect.stringMatching(/^run:cancel, runId: /) as string } })
  })
})

test('the shell answers its own calls', async () => {
  const { call, engine } = handler()
  expect(await call(page, 'dialog:slide', undefined)).toEqual({ ok: true, value: '/slides/a.svs' })
  expect(await call(page, 'dialog:directory', { title: 'Export to' })).toEqual({ ok: true, value: '/chosen for Export to' })
  expect(await call(page, 'dialog:recipe', { mode: 'save' })).toEqual({ ok: true, value: null })
  expect(await call(page, 'files:list', {})).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } })
  expect(engine).not.toHaveBeenCalled()
})

test('a failing target becomes an error of the contract, never a rejection', async () => {
  const { call } = handler({ engine: () => Promise.reject(new Error('boom')) })
  expect(await call(page, 'app:info', undefined)).toMatchObject({ ok: false, error: { code: 'INTERNAL', detail: 'Error: boom' } })
})

describe('a call taken back', () => {
  const pending = () => {
    const signals: AbortSignal[] = []
    const made = handler({
      engine: (_name, _arg, signal) => {
        signals.push(signal!)
        return new Promise(() => undefined)
      },
    })
    return { ...made, signals }
  }
  test('by its number, by the page alone, and by the end of the page', async () => {
    const { call, cancel, pageGone, signals } = pending()
    for (const id of [1, 2]) void call(page, 'recent:list', undefined, id)
    await vi.waitFor(() => expect(signals).toHaveLength(2))
    cancel({ senderFrame: null }, 1)
    cancel(page, '1')
    cancel(page, 7)
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false])
    cancel(page, 1)
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false])
    pageGone()
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true])
    // A page that was loaded again counts from 1 again.
    void call(page, 'recent:list', undefined, 1)
    await vi.waitFor(() => expect(signals).toHaveLength(3))
  })
  test.each([1, -0.5, 'x', {}])('a number that is in flight, or none: %j', async (id) => {
    const { call } = pending()
    void call(page, 'recent:list', undefined, 1)
    expect(await call(page, 'recent:list', undefined, id)).toMatchObject({ error: { code: 'INVALID_PARAMETER' } })
  })
})
