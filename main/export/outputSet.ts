// Several output files that appear together or not at all: temporary names in the same folder, fsync, rename.
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat, mkdir, open, rename, rm, rmdir } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { asOutputFailure, writing } from './failure'

async function sha256Of(path: string): Promise<string> {
  const sum = createHash('sha256')
  await pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), sum)
  return sum.digest('hex')
}

/** A file that grows at its end and can be patched before it. */
export class OutputFile {
  /** Where it will be. */
  readonly path: string
  readonly temporaryPath: string
  readonly #handle: FileHandle
  #bytes = 0
  #open = true
  #patched = false
  readonly #sum = createHash('sha256')
  #sha256 = ''

  constructor(path: string, temporaryPath: string, handle: FileHandle) {
    this.path = path
    this.temporaryPath = temporaryPath
    this.#handle = handle
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
    await this.#writeAll(bytes, at)
    this.#sum.update(bytes)
    this.#bytes = at + bytes.byteLength
    return at
  }
  /** Overwrites bytes that are there already. */
  async patch(data: Uint8Array, offset: number): Promise<void> {
    this.#patched = true
    await this.#writeAll(data, offset)
  }
  async #writeAll(data: Uint8Array, offset: number): Promise<void> {
    // One write may take a part only (a nearly full disk): the next one then says why.
    for (let done = 0; done < data.byteLength;) {
      const { bytesWritten } = await writing(this.path, () =>
        this.#handle.write(data, done, data.byteLength - done, offset + done),
      )
      done += bytesWritten
    }
  }
  /** sync: on disk before the rename, so that a power cut leaves the old file or the new one. */
  async finish(): Promise<void> {
    if (!this.#open) return
    await writing(this.path, () => this.#handle.sync())
    this.#sha256 = this.#patched ? await writing(this.path, () => sha256Of(this.temporaryPath)) : this.#sum.digest('hex')
    this.#open = false
    await writing(this.path, () => this.#handle.close())
  }
  async discard(): Promise<void> {
    if (this.#open) {
      this.#open = false
      await this.#handle.close().catch(() => undefined)
    }
    await rm(this.temporaryPath, { force: true }).catch(() => undefined)
  }
}

export class OutputSet {
  readonly directory: string
  readonly #files: OutputFile[] = []
  /** Folders that did not exist before, innermost first. */
  readonly #created: string[]

  private constructor(directory: string, created: string[]) {
    this.directory = directory
    this.#created = created
  }
  static async in(directory: string): Promise<OutputSet> {
    const path = resolve(directory)
    const created: string[] = []
    try {
      const first = await mkdir(path, { recursive: true })
      if (first !== undefined)
        for (let folder = path; ; folder = dirname(folder)) {
          created.push(folder)
          if (folder === resolve(first) || dirname(folder) === folder) break
        }
    } catch (error) {
      throw asOutputFailure(path, error)
    }
    return new OutputSet(path, created)
  }
  async create(name: string): Promise<OutputFile> {
    const path = join(this.directory, name)
    const temporaryPath = join(this.directory, `.${name}.${randomBytes(6).toString('hex')}.part`)
    return await writing(path, async () => {
      const target = await lstat(path).catch(() => null)
      if (target?.isDirectory())
        throw Object.assign(new Error(`EISDIR: ${path} is a folder`), { code: 'EISDIR', syscall: 'rename' })
      const file = new OutputFile(path, temporaryPath, await open(temporaryPath, 'wx'))
      this.#files.push(file)
      return file
    })
  }
  /** Gives every file its name. */
  async commit(): Promise<void> {
    for (const file of this.#files) await file.finish()
    for (const file of this.#files) await writing(file.path, () => rename(file.temporaryPath, file.path))
    // sync: the folder holds the names. Some systems cannot open a folder; the files themselves are safe by then.
    const folder = await open(this.directory, 'r').catch(() => null)
    await folder?.sync().catch(() => undefined)
    await folder?.close().catch(() => undefined)
  }
  /** Leaves no temporary file, and no folder that this set has made and that is empty. */
  async discard(): Promise<void> {
    for (const file of this.#files) await file.discard()
    for (const folder of this.#created) {
      try {
        await rmdir(folder)
      } catch {
        return
      }
    }
  }
}
