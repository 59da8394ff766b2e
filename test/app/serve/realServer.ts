// `morphoscope serve` as it is built, in a process of its own, for tests: its address, its key, and a client of its WebSocket.
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { WebSocket } from 'ws'
import type { AppEvent, CallArg, CallName, CallValue, Result } from '../../../app/contract'
import { Waiting } from '../../../app/requests'

export const root = fileURLToPath(new URL('../../../', import.meta.url))
export const sample = join(root, 'assets/samples/CMU-1-Small-Region.svs')
export const isBuilt = ['cli.mjs', 'engine.mjs', 'renderer/index.html'].every((file) => existsSync(join(root, 'dist', file)))

const gone = { ok: false, error: { code: 'ENGINE_LOST', message: 'the socket closed' } } as const

/** A page's end of the socket, without a page. */
export class Client {
  readonly events: AppEvent[] = []
  readonly #waiting = new Waiting<Result<unknown>>()
  readonly #listeners = new Set<(event: AppEvent) => void>()
  readonly socket: WebSocket
  /** The code with which it was closed. */
  readonly closed: Promise<number>

  constructor(origin: string, key: string) {
    this.socket = new WebSocket(`${origin.replace('http', 'ws')}/ws`, ['morphoscope', `key.${key}`], {
      headers: { Origin: origin },
      perMessageDeflate: false,
    })
    this.closed = new Promise((resolve) => this.socket.on('close', resolve))
    this.socket.on('error', () => undefined)
    this.socket.on('message', (data: Buffer) => {
      const frame = JSON.parse(data.toString()) as { id?: number; result?: Result<unknown>; event?: AppEvent }
      if (frame.id !== undefined) this.#waiting.settle(frame.id, frame.result!)
      if (!frame.event) return
      this.events.push(frame.event)
      for (const listener of this.#listeners) listener(frame.event)
    })
    this.socket.on('close', () => this.#waiting.settleAll(gone))
  }

  opened(): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.socket.readyState === WebSocket.OPEN) return resolve()
      this.socket.once('open', () => resolve())
      this.socket.once('error', reject)
    })
  }

  call<N extends CallName>(name: N, arg: CallArg<N>): Promise<Result<CallValue<N>>> {
    // What is asked of a socket that was closed has no answer: a test would wait for ever.
    if (this.socket.readyState !== WebSocket.OPEN) return Promise.resolve(gone)
    return new Promise((resolve) => {
      const id = this.#waiting.add(resolve as (result: Result<unknown>) => void)
      this.socket.send(JSON.stringify({ id, name, arg }))
    })
  }

  /** The value, or the error thrown. */
  async ask<N extends CallName>(name: N, arg: CallArg<N>): Promise<CallValue<N>> {
    const result = await this.call(name, arg)
    if (result.ok) return result.value
    throw new Error(`${name}: ${result.error.code}: ${result.error.message}`)
  }

  /** The first event from now on that is as asked. */
  next<T extends AppEvent['type']>(
    type: T,
    such: (event: Extract<AppEvent, { type: T }>) => boolean = () => true,
  ): Promise<Extract<AppEvent, { type: T }>> {
    return new Promise((resolve) => {
      const listener = (event: AppEvent): void => {
        const found = event as Extract<AppEvent, { type: T }>
        if (event.type !== type || !such(found)) return
        this.#listeners.delete(listener)
        resolve(found)
      }
      this.#listeners.add(listener)
    })
  }

  close(): void {
    this.socket.close()
  }
}

export interface RealServer {
  readonly child: ChildProcess
  readonly url: string
  readonly origin: string
  readonly key: string
  readonly client: () => Promise<Client>
  readonly tile: (path: string) => Promise<Response>
  readonly said: () => string
  /** Processes of the engine, while there are any (Linux). */
  readonly engines: () => number[]
  /** Its exit code. */
  readonly close: () => Promise<number | null>
}

/** Changes the address's token for a key, as the first page does. */
export async function keyOf(url: string): Promise<string> {
  const html = await (await fetch(url)).text()
  const key = /setItem\('morphoscope-key', "([^"]+)"\)/.exec(html)?.[1]
  if (key === undefined) throw new Error(`there is no key behind ${url}: ${html}`)
  return key
}

/** Children whose command line holds `text` (Linux). */
export function childrenOf(pid: number, text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((each) => {
      try {
        const parent = Number(/\) \S (\d+) /.exec(readFileSync(`/proc/${each}/stat`, 'utf8'))?.[1])
        return parent === pid && readFileSync(`/proc/${each}/cmdline`, 'utf8').includes(text)
      } catch {
        return false
      }
    })
}

/** `folder`: its home, settings and only root beside `roots`. */
export async function startServer(folder: string, roots: string[] = [], args: string[] = []): Promise<RealServer> {
  const config = join(folder, '.home')
  mkdirSync(config, { recursive: true })
  const rootArgs = [folder, ...roots].flatMap((each) => ['--root', each])
  const child = spawn(process.execPath, [join(root, 'dist/cli.mjs'), 'serve', ...rootArgs, ...args], {
    cwd: folder,
    env: { ...process.env, HOME: config, XDG_CONFIG_HOME: config, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  const url = await new Promise<string>((resolve, reject) => {
    const take = (chunk: unknown): void => {
      text += String(chunk)
      const found = /^Morphoscope is at (\S+)$/m.exec(text)?.[1]
      if (found) resolve(found)
    }
    child.stdout.on('data', take)
    child.stderr.on('data', take)
    child.on('exit', (code) => reject(new Error(`serve ended with ${code}: ${text}`)))
  })
  const { origin } = new URL(url)
  const key = await keyOf(url)
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve))
  return {
    child,
    url,
    origin,
    key,
    client: async () => {
      const client = new Client(origin, key)
      await client.opened()
      return client
    },
    tile: (path) => fetch(`${origin}${path}?key=${key}`),
    said: () => text,
    engines: () => childrenOf(child.pid!, 'engine.mjs'),
    close: () => {
      child.kill('SIGTERM')
      return ended
    },
  }
}
