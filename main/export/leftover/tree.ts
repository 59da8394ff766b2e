// A folder that an export writes as one file, or finds in its place: which files it holds, its checksum, and how it goes. Links are never followed.
import { createHash } from 'node:crypto'
import { opendir, lstat, rmdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { hashFile } from '../../base/hashFile'

/** Which names of an export's files are folders. */
export const isFolderName = (name: string): boolean => name.endsWith('.zarr')

/** What names in it may be. */
const plainName = /^\.?[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$/
const mostDepth = 8
const mostFiles = 2 ** 20

/** Of one file in a folder: by its path in it, with "/". */
export interface TreeFile {
  readonly path: string
  readonly bytes: number
  readonly sha256: string
}

/** Of all files in a folder, in the order of their paths. */
export function sumOfFiles(files: readonly TreeFile[]): string {
  const sum = createHash('sha256')
  const inOrder = [...files].sort((a, b) => (a.path < b.path ? -1 : 1))
  for (const { path, bytes, sha256 } of inOrder) sum.update(`${sha256} ${bytes} ${path}\n`)
  return sum.digest('hex')
}

/** Paths in a folder; null where it holds anything but plain files and folders of plain names, or too many. */
export async function plainTree(folder: string): Promise<{ files: string[]; folders: string[] } | null> {
  const found = { files: [] as string[], folders: [] as string[] }
  const look = async (within: string, depth: number): Promise<boolean> => {
    for await (const entry of await opendir(join(folder, within))) {
      const path = within === '' ? entry.name : `${within}/${entry.name}`
      if (!plainName.test(entry.name) || found.files.length + found.folders.length > mostFiles) return false
      if (entry.isFile()) found.files.push(path)
      else if (!entry.isDirectory() || depth >= mostDepth) return false
      else {
        found.folders.push(path)
        if (!(await look(path, depth + 1))) return false
      }
    }
    return true
  }
  if (!(await lstat(folder)).isDirectory()) return null
  return (await look('', 1)) ? found : null
}

/** As `sumOfFiles` has it; null where the folder holds what no export puts there. */
export async function treeOf(folder: string): Promise<{ bytes: number; sha256: string } | null> {
  const tree = await plainTree(folder)
  if (!tree) return null
  const files: TreeFile[] = []
  for (const path of tree.files) {
    const at = join(folder, path)
    files.push({ path, bytes: (await lstat(at)).size, sha256: await hashFile(at) })
  }
  return { bytes: files.reduce((sum, { bytes }) => sum + bytes, 0), sha256: sumOfFiles(files) }
}

/** Whether it could be a Zarr, and nothing beside: what an export may replace where somebody says so. */
export async function isPlainZarr(folder: string): Promise<boolean> {
  const tree = await plainTree(folder)
  return tree !== null && ['.zgroup', '.zattrs', 'zarr.json'].some((name) => tree.files.includes(name))
}

/** Its plain files and folders. What else is in it stays, with the folders around it. */
export async function removeTree(folder: string, depth = 1): Promise<void> {
  const names: { name: string; isFolder: boolean }[] = []
  for await (const entry of await opendir(folder))
    if (plainName.test(entry.name) && (entry.isFile() || (entry.isDirectory() && depth <= mostDepth)))
      names.push({ name: entry.name, isFolder: entry.isDirectory() })
  for (const { name, isFolder } of names) {
    const path = join(folder, name)
    await (isFolder ? removeTree(path, depth + 1) : unlink(path)).catch(() => undefined)
  }
  await rmdir(folder)
}
