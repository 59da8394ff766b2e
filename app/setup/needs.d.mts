// The types of needs.mjs, for tests and the bench.
export function findChromium(): string | null
export interface Need {
  what: string
  why: string
  level: 'build' | 'slides' | 'window' | 'test'
  debian: string[]
  fedora?: string
  brew?: string
  winget?: string
}
export const needs: Need[]
export function reasonsFor(missing: readonly Need[]): string
export function adviceFor(missing: readonly Need[]): string
