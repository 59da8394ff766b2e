// The types of notices.mjs, for its test.
export interface Collected {
  program: { name: string; version: string; license: string; texts: number[] }
  components: { name: string; version: string; license: string | null; purl: string; within: string[]; texts: number[] }[]
  texts: string[]
  missing: string[]
}
export interface More {
  beside?: Record<string, string>
  electron?: string
}
export function collectLicences(root: string, modules: Record<string, string[]>, more?: More): Collected
export function writeNotices(root: string, dist: string, modules: Record<string, string[]>, more?: More): string[]
