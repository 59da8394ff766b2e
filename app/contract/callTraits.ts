// What a call's argument names and what asking does, once for each call: the guards of the desktop app, of `serve` and of the engine's parent go by it.
import { calls } from './calls'
import type { CallName } from './calls'
import type { PathsIn } from './paths'
import type * as z from './zod'

/** What is done with a path. A shell lets a page name it only where a person may have meant it. */
export type PathUse =
  /** A slide that is opened by this call. */
  | 'slide'
  /** A file that is read, now or later. */
  | 'read'
  /** A file that is made or replaced: a person chooses it each time. */
  | 'write'
  /** A folder in which files are made. */
  | 'folder'
  /** A project's folder, opened or made: a person chooses it, or the folder that it lies in. */
  | 'project'
  /** A folder whose files are listed. */
  | 'list'
  /** A file that an export of this session wrote. */
  | 'written'
  /** Compared with names that are held. Nothing is opened. */
  | 'name'

/** Who answers in place of the engine: a person in a dialog, the system's other programs, the shell's own list of files, the engine's parent. */
export type ShellAnswer = 'dialog' | 'system' | 'files' | 'parent'

export interface CallTraits {
  /** Its work stops where nobody waits for the answer any more. Others end what they begin. */
  readonly cancellable: boolean
  /** Asked once more, it changes nothing more: whoever got no answer may ask again. */
  readonly idempotent: boolean
  /** Absent: the engine. */
  readonly answeredBy?: ShellAnswer
  /** What its `slideId` or `runId` names is gone afterwards. */
  readonly letsGo?: 'slide' | 'run'
  /** What its `runId` names lies in files afterwards. */
  readonly saves?: 'run'
  readonly paths?: Readonly<Record<string, PathUse>>
}

type CallTable = Readonly<Record<string, { readonly arg: z.ZodType; readonly value: z.ZodType }>>
type Paths<Name extends string> = [Name] extends [never]
  ? { readonly paths?: never }
  : { readonly paths: Readonly<Record<Name, PathUse>> }
/** Each call's traits, with each path of its argument and no other: what is missing does not compile. */
export type Described<Table extends CallTable> = {
  readonly [N in keyof Table]: Omit<CallTraits, 'paths'> & Paths<PathsIn<z.output<Table[N]['arg']>>>
}

const asks = { cancellable: false, idempotent: true } as const
const asksLong = { cancellable: true, idempotent: true } as const
const does = { cancellable: false, idempotent: false } as const
const doesLong = { cancellable: true, idempotent: false } as const
/** Changes something, and nothing more when it is asked again. */
const sets = asks

export const callTraits = {
  'app:info': asks,
  // Counted: the last close frees it.
  'slide:open': { ...does, paths: { path: 'slide' } },
  'slide:close': { ...does, letsGo: 'slide' },
  'slide:fileName': asksLong,
  'slide:recognise': asksLong,
  'slide:stains': asksLong,
  'slide:classLimit': asksLong,
  'recipe:list': asks,
  'recipe:load': { ...asks, paths: { path: 'read' } },
  'recipe:versions': asks,
  'recipe:keep': sets,
  'recipe:forget': sets,
  'recipe:save': { ...sets, paths: { path: 'write' } },
  'run:start': does,
  'run:cancel': sets,
  'run:pause': sets,
  'run:continue': sets,
  'run:status': asks,
  'run:list': asks,
  'run:delete': { ...sets, letsGo: 'run' },
  'run:tiles': asks,
  'run:resume': does,
  'run:within': asks,
  'run:estimate': asksLong,
  'run:timeline': asks,
  'run:compare': asksLong,
  // Places at random are others each time.
  'run:verify': doesLong,
  'journal:list': asks,
  'journal:resume': does,
  'journal:delete': sets,
  'object:at': asks,
  'object:numbered': asks,
  'table:view': asks,
  'table:groups': asks,
  'table:row': asks,
  'object:segment': asksLong,
  'object:why': asksLong,
  'field:cuts': asksLong,
  'field:wand': asksLong,
  'export:start': { ...does, saves: 'run', paths: { directory: 'folder' } },
  'export:cancel': sets,
  'project:state': asks,
  'project:regions': asks,
  'project:do': does,
  'project:keep': sets,
  'project:restore': asks,
  'project:drop': sets,
  'object:edit': does,
  'object:merge': doesLong,
  'object:split': doesLong,
  'object:reshape': doesLong,
  'object:add': doesLong,
  'object:redraw': doesLong,
  'object:count': asks,
  'object:rule': does,
  'object:carry': doesLong,
  'project:undo': does,
  'project:redo': does,
  'project:open': { ...does, paths: { path: 'project' } },
  'project:save': { ...does, paths: { path: 'project' } },
  'project:new': does,
  'project:openUnnamed': does,
  'project:deleteUnnamed': sets,
  'project:slides': asks,
  'project:add': sets,
  'project:addFile': { ...sets, paths: { path: 'slide' } },
  'project:remove': sets,
  // One after the other, once it is answered.
  'cohort:run': { ...does, paths: { 'slides[].path': 'read' } },
  'cohort:cancel': sets,
  'cohort:state': asks,
  'project:summary': asksLong,
  'project:measure': asksLong,
  'project:import': doesLong,
  'project:export': asks,
  'settings:get': asks,
  // Where the next export goes by itself.
  'settings:set': { ...sets, paths: { exportDirectory: 'folder' } },
  'recent:list': asks,
  'recent:clear': sets,
  'start:list': asks,
  'start:forget': { ...sets, paths: { path: 'name' } },
  'files:list': { ...asks, answeredBy: 'files', paths: { path: 'list' } },
  'dialog:slide': { ...does, answeredBy: 'dialog' },
  'dialog:slides': { ...does, answeredBy: 'dialog' },
  'dialog:directory': { ...does, answeredBy: 'dialog' },
  'dialog:recipe': { ...does, answeredBy: 'dialog' },
  'export:show': { ...does, answeredBy: 'system', paths: { path: 'written' } },
  'export:open': { ...does, answeredBy: 'system', paths: { path: 'written' } },
  'engine:restart': { ...does, answeredBy: 'parent' },
} as const satisfies Described<typeof calls>

type Such<Traits> = { [N in CallName]: (typeof callTraits)[N] extends Traits ? N : never }[CallName]
export type ShellCall = Such<{ answeredBy: ShellAnswer }>
/** Those that a dialog, or another program of the system, answers. */
export type ShellCallBy<Answer extends ShellAnswer> = Such<{ answeredBy: Answer }>
export type CancellableCall = Such<{ cancellable: true }>
export type CallWithPaths = Such<{ paths: object }>

export const traitsOf = (name: CallName): CallTraits => callTraits[name]
export const isCallName = (name: unknown): name is CallName => typeof name === 'string' && Object.hasOwn(calls, name)
export const isCancellable = (name: CallName): name is CancellableCall => callTraits[name].cancellable
export const isShellCall = (name: CallName): name is ShellCall => traitsOf(name).answeredBy !== undefined

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

/** `slides[].path`: slides, [], path. */
const stepsOf = (way: string): string[] => way.replaceAll('[]', '.[]').split('.')

function changed(value: unknown, [step, ...rest]: string[], become: (path: string) => string): unknown {
  if (step === undefined) return typeof value === 'string' && value !== '' ? become(value) : value
  if (value === undefined || value === null) return value
  if (step === '[]') return (value as unknown[]).map((each) => changed(each, rest, become))
  const held = (value as Record<string, unknown>)[step]
  return held === undefined ? value : { ...value, [step]: changed(held, rest, become) }
}
