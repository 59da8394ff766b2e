// The folder in which a set of files waits to take its names: whose it is, and its journal, which says how to end what was begun.
import { link, lstat, mkdir, open, readdir, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { systemCode } from './failure'
import { hashFile } from '../../base/hashFile'
import { holdsOnlyAnExport, removeStaging } from '../leftover/contents'
import { backward, forward, journalIn, journalPart, journalText } from '../leftover/journal'
import type { JournalFile, Mark } from '../leftover/journal'
import { isFolderName, treeOf } from '../leftover/tree'
import { alive, isLive, isOwnName, isStagingName, kindOf, newName } from '../leftover/name'
import type { StagingKind } from '../leftover/name'

export type { JournalFile, Mark } from '../leftover/journal'
export type { StagingKind } from '../leftover/name'

export async function markOf(path: string): Promise<Mark | null> {
  const found = await lstat(path, { bigint: true }).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return null
    throw error
  })
  return found && { dev: `${found.dev}`, ino: `${found.ino}`, size: `${found.size}`, mtimeNs: `${found.mtimeNs}` }
}
export function sameMark(a: Mark | null, b: Mark | null): boolean {
  return (
    a === b || (a !== null && b !== null && a.dev === b.dev && a.ino === b.ino && a.size === b.size && a.mtimeNs === b.mtimeNs)
  )
}

/** Makes the names in a folder last. Some systems cannot open a folder: there the files themselves must do. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => null)
  try {
    await folder?.sync()
  } catch (error) {
    if (['EIO', 'ENOSPC', 'EDQUOT', 'EROFS'].includes(systemCode(error))) throw error
  } finally {
    await folder?.close().catch(() => undefined)
  }
}

const isFolder = (path: string): Promise<boolean> =>
  lstat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  )

export class Staging {
  readonly directory: string
  readonly path: string
  readonly #name: string
  /** Files of the journal, once there is one. */
  #files: readonly JournalFile[] = []

  private constructor(directory: string, name: string) {
    this.directory = directory
    this.#name = name
    this.path = join(directory, name)
  }

  /** Names of other living exports into the folder: their files have the same names. Images have names of their own. */
  static async others(directory: string): Promise<string[]> {
    const found: string[] = []
    for (const name of await readdir(directory))
      if (isStagingName(name) && kindOf(name) === 'export' && (await isLive(directory, name))) found.push(name)
    return found
  }

  static async make(directory: string, kind: StagingKind): Promise<Staging> {
    const staging = new Staging(directory, await newName(directory, kind))
    alive.add(staging.#name)
    try {
      await mkdir(staging.path, { mode: 0o700 })
    } catch (error) {
      alive.delete(staging.#name)
      throw error
    }
    return staging
  }

  /** Ends what dead exports of this user have begun in the folder, or takes it back; tells what could be neither. A stranger's stays as it is. */
  static async recover(directory: string): Promise<string[]> {
    const notes: string[] = []
    const strange: string[] = []
    for (const name of await readdir(directory)) {
      if (!isStagingName(name) || (await isLive(directory, name))) continue
      if (!(await isOwnName(directory, name)) || !(await isAnExports(join(directory, name)))) {
        strange.push(name)
        continue
      }
      // Whoever renames it has it: two programs that start at once must not both put it right.
      const own = new Staging(directory, await newName(directory, kindOf(name)))
      alive.add(own.#name)
      try {
        await rename(join(directory, name), own.path)
        const note = await own.#settle()
        if (note) notes.push(note)
      } catch (error) {
        if (systemCode(error) !== 'ENOENT') throw error
      } finally {
        alive.delete(own.#name)
      }
    }
    if (strange.length > 0) notes.push(notOurs(directory, strange))
    return notes
  }

  fileFor(name: string): string {
    return join(this.path, `${name}.new`)
  }
  #backup(name: string): string {
    return join(this.path, `${name}.old`)
  }
  #target(name: string): string {
    return join(this.directory, name)
  }

  /** From here on a start after a crash goes on to the end: every file is complete and on the disk. */
  async writeJournal(files: readonly JournalFile[]): Promise<void> {
    const part = join(this.path, journalPart)
    const handle = await open(part, 'wx', 0o600)
    try {
      await handle.writeFile(await journalText(this.path, files))
      await handle.sync()
    } finally {
      await handle.close()
    }
    await syncFolder(this.path)
    await rename(part, join(this.path, forward))
    await syncFolder(this.path)
    this.#files = files
  }

  /** Gives one file its name; what had it before is kept until `end`. */
  async place({ name, was }: JournalFile): Promise<void> {
    if (was !== null) await this.#keep(name, await isFolder(this.fileFor(name)))
    await rename(this.fileFor(name), this.#target(name))
  }

  /** `byFolder`: no folder takes the place of what has the name still. */
  async #keep(name: string, byFolder: boolean): Promise<void> {
    try {
      if (byFolder) return await rename(this.#target(name), this.#backup(name))
      await link(this.#target(name), this.#backup(name))
    } catch (error) {
      const code = systemCode(error)
      if (code === 'EEXIST' || (code === 'ENOENT' && (await isThere(this.#backup(name))))) return
      // A disk without links: then the name is empty for a moment, and the journal knows.
      if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EACCES'].includes(code)) throw error
      await rename(this.#target(name), this.#backup(name))
    }
  }

  async syncTargets(): Promise<void> {
    await syncFolder(this.directory)
  }

  /** Takes back what was placed. Throws where it could not: the journal then says so to the next start. */
  async takeBack(): Promise<void> {
    if (this.#files.length === 0) return
    await rename(join(this.path, forward), join(this.path, backward)).catch(() => undefined)
    for (const { name, was } of [...this.#files].reverse()) {
      // A folder goes back to where it came from: no other takes its place, and it goes with the staging folder.
      if (!(await isThere(this.fileFor(name))) && (await isFolder(this.#target(name))) && isFolderName(name)) {
        await rename(this.#target(name), this.fileFor(name))
        if (was !== null) await rename(this.#backup(name), this.#target(name))
      } else if (was !== null && (await isThere(this.#backup(name)))) await rename(this.#backup(name), this.#target(name))
      // Its temporary name is empty: it had been placed.
      else if (was === null && !(await isThere(this.fileFor(name)))) await unlink(this.#target(name)).catch(ignoreAbsence)
    }
    await syncFolder(this.directory)
  }

  /** All is done or taken back: only now do the copies go. */
  async remove(): Promise<void> {
    await removeStaging(this.path)
    alive.delete(this.#name)
  }

  /** It stays on the disk, for the next start to end. */
  leave(): void {
    alive.delete(this.#name)
  }

  /** The set of a dead export: completed where nobody has touched the folder since, else taken back, else left as it is, and told. */
  async #settle(): Promise<string | null> {
    const journal = await journalIn(this.path)
    // Looked at before it was taken; what has changed since is not ours.
    if (journal === 'strange' || !(await holdsOnlyAnExport(this.path))) return notOurs(this.directory, [this.#name])
    if (journal !== 'none') {
      this.#files = journal.files
      if (journal.onward && (await this.#canGoOn())) {
        for (const file of this.#files) if (await isThere(this.fileFor(file.name))) await this.place(file)
        await syncFolder(this.directory)
      } else if (await this.#canGoBack()) await this.takeBack()
      else {
        return `An export into ${this.directory} was interrupted, and its files were changed since. The files that it had replaced are kept in ${this.path}.`
      }
    }
    await this.remove()
    return null
  }

  async #canGoOn(): Promise<boolean> {
    for (const { name, was } of this.#files) {
      if (!(await isThere(this.fileFor(name)))) continue
      const now = await markOf(this.#target(name))
      if (!sameMark(now, was) && !(now === null && (await isThere(this.#backup(name))))) return false
    }
    return true
  }

  async #canGoBack(): Promise<boolean> {
    for (const { name, was, bytes, sha256 } of this.#files) {
      if (await isThere(this.fileFor(name))) {
        // Not placed: what had the name has it still, or waits beside.
        const now = await markOf(this.#target(name))
        if (now !== null && !sameMark(now, was)) return false
        continue
      }
      const now = await lstat(this.#target(name)).catch(() => null)
      if (now === null) continue
      if (sameMark(await markOf(this.#target(name)), was)) continue
      if (isFolderName(name) && now.isDirectory()) {
        if ((await treeOf(this.#target(name)))?.sha256 !== sha256) return false
        continue
      }
      if (!now.isFile() || now.size !== bytes) return false
      if ((await hashFile(this.#target(name))) !== sha256) return false
    }
    return true
  }
}

function ignoreAbsence(error: unknown): void {
  if (systemCode(error) !== 'ENOENT') throw error
}

/** Whether a folder of an export's name is one, with a journal of its own or none: looked at before anything is done to it. */
async function isAnExports(path: string): Promise<boolean> {
  return (await holdsOnlyAnExport(path)) && (await journalIn(path)) !== 'strange'
}

function notOurs(directory: string, [first = '', ...more]: readonly string[]): string {
  const others = more.length === 0 ? '' : ` and ${more.length} more`
  return `${join(directory, first)}${others} looks like a part of an interrupted export, but this program did not write it: it stays as it is. Delete it if you do not need it.`
}
