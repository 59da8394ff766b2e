// One browser's WebSocket: frames of app/serve/README.md in and out, with limits on size, number and what may wait.
import type { WebSocket } from 'ws'
import * as z from 'zod'
import type { AppEvent, Result } from '../contract'
import { Answering } from '../requests'

export const maxFrameBytes = 1024 * 1024
const maxInFlight = 256
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

  function send(value: unknown): void {
    if (socket.readyState !== socket.OPEN) return
    if (socket.bufferedAmount > maxWaitingBytes) {
      socket.close(CloseCode.tryLater, 'reads too slowly')
      // A client that does not read does not answer a close either.
      setTimeout(() => socket.terminate(), 2000).unref()
      return
    }
    socket.send(JSON.stringify(value))
  }

  socket.on('message', (data: Buffer, isBinary: boolean) => {
    const frame = isBinary ? null : parseFrame(data.toString('utf8'))
    if (frame === null) return socket.close(CloseCode.policy, 'expected {"id", "name", "arg"} or {"cancel"}')
    // What was answered meanwhile cannot be taken back.
    if ('cancel' in frame) return answering.cancel(frame.cancel)
    const { id, name, arg } = frame
    if (answering.has(id)) return socket.close(CloseCode.policy, `call ${id} is in flight`)
    if (answering.size >= maxInFlight) return socket.close(CloseCode.tryLater, `more than ${maxInFlight} calls in flight`)
    void handle(name, arg, answering.begin(id)).then((result) => {
      answering.end(id)
      send({ id, result })
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

function parseFrame(text: string): z.infer<typeof Frame> | null {
  try {
    return Frame.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}
