// Where the objects of a project's runs lie, below its folder. Files that are never changed: made whole, copied, deleted.
import { closeSync, constants, copyFileSync, fsyncSync, linkSync, mkdirSync, openSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const folderName = 'runs'
const suffix = '.objects'

export const runFile = (project: string, id: string): string => join(project, folderName, `${id}${suffix}`)

/** Into another project's folder, on the disk. The same file under two names where the system can: it never changes. */
export function copyRunFiles(ids: readonly string[], from: string, to: string): void {
  if (ids.length === 0) return
  mkdirSync(join(to, folderName), { mode: 0o700 })
  for (const id of ids) {
    const target = runFile(to, id)
    try {
      linkSync(runFile(from, id), target)
      continue
    } catch {
      // Another disk, or a system without such names.
    }
    copyFileSync(runFile(from, id), target, constants.COPYFILE_EXCL)
    sync(target)
  }
  if (process.platform !== 'win32') sync(join(to, folderName))
}

/** What a killed program had begun, and what it was about to delete. */
export function forgetStrangers(project: string, runs: ReadonlyMap<string, unknown>): void {
  let names: string[]
  try {
    names = readdirSync(join(project, folderName))
  } catch {
    return
  }
  for (const name of names) {
    const isOurs = name.endsWith('.draft') || (name.endsWith(suffix) && !runs.has(name.slice(0, -suffix.length)))
    if (isOurs) rmSync(join(project, folderName, name), { force: true })
  }
}

function sync(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
