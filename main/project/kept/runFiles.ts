// Where the objects of a project's runs lie, below its folder. Files that are never changed: made whole, copied, deleted. No link among them is followed.
import {
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'
import { KeptId } from '../../../app/contract'
import { openStrangeSync } from '../../base/regularFile'
import { requireRunsFolder, runsName } from '../disk/look'

const suffix = '.objects'

export const runFile = (project: string, id: string): string => join(project, runsName, `${id}${suffix}`)

/** Into another project's folder, on the disk. The same file under two names where the system can: it never changes. */
export function copyRunFiles(ids: readonly string[], from: string, to: string): void {
  if (ids.length === 0) return
  requireRunsFolder(from)
  mkdirSync(join(to, runsName), { mode: 0o700 })
  for (const id of ids) {
    const [source, target] = [runFile(from, id), runFile(to, id)]
    // Throws where it is no file.
    closeSync(openStrangeSync(source))
    try {
      linkSync(source, target)
      continue
    } catch {
      // Another disk, or a system without such names.
    }
    copyFileSync(source, target, constants.COPYFILE_EXCL)
    sync(target)
  }
  if (process.platform !== 'win32') sync(join(to, runsName))
}

/** As `writeKept` calls what it has begun. */
const draft = /^\.[0-9a-f]{12}\.draft$/

/** What a killed program had begun, and what it was about to delete: files by names that only Morphoscope gives. */
export function forgetStrangers(project: string, runs: ReadonlyMap<string, unknown>): void {
  requireRunsFolder(project)
  const folder = join(project, runsName)
  for (const name of readdirSync(folder)) {
    const id = name.endsWith(suffix) ? name.slice(0, -suffix.length) : ''
    const isOurs = draft.test(name) || (KeptId.safeParse(id).success && !runs.has(id))
    if (isOurs && lstatSync(join(folder, name)).isFile()) rmSync(join(folder, name), { force: true })
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
