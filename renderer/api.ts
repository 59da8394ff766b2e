// The renderer's only door out: Electron's bridge where preload gave one, else a WebSocket to the server that sent this page.
import {
  AppEvent,
  maxCallBytes,
  traitsOf,
  type Bridge,
  type CallArg,
  type CallName,
  type CallValue,
  type Result,
} from '../app/contract'
import { Waiting } from '../app/requests'
import { words } from './words'
import { answerHeard, eventHeard } from './words/heard'

declare global {
  interface Window {
    /** Set by Electron's preload. */
    morphoscope?: Bridge
  }
}

export type Connection = 'connecting' | 'online' | 'offline'

export interface Api {
  /** Aborted: the answer is CANCELLED at once, and the work behind it is stopped where it can be. */
  call<N extends CallName>(name: N, arg: CallArg<N>, signal?: AbortSignal): Promise<Result<CallValue<N>>>
  onEvent(listener: (event: AppEvent) => void): () => void
  onConnection(listener: (connection: Connection) => void): () => void
  tileUrl(path: string): string
  pathOfFile(file: File): string | null
}

export const firstRetryMs = 250
export const longestRetryMs = 8000
export const nextRetryMs = (ms: number): number => Math.min(ms * 2, longestRetryMs)

const lost = (message: string): Result<never> => ({ ok: false, error: { code: 'ENGINE_LOST', message } })

/** Of a call that changes nothing more when it is asked again, and of any other. */
const noAnswer = lost(words.connection.lostBeforeAnswer)
const maybeDone = lost(words.connection.lostMaybeDone)

const takenBack: Result<never> = { ok: false, error: { code: 'CANCELLED', message: words.connection.takenBack } }

export function apiOfBridge(bridge: Bridge): Api {
  const waiting = new Waiting<Result<unknown>>()
  return {
    call<N extends CallName>(name: N, arg: CallArg<N>, signal?: AbortSignal): Promise<Result<CallValue<N>>> {
      if (signal?.aborted) return Promise.resolve(takenBack)
      return new Promise((resolve) => {
        const aborted = (id: number): void => {
          bridge.cancel(id)
          waiting.settle(id, takenBack)
        }
        const id = waiting.add(resolve as Settle, signal && { signal, aborted })
        bridge.call(name, arg, id).then(
          (result) => waiting.settle(id, answerHeard(name, result)),
          // The bridge promises never to throw; a broken channel still may.
          (error: unknown) => {
            const message = words.connection.callFailed(name, String(error))
            waiting.settle(id, { ok: false, error: { code: 'INTERNAL', message } })
          },
        )
      })
    },
    onEvent: (listener) => bridge.onEvent((event) => listener(eventHeard(event))),
    onConnection(listener) {
      listener('online')
      return () => undefined
    },
    tileUrl: (path) => bridge.tileOrigin + path,
    pathOfFile: (file) => bridge.pathOfFile(file),
  }
}

const tooLarge = (name: string): Result<never> => ({
  ok: false,
  error: {
    code: 'INVALID_PARAMETER',
    message: words.connection.callTooLarge(name, maxCallBytes / 2 ** 20),
  },
})

/** In UTF-8: a unit of a text takes three bytes at most. */
const isTooLarge = (text: string): boolean =>
  3 * text.length > maxCallBytes && new TextEncoder().encode(text).length > maxCallBytes

type Settle = (result: Result<unknown>) => void

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
  private retryMs = firstRetryMs
  private readonly waiting = new Waiting<Result<unknown>>()
  /** Of what waits. */
  private readonly names = new Map<number, CallName>()
  /** Calls made before the first connection wait for it instead of failing: the page's own start is no loss. */
  private readonly early = new Map<number, string>()
  private readonly listeners = new Set<(event: AppEvent) => void>()
  private readonly connectionListeners = new Set<(connection: Connection) => void>()

  constructor(
    private readonly open: () => Socket,
    private readonly later: (action: () => void, ms: number) => void = (action, ms) => void setTimeout(action, ms),
    /** What shows the server that this page may ask, or ''. */
    private readonly key: () => string = () => '',
  ) {
    this.connect()
  }

  call<N extends CallName>(name: N, arg: CallArg<N>, signal?: AbortSignal): Promise<Result<CallValue<N>>> {
    if (signal?.aborted) return Promise.resolve(takenBack)
    if (this.connection === 'offline') {
      return Promise.resolve(lost(words.connection.lost))
    }
    return new Promise((resolve) => {
      const aborted = (taken: number): void => {
        if (!this.early.delete(taken)) this.socket?.send(JSON.stringify({ cancel: taken }))
        this.waiting.settle(taken, takenBack)
      }
      // The server checked the value's shape when it made it; here it is only handed on.
      const settle = (result: Result<unknown>): void => {
        this.names.delete(id)
        ;(resolve as Settle)(result === noAnswer && !traitsOf(name).idempotent ? maybeDone : result)
      }
      const id = this.waiting.add(settle, signal && { signal, aborted })
      this.names.set(id, name)
      const text = JSON.stringify({ id, name, arg })
      // The server would end the connection, and with it every call that is under way.
      if (isTooLarge(text)) return this.waiting.settle(id, tooLarge(name))
      if (this.connection === 'online' && this.socket) this.socket.send(text)
      else this.early.set(id, text)
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
    const key = this.key()
    return key === '' ? path : `${path}?key=${encodeURIComponent(key)}`
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
      const texts = [...this.early.values()]
      this.early.clear()
      for (const text of texts) socket.send(text)
    }
    socket.onmessage = ({ data }) => this.receive(data)
    socket.onclose = () => {
      if (this.socket !== socket) return
      this.socket = null
      // What had not been sent was not done, whatever it was.
      for (const early of this.early.keys()) this.waiting.settle(early, lost(words.connection.lost))
      this.early.clear()
      this.setConnection('offline')
      this.waiting.settleAll(noAnswer)
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
      const name = this.names.get(frame.id)
      if (name !== undefined) this.waiting.settle(frame.id, answerHeard(name, frame.result as Result<unknown>))
      return
    }
    if ('event' in frame) {
      const event = AppEvent.safeParse(frame.event)
      if (event.success) for (const listener of this.listeners) listener(eventHeard(event.data))
    }
  }

  private setConnection(connection: Connection): void {
    this.connection = connection
    for (const listener of this.connectionListeners) listener(connection)
  }
}

/** Stored by the server's first page (app/serve/entryPage.ts) for this origin, which its port is part of. Not a cookie: those know no ports. */
const keyItem = 'morphoscope-key'
const storedKey = (): string => window.localStorage.getItem(keyItem) ?? ''

/** Another server has this port now, or nobody ever came in here: the server's own page says what to do. */
async function leaveIfRefused(): Promise<void> {
  const answer = await fetch('/key', { headers: { Authorization: `Bearer ${storedKey()}` } })
  if (answer.status !== 401) return
  window.localStorage.removeItem(keyItem)
  window.location.replace('/?token=')
}

function webSocket(): Socket {
  const url = new URL('/ws', window.location.href)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  // A browser gives a socket no headers: the key goes as one of the protocols that are offered.
  const socket = new WebSocket(url, ['morphoscope', `key.${storedKey()}`])
  let opened = false
  const wrapped: Socket = {
    send: (text) => socket.send(text),
    close: () => socket.close(),
    onopen: null,
    onmessage: null,
    onclose: null,
  }
  socket.onopen = () => {
    opened = true
    wrapped.onopen?.()
  }
  socket.onmessage = (message: MessageEvent<unknown>) => wrapped.onmessage?.({ data: message.data })
  socket.onclose = () => {
    // Why a socket did not open is not told; no server at all is no refusal.
    if (!opened) void leaveIfRefused().catch(() => undefined)
    wrapped.onclose?.()
  }
  return wrapped
}

let current: Api | null = null
/** The one door, made at the first use. */
export function api(): Api {
  current ??= window.morphoscope ? apiOfBridge(window.morphoscope) : new SocketApi(webSocket, undefined, storedKey)
  return current
}
/** A file that was built with the page. */
export async function ownFile(name: string): Promise<unknown> {
  const answer = await fetch(name)
  if (!answer.ok) throw new Error(`The server answered ${answer.status} for ${name}`)
  return answer.json()
}
/** For tests only: another door. */
export function setApi(other: Api | null): void {
  current = other
}
