// morphoscope://app/: the renderer's files and the engine's tiles under one origin, so that a sandboxed page needs no other.
import { readFile } from 'node:fs/promises'
import { extname, join, resolve, sep } from 'node:path'
import type { Protocol } from 'electron'
import { host, scheme } from './origin'
import { contentTypes } from '../host/contentTypes'

/** Must be called before Electron is ready. */
export function registerScheme(protocol: Protocol): void {
  protocol.registerSchemesAsPrivileged([
    { scheme, privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } },
  ])
}

// Mantine writes style elements and attributes; scripts come from files alone.
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' blob: data:",
  "font-src 'self'",
  "connect-src 'self' blob:",
  "worker-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const secureHeaders = {
  'Content-Security-Policy': contentSecurityPolicy,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
}

function plain(status: number, message: string): Response {
  return new Response(message, { status, headers: { ...secureHeaders, 'Content-Type': 'text/plain; charset=utf-8' } })
}

/** The file below `root` that a URL's path names, or null where it leads out of it or is no path. */
export function fileBelow(root: string, pathname: string): string | null {
  let decoded: string
  try {
    decoded = decodeURIComponent(pathname)
  } catch {
    return null
  }
  if (decoded.includes('\0') || decoded.includes('\\')) return null
  const path = resolve(join(root, decoded === '/' ? 'index.html' : decoded))
  return path.startsWith(resolve(root) + sep) ? path : null
}

async function staticFile(root: string, pathname: string): Promise<Response> {
  const path = fileBelow(root, pathname)
  const contentType = path === null ? undefined : contentTypes[extname(path)]
  if (path === null || contentType === undefined) return plain(404, 'There is no such page.')
  try {
    return new Response(await readFile(path), { headers: { ...secureHeaders, 'Content-Type': contentType } })
  } catch {
    return plain(404, 'There is no such page.')
  }
}

export interface ProtocolOptions {
  /** dist/renderer. */
  rendererFolder: string
  /** Answers a tile's path: the engine's client. */
  tile: (request: Request) => Promise<Response>
}

export function createHandler({ rendererFolder, tile }: ProtocolOptions): (request: Request) => Promise<Response> {
  return async (request) => {
    const url = new URL(request.url)
    if (url.host !== host) return plain(404, 'There is no such page.')
    if (request.method !== 'GET') return plain(405, 'Only GET is answered here.')
    if (!url.pathname.startsWith('/tile/')) return staticFile(rendererFolder, url.pathname)
    try {
      return await tile(request)
    } catch (error) {
      return plain(500, String(error))
    }
  }
}
