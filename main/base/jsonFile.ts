// A small JSON document on disk that several programs share: checked on reading and on writing, replaced as a whole, and no program's change is lost.
import { chmod, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import writeFileAtomic from 'write-file-atomic'
import type { z } from 'zod'
import { EngineError, schemaError } from './errors'
import { withFileLock } from './fileLock'
import type { Log } from './log'

/**
 * A write beyond the file size limit of the process (`ulimit -f`) is to fail with EFBIG, as Node has it. write-file-atomic listens to all signals while
 * it writes, and leaves SIGXFSZ to end the process: unless somebody else listens too.
 */
process.on('SIGXFSZ', () => undefined)

const maxBytes = 4 * 1024 * 1024
/** Writing one takes milliseconds. */
const draftAgeMs = 60_000

export class JsonFile<T> {
  private readonly path: string
  private readonly schema: z.ZodType<T>
  private readonly fallback: T
  private readonly log: Log
  private readonly onDisk: boolean
  private loaded: { readonly value: Promise<T>; readonly mark: string | null } | undefined
  // Updates queue up here, so that two calls at once cannot lose each other's change.
  private tail: Promise<unknown> = Promise.resolve()

  /** `onDisk` false: it is neither read nor written, and what it holds ends with the program. */
  constructor(path: string, schema: z.ZodType<T>, fallback: T, log: Log, onDisk = true) {
    this.onDisk = onDisk
    this.path = path
    this.schema = schema
    this.fallback = fallback
    this.log = log
  }

  /** As it is now: another program may have written it since. */
  async read(): Promise<T> {
    const mark = this.onDisk ? await this.mark() : null
    if (!this.loaded || (mark !== null && mark !== this.loaded.mark)) {
      const value = this.onDisk ? this.load() : Promise.resolve(this.fallback)
      this.loaded = { value, mark }
    }
    return this.loaded.value
  }

  /** Throws OUTPUT_FAILED, and INVALID_PARAMETER where the next start could not read the value again. */
  update(change: (value: T) => T): Promise<T> {
    const next = this.tail.then(async () => {
      if (!this.onDisk) return this.holding(change(await this.read()), null)
      let value: T | undefined
      try {
        await mkdir(dirname(this.path), { recursive: true, mode: 0o700 })
        return await withFileLock(this.path, async () => {
          const text = this.textOf((value = change(await this.read())))
          await this.lock()
          await writeFileAtomic(this.path, text, { mode: 0o600 })
          return this.holding(value, await this.mark())
        })
      } catch (cause) {
        if (cause instanceof EngineError) throw cause
        // What was there stays the mark: who can write does not lose the change, and who cannot has it for as long as it runs.
        this.holding(value ?? change(await this.read()), await this.mark())
        throw new EngineError(
          'OUTPUT_FAILED',
          `The file ${this.path} could not be written (${messageOf(cause)}). The change holds until the program ends; check the folder's permissions and free space.`,
          undefined,
          { cause },
        )
      }
    })
    this.tail = next.catch(() => undefined)
    return next
  }

  private holding(value: T, mark: string | null): T {
    this.loaded = { value: Promise.resolve(value), mark }
    return value
  }

  /** What tells one content of the file from the next: each write makes another file. null: there is none. */
  private mark(): Promise<string | null> {
    return stat(this.path, { bigint: true }).then(
      ({ ino, size, mtimeNs }) => `${ino} ${size} ${mtimeNs}`,
      () => null,
    )
  }

  /** What could not be read again is not written. */
  private textOf(value: T): string {
    const text = `${JSON.stringify(value, null, 2)}\n`
    const checked = this.schema.safeParse(value)
    if (!checked.success) throw schemaError(basename(this.path), value, checked.error)
    if (Buffer.byteLength(text) > maxBytes)
      throw new EngineError(
        'INVALID_PARAMETER',
        `The file ${this.path} would have more than ${maxBytes} bytes. Nothing has changed.`,
      )
    return text
  }

  /** Resolves once every update so far is on disk or has failed. */
  async flushed(): Promise<void> {
    await this.tail
  }

  /** What a process that was killed while it wrote has left: drafts of write-file-atomic, called after the file and a number, and of fileLock.ts. */
  private async sweep(): Promise<void> {
    const [folder, name] = [dirname(this.path), basename(this.path)]
    for (const each of await readdir(folder).catch(() => [])) {
      if (!each.startsWith(`${name}.`) || !/^(\d+|lock-[0-9a-f]{12}(-away)?)$/.test(each.slice(name.length + 1))) continue
      const draft = join(folder, each)
      const age = await stat(draft).then(
        ({ mtimeMs }) => Date.now() - mtimeMs,
        () => 0,
      )
      // A younger one may be another program's that is writing now.
      if (age > draftAgeMs) await rm(draft, { force: true }).catch(() => undefined)
    }
  }

  private async load(): Promise<T> {
    await this.sweep()
    let text: string
    try {
      const { size } = await stat(this.path)
      if (size > maxBytes) return await this.setAside(`it has ${size} bytes, more than the ${maxBytes} that such a file can have`)
      await this.lock()
      text = await readFile(this.path, 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
        this.log({ level: 'warn', message: `The file ${this.path} could not be read (${messageOf(error)}): defaults are used.` })
      }
      return this.fallback
    }
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch (error) {
      return this.setAside(messageOf(error))
    }
    const checked = this.schema.safeParse(value)
    return checked.success
      ? checked.data
      : this.setAside(checked.error.issues[0]?.message ?? 'it does not have the expected form')
  }

  /** For its owner alone, and files of before too: paths of slides can name patients. */
  private async lock(): Promise<void> {
    for (const [path, mode] of [
      [dirname(this.path), 0o700],
      [this.path, 0o600],
      [`${this.path}.bak`, 0o600],
    ] as const) {
      // What is not there, or is somebody else's, stays as it is; a disk without permissions has none to mend.
      await chmod(path, mode).catch(() => undefined)
    }
  }

  /** A file that cannot be understood is kept beside, so that nothing that the user wrote is lost. */
  private async setAside(reason: string): Promise<T> {
    const backup = `${this.path}.bak`
    try {
      await rename(this.path, backup)
      this.log({
        level: 'warn',
        message: `The file ${this.path} is damaged (${reason}): defaults are used, and the old file is kept as ${backup}.`,
      })
    } catch (error) {
      this.log({
        level: 'warn',
        message: `The file ${this.path} is damaged (${reason}) and could not be set aside (${messageOf(error)}): defaults are used.`,
      })
    }
    return this.fallback
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
