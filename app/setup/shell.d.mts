// The types of shell.mjs, for its test.
export interface Limits {
  silentMs?: number
  totalMs?: number
}
export const root: string
export const patience: Required<Limits>
export function whyStop(times: { now: number; begun: number; heard: number }, limits: Limits): string | null
export function run(
  command: string,
  args: string[],
  options?: { quiet?: boolean; env?: Record<string, string>; cwd?: string; limits?: Limits; hear?: (text: string) => void },
): Promise<{ code: number; text: string }>
