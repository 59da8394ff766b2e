// The paths that a call's argument and answer name, found and changed as callTraits.ts says.
import { traitsOf } from './callTraits'
import type { PathUse } from './callTraits'
import type { CallName } from './calls'

export interface NamedPath {
  readonly path: string
  readonly use: PathUse
}

/** The paths that an argument names, which is as the contract says. Absent and empty ones name nothing. */
export function pathsOf(name: CallName, arg: unknown): NamedPath[] {
  const found: NamedPath[] = []
  for (const [way, use] of Object.entries(traitsOf(name).paths ?? {}))
    changed(arg, stepsOf(way), (path) => {
      found.push({ path, use })
      return path
    })
  return found
}

/** The argument with each path as `become` has it. */
export async function withPaths(name: CallName, arg: unknown, become: (named: NamedPath) => Promise<string>): Promise<unknown> {
  const became = new Map<string, string>()
  for (const named of pathsOf(name, arg)) became.set(`${named.use} ${named.path}`, await become(named))
  let next = arg
  for (const [way, use] of Object.entries(traitsOf(name).paths ?? {}))
    next = changed(next, stepsOf(way), (path) => became.get(`${use} ${path}`)!)
  return next
}

/** Paths in an answer that the page may name next. */
export function readablePaths(name: CallName, value: unknown): string[] {
  const found: string[] = []
  for (const [way, { readable }] of Object.entries(traitsOf(name).tells ?? {}))
    if (readable)
      changed(value, stepsOf(way), (path) => {
        found.push(path)
        return path
      })
  return found
}

/** The answer for a shell that shows a part of the disk alone: `isThere` tells whether a path lies in it. */
export async function toldWithin(name: CallName, value: unknown, isThere: (path: string) => Promise<boolean>): Promise<unknown> {
  let next = value
  for (const [way, { elsewhere }] of Object.entries(traitsOf(name).tells ?? {}))
    if (elsewhere !== 'told') next = await without(next, stepsOf(way), elsewhere, isThere, true)
  return next
}

/** `slides[].path`: slides, [], path. */
const stepsOf = (way: string): string[] =>
  way
    .replaceAll('[]', '.[]')
    .split('.')
    .filter((step) => step !== '')

const goes = Symbol('its entry is left out')

/** `outermost`: no list was passed on the way. */
async function without(
  value: unknown,
  [step, ...rest]: string[],
  elsewhere: 'blank' | 'left out',
  isThere: (path: string) => Promise<boolean>,
  outermost: boolean,
): Promise<unknown> {
  if (value === undefined || value === null) return elsewhere === 'left out' ? goes : value
  if (step === undefined) {
    if (value === '' || (await isThere(value as string))) return value
    return elsewhere === 'left out' ? goes : ''
  }
  if (step === '[]') {
    const entries = await Promise.all((value as unknown[]).map((each) => without(each, rest, elsewhere, isThere, false)))
    if (!outermost && entries.includes(goes)) return goes
    return entries.filter((each) => each !== goes)
  }
  const held = (value as Record<string, unknown>)[step]
  const became = await without(held, rest, elsewhere, isThere, outermost)
  return became === goes ? goes : held === undefined ? value : { ...value, [step]: became }
}

function changed(value: unknown, [step, ...rest]: string[], become: (path: string) => string): unknown {
  if (step === undefined) return typeof value === 'string' && value !== '' ? become(value) : value
  if (value === undefined || value === null) return value
  if (step === '[]') return (value as unknown[]).map((each) => changed(each, rest, become))
  const held = (value as Record<string, unknown>)[step]
  return held === undefined ? value : { ...value, [step]: changed(held, rest, become) }
}
