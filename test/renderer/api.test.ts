// The door out: the WebSocket client's answers, events and reconnection.
import { describe, expect, it } from 'vitest'
import { apiOfBridge, firstRetryMs, longestRetryMs, nextRetryMs, SocketApi, type Socket } from '../../renderer/api'

const lost = { type: 'engine:lost', restarted: true, reopen: true, canRestart: false }

function setUp() {
  const sockets: (Socket & { sent: string[] })[] = []
  const later: { action: () => void; ms: number }[] = []
  const api = new SocketApi(
    () => {
      const sent: string[] = []
      const socket = {
        sent,
        send: (text: string) => void sent.push(text),
        close: () => undefined,
        onopen: null,
        onmessage: null,
        onclose: null,
      }
      sockets.push(socket)
      return socket
    },
    (action, ms) => later.push({ action, ms }),
  )
  const last = () => {
    const socket = sockets.at(-1)
    if (!socket) throw new Error('expected a socket')
    return socket
  }
  const tell = (frame: unknown) => last().onmessage?.({ data: JSON.stringify(frame) })
  return { api, sockets, later, last, tell }
}

describe('socket client', () => {
  it('holds calls until the first connection and matches answers in any order', async () => {
    const { api, last, tell } = setUp()
    const a = api.call('recent:list', undefined)
    last().onopen?.()
    const b = api.call('recipe:list', undefined)
    expect(last().sent.map((text) => JSON.parse(text) as unknown)).toEqual([
      { id: 1, name: 'recent:list' },
      { id: 2, name: 'recipe:list' },
    ])
    tell({ id: 2, result: { ok: true, value: ['b'] } })
    tell({ id: 1, result: { ok: false, error: { code: 'INTERNAL', message: 'a' } } })
    expect(await b).toEqual({ ok: true, value: ['b'] })
    expect(await a).toMatchObject({ ok: false, error: { code: 'INTERNAL' } })
  })
  it('answers ENGINE_LOST when the socket closes and while it is closed', async () => {
    const { api, last } = setUp()
    last().onopen?.()
    const waiting = api.call('recent:list', undefined)
    last().onclose?.()
    expect(await waiting).toMatchObject({ ok: false, error: { code: 'ENGINE_LOST' } })
    expect(await api.call('recent:list', undefined)).toMatchObject({ ok: false, error: { code: 'ENGINE_LOST' } })
  })
  it('says of a call without an answer whether it may have been done: by what the contract says of it', async () => {
    const { api, last } = setUp()
    const early = api.call('project:undo', undefined)
    last().onclose?.()
    expect(await early).toMatchObject({ error: { message: expect.stringMatching(/is lost\. It reconnects/) as string } })
    const second = setUp()
    second.last().onopen?.()
    const calls = [second.api.call('project:undo', undefined), second.api.call('run:list', undefined)]
    second.last().onclose?.()
    const [change, question] = await Promise.all(calls)
    expect(change).toMatchObject({
      error: { code: 'ENGINE_LOST', message: expect.stringMatching(/may have been done/) as string },
    })
    expect(question).toMatchObject({
      error: { code: 'ENGINE_LOST', message: expect.stringMatching(/before it answered\.$/) as string },
    })
  })
  it('takes a call back: the answer is CANCELLED at once, the server hears it, and a late answer meets nobody', async () => {
    const { api, last, tell } = setUp()
    const early = new AbortController()
    const first = api.call('recent:list', undefined, early.signal)
    early.abort()
    expect(await first).toMatchObject({ ok: false, error: { code: 'CANCELLED' } })
    last().onopen?.()
    // Never sent, so there is nothing to take back.
    expect(last().sent).toEqual([])
    const late = new AbortController()
    const second = api.call('recipe:list', undefined, late.signal)
    late.abort()
    expect(await second).toMatchObject({ ok: false, error: { code: 'CANCELLED' } })
    expect(last().sent.map((text) => JSON.parse(text) as unknown)).toEqual([{ id: 2, name: 'recipe:list' }, { cancel: 2 }])
    tell({ id: 2, result: { ok: true, value: [] } })
    const answered = new AbortController()
    const third = api.call('recent:list', undefined, answered.signal)
    tell({ id: 3, result: { ok: true, value: [] } })
    expect(await third).toEqual({ ok: true, value: [] })
    answered.abort()
    expect(last().sent).toHaveLength(3)
    expect(await api.call('recent:list', undefined, answered.signal)).toMatchObject({ error: { code: 'CANCELLED' } })
  })
  it('reconnects with growing waits, and starts over after a success', () => {
    const { api, last, later, sockets } = setUp()
    const states: string[] = []
    api.onConnection((state) => states.push(state))
    last().onclose?.()
    later.at(-1)?.action()
    last().onclose?.()
    expect(later.map(({ ms }) => ms)).toEqual([firstRetryMs, nextRetryMs(firstRetryMs)])
    later.at(-1)?.action()
    last().onopen?.()
    last().onclose?.()
    expect(later.at(-1)?.ms).toBe(firstRetryMs)
    expect(sockets).toHaveLength(3)
    expect(states).toEqual(['connecting', 'offline', 'offline', 'online', 'offline'])
    expect(nextRetryMs(longestRetryMs)).toBe(longestRetryMs)
  })
  it('hands on events that are well formed', () => {
    const { api, last, tell } = setUp()
    last().onopen?.()
    const events: unknown[] = []
    const off = api.onEvent((event) => events.push(event))
    tell({ event: { ...lost, message: 'x' } })
    tell({ event: { type: 'no such event' } })
    off()
    tell({ event: { ...lost, message: 'y' } })
    expect(events).toEqual([{ ...lost, message: 'x' }])
  })
})

describe('bridge', () => {
  it('takes a call back by its number', async () => {
    const heard: unknown[] = []
    const api = apiOfBridge({
      call: (name, _arg, id) => {
        heard.push([name, id])
        return new Promise(() => undefined)
      },
      cancel: (id) => heard.push(id),
      onEvent: () => () => undefined,
      tileOrigin: '',
      pathOfFile: () => null,
    })
    const controller = new AbortController()
    const answer = api.call('recent:list', undefined, controller.signal)
    controller.abort()
    expect(await answer).toMatchObject({ ok: false, error: { code: 'CANCELLED' } })
    expect(heard).toEqual([['recent:list', 1], 1])
  })
  it('turns a throwing channel into a result', async () => {
    const api = apiOfBridge({
      call: () => Promise.reject(new Error('gone')),
      cancel: () => undefined,
      onEvent: () => () => undefined,
      tileOrigin: 'morphoscope://app',
      pathOfFile: () => '/x',
    })
    expect(await api.call('recent:list', undefined)).toMatchObject({ ok: false, error: { code: 'INTERNAL' } })
    expect(api.tileUrl('/tile/a')).toBe('morphoscope://app/tile/a')
  })
})
