// The folder in which a set of files waits to take its names: whose it is, and its journal, which says how to end what was begun.
import { randomBytes } from 'node:crypto'
import { link, lstat, mkdir, open, readdir, readFile, rename, rm, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { host, startOf } from '../base/process'
import { systemCode } from './failure'
import { hashFile } from '../base/hashFile'

/** What a file was: another one in its place, or other bytes in it, differ in at least one of these. */
const Mark = z.object({ dev: z.string(), ino: z.string(), size: z.string(), mtimeNs: z.string() })
export type Mark = z.infer<typeof Mark>
const JournalFile = z.object({
  name: z.string().regex(/^[^/\\]+$/),
  sha256: z.string(),
  bytes: z.number(),
  /** What had the name before; null: nothing. */
  was: Mark.nullable(),
})
export type JournalFile = z.infer<typeof JournalFile>
const Journal = z.object({
  format: z.literal('morphoscope-export-journal'),
  version: z.literal(1),
  files: z.array(JournalFile),
})

export type StagingKind = 'export' | 'images'

const names = /^\.morphoscope-(?:export|images)-([0-9a-f]{8})-(\d+)-(\d+)-[0-9a-f]{12}$/
/** Of exports by versions before the staging folder. */
const oldParts = /^\.(objects\.geojson|objects\.csv|labels\.ome\.tif|overlay\.png|run\.json)\.[0-9a-f]{12}\.part$/
const oldPartMs = 60 * 60_000
/** Whether a process of another machine lives cannot be asked: what it has not touched for so long is left over. */
const foreignIdleMs = 24 * 60 * 60_000
const forward = 'journal.json'
const backward = 'journal.back'

const alive = new Set<string>()

async function isLive(directory: string, name: string): Promise<boolean> {
  const [, ofHost, pid, start] = names.exec(name)!
  if (ofHost !== host) {
    const touched = await stat(join(directory, name)).catch(() => null)
    return touched !== null && Date.now() - touched.mtimeMs < foreignIdleMs
  }
  if (Number(pid) === process.pid) return alive.has(name)
  return startOf(Number(pid)) === Number(start)
}

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
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => null)
  try {
    await folder?.sync()
  } catch (error) {
    if (['EIO', 'ENOSPC', 'EDQUOT', 'EROFS'].includes(systemCode(error))) throw error
  } finally {
    await folder?.close().catch(() => undefined)
  }
}

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

  static #newName(kind: StagingKind): string {
    return `.morphoscope-${kind}-${host}-${process.pid}-${startOf(process.pid) ?? 0}-${randomBytes(6).toString('hex')}`
  }

  /** Names of other living exports into the folder: their files have the same names. Images have names of their own. */
  static async others(directory: string): Promise<string[]> {
    const found: string[] = []
    for (const name of await readdir(directory))
      if (name.startsWith('.morphoscope-export-') && names.test(name) && (await isLive(directory, name))) found.push(name)
    return found
  }

  static async make(directory: string, kind: StagingKind): Promise<Staging> {
    const staging = new Staging(directory, Staging.#newName(kind))
    alive.add(staging.#name)
    try {
      await mkdir(staging.path, { mode: 0o700 })
    } catch (error) {
      alive.delete(staging.#name)
      throw error
    }
    return staging
  }

  /** Ends what dead exports have begun in the folder, or takes it back; tells what could be neither. */
  static async recover(directory: string): Promise<string[]> {
    const notes: string[] = []
    for (const name of await readdir(directory)) {
      if (oldParts.test(name)) {
        const touched = await stat(join(directory, name)).catch(() => null)
        if (touched && Date.now() - touched.mtimeMs > oldPartMs) await rm(join(directory, name), { force: true })
      }
      if (!names.test(name) || (await isLive(directory, name))) continue
      // Whoever renames it has it: two programs that start at once must not both put it right.
      const own = new Staging(directory, Staging.#newName(name.includes('-export-') ? 'export' : 'images'))
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
    const part = join(this.path, 'journal.part')
    const handle = await open(part, 'wx', 0o600)
    try {
      const text = JSON.stringify({ format: 'morphoscope-export-journal', version: 1, files }, null, 2)
      await handle.writeFile(text)
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
    if (was !== null) await this.#keep(name)
    await rename(this.fileFor(name), this.#target(name))
  }

  async #keep(name: string): Promise<void> {
    try {
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
      if (was !== null && (await isThere(this.#backup(name)))) await rename(this.#backup(name), this.#target(name))
      // Its temporary name is empty: it had been placed.
      else if (was === null && !(await isThere(this.fileFor(name)))) await unlink(this.#target(name)).catch(ignoreAbsence)
    }
    await syncFolder(this.directory)
  }

  /** All is done or taken back: only now do the copies go. */
  async remove(): Promise<void> {
    // First the journal: without it nothing here means anything.
    for (const journal of [forward, backward]) await rm(join(this.path, journal), { force: true }).catch(() => undefined)
    await rm(this.path, { recursive: true, force: true }).catch(() => undefined)
    alive.delete(this.#name)
  }

  /** It stays on the disk, for the next start to end. */
  leave(): void {
    alive.delete(this.#name)
  }

  async #journal(): Promise<{ files: readonly JournalFile[]; onward: boolean } | null> {
    for (const name of [forward, backward]) {
      const text = await readFile(join(this.path, name), 'utf8').catch(() => null)
      if (text === null) continue
      const found = Journal.safeParse(parsed(text))
      if (found.success) return { files: found.data.files, onward: name === forward }
    }
    return null
  }

  /** The set of a dead export: completed where nobody has touched the folder since, else taken back, else left as it is, and told. */
  async #settle(): Promise<string | null> {
    const journal = await this.#journal()
    if (journal) {
      this.#files = journal.files
      if (journal.onward && (await this.#canGoOn())) {
        for (const file of this.#files) if (await isThere(this.fileFor(file.name))) await this.place(file)
        await syncFolder(this.directory)
      } else if (await this.#canGoBack()) await this.takeBack()
      else {
        return `An export into ${this.directory} was cut off, and its files were changed since: what it had replaced is kept in ${this.path}.`
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
      if (!now.isFile() || now.size !== bytes) return false
      if ((await hashFile(this.#target(name))) !== sha256) return false
    }
    return true
  }
}

function ignoreAbsence(error: unknown): void {
  if (systemCode(error) !== 'ENOENT') throw error
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
