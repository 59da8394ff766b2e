// The types of commandPages.mjs, for its test.
import type { program } from '../cli/cli'
type Program = ReturnType<typeof program>
export function roff(text: string): string
export function typedCommands(program: Program): { names: string[]; command: Program }[]
export function manPage(program: Program, about: { version: string; date: string; codes: [string, string][] }): string
export function bashCompletion(program: Program): string
export function zshCompletion(): string
