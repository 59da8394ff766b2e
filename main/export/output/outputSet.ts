// Several output files that appear together or not at all, whatever fails and whenever the program is killed.
import { createHash } from 'node:crypto'
import { lstat, mkdir, open, rmdir, stat } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { EngineError } from '../../base/errors'
import { asOutputFailure, systemCode } from './failure'
import { FollowedHash } from './followedHash'
import { hashFile } from '../../base/hashFile'
import { patiently, quickly, refuseWhileStuck, writing } from './patience'
import { markOf, sameMark, Staging } from './staging'
import type { JournalFile, Mark, StagingKind } from './staging'

/** The disk is asked for what was written once it is so much: it works while the rest is made, and a large file's end waits for the last part only. */
const syncEveryBytes = 256 * 2 ** 20
/** From here on a checksum has a thread of its own: a large file's took as long as all else that this one did for it. */
const followFromBytes = 64 * 2 ** 20

/** A file that grows at its end and can be patched before it. */
export class OutputFile {
  /** Where it will be. */
  readonly path: string
  readonly temporaryPath: string
  readonly #handle: FileHandle
  readonly #signal: AbortSignal | undefined
  #bytes = 0
  #open = true
  #patched = false
  readonly #sum = createHash('sha256')
  #follower: FollowedHash | null = null
  #sha256 = ''
  #unsynced = 0
  #syncing: Promise<void> | null = null
  /** A system tells of a failed sync once: the next one would end well. */
  #syncFailure: Error | null = null

  constructor(path: string, temporaryPath: string, handle: FileHandle, signal?: AbortSignal) {
    this.path = path
    this.temporaryPath = temporaryPath
    this.#handle = handle
    this.#signal = signal
  }
  get bytes(): number {
    return this.#bytes
  }
  /** Of what was written; known once the file is finished. */
  get sha256(): string {
    return this.#sha256
  }
  /** Returns the offset at which the data lies. */
  async append(data: Uint8Array | string): Promise<number> {
    const at = this.#bytes
    const bytes = typeof data === 'string' ? Buffer.from(data, 'utf8') : data
    // The checksum is taken while the disk has its turn.
    const written = this.#writeAll(bytes, at)
    if (!this.#follower && !this.#patched) this.#sum.update(bytes)
    await written
    this.#bytes = at + bytes.byteLength
    if (!this.#patched) this.#follow()
    this.#unsynced += bytes.byteLength
    if (this.#unsynced >= syncEveryBytes && this.#syncing === null) this.#syncMeanwhile()
    return at
  }
  /** Overwrites bytes that are there already. */
  async patch(data: Uint8Array, offset: number): Promise<void> {
    this.#patched = true
    await this.#writeAll(data, offset)
  }
  /** Somebody else has written to temporaryPath, which is so long now: its checksum is taken when it is finished. */
  writtenElsewhere(bytes: number): void {
    this.#bytes = bytes
    this.#patched = true
  }
  #follow(): void {
    if (this.#bytes < followFromBytes) return
    this.#follower ??= new FollowedHash(this.temporaryPath)
    this.#follower.grown(this.#bytes)
  }
  async #writeAll(data: Uint8Array, offset: number): Promise<void> {
    // One write may take a part only (a nearly full disk): the next one then says why.
    for (let done = 0; done < data.byteLength;) {
      const { bytesWritten } = await writing(
        this.path,
        () => this.#handle.write(data, done, data.byteLength - done, offset + done),
        this.#signal,
      )
      done += bytesWritten
    }
  }
  #syncMeanwhile(): void {
    this.#unsynced = 0
    this.#syncing = this.#handle.datasync().then(
      () => void (this.#syncing = null),
      (error: Error) => {
        this.#syncFailure ??= error
        this.#syncing = null
      },
    )
  }
  /** sync: on disk before the rename, so that a power cut leaves the old file or the new one. */
  async finish(): Promise<void> {
    if (!this.#open) return
    await writing(
      this.path,
      async () => {
        await this.#syncing
        if (this.#syncFailure) throw this.#syncFailure
        await this.#handle.sync()
      },
      this.#signal,
    )
    this.#open = false
    await writing(this.path, () => this.#handle.close(), this.#signal)
    this.#sha256 =
      this.#patched || this.#follower ? await writing(this.path, () => this.#sumOfFile(), this.#signal) : this.#sum.digest('hex')
  }
  /** Of what lies there now: a thread that read behind the writer knows it nearly, unless what it had read was changed. */
  async #sumOfFile(): Promise<string> {
    const follower = this.#follower
    this.#follower = null
    if (follower && !this.#patched) {
      return await follower.digest(this.#bytes).catch((error: unknown) => {
        throw new EngineError(
          'OUTPUT_FAILED',
          `Could not read back ${this.path} as it was written (${(error as Error).message}). Check the disk, and that no other program uses the folder; then export again.`,
          undefined,
          { cause: error },
        )
      })
    }
    await follower?.end()
    return await hashFile(this.temporaryPath)
  }
  async discard(): Promise<void> {
    await this.#follower?.end()
    if (!this.#open) return
    this.#open = false
    await this.#handle.close().catch(() => undefined)
  }
}

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

interface Entry {
  readonly name: string
  readonly file: OutputFile
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
        if ((await lstat(path).catch(() => null))?.isDirectory())
          throw Object.assign(new Error(`EISDIR: ${path} is a folder`), { code: 'EISDIR', syscall: 'rename' })
        const was = await markOf(path)
        const temporaryPath = this.#staging.fileFor(name)
        const file = new OutputFile(path, temporaryPath, await open(temporaryPath, 'wx'), this.#signal)
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
        if ((await lstat(file.path).catch(() => null))?.isDirectory())
          throw asOutputFailure(file.path, Object.assign(new Error('EISDIR'), { code: 'EISDIR', syscall: 'rename' }))
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
