// The files that this session's exports wrote: they alone are shown in the system's file manager, and of them only reports are opened.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { basename, isAbsolute, relative, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { isReport } from '../contract'
import type { AppError, CallArg, CallName, CallValue, Result } from '../contract'
import { words } from './words'

/** A refusal with the contract's code. */
export class WrittenFileError extends Error {
  readonly code: AppError['code']
  constructor(code: AppError['code'], message: string) {
    super(message)
    this.code = code
  }
}

/** What Electron's `shell` does; tests give their own. */
export interface SystemShell {
  showItemInFolder: (path: string) => void
  /** Resolves to what went wrong, or ''. */
  openPath: (path: string) => Promise<string>
}

const isBelow = (folder: string, path: string): boolean => {
  const way = relative(resolve(folder), path)
  return way !== '' && !way.startsWith('..') && !isAbsolute(way)
}

export class WrittenFiles {
  /** Their SHA-256 by path. */
  readonly #files = new Map<string, string>()
  readonly #system: SystemShell

  constructor(system: SystemShell) {
    this.#system = system
  }

  /** What an export's answer names counts, as far as it lies in the folder that was asked for. */
  learn(name: CallName, arg: unknown, result: Result<unknown>): void {
    if ((name !== 'export:start' && name !== 'regions:images') || !result.ok) return
    const { directory } = arg as CallArg<typeof name>
    for (const { path, sha256 } of (result.value as CallValue<typeof name>).files)
      if (isAbsolute(path) && isBelow(directory, resolve(path))) this.#files.set(resolve(path), sha256)
  }

  async show(path: string): Promise<null> {
    await this.#check(path)
    this.#system.showItemInFolder(resolve(path))
    return null
  }

  /** The system starts a program with it, so it must be a report, and be what was written byte by byte. */
  async open(path: string): Promise<null> {
    const written = await this.#check(path)
    if (!isReport(basename(path))) throw new WrittenFileError('INVALID_PARAMETER', words().refusals.noReport(path))
    if ((await sha256Of(resolve(path))) !== written) throw new WrittenFileError('NOT_FOUND', words().refusals.changed(path))
    const trouble = await this.#system.openPath(resolve(path))
    if (trouble !== '') throw new WrittenFileError('NOT_FOUND', words().refusals.notOpened(path, trouble))
    return null
  }

  /** Its SHA-256 as it was written. */
  async #check(path: string): Promise<string> {
    const written = this.#files.get(resolve(path))
    if (written === undefined) throw new WrittenFileError('INVALID_PARAMETER', words().refusals.notWritten(path))
    const found = await lstat(resolve(path)).catch(() => null)
    if (!found?.isFile()) throw new WrittenFileError('NOT_FOUND', words().refusals.gone(path))
    return written
  }
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}
