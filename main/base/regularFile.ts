// Files that a stranger may have made: opened only where they are regular files, so that no named pipe makes the reader wait and no link leads elsewhere.
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs'
import type { Stats } from 'node:fs'
import { lstat, open, stat } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { EngineError } from './errors'

type Kind = Pick<Stats, 'isFile' | 'isDirectory' | 'isSymbolicLink' | 'isFIFO' | 'isSocket'>

/** As a sentence has it: "a named pipe". */
export function kindOf(info: Kind): string {
  if (info.isFile()) return 'a file'
  if (info.isSymbolicLink()) return 'a link'
  if (info.isDirectory()) return 'a folder'
  if (info.isFIFO()) return 'a named pipe'
  return info.isSocket() ? 'a socket' : 'a device'
}

// Windows has neither flag: there the look before is all.
const reading = constants.O_RDONLY | ((constants.O_NONBLOCK as number | undefined) ?? 0)
const noFollow = (constants.O_NOFOLLOW as number | undefined) ?? 0

const notRegular = (path: string, info: Kind): EngineError =>
  new EngineError('INVALID_PARAMETER', `${path} is ${kindOf(info)}, not a file. Name a file.`)

/** What lies in a folder of a stranger's: a link is refused. Throws the system's error where nothing is there, INVALID_PARAMETER where it is no file. */
export async function openStrange(path: string): Promise<FileHandle> {
  const before = await lstat(path)
  if (!before.isFile()) throw notRegular(path, before)
  const handle = await open(path, reading | noFollow)
  const info = await handle.stat()
  if (info.isFile()) return handle
  await handle.close()
  throw notRegular(path, info)
}

/** The same while the caller waits. */
export function openStrangeSync(path: string): number {
  const before = lstatSync(path)
  if (!before.isFile()) throw notRegular(path, before)
  const file = openSync(path, reading | noFollow)
  const info = fstatSync(file)
  if (info.isFile()) return file
  closeSync(file)
  throw notRegular(path, info)
}

/** A small file's bytes. Throws where it has more than `mostBytes`, and as `openStrangeSync`. */
export function readStrangeSync(path: string, mostBytes: number): Buffer {
  const file = openStrangeSync(path)
  try {
    const into = Buffer.alloc(mostBytes + 1)
    const read = readSync(file, into, 0, into.length, 0)
    if (read > mostBytes) throw new EngineError('INVALID_PARAMETER', `${path} has more than ${mostBytes} bytes.`)
    return into.subarray(0, read)
  } finally {
    closeSync(file)
  }
}

/** Throws INVALID_PARAMETER where reading would wait for somebody to write. What is not there is told by whoever reads it. */
export async function requireNoPipe(path: string): Promise<void> {
  const info = await stat(path).catch(() => null)
  if (info && !info.isFile() && !info.isDirectory()) throw notRegular(path, info)
}
