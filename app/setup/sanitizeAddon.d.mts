// What tests use of sanitizeAddon.mjs.
import type { Counts } from './reports.mjs'

export function countAddon(done: { code: number; text: string }, path: string): Counts
