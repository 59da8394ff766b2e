// A browser that reads too slowly: progress is left out first, then the socket is closed; nothing piles up.
import { EventEmitter } from 'node:events'
import { describe, expect, it, vi } from 'vitest'
import type { WebSocket } from 'ws'
import type { AppEvent } from '../../../app/contract'
import { attach } from '../../../app/serve/socket'

class SlowSocket extends EventEmitter {
  readonly OPEN = 1
  readyState = 1
  bufferedAmount = 0
  sent: unknown[] = []
  send = (text: string, _done?: () => void): void => void this.sent.push(JSON.parse(text))
  close = vi.fn()
  terminate = vi.fn()
}
const lost: AppEvent = { type: 'engine:lost', message: 'x', restarted: true, reopen: true, canRestart: false }
// Only its type decides what may be left out.
const progress = { type: 'run:progress' } as AppEvent

describe('a slow browser', () => {
  it('loses progress, then everything, then the connection', () => {
    vi.useFakeTimers()
    const socket = new SlowSocket()
    const { event } = attach(socket as unknown as WebSocket, async () => ({ ok: true, value: null }))
    event(progress)
    expect(socket.sent).toHaveLength(1)
    socket.bufferedAmount = 2 * 1024 * 1024
    event(progress)
    event(lost)
    expect(socket.sent).toEqual([{ event: progress }, { event: lost }])
    socket.bufferedAmount = 33 * 1024 * 1024
    event(lost)
    expect(socket.sent).toHaveLength(2)
    expect(socket.close).toHaveBeenCalledWith(1013, 'reads too slowly')
    vi.advanceTimersByTime(2000)
    expect(socket.terminate).toHaveBeenCalled()
    vi.useRealTimers()
  })
  it('has its time for a long answer that it asked for: 100,000 regions of a slide are more than may wait', async () => {
    const socket = new SlowSocket()
    const written: (() => void)[] = []
    socket.send = (text: string, done?: () => void) => {
      socket.sent.push(text.length)
      if (done) written.push(done)
    }
    const long = 'x'.repeat(44 * 1024 * 1024)
    const { event } = attach(socket as unknown as WebSocket, async () => ({ ok: true, value: long }))
    const ask = async (id: number): Promise<void> => {
      socket.emit('message', Buffer.from(JSON.stringify({ id, name: 'project:state' })), false)
      await new Promise((resolve) => setImmediate(resolve))
    }
    await ask(1)
    socket.bufferedAmount = 44 * 1024 * 1024
    event(lost)
    expect([socket.sent.length, socket.close.mock.calls]).toEqual([2, []])
    // So many of them that they would fill the memory are refused.
    for (let id = 2; id <= 8; id++) await ask(id)
    expect(socket.sent.filter((length) => Number(length) > 1024 * 1024)).toHaveLength(7)
    expect(socket.close).not.toHaveBeenCalled()
    // What waits beside them counts.
    for (const done of written) done()
    event(lost)
    expect(socket.close).toHaveBeenCalledWith(1013, 'reads too slowly')
    socket.readyState = 3
  })
  it('that closes takes its calls back, and a frame takes back one', () => {
    const socket = new SlowSocket()
    const signals: AbortSignal[] = []
    attach(socket as unknown as WebSocket, (_name, _arg, signal) => {
      signals.push(signal)
      return new Promise(() => undefined)
    })
    socket.emit('message', Buffer.from('{"id":1,"name":"app:info"}'), false)
    socket.emit('message', Buffer.from('{"id":2,"name":"app:info"}'), false)
    socket.emit('message', Buffer.from('{"cancel":2}'), false)
    socket.emit('message', Buffer.from('{"cancel":7}'), false)
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, true])
    socket.emit('close')
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true])
    expect(socket.close).not.toHaveBeenCalled()
  })
  it('gets no answer after it has gone', async () => {
    const socket = new SlowSocket()
    let answer = (): void => undefined
    attach(socket as unknown as WebSocket, () => new Promise((resolve) => (answer = () => resolve({ ok: true, value: 1 }))))
    socket.emit('message', Buffer.from('{"id":1,"name":"app:info"}'), false)
    socket.readyState = 3
    answer()
    await Promise.resolve()
    expect(socket.sent).toEqual([])
  })
})
