// The types of progress.mjs, for its test.
export interface Fraction {
  done: number
  all: number
  label: string
}
export interface Step {
  name: string
  usual?: string | undefined
  begun: number
  fraction: Fraction | null
  even?: boolean
}
export function duration(ms: number): string
export function fractionOf(text: string): Fraction | null
export function leftMs(elapsedMs: number, fraction: Pick<Fraction, 'done' | 'all'>): number | null
export function lineOf(step: Step, now: number): string
export function working(name: string, usual?: string, options?: { even?: boolean }): { hear(text: string): void; end(): void }
export function clearProgress(): void
export function writeProgressTo(stream: { write(text: string): void; isTTY?: boolean; columns?: number }): void
