// Connections that have shown no key: bounded in number and time, so that they never take the place of one that has.
import type { Server } from 'node:http'
import type { Socket } from 'node:net'

export interface ConnectionLimits {
  /** Above this the one that has waited longest goes. */
  most: number
  /** What has shown no key by then goes. A page's own files need none, and take no time. */
  withinMs: number
}

export const connectionLimits: ConnectionLimits = { most: 128, withinMs: 15_000 }

export class UnauthenticatedConnections {
  /** In the order in which they came. */
  readonly #strangers = new Map<Socket, NodeJS.Timeout>()

  constructor(
    server: Server,
    private readonly limits: ConnectionLimits = connectionLimits,
  ) {
    server.on('connection', (socket) => this.#came(socket))
  }

  get size(): number {
    return this.#strangers.size
  }

  /** It has shown a key. */
  authenticated(socket: Socket): void {
    clearTimeout(this.#strangers.get(socket))
    this.#strangers.delete(socket)
  }

  #came(socket: Socket): void {
    const timer = setTimeout(() => socket.destroy(), this.limits.withinMs)
    timer.unref()
    this.#strangers.set(socket, timer)
    socket.once('close', () => this.authenticated(socket))
    for (const oldest of this.#strangers.keys()) {
      if (this.#strangers.size <= this.limits.most) return
      this.authenticated(oldest)
      oldest.destroy()
    }
  }
}
