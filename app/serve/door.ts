// Who may come in: the token, the cookie that stands for it, and the Host and Origin checks against other sites and DNS rebinding.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { hostname } from 'node:os'

export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** Takes the same time wherever the two differ, and whatever their lengths. */
function sameSecret(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}

/** 'example:80' and '[::1]:80' to the name alone, in lower case; null where it is no host. */
export function hostName(header: string): string | null {
  const match = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::\d{1,5})?$/i.exec(header)
  return match ? (match[1] ?? match[2]!).toLowerCase() : null
}

export type Entry =
  | { kind: 'in' }
  /** With the token in the URL: set the cookie. */
  | { kind: 'token' }
  | { kind: 'refused'; status: 401 | 403; message: string }

export class Door {
  readonly #token: string
  readonly #host: string
  #cookieName = 'morphoscope'

  /** `host`: the address that the server listens on. */
  constructor(token: string, host: string) {
    this.#token = token
    this.#host = host.toLowerCase()
  }

  /** Cookies do not know ports: two servers of one machine need two names. */
  set port(port: number) {
    this.#cookieName = `morphoscope-${port}`
  }

  cookie(): string {
    return `${this.#cookieName}=${this.#token}; Path=/; HttpOnly; SameSite=Strict`
  }

  enter(request: IncomingMessage): Entry {
    const { host, origin, cookie } = request.headers
    const name = host === undefined ? null : hostName(host)
    // A page of another site that has pointed its own name at this address still sends that name.
    if (name === null || !this.#isOwnName(name)) {
      return { kind: 'refused', status: 403, message: 'This address is not the one that Morphoscope was started with.' }
    }
    if (origin !== undefined && origin !== `http://${host}`) {
      return { kind: 'refused', status: 403, message: 'Another site may not use Morphoscope.' }
    }
    // Pages on other ports of this machine count as the same site: they get the cookie, but not past here.
    const { 'sec-fetch-site': site, 'sec-fetch-mode': mode } = request.headers
    if ((site === 'cross-site' || site === 'same-site') && mode !== 'navigate') {
      return { kind: 'refused', status: 403, message: 'Another site may not use Morphoscope.' }
    }
    const given = tokenOf(request)
    if (given !== null && sameSecret(given, this.#token)) return { kind: 'token' }
    if (given === null && cookiesNamed(this.#cookieName, cookie).some((value) => sameSecret(value, this.#token)))
      return { kind: 'in' }
    return { kind: 'refused', status: 401, message: 'Open the address that Morphoscope has printed: it ends with ?token=…' }
  }

  #isOwnName(name: string): boolean {
    if (isLoopback(this.#host)) return isLoopback(name)
    // Rebinding needs a name: a bare address cannot be pointed elsewhere.
    return isIP(name) !== 0 || name === this.#host || name === 'localhost' || name === hostname().toLowerCase()
  }
}

function tokenOf(request: IncomingMessage): string | null {
  const query = request.url?.indexOf('?') ?? -1
  return query < 0 ? null : new URLSearchParams(request.url!.slice(query)).get('token')
}

function cookiesNamed(name: string, header: string | undefined): string[] {
  const values: string[] = []
  for (const part of header?.split(';') ?? []) {
    const equals = part.indexOf('=')
    if (equals > 0 && part.slice(0, equals).trim() === name) values.push(part.slice(equals + 1).trim())
  }
  return values
}
