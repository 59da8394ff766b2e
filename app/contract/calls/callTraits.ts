// What a call's argument and answer name and what asking does, once for each call: the guards of the desktop app, of `serve` and of the engine's parent go by it.
import { calls } from './calls'
import type { CallName } from './calls'
import type { PathsIn } from '../base/paths'
import type * as z from '../zod'

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

/** What becomes of a path in an answer. */
export interface PathTold {
  /** A slide's: the page may name it next, to open or to add it. */
  readonly readable?: true
  /**
   * For a shell that shows a part of the disk alone, where the path lies in another: `told` all the same, as the page named it or a shell's own list
   * holds it; `blank`; or `left out` with its entry of the outermost list, also where no path is known.
   */
  readonly elsewhere: 'told' | 'blank' | 'left out'
  /** What is said beside a blank one, in place of what its entry says: nothing of what lies elsewhere. */
  readonly beside?: Readonly<Record<string, boolean | null>>
}

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
  readonly tells?: Readonly<Record<string, PathTold>>
}

type CallTable = Readonly<Record<string, { readonly arg: z.ZodType; readonly value: z.ZodType }>>
type Paths<Name extends string> = [Name] extends [never]
  ? { readonly paths?: never }
  : { readonly paths: Readonly<Record<Name, PathUse>> }
type Tells<Name extends string> = [Name] extends [never]
  ? { readonly tells?: never }
  : { readonly tells: Readonly<Record<Name, PathTold>> }
/** Each call's traits, with each path of its argument and its answer and no other: what is missing does not compile. */
export type Described<Table extends CallTable> = {
  readonly [N in keyof Table]: Omit<CallTraits, 'paths' | 'tells'> &
    Paths<PathsIn<z.output<Table[N]['arg']>>> &
    Tells<PathsIn<z.output<Table[N]['value']>>>
}

const asks = { cancellable: false, idempotent: true } as const
const asksLong = { cancellable: true, idempotent: true } as const
const does = { cancellable: false, idempotent: false } as const
const doesLong = { cancellable: true, idempotent: false } as const
/** Changes something, and nothing more when it is asked again. */
const sets = asks

/** The page named it, or the shell found it for the page. */
const own = { elsewhere: 'told' } as const
const ownSlide = { readable: true, elsewhere: 'told' } as const
const blank = { elsewhere: 'blank' } as const
const leftOut = { elsewhere: 'left out' } as const

export const callTraits = {
  'app:info': { ...asks, tells: { initialSlide: ownSlide, sampleSlide: ownSlide } },
  // Counted: the last close frees it.
  'slide:open': { ...does, paths: { path: 'slide' }, tells: { path: ownSlide } },
  'slide:close': { ...does, letsGo: 'slide' },
  'slide:fileName': asksLong,
  'slide:looks': asks,
  'slide:keepLooks': sets,
  'slide:recognise': asksLong,
  'slide:stains': asksLong,
  'slide:cores': asksLong,
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
  'run:list': { ...asks, tells: { '[].slidePath': blank } },
  'run:delete': { ...sets, letsGo: 'run' },
  'run:tiles': asks,
  'run:resume': does,
  'run:within': asks,
  'run:hotSpot': asksLong,
  'run:estimate': asksLong,
  'run:timeline': asks,
  'run:compare': asksLong,
  // Places at random are others each time.
  'run:verify': doesLong,
  'journal:list': { ...asks, tells: { '[].slidePath': leftOut } },
  'journal:resume': does,
  'journal:delete': sets,
  'object:at': asks,
  'object:numbered': asks,
  'table:view': asksLong,
  'run:bands': asksLong,
  'run:map': asksLong,
  'run:hotSpots': doesLong,
  'table:groups': asks,
  'table:row': asks,
  'object:segment': asksLong,
  'object:why': asksLong,
  'field:cuts': asksLong,
  'field:wand': asksLong,
  'export:start': { ...does, saves: 'run', paths: { directory: 'folder' }, tells: { directory: own, 'files[].path': own } },
  'export:cancel': sets,
  'project:state': { ...asks, tells: { path: own, 'slides[].path': blank } },
  'project:regions': asks,
  'project:more': asks,
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
  // A project's folder was chosen by a person, and names its slides.
  'project:slides': {
    ...asks,
    tells: { '[].path': { readable: true, elsewhere: 'blank', beside: { missing: true, why: null } } },
  },
  'project:add': { ...sets, tells: { 'knownAs.path': blank } },
  'project:addFile': { ...sets, paths: { path: 'slide' }, tells: { 'knownAs.path': blank } },
  'project:remove': sets,
  // One after the other, once it is answered.
  'cohort:run': { ...does, paths: { 'slides[].path': 'read' } },
  'cohort:cancel': sets,
  'cohort:state': asks,
  'project:summary': asksLong,
  'project:measure': asksLong,
  'project:measureAll': asksLong,
  'project:import': doesLong,
  'import:begin': { ...does, paths: { folder: 'read' } },
  'import:part': does,
  'import:end': doesLong,
  'import:cancel': sets,
  'regions:images': { ...doesLong, paths: { directory: 'folder' }, tells: { directory: own, 'files[].path': own } },
  'sections:fit': asksLong,
  'sections:carry': doesLong,
  'project:export': asksLong,
  'project:exportParts': asksLong,
  // The desktop app's own folder may lie elsewhere.
  'settings:get': { ...asks, tells: { exportDirectory: blank } },
  // Where the next export goes by itself.
  'settings:set': { ...sets, paths: { exportDirectory: 'folder' }, tells: { exportDirectory: blank } },
  'recent:list': { ...asks, tells: { '[].path': { readable: true, elsewhere: 'left out' } } },
  'recent:clear': sets,
  'start:list': {
    ...asks,
    tells: {
      'slides[].path': { readable: true, elsewhere: 'left out' },
      // One may be opened where its folder is one of those granted for good.
      'projects[].path': leftOut,
      // Of a project with a slide that lies elsewhere nothing is said.
      'unnamed[].slides[].path': leftOut,
    },
  },
  'start:forget': { ...sets, paths: { path: 'name' } },
  'files:list': {
    ...asks,
    answeredBy: 'files',
    paths: { path: 'list' },
    tells: { path: own, parent: own, 'entries[].path': own },
  },
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
