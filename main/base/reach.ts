// The folders that a shell's users may reach: every path is resolved, links included, before it is compared with them. Hidden names below them are not.
import { lstat, realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path'

/** `roots`: real paths. null: everywhere. */
export type Roots = readonly string[] | null

/** A name with a dot in front, at any place below the root, is what programs read at their start and keep keys in. */
export function isShownBelow(path: string, root: string): boolean {
  return (
    isBelow(path, root) &&
    !path
      .slice(root.length)
      .split(sep)
      .some((name) => name.startsWith('.'))
  )
}

function isBelow(path: string, root: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep)
}

/** The real path below one of the roots, or null. What does not exist yet is judged by the nearest folder that does. */
export async function realPathBelow(path: string, roots: readonly string[]): Promise<string | null> {
  const real = isAbsolute(path) ? await realpathOfNearest(resolve(path)) : null
  return real !== null && roots.some((root) => isShownBelow(real, root)) ? real : null
}

export async function isReachable(path: string, roots: Roots): Promise<boolean> {
  return roots === null || (await realPathBelow(path, roots)) !== null
}

async function realpathOfNearest(path: string): Promise<string | null> {
  const missing: string[] = []
  for (let folder = path; ; folder = dirname(folder)) {
    try {
      return join(await realpath(folder), ...missing)
    } catch (error) {
      // A link that leads nowhere yet could lead anywhere later: only names that are not there at all may be made.
      if ((error as { code?: string }).code !== 'ENOENT' || (await isLink(folder)) || dirname(folder) === folder) return null
      missing.unshift(basename(folder))
    }
  }
}

async function isLink(path: string): Promise<boolean> {
  return await lstat(path).then(
    (info) => info.isSymbolicLink(),
    () => false,
  )
}
