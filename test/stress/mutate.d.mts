// The types of mutate.mjs, for the tests in TypeScript.
export function randomOf(seed: number): () => number
export function pick<T>(random: () => number, list: readonly T[]): T
export function mutate(original: Uint8Array, random: () => number): Buffer
