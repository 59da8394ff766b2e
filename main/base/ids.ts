// The ids of slides and runs: a number for people, and a random part that no other engine process has.
import { randomBytes } from 'node:crypto'

/**
 * Ids stand in tile addresses, in the logs and in whatever a page still holds after its engine died. A number alone begins again in
 * the next process, and then an address of the old one shows another slide's tissue.
 */
const nonce = randomBytes(8).toString('hex')

// Counted over the process, not over one engine of it: two engines of one process share the nonce.
const counts = { s: 0, r: 0 }

export function newSlideId(): string {
  return `s${++counts.s}-${nonce}`
}

export function newRunId(): string {
  return `r${++counts.r}-${nonce}`
}
