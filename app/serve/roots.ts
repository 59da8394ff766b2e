// The folders that a browser may reach: every path is resolved, links included, before it is compared with them. Hidden names below them are not.
import { opendir, realpath, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, extname, join, resolve } from 'node:path'
import { isShownBelow, isZarrImage, realPathBelow } from '../../main/engine'
import type { AppError, FileEntry } from '../contract'

/** What a person would call a slide or a picture: the engine itself opens by content. */
const slideExtensions = new Set('.svs .tif .tiff .ndpi .vms .vmu .scn .mrxs .bif .svslide .dcm .czi .png .jpg .jpeg'.split(' '))
const maxEntries = 5000

/** A refusal with the contract's code. */
export class RootsError extends Error {
  readonly code: AppError['code']
  constructor(code: AppError['code'], message: string) {
    super(message)
    this.code = code
  }
}

export interface Listing {
  path: string
  parent: string | null
  entries: FileEntry[]
}

export class Roots {
  readonly #roots: readonly string[]
  private constructor(roots: readonly string[]) {
    this.#roots = roots
  }
  /** Throws NOT_FOUND for a folder that is not there. */
  static async of(folders: readonly string[]): Promise<Roots> {
    const found: string[] = []
    for (const folder of folders) {
      const path = await realpath(resolve(folder)).catch(() => null)
      if (path === null || !(await stat(path)).isDirectory()) throw new RootsError('NOT_FOUND', `There is no folder ${folder}.`)
      if (!found.includes(path)) found.push(path)
    }
    // A folder inside another adds nothing, unless it is hidden there.
    return new Roots(found.filter((path) => !found.some((other) => other !== path && isShownBelow(path, other))))
  }

  get folders(): readonly string[] {
    return this.#roots
  }

  /**
   * The real path of a file or folder below a root. What does not exist yet is judged by the nearest folder that does. The
   * message outside the roots is the same whether the path exists or not. A name with a dot in front, at any place below the root,
   * is what programs read at their start and keep keys in: neither read nor written.
   */
  async check(path: string): Promise<string> {
    // What a shell makes of it: a folder named "~" is nobody's wish.
    const named = path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(2)) : path
    const real = await realPathBelow(named, this.#roots)
    if (real === null) {
      throw new RootsError(
        'INVALID_PARAMETER',
        `expected a path below ${this.#roots.join(' or ')}, with no hidden name in it, but received ${path}. Start the server with --root to allow another folder.`,
      )
    }
    return real
  }

  async list(path: string | undefined): Promise<Listing> {
    if (path === undefined && this.#roots.length !== 1) {
      const entries = this.#roots.map((root) => ({ name: root, path: root, directory: true, sizeBytes: 0 }))
      return { path: '', parent: null, entries }
    }
    const folder = await this.check(path ?? this.#roots[0]!)
    const entries: FileEntry[] = []
    try {
      for await (const entry of await opendir(folder)) {
        if (entry.name.startsWith('.')) continue
        const real = await this.check(join(folder, entry.name)).catch(() => null)
        const info = real === null ? null : await stat(real).catch(() => null)
        if (real === null || info === null) continue
        // An OME-Zarr is a folder, and opens as a slide.
        const directory = info.isDirectory() && !(await isZarrImage(real))
        if (!info.isDirectory() && !(info.isFile() && slideExtensions.has(extname(entry.name).toLowerCase()))) continue
        entries.push({ name: entry.name, path: join(folder, entry.name), directory, sizeBytes: info.isFile() ? info.size : 0 })
        if (entries.length >= maxEntries) break
      }
    } catch (error) {
      const { code } = error as { code?: string }
      throw new RootsError('NOT_FOUND', `The folder ${folder} cannot be read (${code ?? String(error)}).`)
    }
    entries.sort(
      (a, b) => Number(b.directory) - Number(a.directory) || a.name.localeCompare(b.name, undefined, { numeric: true }),
    )
    const parent = dirname(folder)
    const above = this.#roots.includes(folder) ? null : parent
    return { path: folder, parent: above, entries }
  }
}
