// One browser's WebSocket: frames of app/serve/README.md in and out, with limits on size, number and what may wait.
import type { WebSocket } from 'ws'
import { z } from 'zod'
import type { AppEvent, Result } from '../contract'

export const maxFrameBytes = 1024 * 1024
const maxInFlight = 256
/** Above this, progress is left out: the next one says more. */
const dropProgressBytes = 1024 * 1024
const maxWaitingBytes = 32 * 1024 * 1024

const Frame = z.strictObject({ id: z.number().int().min(0), name: z.string().max(64), arg: z.unknown().optional() })

export const CloseCode = { policy: 1008, tooBig: 1009, tryLater: 1013, goingAway: 1001 } as const

export function attach(
  socket: WebSocket,
  handle: (name: string, arg: unknown) => Promise<Result<unknown>>,
): { event: (event: AppEvent) => void } {
  const inFlight = new Set<number>()

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
    if (frame === null) return socket.close(CloseCode.policy, 'expected {"id", "name", "arg"}')
    const { id, name, arg } = frame
    if (inFlight.has(id)) return socket.close(CloseCode.policy, `call ${id} is in flight`)
    if (inFlight.size >= maxInFlight) return socket.close(CloseCode.tryLater, `more than ${maxInFlight} calls in flight`)
    inFlight.add(id)
    void handle(name, arg).then((result) => {
      inFlight.delete(id)
      send({ id, result })
    })
  })
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
