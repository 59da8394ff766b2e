// Which bytes a slide was opened from: what its files were then, and whether they still are the same.
import { createHash, randomBytes } from 'node:crypto'
import { open, readFile, readdir, realpath, stat } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { basename, dirname, extname, join, resolve, sep } from 'node:path'
import { EngineError } from '../base/errors'
import { messageOf } from '../base/jsonFile'
import { requireNoPipe } from '../base/regularFile'
import { zarrFiles } from './zarrFiles'

interface Mark {
  readonly dev: bigint
  readonly ino: bigint
  readonly size: bigint
  readonly mtimeNs: bigint
}
interface FileMark extends Mark {
  readonly path: string
}
/** `path`: the first file that is not what it was. */
export interface SlideComparison {
  readonly state: 'same' | 'gone' | 'changed'
  readonly path: string
}

/** A folder may hold any number of files; a MIRAX slide has hundreds at most. */
const maxCompanions = 4096
const maxIndexBytes = 1024 * 1024
/** Of a file that is sampled. */
const sampledPieces = 16
const pieceBytes = 64 * 1024

// Not the time of the inode's own change: a backup that links the file, or a change of its owner, leaves its bytes as they are.
const sameFile = (a: Mark, b: Mark): boolean => a.dev === b.dev && a.ino === b.ino && a.size === b.size && a.mtimeNs === b.mtimeNs

async function markOf(path: string): Promise<FileMark> {
  const { dev, ino, size, mtimeNs } = await stat(path, { bigint: true })
  return { path, dev, ino, size, mtimeNs }
}

async function isDicom(path: string): Promise<boolean> {
  const file = await open(path, 'r')
  try {
    const mark = Buffer.alloc(4)
    await file.read(mark, 0, 4, 128)
    return mark.toString('latin1') === 'DICM'
  } finally {
    await file.close()
  }
}

/** The files beside the one that is opened, of the formats whose slides are several files. */
async function companionsOf(path: string): Promise<string[]> {
  const folder = dirname(path)
  const extension = extname(path).toLowerCase()
  try {
    if (extension === '.mrxs') {
      const beside = join(folder, basename(path, extname(path)))
      return (await readdir(beside)).sort().map((name) => join(beside, name))
    }
    if (extension === '.vms' || extension === '.vmu') {
      if ((await stat(path)).size > maxIndexBytes) return []
      const text = await readFile(path, 'latin1')
      const named = [...text.matchAll(/^[^=\r\n]+=[ \t]*([^\r\n]+?)[ \t]*$/gm)].map((match) =>
        Buffer.from(match[1]!, 'latin1').toString(),
      )
      const beside = new Set(await readdir(folder))
      return [...new Set(named)].filter((name) => beside.has(name)).map((name) => join(folder, name))
    }
    // As the reader has it (native/slide/dicom/series.cpp): archives give the files of a series no extension, or numbers.
    if (extension === '.dcm' || (await isDicom(path))) {
      return (await readdir(folder, { withFileTypes: true }))
        .filter((entry) => entry.isFile() && (extname(entry.name).toLowerCase() === '.dcm') === (extension === '.dcm'))
        .map(({ name }) => name)
        .filter((name) => name !== basename(path))
        .sort()
        .map((name) => join(folder, name))
    }
  } catch {
    // The reader says what is missing, in words of its own.
  }
  return []
}

/** Where a file lies or would lie, links in its folders followed. */
async function placeOf(path: string): Promise<string> {
  const folder = await realpath(dirname(path)).catch(() => resolve(dirname(path)))
  return join(folder, basename(path)).normalize('NFC').toLowerCase()
}

export class SlideIdentity {
  readonly path: string
  /** Stands for the slide's checksum where there is none: the same as long as the slide is open, and nobody else's. */
  readonly seed = randomBytes(32).toString('hex')
  readonly #files: readonly FileMark[]
  /** Its pixels lie in files below its path, and not in it. */
  readonly #isFolder: boolean

  private constructor(path: string, files: readonly FileMark[], isFolder: boolean) {
    this.path = path
    this.#files = files
    this.#isFolder = isFolder
  }

  /** Taken before and after a slide is opened: what changes in between belongs to neither. INVALID_PARAMETER where one of its files is a pipe. */
  static async of(path: string): Promise<SlideIdentity> {
    await requireNoPipe(path)
    const [opened = path, ...below] = (await zarrFiles(path)) ?? []
    const isFolder = opened !== path
    const first = await markOf(opened)
    const others: FileMark[] = []
    for (const companion of isFolder ? below : (await companionsOf(path)).slice(0, maxCompanions)) {
      await requireNoPipe(companion)
      const mark = await markOf(companion).catch(() => null)
      if (mark) others.push(mark)
    }
    return new SlideIdentity(path, [first, ...others], isFolder)
  }

  equals(other: SlideIdentity): boolean {
    const mine = this.#files
    const theirs = other.#files
    return mine.length === theirs.length && mine.every((file, i) => file.path === theirs[i]!.path && sameFile(file, theirs[i]!))
  }

  /** Is `path` one of the slide's files, under whatever name, or the place of one that is gone? Case counts for nothing: some disks know none. */
  async includes(path: string): Promise<boolean> {
    const found = await stat(path, { bigint: true }).catch(() => null)
    if (found !== null && this.#files.some(({ dev, ino }) => dev === found.dev && ino === found.ino)) return true
    const place = await placeOf(path)
    if (this.#isFolder && `${place}${sep}`.startsWith(`${await placeOf(this.path)}${sep}`)) return true
    for (const file of this.#files) if ((await placeOf(file.path)) === place) return true
    return false
  }

  /** What the slide's files are now, and the first that is not what it was. Another file in its place is a change, none is not. */
  async compare(): Promise<SlideComparison> {
    let gone: string | undefined
    for (const file of this.#files) {
      let now: Mark
      try {
        now = await markOf(file.path)
      } catch {
        gone ??= file.path
        continue
      }
      if (!sameFile(file, now)) return { state: 'changed', path: file.path }
    }
    return gone === undefined ? { state: 'same', path: this.path } : { state: 'gone', path: gone }
  }

  /** Throws SLIDE_CHANGED; tells in words where a file is gone: what was read of it is still right. */
  async check(): Promise<string | null> {
    const { state, path } = await this.compare()
    if (state === 'changed') throw slideChanged(path)
    return state === 'gone' ? `${path} is gone since the slide was opened (deleted, moved, or its disk is away).` : null
  }

  /**
   * What tells the slide from others when it is opened again, by another process and maybe under another name: a SHA-256 of its files' names
   * (the first's apart), sizes, times and of samples of their bytes, the first and the last among them. Reads 1 MiB of the first file and a
   * piece of each other: the whole would take minutes. Throws SLIDE_CHANGED where it is not what was opened, or not there.
   */
  fingerprint(): Promise<string> {
    return this.#sampled(true)
  }

  /** The same without names and times: a copy of the slide, on another disk or under another name, has the same. */
  async contentKey(): Promise<string> {
    return (await this.#sampled(false)).slice(0, 32)
  }

  async #sampled(withMarks: boolean): Promise<string> {
    const sum = createHash('sha256')
    for (const [i, file] of this.#files.entries()) {
      const { path, size, mtimeNs } = file
      sum.update(withMarks ? `${i === 0 ? '' : basename(path)}\0${size}\0${mtimeNs}\0` : `${size}\0`)
      const pieces = i === 0 ? sampledPieces : 1
      const handle = await open(path, 'r').catch(() => {
        throw slideChanged(path)
      })
      try {
        const last = Math.max(0, Number(size) - pieceBytes)
        for (let piece = 0; piece < pieces; piece++) {
          const into = Buffer.alloc(pieceBytes)
          const at = pieces === 1 ? 0 : Math.floor((last * piece) / (pieces - 1))
          const { bytesRead } = await handle.read(into, 0, pieceBytes, at)
          sum.update(into.subarray(0, bytesRead))
        }
        if (!sameFile(file, await handle.stat({ bigint: true }))) throw slideChanged(path)
      } finally {
        await handle.close().catch(() => undefined)
      }
    }
    return sum.digest('hex')
  }

  /** The SHA-256 of the opened file's bytes, or why there is none that is sure to be theirs. */
  async sha256(signal: AbortSignal): Promise<{ sha256: string } | { sha256: null; reason: string }> {
    if (this.#isFolder) return { sha256: null, reason: 'the slide is a folder, and its many files have no one checksum' }
    const file = this.#files[0]!
    const key = `${file.path}\0${file.dev}\0${file.ino}\0${file.size}\0${file.mtimeNs}`
    if ((await this.compare()).state === 'same' && known.has(key)) return { sha256: known.get(key)! }
    let handle: FileHandle
    try {
      handle = await open(file.path, 'r')
    } catch (error) {
      return { sha256: null, reason: `the slide’s file could not be opened again (${codeOf(error)})` }
    }
    try {
      const before = await handle.stat({ bigint: true })
      if (!sameFile(file, before)) return changedSince
      const sum = createHash('sha256')
      for await (const chunk of handle.createReadStream({ autoClose: false, start: 0, signal, highWaterMark: 1024 * 1024 }))
        sum.update(chunk as Buffer)
      if (!sameFile(file, await handle.stat({ bigint: true }))) return changedSince
      const sha256 = sum.digest('hex')
      if (known.size >= maxKnown) known.clear()
      known.set(key, sha256)
      return { sha256 }
    } catch (error) {
      signal.throwIfAborted()
      return { sha256: null, reason: `the slide’s file could not be read for it (${codeOf(error)})` }
    } finally {
      await handle.close().catch(() => undefined)
    }
  }
}

const changedSince = { sha256: null, reason: 'the slide’s file has changed since it was opened' } as const
const known = new Map<string, string>()
const maxKnown = 64

// Not the whole message: it names the file with its folders.
function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? code : messageOf(error)
}

export function slideChanged(path: string): EngineError {
  return new EngineError(
    'SLIDE_CHANGED',
    `${path} has changed since the slide was opened: its tiles would be a mix of two files. Open the slide again, and run again.`,
  )
}
