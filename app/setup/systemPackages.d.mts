// The types of systemPackages.mjs, for its test.
import type { Need } from './needs.mjs'

export interface SystemState {
  missing: readonly { what: string; level: string }[]
  apt: boolean
  root: boolean
  sudo: boolean
  terminal: boolean
  yes: boolean
  declined: readonly string[]
}
export function whatIsMissing(missing: readonly Need[]): string
export function whatToDo(state: SystemState): 'install' | 'ask' | 'advise'
