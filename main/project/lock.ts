// Who has a project open: a lock of the system's, and the holder's name for others to read. The one importer of libsql.
import { randomBytes } from 'node:crypto'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Database } from 'libsql'
import * as z from 'zod'
import { EngineError } from '../base/errors'
import { messageOf } from '../base/jsonFile'
import { readStrangeSync } from '../base/regularFile'
import { holderName, lockName, lookAt, mostHolderBytes } from './disk/look'

/** libsql is loaded when a document is first written or opened: commands that need none start without it. */
export function openDatabase(path: string): Database {
  let Constructor: new (path: string, options?: { timeout?: number }) => Database
  try {
    Constructor = createRequire(import.meta.url)('libsql') as typeof Constructor
  } catch (cause) {
    throw new EngineError(
      'NATIVE_UNAVAILABLE',
      `The library that keeps projects (libsql) could not be loaded (${messageOf(cause).split('\n')[0]}). Run npm install again.`,
      undefined,
      { cause },
    )
  }
  return new Constructor(path, { timeout: 0 })
}

/** libsql's file, for a thread that opens a document's own file too. */
export const libraryPath = (): string => createRequire(import.meta.url).resolve('libsql')

const Said = z
  .string()
  .max(300)
  .refine((value) => !/\p{Cc}/u.test(value))
const Holder = z.object({
  program: Said,
  pid: z
    .number()
    .int()
    .min(0)
    .max(2 ** 32),
  machine: Said,
  since: Said,
})

/**
 * A lock of the system's, which ends with the process that holds it, however that ends. On a file of its own: the library lets go of a
 * database whose statements were prepared only when those are collected, long after it was closed. The folder is looked at first: the file has no
 * byte and no journal beside it, so there is nothing that SQLite could play back. Throws INVALID_PARAMETER.
 */
export function lockOf(folder: string): Database {
  lookAt(folder)
  let lock: Database | undefined
  try {
    lock = openDatabase(join(folder, lockName))
    // Nothing is ever written: the journal would be a file of no use in the folder.
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    tryTo(() => lock?.close())
    if (error instanceof EngineError) throw error
    if (/locked|busy/i.test(messageOf(error))) throw heldBy(folder)
    throw new EngineError(
      'INVALID_PARAMETER',
      `The project ${folder} cannot be opened for writing: ${messageOf(error)}.`,
      undefined,
      {
        cause: error,
      },
    )
  }
}

/** Who has it open, from what they left in the folder. */
function heldBy(folder: string): EngineError {
  let who = 'another process'
  try {
    const { program, pid, machine, since } = Holder.parse(
      JSON.parse(readStrangeSync(join(folder, holderName), mostHolderBytes).toString('utf8')),
    )
    who = `${program} (process ${pid} on ${machine}, since ${since})`
  } catch {
    // They are about to write it.
  }
  return new EngineError('INVALID_PARAMETER', `The project ${folder} is open in ${who}. Close it there first.`)
}

/** Only a name for others to read. Takes the place of whatever has its name, and follows nothing. */
export function sayWho(folder: string, program: string): void {
  const said = { program, pid: process.pid, machine: hostname(), since: new Date().toISOString() }
  const draft = join(folder, `.${holderName}-${randomBytes(6).toString('hex')}`)
  tryTo(() => {
    try {
      writeFileSync(draft, `${JSON.stringify(said)}\n`, { mode: 0o600, flag: 'wx' })
      renameSync(draft, join(folder, holderName))
    } catch (error) {
      rmSync(draft, { force: true })
      throw error
    }
  })
}

export function sayGone(folder: string): void {
  tryTo(() => rmSync(join(folder, holderName), { force: true }))
}

export function tryTo(work: () => void): void {
  try {
    work()
  } catch {
    // What it was for is done, or is told elsewhere.
  }
}
