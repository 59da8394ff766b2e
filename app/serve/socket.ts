// One browser's WebSocket: frames of app/serve/README.md in and out, with limits on size, number and what may wait.
import type { WebSocket } from 'ws'
import * as z from 'zod'
import { maxCallBytes } from '../contract'
import type { AppEvent, Result } from '../contract'
import { Answering } from '../requests'

const maxInFlight = 256
/** Larger calls (files that are imported, shapes), and larger answers (a slide of many regions), go a few at a time: so much of them is held. */
const longCallBytes = 1024 * 1024
const maxLongBytes = 2 * maxCallBytes
/** Above this, progress is left out: the next one says more. */
const dropProgressBytes = 1024 * 1024
const maxWaitingBytes = 32 * 1024 * 1024

const id = z.number().int().min(0)
const Frame = z.union([
  z.strictObject({ id, name: z.string().max(64), arg: z.unknown().optional() }),
  /** Takes call `cancel` back: it is answered all the same, as soon as its work has stopped. */
  z.strictObject({ cancel: id }),
])

export const CloseCode = { policy: 1008, tooBig: 1009, tryLater: 1013, goingAway: 1001 } as const

export function attach(
  socket: WebSocket,
  handle: (name: string, arg: unknown, signal: AbortSignal) => Promise<Result<unknown>>,
): { event: (event: AppEvent) => void } {
  const answering = new Answering()
  let longBytes = 0
  /** Of long answers that were asked for and are under way: they take their time, and say nothing of how fast the client reads. */
  let longAnswers = 0

  function write(text: string, written?: () => void): void {
    if (socket.readyState !== socket.OPEN) return
    if (socket.bufferedAmount - longAnswers > maxWaitingBytes) {
      socket.close(CloseCode.tryLater, 'reads too slowly')
      // A client that does not read does not answer a close either.
      setTimeout(() => socket.terminate(), 2000).unref()
      return
    }
    socket.send(text, written)
  }
  const send = (value: unknown): void => write(JSON.stringify(value))

  function answer(id: number, name: string, result: Result<unknown>): void {
    const text = JSON.stringify({ id, result })
    if (text.length <= longCallBytes) return write(text)
    const bytes = Buffer.byteLength(text)
    if (longAnswers + bytes > maxLongBytes) return send({ id, result: tooMuch(name) })
    write(text, () => (longAnswers -= bytes))
    longAnswers += bytes
  }

  socket.on('message', (data: Buffer, isBinary: boolean) => {
    const frame = isBinary ? null : parseFrame(data.toString('utf8'))
    if (frame === null) return socket.close(CloseCode.policy, 'expected {"id", "name", "arg"} or {"cancel"}')
    // What was answered meanwhile cannot be taken back.
    if ('cancel' in frame) return answering.cancel(frame.cancel)
    const { id, name, arg } = frame
    if (answering.has(id)) return socket.close(CloseCode.policy, `call ${id} is in flight`)
    if (answering.size >= maxInFlight) return socket.close(CloseCode.tryLater, `more than ${maxInFlight} calls in flight`)
    const long = data.byteLength > longCallBytes ? data.byteLength : 0
    if (longBytes + long > maxLongBytes) return send({ id, result: tooMuch(name) })
    longBytes += long
    void handle(name, arg, answering.begin(id)).then((result) => {
      answering.end(id)
      longBytes -= long
      answer(id, name, result)
    })
  })
  // Nobody is there to hear the answers.
  socket.on('close', () => answering.cancelAll())
  // An oversized or broken frame: ws closes the socket with the right code by itself.
  socket.on('error', () => undefined)

  return {
    event: (event) => {
      if (event.type === 'run:progress' && socket.bufferedAmount > dropProgressBytes) return
      send({ event })
    },
  }
}

function tooMuch(name: string): Result<never> {
  const message = `The call ${name} is too large beside others that are not answered yet. Wait for these, and try again.`
  return { ok: false, error: { code: 'OUT_OF_MEMORY', message } }
}

function parseFrame(text: string): z.infer<typeof Frame> | null {
  try {
    return Frame.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}
