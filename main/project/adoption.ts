// Which project is taken up at the next start: the one that was open last, else the newest document without a name.
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { toAppError } from '../base/errors'
import type { Log } from '../base/log'
import { host, startOf } from '../base/process'
import { readStrangeSync } from '../base/regularFile'
import { isProjectFolder } from './disk/look'
import { tryTo } from './lock'
import { ProjectStore, projectSuffix } from './store'
import type { Loaded } from './store'
import { unnamedFolders } from './unnamed'

/** Where documents lie, and what is done with the one that was open last. */
export interface ProjectsOptions {
  readonly roots?: readonly string[] | null
  /** Where documents without a name lie; null: they are not kept, and a command that changes one needs a project that is open. */
  readonly directory: string | null
  /** How others are told who has a project: "Morphoscope desktop". */
  readonly program: string
  readonly opening?: Opening | undefined
}

/** Names the project that was open last, where it has a name. */
const currentName = 'current.json'

/** Which project to take up again: after a crash, and at the next start. null: one without a name. `directory`: where those lie. */
export async function rememberProject(directory: string, path: string | null): Promise<void> {
  const file = join(directory, currentName)
  // What it is for is comfort: the document itself is where it is.
  await (path === null ? rm(file, { force: true }) : writeFile(file, JSON.stringify({ path }), { mode: 0o600 })).catch(
    () => undefined,
  )
}

/** The first that nobody else has is to be taken. Makes the directory. */
export async function foldersToAdopt(directory: string): Promise<string[]> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const unnamed = (await unnamedFolders(directory)).map(({ folder }) => folder)
  return [...remembered(directory), ...unnamed].filter(isProjectFolder)
}

function remembered(directory: string): string[] {
  try {
    const text = readStrangeSync(join(directory, currentName), 2 ** 16).toString('utf8')
    const { path } = JSON.parse(text) as { path?: unknown }
    return typeof path === 'string' && path.endsWith(projectSuffix) ? [path] : []
  } catch {
    return []
  }
}

export interface Adopted {
  readonly opened: { readonly store: ProjectStore; readonly loaded: Loaded } | null
  /** Why another was not taken up. */
  readonly trouble: string | null
}

/** Hears of the project that is opened next, before it is: whatever ends the process meanwhile is that project's. null: it is over. */
export type Opening = (project: string | null) => Promise<void> | void

/** The project that was open when the program ended last, else the newest document without a name that nobody else has. Never rejects. */
export async function adopted(directory: string, program: string, log: Log, opening?: Opening): Promise<Adopted> {
  let trouble: string | null = null
  try {
    const ended = endedOpenings(directory)
    for (const folder of await foldersToAdopt(directory)) {
      const times = ended.filter((each) => each === folder).length
      // A document of our own may have been opened just as the power went; a stranger's is not tried twice.
      if (times > (dirname(resolve(folder)) === resolve(directory) ? 1 : 0)) {
        trouble = `The project ${folder} was not opened again by itself: Morphoscope ended while it opened it. Open it yourself to try again.`
        log({ level: 'warn', message: trouble })
        continue
      }
      try {
        return { opened: await noted(directory, folder, () => ProjectStore.open(folder, program), opening), trouble: null }
      } catch (error) {
        const { message } = toAppError(error)
        log({ level: 'warn', message })
        if (!message.includes(' is open in ')) trouble = message
      }
    }
  } catch (error) {
    log({ level: 'warn', message: toAppError(error).message })
  }
  return { opened: null, trouble }
}

const openingPrefix = `opening-${host}-`

/** `work` opens the folder. A file says so until it is open or refused: a process that ends in between leaves it. `directory`: null: there is none. */
export async function noted<T>(directory: string | null, folder: string, work: () => T, opening?: Opening): Promise<T> {
  await opening?.(folder)
  try {
    return directory === null ? work() : marked(directory, folder, work)
  } finally {
    await opening?.(null)
  }
}

function marked<T>(directory: string, folder: string, work: () => T): T {
  const own = `${openingPrefix}${process.pid}-${startOf(process.pid) ?? 0}-`
  const before = namesIn(directory, openingPrefix).filter((name) => pathIn(directory, name) === folder)
  const file = join(directory, `${own}${before.length}.json`)
  tryTo(() => writeFileSync(file, JSON.stringify({ path: folder }), { mode: 0o600 }))
  const value = ((): T => {
    try {
      return work()
    } finally {
      tryTo(() => rmSync(file, { force: true }))
    }
  })()
  // It opens: what went wrong before is over.
  for (const name of before) tryTo(() => rmSync(join(directory, name), { force: true }))
  return value
}

/** The folders that processes which are no more were opening, once for each. */
function endedOpenings(directory: string): string[] {
  return namesIn(directory, openingPrefix).flatMap((name) => {
    const [pid, start] = name.slice(openingPrefix.length).split('-')
    if (Number(pid) !== process.pid && startOf(Number(pid)) === Number(start)) return []
    return pathIn(directory, name) ?? []
  })
}

function namesIn(directory: string, begin: string): string[] {
  try {
    return readdirSync(directory).filter((name) => name.startsWith(begin) && name.endsWith('.json'))
  } catch {
    return []
  }
}

function pathIn(directory: string, name: string): string | null {
  try {
    const { path } = JSON.parse(readStrangeSync(join(directory, name), 2 ** 16).toString('utf8')) as { path?: unknown }
    return typeof path === 'string' ? path : null
  } catch {
    return null
  }
}
