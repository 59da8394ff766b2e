// Who may come in: a token that is good once, the key that it is changed for, and the Host and Origin checks against other sites.
import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { hostname } from 'node:os'

const newSecret = (): string => randomBytes(32).toString('base64url')
/** Secrets are looked up by their digests: how long that takes says nothing about them. */
const digestOf = (secret: string): string => createHash('sha256').update(secret).digest('hex')

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}

/** 'example:80' and '[::1]:80' to the name alone, in lower case; null where it is no host. */
export function hostName(header: string): string | null {
  const match = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::\d{1,5})?$/i.exec(header)
  return match ? (match[1] ?? match[2]!).toLowerCase() : null
}

export interface Refusal {
  status: 401 | 403
  message: string
}

/** The WebSocket's subprotocol, and what stands before the key where it is offered as another one. */
export const socketProtocol = 'morphoscope'
export const keyProtocolPrefix = 'key.'
/** Tokens that were printed and not used. */
const maxTokens = 16

export const noKey: Refusal = {
  status: 401,
  message: 'Open the address that Morphoscope has printed. It works once: press Enter where Morphoscope runs for another.',
}

/**
 * No cookie: cookies know no ports, so the browser would hand one to every other server of this machine. A page keeps its key in
 * the storage of its origin, which a port is part of, and says it itself; a request that another page causes never has it.
 */
export class Door {
  readonly #host: string
  readonly #tokens = new Set<string>()
  readonly #keys = new Set<string>()

  /** `host`: the address that the server listens on. */
  constructor(host: string) {
    this.#host = host.toLowerCase()
  }

  /** Good once. Tests give their own. */
  newToken(token = newSecret()): string {
    this.#tokens.add(digestOf(token))
    for (const oldest of this.#tokens) if (this.#tokens.size > maxTokens) this.#tokens.delete(oldest)
    return token
  }

  /** The key that a token is changed for, or null where it was used before or never was one. */
  redeem(token: string): string | null {
    if (!this.#tokens.delete(digestOf(token))) return null
    const key = newSecret()
    this.#keys.add(digestOf(key))
    return key
  }

  /** Why a request is refused whatever it carries, or null. */
  refusal(request: IncomingMessage): Refusal | null {
    const { host, origin } = request.headers
    const name = host === undefined ? null : hostName(host)
    // A page of another site that has pointed its own name at this address still sends that name.
    if (name === null || !this.#isOwnName(name))
      return { status: 403, message: 'This address is not the one that Morphoscope was started with.' }
    if (origin !== undefined && origin !== `http://${host}`)
      return { status: 403, message: 'Another site may not use Morphoscope.' }
    // Pages on other ports of this machine count as the same site.
    const { 'sec-fetch-site': site, 'sec-fetch-mode': mode } = request.headers
    if ((site === 'cross-site' || site === 'same-site') && mode !== 'navigate')
      return { status: 403, message: 'Another site may not use Morphoscope.' }
    return null
  }

  hasKey(request: IncomingMessage): boolean {
    return keysOf(request).some((key) => this.#keys.has(digestOf(key)))
  }

  #isOwnName(name: string): boolean {
    if (isLoopback(this.#host)) return isLoopback(name)
    // Rebinding needs a name: a bare address cannot be pointed elsewhere.
    return isIP(name) !== 0 || name === this.#host || name === 'localhost' || name === hostname().toLowerCase()
  }
}

export function queryOf(request: IncomingMessage, name: string): string | null {
  const query = request.url?.indexOf('?') ?? -1
  return query < 0 ? null : new URLSearchParams(request.url!.slice(query)).get(name)
}

/** An image's address holds it, a socket offers it as a protocol, and a program sends it as a header. */
function keysOf(request: IncomingMessage): string[] {
  const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((each) => each.trim())
  const bearer = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1]
  return [
    queryOf(request, 'key'),
    bearer,
    ...offered.filter((each) => each.startsWith(keyProtocolPrefix)).map((each) => each.slice(keyProtocolPrefix.length)),
  ].filter((key): key is string => typeof key === 'string' && key !== '')
}
