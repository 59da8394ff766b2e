// The types of systemPackages.mjs, for its test.
export interface SystemState {
  missing: readonly { what: string; level: string }[]
  apt: boolean
  root: boolean
  sudo: boolean
  terminal: boolean
  yes: boolean
  declined: readonly string[]
}
export function whatToDo(state: SystemState): 'install' | 'ask' | 'advise'
