// The loopback server: the renderer's files, the engine's tiles and the WebSocket behind one door.
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { WebSocket } from 'ws'
import { maxCallBytes } from '../contract'
import type { AppEvent, CallName, Result } from '../contract'
import { UnauthenticatedConnections } from './unauthenticated'
import { Door, isLoopback, noKey, queryOf, socketProtocol } from './door'
import { refusalPage, welcomePage } from './entryPage'
import type { EntryPage } from './entryPage'
import type { Roots } from './roots'
import { createCallHandler } from './shellCalls'
import { attach, CloseCode } from './socket'
import { secureHeaders, staticFile } from './staticFiles'

/** What the server needs of the engine: app/host's client is one. */
export interface ServedEngine {
  call(name: CallName, arg: unknown, signal?: AbortSignal): Promise<Result<unknown>>
  tile(url: string, signal?: AbortSignal): Promise<{ status: number; headers: Record<string, string>; body: Uint8Array }>
  onEvent(listener: (event: AppEvent) => void): () => void
}
export interface ServeOptions {
  engine: ServedEngine
  roots: Roots
  /** dist/renderer. */
  rendererDirectory: string
  host: string
  /** 0 = any free one. */
  port: number
  /** Tests give their own. */
  token?: string
}
export interface RunningServer {
  /** With a token that is good once. */
  readonly url: string
  /** The same with another one. */
  newUrl(): string
  readonly port: number
  close(): Promise<void>
}

const pingEveryMs = 30_000

export async function serve({ engine, roots, rendererDirectory, host, port, token }: ServeOptions): Promise<RunningServer> {
  const door = new Door(host)
  const firstToken = door.newToken(token)
  const handle = createCallHandler((name, arg, signal) => engine.call(name, arg, signal), roots)
  const server = createServer({ requestTimeout: 30_000, headersTimeout: 10_000, maxHeaderSize: 16_384 }, (request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (!response.headersSent) reply(response, request, 500, `Something went wrong: ${String(error)}`)
      else response.destroy()
    })
  })
  const unauthenticated = new UnauthenticatedConnections(server)
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxCallBytes,
    perMessageDeflate: false,
    clientTracking: true,
    // The key is offered too, and must not be said back.
    handleProtocols: (offered) => (offered.has(socketProtocol) ? socketProtocol : false),
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = door.refusal(request)
    if (refusal) return reply(response, request, refusal.status, refusal.message)
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return reply(response, request, 405, 'Only GET is answered here.', { Allow: 'GET, HEAD' })
    const [pathname = '/'] = (request.url ?? '/').split('?', 1)
    const given = queryOf(request, 'token')
    if (given !== null) return enter(request, response, given, pathname)
    const known = door.hasKey(request)
    if (known) unauthenticated.authenticated(request.socket)
    if (pathname === '/key') return reply(response, request, known ? 200 : 401, known ? 'This key is good.' : noKey.message)
    if (pathname.startsWith('/tile/')) {
      if (!known) return reply(response, request, noKey.status, noKey.message)
      // A browser that has panned on closes the request, or its HTTP/1.1 connection.
      const gone = new AbortController()
      response.once('close', () => gone.abort())
      const { status, headers, body } = await engine.tile(pathname, gone.signal)
      if (gone.signal.aborted) return
      return send(response, request, status, headers, body)
    }
    const file = await staticFile(rendererDirectory, pathname)
    if (file === null) return reply(response, request, 404, 'There is no such page.')
    return send(response, request, 200, file.headers, file.body)
  }

  function enter(request: IncomingMessage, response: ServerResponse, token: string, pathname: string): void {
    // What a browser asks for ahead of its user, or about an address, must not use the token up.
    if (request.method === 'HEAD' || /prefetch|prerender/.test(String(request.headers['sec-purpose'] ?? '')))
      return reply(response, request, 503, 'Not ahead of time.')
    const key = door.redeem(token)
    if (key === null) return page(response, request, noKey.status, refusalPage(noKey.message, pathname))
    return page(response, request, 200, welcomePage(key, pathname))
  }

  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    stream.on('error', () => stream.destroy())
    // A browser always says where its WebSocket comes from; other programs need not.
    const refusal = door.refusal(request) ?? (door.hasKey(request) ? null : noKey)
    const isSocket = request.url?.split('?', 1)[0] === '/ws'
    if (refusal || !isSocket) {
      const { status, message } = refusal ?? { status: 404, message: 'There is no such page.' }
      stream.write(
        `HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(message)}\r\n\r\n${message}`,
      )
      // Gone once that is out: whoever was refused could otherwise hold its end open for ever.
      ;(stream as Socket).destroySoon()
      return
    }
    unauthenticated.authenticated(stream as Socket)
    sockets.handleUpgrade(request, stream, head, (socket) => sockets.emit('connection', socket, request))
  })

  const alive = new WeakSet<WebSocket>()
  sockets.on('connection', (socket: WebSocket) => {
    const client = attach(socket, handle)
    const stop = engine.onEvent(client.event)
    alive.add(socket)
    socket.on('pong', () => alive.add(socket))
    socket.on('close', stop)
  })
  // A browser that has vanished without a word keeps no connection.
  const pinger = setInterval(() => {
    for (const socket of sockets.clients) {
      if (!alive.has(socket)) socket.terminate()
      alive.delete(socket)
      socket.ping()
    }
  }, pingEveryMs)
  pinger.unref()

  await listening(server, host, port)
  const { port: actual } = server.address() as AddressInfo
  // 0.0.0.0 is no address to open; whoever is on this machine opens localhost.
  const shown = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  const urlWith = (token: string): string => `http://${shown}:${actual}/?token=${token}`
  return {
    url: urlWith(firstToken),
    newUrl: () => urlWith(door.newToken()),
    port: actual,
    close: async () => {
      clearInterval(pinger)
      for (const socket of sockets.clients) {
        socket.close(CloseCode.goingAway, 'the server closes')
        setTimeout(() => socket.terminate(), 500).unref()
      }
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeIdleConnections()
        setTimeout(() => server.closeAllConnections(), 1000).unref()
      })
    },
  }
}

/** Why a host may not be listened on without a word, or null. */
export function remoteWarning(host: string): string | null {
  if (isLoopback(host)) return null
  return `Morphoscope listens on ${host}: everybody who can reach this machine and has the address with the token can read the slides below the roots, and the traffic is not encrypted.`
}

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port }, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function send(
  response: ServerResponse,
  request: IncomingMessage,
  status: number,
  headers: Record<string, string>,
  body: Uint8Array,
): void {
  response.writeHead(status, { ...secureHeaders(request.headers.host ?? ''), ...headers, 'Content-Length': body.byteLength })
  response.end(request.method === 'HEAD' ? undefined : body)
}

function reply(
  response: ServerResponse,
  request: IncomingMessage,
  status: number,
  message: string,
  headers: Record<string, string> = {},
): void {
  // The Host of a refused request is not ours to repeat.
  response.writeHead(status, {
    ...secureHeaders('localhost'),
    'Cache-Control': 'no-store',
    ...headers,
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': Buffer.byteLength(message),
  })
  response.end(request.method === 'HEAD' ? undefined : message)
}

function page(response: ServerResponse, request: IncomingMessage, status: number, { html, scriptSource }: EntryPage): void {
  response.writeHead(status, {
    ...secureHeaders('localhost', scriptSource),
    'Cache-Control': 'no-store',
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': Buffer.byteLength(html),
  })
  response.end(request.method === 'HEAD' ? undefined : html)
}
