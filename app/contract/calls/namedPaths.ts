// The paths that a call's argument and answer name, found and changed as callTraits.ts says.
import { traitsOf } from './callTraits'
import type { PathTold, PathUse } from './callTraits'
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

/** The answer for a shell that shows a part of the disk alone: `isThere` tells whether a path lies in it, and is asked once for each. */
export async function toldWithin(name: CallName, value: unknown, isThere: (path: string) => Promise<boolean>): Promise<unknown> {
  const asked = new Map<string, Promise<boolean>>()
  const once = (path: string): Promise<boolean> => {
    let answer = asked.get(path)
    if (!answer) asked.set(path, (answer = isThere(path)))
    return answer
  }
  let next = value
  for (const [way, told] of Object.entries(traitsOf(name).tells ?? {}))
    if (told.elsewhere !== 'told') next = await without(next, stepsOf(way), { ...told, isThere: once }, true)
  return next
}

/** `slides[].path`: slides, [], path. */
const stepsOf = (way: string): string[] =>
  way
    .replaceAll('[]', '.[]')
    .split('.')
    .filter((step) => step !== '')

const goes = Symbol('its entry is left out')

type Within = Pick<PathTold, 'elsewhere' | 'beside'> & { readonly isThere: (path: string) => Promise<boolean> }

/** `outermost`: no list was passed on the way. */
async function without(value: unknown, [step, ...rest]: string[], within: Within, outermost: boolean): Promise<unknown> {
  const { elsewhere, beside, isThere } = within
  if (value === undefined || value === null) return elsewhere === 'left out' ? goes : value
  if (step === undefined) {
    if (value === '' || (await isThere(value as string))) return value
    return elsewhere === 'left out' ? goes : ''
  }
  if (step === '[]') {
    const entries = await Promise.all((value as unknown[]).map((each) => without(each, rest, within, false)))
    if (!outermost && entries.includes(goes)) return goes
    return entries.filter((each) => each !== goes)
  }
  const held = (value as Record<string, unknown>)[step]
  const became = await without(held, rest, within, outermost)
  if (became === goes) return goes
  return held === undefined ? value : { ...value, [step]: became, ...(became === '' && beside) }
}

function changed(value: unknown, [step, ...rest]: string[], become: (path: string) => string): unknown {
  if (step === undefined) return typeof value === 'string' && value !== '' ? become(value) : value
  if (value === undefined || value === null) return value
  if (step === '[]') return (value as unknown[]).map((each) => changed(each, rest, become))
  const held = (value as Record<string, unknown>)[step]
  return held === undefined ? value : { ...value, [step]: changed(held, rest, become) }
}
