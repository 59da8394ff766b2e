// One file that is being written: it grows at its end, can be patched before it, and knows its checksum when it is done.
import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { EngineError } from '../../base/errors'
import { hashFile } from '../../base/hashFile'
import { FollowedHash } from './followedHash'
import { writing } from './patience'

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
