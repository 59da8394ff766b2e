// A file that comes in a part at a time and is read by places: kept in a folder of our own until it is read, and no longer.
import { rmSync } from 'node:fs'
import { open, statfs } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { EngineError } from '../../base/errors'
import { ownFolder } from '../disk/ownFolder'

/** Of one file. */
export const mostFileBytes = 2 ** 32
/** What the disk keeps for others. */
const leftBytes = 2 ** 29
/** The disk is looked at so often. */
const lookBytes = 2 ** 26

export class WorkingFile {
  readonly #called: string
  #folder: string | null = null
  #handle: FileHandle | null = null
  #looked = -lookBytes
  bytes = 0

  /** `called`: what people know it by. */
  constructor(called: string) {
    this.#called = called
  }

  /** Null before anything has come. */
  get path(): string | null {
    return this.#folder && join(this.#folder, 'file')
  }

  /** Throws INVALID_PARAMETER where there is no room for it. */
  async append(part: Uint8Array): Promise<void> {
    const end = this.bytes + part.length
    if (end > mostFileBytes)
      throw new EngineError(
        'INVALID_PARAMETER',
        `${this.#called} has more than ${mostFileBytes / 2 ** 30} GiB: import a part of it.`,
      )
    this.#folder ??= ownFolder('import')
    this.#handle ??= await open(this.path!, 'wx+', 0o600)
    if (end - this.#looked >= lookBytes) {
      const { bavail, bsize } = await statfs(this.#folder)
      if (bavail * bsize < leftBytes + lookBytes + part.length) throw this.#noRoom()
      this.#looked = end
    }
    try {
      for (let done = 0; done < part.length;) done += (await this.#handle.write(part, done)).bytesWritten
    } catch (error) {
      throw ['ENOSPC', 'EDQUOT', 'EFBIG'].includes((error as NodeJS.ErrnoException).code ?? '') ? this.#noRoom() : error
    }
    this.bytes = end
  }

  /** Of what was appended. */
  async read(at: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = new Uint8Array(length)
    for (let done = 0; done < length;) {
      const { bytesRead } = await this.#handle!.read(bytes, done, length - done, at + done)
      if (bytesRead === 0) throw new EngineError('INTERNAL', `The working file of ${this.#called} ended too early.`)
      done += bytesRead
    }
    return bytes
  }

  #noRoom(): EngineError {
    return new EngineError(
      'INVALID_PARAMETER',
      `The disk has no room left to read ${this.#called}: expected ${leftBytes / 2 ** 20} MiB to spare in ${this.#folder}.`,
    )
  }

  async remove(): Promise<void> {
    const [handle, folder] = [this.#handle, this.#folder]
    this.#handle = null
    this.#folder = null
    await handle?.close().catch(() => undefined)
    if (folder !== null) rmSync(folder, { recursive: true, force: true })
  }
}
