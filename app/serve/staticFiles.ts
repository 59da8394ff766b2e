// The renderer's built files over HTTP, none but those, with the headers that keep a page to itself.
import { readFile, realpath } from 'node:fs/promises'
import { extname, join, resolve, sep } from 'node:path'
import { contentTypes } from '../host/contentTypes'

/** `host`: what the browser calls this server; its WebSocket is named for browsers that do not count it as 'self'. */
export function secureHeaders(host: string, scriptSource = "'self'"): Record<string, string> {
  return {
    'Content-Security-Policy': [
      "default-src 'none'",
      `script-src ${scriptSource}`,
      // Mantine writes style elements and attributes; scripts come from files alone.
      "style-src 'self' 'unsafe-inline'",
      "img-src 'self' blob: data:",
      "font-src 'self'",
      `connect-src 'self' blob: ws://${host}`,
      "worker-src 'self' blob:",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
  }
}

export interface StaticFile {
  body: Uint8Array
  headers: Record<string, string>
}

/** The file that a URL's path names below `root`, or null. */
export async function staticFile(root: string, pathname: string): Promise<StaticFile | null> {
  let name: string
  try {
    name = decodeURIComponent(pathname)
  } catch {
    return null
  }
  if (/[\0\\]/.test(name)) return null
  const path = resolve(join(root, name.endsWith('/') ? `${name}index.html` : name))
  const contentType = contentTypes[extname(path).toLowerCase()]
  if (contentType === undefined) return null
  try {
    const base = await realpath(root)
    const real = await realpath(path)
    if (!real.startsWith(base + sep)) return null
    // The bundler puts a hash into the names below assets/.
    const hashed = name.startsWith('/assets/')
    return {
      body: await readFile(real),
      headers: { 'Content-Type': contentType, 'Cache-Control': hashed ? 'public, max-age=31536000, immutable' : 'no-cache' },
    }
  } catch {
    return null
  }
}
