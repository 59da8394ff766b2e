// The types of reports.mjs, for its test.
export interface Counts {
  passed: number
  failed: number
  failures: string[]
  skipped: { name: string; reason: string }[]
  unsteady: string[]
}
/** The last lines of `npm test`, and how it ends. */
export function verdict(counts: Counts): { lines: string[]; code: number }
export function readGTest(path: string): Counts
export function sanitizerFindings(text: string): { summary: string; text: string }[]
export function readPlaywright(path: string): Counts
export function withoutPassed(text: string): string
export function countEmulated(processes: { code: number; text: string }[]): Counts
