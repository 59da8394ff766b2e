// One of an export's files that is a folder of many: they are written below a temporary name, and the folder takes its own when all are there.
import { createHash } from 'node:crypto'
import { mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sumOfFiles } from '../leftover/tree'
import type { TreeFile } from '../leftover/tree'
import { OutputFile } from './outputFile'
import { writing } from './patience'
import { syncFolder } from './staging'

export class OutputFolder {
  /** Where it will be. */
  readonly path: string
  readonly temporaryPath: string
  readonly #signal: AbortSignal | undefined
  readonly #done: TreeFile[] = []
  readonly #growing = new Map<string, OutputFile>()
  readonly #folders = new Map<string, Promise<unknown>>()
  #bytes = 0
  #sha256 = ''

  /** `temporaryPath`: is there, and empty. */
  constructor(path: string, temporaryPath: string, signal?: AbortSignal) {
    this.path = path
    this.temporaryPath = temporaryPath
    this.#signal = signal
  }
  get bytes(): number {
    return this.#bytes
  }
  /** Of all its files; known once it is finished. */
  get sha256(): string {
    return this.#sha256
  }
  /** One whole file, by its path in the folder. It is on the disk when this resolves. Several may be written at once. */
  async write(name: string, data: Uint8Array | string): Promise<void> {
    const bytes = typeof data === 'string' ? Buffer.from(data, 'utf8') : data
    const at = join(this.temporaryPath, name)
    await this.#folderFor(name)
    await writing(
      join(this.path, name),
      async () => {
        const handle = await open(at, 'wx')
        try {
          await handle.writeFile(bytes)
          await handle.datasync()
        } finally {
          await handle.close()
        }
      },
      this.#signal,
    )
    this.#bytes += bytes.byteLength
    this.#done.push({ path: name, bytes: bytes.byteLength, sha256: createHash('sha256').update(bytes).digest('hex') })
  }
  /** One that grows at its end; it is finished with the folder, if not before. */
  async file(name: string): Promise<OutputFile> {
    const [path, at] = [join(this.path, name), join(this.temporaryPath, name)]
    await this.#folderFor(name)
    const file = new OutputFile(path, at, await writing(path, () => open(at, 'wx'), this.#signal), this.#signal)
    this.#growing.set(name, file)
    return file
  }
  /** Everything is on the disk before the folder takes its name. */
  async finish(): Promise<void> {
    if (this.#sha256 !== '') return
    for (const [path, file] of this.#growing) {
      await file.finish()
      this.#bytes += file.bytes
      this.#done.push({ path, bytes: file.bytes, sha256: file.sha256 })
    }
    this.#growing.clear()
    const folders = [this.temporaryPath, ...[...this.#folders.keys()].map((folder) => join(this.temporaryPath, folder))]
    for (const folder of folders) await writing(this.path, () => syncFolder(folder), this.#signal)
    this.#sha256 = sumOfFiles(this.#done)
  }
  async discard(): Promise<void> {
    for (const file of this.#growing.values()) await file.discard()
  }

  /** The folders above a file, each made once. */
  #folderFor(name: string): Promise<unknown> {
    const folder = dirname(name)
    if (folder === '.') return Promise.resolve()
    let made = this.#folders.get(folder)
    if (!made) {
      made = this.#folderFor(folder).then(() =>
        writing(join(this.path, folder), () => mkdir(join(this.temporaryPath, folder)), this.#signal),
      )
      this.#folders.set(folder, made)
    }
    return made
  }
}
