// The renderer's only door out: Electron's bridge where preload gave one, else a WebSocket to the server that sent this page.
import { AppEvent, type Bridge, type CallArg, type CallName, type CallValue, type Result } from '../app/contract'

declare global {
  interface Window {
    /** Set by Electron's preload. */
    morphoscope?: Bridge
  }
}

export type Connection = 'connecting' | 'online' | 'offline'

export interface Api {
  call<N extends CallName>(name: N, arg: CallArg<N>): Promise<Result<CallValue<N>>>
  onEvent(listener: (event: AppEvent) => void): () => void
  onConnection(listener: (connection: Connection) => void): () => void
  tileUrl(path: string): string
  pathOfFile(file: File): string | null
}

export const firstRetryMs = 250
export const longestRetryMs = 8000
export const nextRetryMs = (ms: number): number => Math.min(ms * 2, longestRetryMs)

const lost = (message: string): Result<never> => ({ ok: false, error: { code: 'ENGINE_LOST', message } })

export function apiOfBridge(bridge: Bridge): Api {
  return {
    async call(name, arg) {
      try {
        return await bridge.call(name, arg)
      } catch (error) {
        // The bridge promises never to throw; a broken channel still may.
        return { ok: false, error: { code: 'INTERNAL', message: `The call ${name} failed: ${String(error)}.` } }
      }
    },
    onEvent: (listener) => bridge.onEvent(listener),
    onConnection(listener) {
      listener('online')
      return () => undefined
    },
    tileUrl: (path) => bridge.tileOrigin + path,
    pathOfFile: (file) => bridge.pathOfFile(file),
  }
}

type Pending = (result: Result<unknown>) => void

/** The subset of WebSocket that the client needs: tests give another. */
export interface Socket {
  send(text: string): void
  close(): void
  onopen: (() => void) | null
  onmessage: ((message: { data: unknown }) => void) | null
  onclose: (() => void) | null
}

export class SocketApi implements Api {
  private socket: Socket | null = null
  private connection: Connection = 'connecting'
  private nextId = 1
  private retryMs = firstRetryMs
  private readonly pending = new Map<number, Pending>()
  /** Calls made before the first connection wait for it instead of failing: the page's own start is no loss. */
  private readonly early: string[] = []
  private readonly listeners = new Set<(event: AppEvent) => void>()
  private readonly connectionListeners = new Set<(connection: Connection) => void>()

  constructor(
    private readonly open: () => Socket,
    private readonly later: (action: () => void, ms: number) => void = (action, ms) => void setTimeout(action, ms),
  ) {
    this.connect()
  }

  call<N extends CallName>(name: N, arg: CallArg<N>): Promise<Result<CallValue<N>>> {
    if (this.connection === 'offline') {
      return Promise.resolve(
        lost(
          'The connection to the Morphoscope server is lost. It reconnects by itself; if it does not, start the server again.',
        ),
      )
    }
    const id = this.nextId++
    const text = JSON.stringify({ id, name, arg })
    return new Promise((resolve) => {
      // The server checked the value's shape when it made it; here it is only handed on.
      this.pending.set(id, resolve as Pending)
      if (this.connection === 'online' && this.socket) this.socket.send(text)
      else this.early.push(text)
    })
  }

  onEvent(listener: (event: AppEvent) => void): () => void {
    this.listeners.add(listener)
    return () => void this.listeners.delete(listener)
  }

  onConnection(listener: (connection: Connection) => void): () => void {
    this.connectionListeners.add(listener)
    listener(this.connection)
    return () => void this.connectionListeners.delete(listener)
  }

  tileUrl(path: string): string {
    return path
  }

  pathOfFile(): string | null {
    return null
  }

  private connect(): void {
    const socket = this.open()
    this.socket = socket
    socket.onopen = () => {
      this.retryMs = firstRetryMs
      this.setConnection('online')
      for (const text of this.early.splice(0)) socket.send(text)
    }
    socket.onmessage = ({ data }) => this.receive(data)
    socket.onclose = () => {
      if (this.socket !== socket) return
      this.socket = null
      this.early.length = 0
      this.setConnection('offline')
      const unanswered = [...this.pending.values()]
      this.pending.clear()
      for (const resolve of unanswered) resolve(lost('The connection to the Morphoscope server was lost before it answered.'))
      const wait = this.retryMs
      this.retryMs = nextRetryMs(wait)
      this.later(() => this.connect(), wait)
    }
  }

  private receive(data: unknown): void {
    if (typeof data !== 'string') return
    const frame: unknown = JSON.parse(data)
    if (typeof frame !== 'object' || frame === null) return
    if ('id' in frame && 'result' in frame && typeof frame.id === 'number') {
      const resolve = this.pending.get(frame.id)
      this.pending.delete(frame.id)
      resolve?.(frame.result as Result<unknown>)
      return
    }
    if ('event' in frame) {
      const event = AppEvent.safeParse(frame.event)
      if (event.success) for (const listener of this.listeners) listener(event.data)
    }
  }

  private setConnection(connection: Connection): void {
    this.connection = connection
    for (const listener of this.connectionListeners) listener(connection)
  }
}

function webSocket(): Socket {
  const url = new URL('/ws', window.location.href)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  const socket = new WebSocket(url)
  const wrapped: Socket = {
    send: (text) => socket.send(text),
    close: () => socket.close(),
    onopen: null,
    onmessage: null,
    onclose: null,
  }
  socket.onopen = () => wrapped.onopen?.()
  socket.onmessage = (message: MessageEvent<unknown>) => wrapped.onmessage?.({ data: message.data })
  socket.onclose = () => wrapped.onclose?.()
  return wrapped
}

let current: Api | null = null
/** The one door, made at the first use. */
export function api(): Api {
  current ??= window.morphoscope ? apiOfBridge(window.morphoscope) : new SocketApi(webSocket)
  return current
}
/** For tests only: another door. */
export function setApi(other: Api | null): void {
  current = other
}
