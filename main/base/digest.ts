// A short name for a value: equal values have equal names, in this process and in the next.
import { createHash } from 'node:crypto'

/** Of what JSON can write. */
export function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url')
}
