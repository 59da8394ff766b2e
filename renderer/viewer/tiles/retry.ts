// When what could not be had is asked for again: soon at first, then ever less often, never not at all.
const firstMs = 500
const longestMs = 30_000

/** `failures`: how often it has failed already, from 1. */
export const retryAfterMs = (failures: number): number => Math.min(firstMs * 2 ** Math.max(0, failures - 1), longestMs)
