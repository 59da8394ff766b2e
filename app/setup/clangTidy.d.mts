// The types of clangTidy.mjs, for its test.
export interface Group {
  name: string
  files: string[]
  flags: string[]
}
export function whyNoClangTidy(places?: { tool?: string | null; commands?: string }): string | null
export function groupsOf(commands: readonly { file: string; command: string }[], folder?: string): Group[]
export function findingsOf(text: string): string[]
export function clangTidy(options?: { groups?: Group[]; lanes?: number }): Promise<{ findings: string[]; unread: string[] }>
