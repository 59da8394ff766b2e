// Who has a project open: a lock of the system's, and the holder's name for others to read. The one importer of libsql.
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Database } from 'libsql'
import * as z from 'zod'
import { EngineError } from '../base/errors'
import { messageOf } from '../base/jsonFile'

const lockName = 'project.lock'
/** Is there while a project is open, and after a crash. */
export const holderName = 'opened-by.json'

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

const Holder = z.object({
  program: z.string().max(100),
  pid: z.number(),
  machine: z.string().max(300),
  since: z.string().max(40),
})

/**
 * A lock of the system's, which ends with the process that holds it, however that ends. On a file of its own: the library lets go of a
 * database whose statements were prepared only when those are collected, long after it was closed. Throws INVALID_PARAMETER.
 */
export function lockOf(folder: string): Database {
  let lock: Database | undefined
  try {
    lock = openDatabase(join(folder, lockName))
    lock.exec('BEGIN EXCLUSIVE')
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
    const { program, pid, machine, since } = Holder.parse(JSON.parse(readFileSync(join(folder, holderName), 'utf8')))
    who = `${program} (process ${pid} on ${machine}, since ${since})`
  } catch {
    // They are about to write it.
  }
  return new EngineError('INVALID_PARAMETER', `The project ${folder} is open in ${who}. Close it there first.`)
}

/** Only a name for others to read. */
export function sayWho(folder: string, program: string): void {
  const said = { program, pid: process.pid, machine: hostname(), since: new Date().toISOString() }
  tryTo(() => writeFileSync(join(folder, holderName), `${JSON.stringify(said)}\n`, { mode: 0o600 }))
}

export function tryTo(work: () => void): void {
  try {
    work()
  } catch {
    // What it was for is done, or is told elsewhere.
  }
}
