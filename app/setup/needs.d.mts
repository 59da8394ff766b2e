// The types of needs.mjs, for the end-to-end tests and the bench.
export function findChromium(): string | null
