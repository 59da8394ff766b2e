// Which paths the page may name: what a person chose in this process's own dialogs, dropped, or gave on the command line. Nothing else.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, resolve } from 'node:path'
import { pathsOf, readablePaths } from '../contract'
import type { CallName, PathUse, Result } from '../contract'
import { words } from './words'

/** A refusal with the contract's code. */
export class GrantError extends Error {
  readonly code = 'INVALID_PARAMETER'
}

const maxDirectories = 50

/**
 * Reading is granted for as long as the program runs. A recipe's path is granted for one saving, and used up by it. An export's folder
 * is granted for good, so that the one of last time needs no dialog: that list is this file's alone, and no call writes it. In
 * particular settings:set does not make a folder writable: it only remembers one that is.
 */
export class Grants {
  readonly #file: string
  readonly #readable = new Set<string>()
  readonly #recipes = new Set<string>()
  #directories: string[]

  /** `file`: where the granted folders are kept. */
  constructor(file: string) {
    this.#file = file
    this.#directories = load(file)
  }

  reading(path: string): void {
    this.#readable.add(resolve(path))
  }

  savingRecipe(path: string): void {
    this.#recipes.add(resolve(path))
  }

  exportingTo(directory: string): void {
    const path = resolve(directory)
    this.#directories = [path, ...this.#directories.filter((each) => each !== path)].slice(0, maxDirectories)
    try {
      save(this.#file, this.#directories)
    } catch (error) {
      // It holds for this session all the same.
      console.warn(`The chosen folders could not be kept in ${this.#file}: ${String(error)}`)
    }
  }

  /** What the page asks for, or a GrantError. */
  check(name: CallName, arg: unknown): void {
    for (const { path, use } of pathsOf(name, arg)) this.#checks[use](path)
  }

  readonly #checks: Readonly<Record<PathUse, (path: string) => void>> = {
    slide: (path) => this.#checkReadable(path),
    read: (path) => this.#checkReadable(path),
    write: (path) => {
      if (!isAbsolute(path) || !this.#recipes.delete(resolve(path))) throw new GrantError(words().refusals.notJustChosen(path))
    },
    folder: (path) => this.#checkDirectory(path),
    // The folder itself was chosen, or the one that it lies in.
    project: (path) => {
      const isChosen = !isAbsolute(path) || this.#directories.includes(resolve(path))
      this.#checkDirectory(isChosen ? path : dirname(resolve(path)))
    },
    list: (path) => this.#checkDirectory(path),
    // Whoever answers knows what was written (writtenFiles.ts), or opens nothing.
    written: () => undefined,
    name: () => undefined,
  }

  /** What an answer names may be asked for next. */
  learn(name: CallName, result: Result<unknown>): void {
    if (result.ok) for (const path of readablePaths(name, result.value)) this.reading(path)
  }

  #checkReadable(path: string): void {
    if (!isAbsolute(path) || !this.#readable.has(resolve(path))) throw new GrantError(words().refusals.notGivenFile(path))
  }

  #checkDirectory(directory: string): void {
    if (!isAbsolute(directory) || !this.#directories.includes(resolve(directory)))
      throw new GrantError(words().refusals.notGivenFolder(directory))
  }
}

const format = 'morphoscope-grants'

function load(file: string): string[] {
  try {
    const found = JSON.parse(readFileSync(file, 'utf8')) as { format?: unknown; exportDirectories?: unknown }
    if (found.format !== format || !Array.isArray(found.exportDirectories)) return []
    return found.exportDirectories
      .filter((each): each is string => typeof each === 'string' && isAbsolute(each))
      .slice(0, maxDirectories)
  } catch {
    // None yet, or damaged: the dialog asks again.
    return []
  }
}

function save(file: string, exportDirectories: readonly string[]): void {
  mkdirSync(dirname(file), { recursive: true })
  const draft = `${file}.${process.pid}.part`
  writeFileSync(draft, `${JSON.stringify({ format, version: 1, exportDirectories }, null, 2)}\n`, { mode: 0o600 })
  renameSync(draft, file)
}
