// An object's UUID: the same slide, resolution and pixels give the same one in every export, so that files can be joined.
import { createHash } from 'node:crypto'
import type { RunObject } from '../run/result'

/** RFC 9562 version 8 (custom), from a SHA-256. */
export function objectUuid(slideSeed: string, scale: number, object: RunObject): string {
  const hash = createHash('sha256')
  hash.update(`morphoscope-object\0${slideSeed}\0${scale}\0`)
  hash.update(new Uint8Array(object.runs.buffer, object.runs.byteOffset, object.runs.byteLength))
  const bytes = hash.digest().subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x80
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
