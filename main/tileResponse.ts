// What a tile request is answered with, under Electron's protocol and HTTP alike.
import type { Encoded } from './base/encoded'

export interface TileResponse {
  status: number
  headers: Record<string, string>
  body: Uint8Array<ArrayBuffer>
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

/** A header takes ASCII alone, on one line; half of a pair, left by the cut, has no encoding. */
function headerText(text: string): string {
  return encodeURIComponent(text.slice(0, 400).replaceAll(/[\ud800-\udfff]/gu, ''))
}
