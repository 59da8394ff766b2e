// What may lie in a staging folder, and how one goes: nothing is followed, and nothing goes that no export puts there.
import { lstat, readdir, rmdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { backward, forward, isPlainName, journalPart } from './journal'
import { isFolderName, plainTree, removeTree } from './tree'

const journals: readonly string[] = [forward, backward, journalPart]
const suffixes = /^(.+)\.(new|old)$/s

/** Files of the set that wait for their names (`new`), and what had these before (`old`), which may be a link. Some are folders. */
function isOfExport(entry: { name: string; isFile(): boolean; isDirectory(): boolean }): boolean {
  if (journals.includes(entry.name)) return entry.isFile()
  const [, name = '', suffix] = suffixes.exec(entry.name) ?? []
  if (!isPlainName(name)) return false
  if (entry.isDirectory()) return isFolderName(name)
  return suffix === 'new' ? entry.isFile() : true
}

/** Whether it is a folder, and holds nothing but what an export puts there. */
export async function holdsOnlyAnExport(path: string): Promise<boolean> {
  if (!(await lstat(path)).isDirectory()) return false
  for (const entry of await readdir(path, { withFileTypes: true })) {
    if (!isOfExport(entry)) return false
    if (entry.isDirectory() && !(await plainTree(join(path, entry.name)))) return false
  }
  return true
}

/** A file that is being made when its set is cancelled may appear once the others are gone. */
const mostPasses = 10
const passMs = 20

/** Never throws: what cannot be removed is left over. */
export async function removeStaging(path: string): Promise<void> {
  try {
    if (!(await lstat(path)).isDirectory()) return
    for (let pass = 1; ; ++pass) {
      // First the journal: without it nothing here means anything.
      const entries = (await readdir(path, { withFileTypes: true })).filter(isOfExport)
      const folders = new Set(entries.filter((entry) => entry.isDirectory()).map(({ name }) => name))
      const found = entries.map(({ name }) => name)
      const ordered = [...journals.filter((each) => found.includes(each)), ...found.filter((each) => !journals.includes(each))]
      for (const name of ordered)
        await (folders.has(name) ? removeTree(join(path, name)) : unlink(join(path, name))).catch(() => undefined)
      try {
        return await rmdir(path)
      } catch (error) {
        if (pass === mostPasses || (error as { code?: string }).code !== 'ENOTEMPTY') return
        await new Promise((resolve) => setTimeout(resolve, passMs))
      }
    }
  } catch {
    // Gone already.
  }
}
