// A copy of a project's file in a folder of our own: what a stranger wrote is read there, where SQLite can play back, follow and lock nothing of anybody's.
import { closeSync, existsSync, fstatSync, ftruncateSync, lstatSync, openSync, readSync, rmSync, statSync } from 'node:fs'
import { truncateSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { EngineError } from '../../base/errors'
import { openStrangeSync } from '../../base/regularFile'
import { openDatabase, tryTo } from '../lock'
import { fileName, mostFileBytes } from './look'
import { ownFolder } from './ownFolder'

export interface PrivateCopy {
  readonly file: string
  /** Takes it away. A database that still has it open keeps no space on the disk. */
  readonly remove: () => void
}

/** A log of SQLite's without a change in it is its head. */
const walHeadBytes = 32

/** With all that was answered before a crash: the log is taken into the copy, and stays as it is in the folder. Throws where it is no database. */
export function privateCopy(folder: string): PrivateCopy {
  const own = ownFolder('project')
  const file = join(own, fileName)
  const remove = (): void => {
    tryTo(() => truncateSync(file))
    tryTo(() => rmSync(own, { recursive: true, force: true }))
  }
  try {
    if (bothCopied(folder, file) > walHeadBytes) takeLog(file)
    rmSync(`${file}-wal`, { force: true })
    if (statSync(file).size > mostFileBytes) throw tooLong(folder)
    return { file, remove }
  } catch (error) {
    remove()
    throw error
  }
}

const tries = 5

/** The file and its log as they are at one time: a connection that is let go of late may take one into the other meanwhile. The log's bytes. */
function bothCopied(folder: string, file: string): number {
  const source = join(folder, fileName)
  for (let left = tries; ; left--) {
    const before = marks(source)
    try {
      for (const each of [file, `${file}-wal`]) rmSync(each, { force: true })
      copied(source, file)
      const logBytes = existsSync(`${source}-wal`) ? copied(`${source}-wal`, `${file}-wal`) : 0
      if (marks(source) === before) return logBytes
      if (left === 0) throw new Error('another program changes it')
    } catch (error) {
      if (left === 0 || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
}

const marks = (source: string): string =>
  [source, `${source}-wal`]
    .map((path) => {
      const info = lstatSync(path, { bigint: true, throwIfNoEntry: false })
      return info ? `${info.ino} ${info.size} ${info.mtimeNs}` : ''
    })
    .join()

/** The last connection to a database takes its log into it. Neither tables nor rows are looked at for that. */
function takeLog(file: string): void {
  const db = openDatabase(file)
  try {
    db.exec('BEGIN IMMEDIATE; COMMIT')
  } finally {
    db.close()
  }
  if (existsSync(`${file}-wal`)) throw new Error('its log could not be read')
}

const pieceBytes = 2 ** 20
const nothing = Buffer.alloc(pieceBytes)

/** How many bytes it has. Holes stay holes. */
function copied(from: string, to: string): number {
  const source = openStrangeSync(from)
  try {
    const { size } = fstatSync(source)
    if (size > mostFileBytes) throw tooLong(from)
    const target = openSync(to, 'wx', 0o600)
    try {
      const piece = Buffer.alloc(pieceBytes)
      for (let at = 0; at < size;) {
        const read = readSync(source, piece, 0, Math.min(pieceBytes, size - at), at)
        if (read === 0) throw new Error('it became shorter while it was read')
        if (piece.compare(nothing, 0, read, 0, read) !== 0) writeFully(target, piece, read, at)
        at += read
      }
      ftruncateSync(target, size)
    } finally {
      closeSync(target)
    }
    return size
  } finally {
    closeSync(source)
  }
}

function writeFully(file: number, bytes: Buffer, length: number, at: number): void {
  for (let done = 0; done < length;) done += writeSync(file, bytes, done, length - done, at + done)
}

const tooLong = (what: string): EngineError =>
  new EngineError('INVALID_PARAMETER', `The project was not opened: ${what} has more than ${mostFileBytes} bytes.`)
