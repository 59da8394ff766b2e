// The loopback server: the renderer's files, the engine's tiles and the WebSocket behind one door.
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { WebSocket } from 'ws'
import type { AppEvent, CallName, Result } from '../contract'
import { Door, isLoopback, newToken } from './door'
import type { Roots } from './roots'
import { createCallHandler } from './shellCalls'
import { attach, CloseCode, maxFrameBytes } from './socket'
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
  /** With the token. */
  readonly url: string
  readonly port: number
  close(): Promise<void>
}

const pingEveryMs = 30_000

export async function serve({
  engine,
  roots,
  rendererDirectory,
  host,
  port,
  token = newToken(),
}: ServeOptions): Promise<RunningServer> {
  const door = new Door(token, host)
  const handle = createCallHandler((name, arg, signal) => engine.call(name, arg, signal), roots)
  const server = createServer({ requestTimeout: 30_000, headersTimeout: 10_000, maxHeaderSize: 16_384 }, (request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (!response.headersSent) reply(response, request, 500, `Something went wrong: ${String(error)}`)
      else response.destroy()
    })
  })
  server.maxConnections = 512
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxFrameBytes,
    perMessageDeflate: false,
    clientTracking: true,
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const entry = door.enter(request)
    if (entry.kind === 'refused') return reply(response, request, entry.status, entry.message)
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return reply(response, request, 405, 'Only GET is answered here.', { Allow: 'GET, HEAD' })
    const [pathname = '/'] = (request.url ?? '/').split('?', 1)
    if (entry.kind === 'token') {
      // The token leaves the address bar and the history; a path like //host must not lead away.
      return reply(response, request, 303, 'Go on without the token.', {
        Location: `/${pathname.replace(/^[/\\]+/, '')}`,
        'Set-Cookie': door.cookie(),
        'Cache-Control': 'no-store',
      })
    }
    if (pathname.startsWith('/tile/')) {
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

  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    stream.on('error', () => stream.destroy())
    const entry = door.enter(request)
    const isSocket = request.url?.split('?', 1)[0] === '/ws'
    // A browser always says where its WebSocket comes from; other programs need not.
    if (entry.kind === 'refused' || !isSocket) {
      const [status, text] = entry.kind === 'refused' ? [entry.status, entry.message] : [404, 'There is no such page.']
      stream.end(
        `HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
      )
      return
    }
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
  door.port = actual
  // 0.0.0.0 is no address to open; whoever is on this machine opens localhost.
  const shown = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return {
    url: `http://${shown}:${actual}/?token=${token}`,
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
