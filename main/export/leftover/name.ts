// What a staging folder is called: whose it is, and a signature that it is this user's and was made in this folder.
import { randomBytes } from 'node:crypto'
import { lstat, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { signatureOf } from '../../base/ownKey'
import { host, startOf } from '../../base/process'

export type StagingKind = 'export' | 'images'

/** Versions before the signature had none: theirs are strangers'. */
const names = /^\.morphoscope-(export|images)-([0-9a-f]{8})-(\d{1,10})-(\d{1,20})-([0-9a-f]{12})(?:-([0-9a-f]{32}))?$/
/** Whether a process of another machine lives cannot be asked: what it has not touched for so long is left over. */
const foreignIdleMs = 24 * 60 * 60_000

/** Those of this process. */
export const alive = new Set<string>()

export const isStagingName = (name: string): boolean => names.test(name)
export const kindOf = (name: string): StagingKind => (name.startsWith('.morphoscope-export-') ? 'export' : 'images')

/** A copy of a folder is another folder: what was begun in the one is not to be ended in the other. */
async function idOf(directory: string): Promise<string> {
  return String((await stat(directory, { bigint: true })).ino)
}

async function signature(directory: string, parts: readonly string[]): Promise<string> {
  return signatureOf('staging folder', JSON.stringify([await idOf(directory), ...parts]))
}

export async function newName(directory: string, kind: StagingKind): Promise<string> {
  const parts = [kind, host, String(process.pid), String(startOf(process.pid) ?? 0), randomBytes(6).toString('hex')]
  return `.morphoscope-${parts.join('-')}-${await signature(directory, parts)}`
}

export async function isOwnName(directory: string, name: string): Promise<boolean> {
  const [, ...parts] = names.exec(name) ?? []
  const signed = parts.pop()
  return signed !== undefined && signed === (await signature(directory, parts))
}

/** Whether whoever its name tells of goes on with it. What is no folder is nobody's. */
export async function isLive(directory: string, name: string): Promise<boolean> {
  const [, , ofHost, pid, start] = names.exec(name)!
  const found = await lstat(join(directory, name)).catch(() => null)
  if (!found?.isDirectory()) return false
  if (ofHost !== host) return Date.now() - found.mtimeMs < foreignIdleMs
  if (Number(pid) === process.pid) return alive.has(name)
  return startOf(Number(pid)) === Number(start)
}
