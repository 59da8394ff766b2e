// What a tile request is answered with, under Electron's protocol and HTTP alike.
import { createHash } from 'node:crypto'

export interface TileResponse {
  status: number
  headers: Record<string, string>
  body: Uint8Array<ArrayBuffer>
}

export interface Encoded {
  type: 'image/jpeg' | 'image/png'
  body: Uint8Array<ArrayBuffer>
  /** Parts that the file could not give: drawn hatched, and named in a header. */
  unreadable?: number
}

/** Tile URLs name everything that their bytes depend on, so a cache never has to ask again. */
export function tileFound(encoded: Encoded): TileResponse {
  return {
    status: 200,
    headers: {
      'Content-Type': encoded.type,
      'Content-Length': String(encoded.body.byteLength),
      'Cache-Control': 'private, max-age=31536000, immutable',
      ETag: `"${createHash('sha1').update(encoded.body).digest('base64url')}"`,
      'X-Content-Type-Options': 'nosniff',
      ...(encoded.unreadable ? { 'X-Morphoscope-Unreadable': String(encoded.unreadable) } : {}),
    },
    body: encoded.body,
  }
}

/** A label or macro image can show a patient's name: no cache may keep it. */
export function privateImage(encoded: Encoded): TileResponse {
  const found = tileFound(encoded)
  return { ...found, headers: { ...found.headers, 'Cache-Control': 'no-store' } }
}

export function tileFailed(status: 400 | 404 | 500, message: string): TileResponse {
  const body = new TextEncoder().encode(message)
  return {
    status,
    headers: {
      'Content-Type': 'text/plain; charset=utf-8',
      'Content-Length': String(body.byteLength),
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    },
    body,
  }
}

/** sharp hands out Node buffers that may share a pool: a response owns its bytes. */
export function ownBytes(buffer: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(buffer)
}
