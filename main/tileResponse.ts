// What a tile request is answered with, under Electron's protocol and HTTP alike.

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
  /** Why the first of them could not be read. */
  reason?: string
  /** The time for it was up: it is not kept, as another try gets further. */
  timedOut?: boolean
  /** n: of every n × n squares of the file one was read and stands for the others; named in a header where it is more than 1. */
  sampledEvery?: number
}

/**
 * Tissue is a patient's: the page keeps what it shows in its own memory, and no browser writes it to its disk cache, where it would
 * outlive the program and be found by whoever uses the profile next.
 */
export function tileFound(encoded: Encoded): TileResponse {
  return {
    status: 200,
    headers: {
      'Content-Type': encoded.type,
      'Content-Length': String(encoded.body.byteLength),
      'Cache-Control': 'private, no-store',
      'X-Content-Type-Options': 'nosniff',
      ...(encoded.unreadable ? { 'X-Morphoscope-Unreadable': String(encoded.unreadable) } : {}),
      ...(encoded.unreadable && encoded.reason ? { 'X-Morphoscope-Reason': headerText(encoded.reason) } : {}),
      ...((encoded.sampledEvery ?? 1) > 1 ? { 'X-Morphoscope-Sampled': String(encoded.sampledEvery) } : {}),
    },
    body: encoded.body,
  }
}

/** 499: whoever asked has gone (nginx's number). */
export function tileFailed(status: 400 | 404 | 499 | 500, message: string): TileResponse {
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

/** A header takes ASCII alone, on one line; half of a pair, left by the cut, has no encoding. */
function headerText(text: string): string {
  return encodeURIComponent(text.slice(0, 400).replaceAll(/[\ud800-\udfff]/gu, ''))
}
