// Several output files that appear together or not at all, whatever fails and whenever the program is killed.
import { lstat, mkdir, open, rmdir, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { EngineError } from '../../base/errors'
import { asOutputFailure, systemCode } from './failure'
import { isFolderName, isPlainZarr } from '../leftover/tree'
import { OutputFile } from './outputFile'
import { OutputFolder } from './outputFolder'
import { patiently, quickly, refuseWhileStuck, writing } from './patience'
import { markOf, sameMark, Staging } from './staging'
import type { JournalFile, Mark, StagingKind } from './staging'

export { OutputFile } from './outputFile'
export type { OutputFolder } from './outputFolder'

/** Node's own recursive mkdir tries for ever where a folder is there but takes no names, as below /proc. */
async function makeFolders(path: string): Promise<string[]> {
  const missing: string[] = []
  for (let folder = path; ; folder = dirname(folder)) {
    const found = await stat(folder).catch((error: unknown) => {
      if (systemCode(error) === 'ENOENT' && dirname(folder) !== folder) return null
      throw error
    })
    if (found?.isDirectory()) break
    if (found) throw Object.assign(new Error(`ENOTDIR: ${folder} is a file`), { code: 'ENOTDIR', syscall: 'mkdir' })
    missing.push(folder)
  }
  const created: string[] = []
  for (const folder of missing.reverse()) {
    try {
      await mkdir(folder)
    } catch (error) {
      // Somebody else may make it at the same time.
      if (systemCode(error) === 'EEXIST') continue
      await removeEmpty(created)
      throw error
    }
    created.unshift(folder)
  }
  return created
}

const isFolder = (path: string): Error =>
  Object.assign(new Error(`EISDIR: ${path} is a folder`), { code: 'EISDIR', syscall: 'rename' })

interface Entry {
  readonly name: string
  readonly file: OutputFile | OutputFolder
  /** What has the name now. */
  readonly was: Mark | null
}

export class OutputSet {
  readonly directory: string
  /** What dead exports left there and could not be put right. */
  readonly notes: readonly string[]
  readonly #staging: Staging
  readonly #signal: AbortSignal | undefined
  #entries: Entry[] = []
  /** Folders that did not exist before, innermost first. */
  readonly created: readonly string[]
  #settled = false

  private constructor(staging: Staging, created: readonly string[], notes: readonly string[], signal: AbortSignal | undefined) {
    this.directory = staging.directory
    this.notes = notes
    this.#staging = staging
    this.created = created
    this.#signal = signal
  }

  /** `made`: folders that were made for this set, innermost first, and go with it. Puts right what dead exports left in the folder, and refuses where a living one writes. */
  static async in(
    directory: string,
    signal?: AbortSignal,
    made: readonly string[] = [],
    kind: StagingKind = 'export',
  ): Promise<OutputSet> {
    const path = resolve(directory)
    await refuseWhileStuck(path)
    const created = [...(await quickly(path, () => makeFolders(path), signal)), ...made]
    let staging: Staging | undefined
    try {
      const notes = await quickly(path, () => Staging.recover(path), signal)
      staging = await quickly(path, () => Staging.make(path, kind), signal)
      // Asked after its own is there: of two that begin at once, at least one sees the other.
      const others = kind === 'images' ? [] : await quickly(path, () => Staging.others(path), signal)
      const other = others.find((name) => join(path, name) !== staging!.path)
      if (other === undefined) return new OutputSet(staging, created, notes, signal)
      throw new EngineError(
        'OUTPUT_FAILED',
        `Could not write ${path}: another export is writing there. Wait for its end, or choose another folder. (If there is none, delete ${join(path, other)}.)`,
      )
    } catch (error) {
      await staging?.remove()
      await removeEmpty(created)
      throw error
    }
  }

  async create(name: string): Promise<OutputFile> {
    const path = join(this.directory, name)
    return await quickly(
      path,
      async () => {
        if ((await lstat(path).catch(() => null))?.isDirectory()) throw isFolder(path)
        const was = await markOf(path)
        const temporaryPath = this.#staging.fileFor(name)
        const file = new OutputFile(path, temporaryPath, await open(temporaryPath, 'wx'), this.#signal)
        this.#entries.push({ name, file, was })
        return file
      },
      this.#signal,
    )
  }

  /** A file that is a folder of many, as a Zarr is; its name ends so. What may be there already is a Zarr, or a file. */
  async createFolder(name: string): Promise<OutputFolder> {
    const path = join(this.directory, name)
    return await quickly(
      path,
      async () => {
        if (!isFolderName(name)) throw new Error(`${name} is no name of a folder`)
        if ((await lstat(path).catch(() => null))?.isDirectory() && !(await isPlainZarr(path))) throw isFolder(path)
        const was = await markOf(path)
        const temporaryPath = this.#staging.fileFor(name)
        await mkdir(temporaryPath)
        const file = new OutputFolder(path, temporaryPath, this.#signal)
        this.#entries.push({ name, file, was })
        return file
      },
      this.#signal,
    )
  }

  /** The set goes without this file. */
  async drop(file: OutputFile): Promise<void> {
    this.#entries = this.#entries.filter((entry) => entry.file !== file)
    await file.discard()
  }

  /** Gives every file its name, or none: what fails on the way is taken back. Not to be cancelled. */
  async commit(): Promise<void> {
    for (const { file } of this.#entries) await file.finish()
    const files: JournalFile[] = []
    for (const { name, file, was } of this.#entries) {
      const now = await writing(file.path, () => markOf(file.path))
      if (!sameMark(was, now)) {
        if ((await lstat(file.path).catch(() => null))?.isDirectory()) throw asOutputFailure(file.path, isFolder(file.path))
        throw new EngineError(
          'OUTPUT_EXISTS',
          `${file.path} was written by another program while the export went on: nothing was replaced. Export again, or into another folder.`,
          undefined,
          { files: [name] },
        )
      }
      files.push({ name, sha256: file.sha256, bytes: file.bytes, was })
    }
    this.#settled = true
    await patiently(this.directory, this.#place(files))
  }

  async #place(files: readonly JournalFile[]): Promise<void> {
    try {
      await writing(this.directory, () => this.#staging.writeJournal(files))
      for (const [i, file] of files.entries()) await writing(this.#entries[i]!.file.path, () => this.#staging.place(file))
      await writing(this.directory, () => this.#staging.syncTargets())
    } catch (error) {
      await this.#takeBack(error)
    }
    await this.#staging.remove()
  }

  async #takeBack(error: unknown): Promise<never> {
    try {
      await this.#staging.takeBack()
    } catch (second) {
      this.#staging.leave()
      const { message } = error as Error
      throw new EngineError(
        'OUTPUT_FAILED',
        `${message}. The files that were there before could not all be put back (${systemCode(second) || String(second)}): they are kept in ${this.#staging.path}, and the next export into this folder puts them back.`,
        undefined,
        { cause: error },
      )
    }
    await this.#staging.remove()
    await removeEmpty(this.created)
    throw error
  }

  /** Leaves no temporary file, and no folder that this set has made and that is empty. */
  async discard(): Promise<void> {
    if (this.#settled) return
    this.#settled = true
    for (const { file } of this.#entries) await file.discard()
    await this.#staging.remove()
    await removeEmpty(this.created)
  }
}

async function removeEmpty(created: readonly string[]): Promise<void> {
  for (const folder of created) {
    try {
      await rmdir(folder)
    } catch {
      return
    }
  }
}
