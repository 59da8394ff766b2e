// The types of sanitize.mjs, for its test.
import type { Counts } from './reports.mjs'
export function whyNoSanitizer(flags: string, compiler?: string): string | null
export function countSanitized(
  name: string,
  done: { code: number; text: string },
  path: string,
): { counts: Counts; findings: { summary: string; text: string }[] }
