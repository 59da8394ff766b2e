// Which project is taken up at the next start: the one that was open last, else the newest document without a name.
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { projectSuffix } from './store'
import { unnamedFolders } from './unnamed'

/** Names the project that was open last, where it has a name. */
const currentName = 'current.json'

/** Which project to take up again: after a crash, and at the next start. null: one without a name. `directory`: where those lie. */
export async function rememberProject(directory: string, path: string | null): Promise<void> {
  const file = join(directory, currentName)
  // What it is for is comfort: the document itself is where it is.
  await (path === null ? rm(file, { force: true }) : writeFile(file, JSON.stringify({ path }), { mode: 0o600 })).catch(
    () => undefined,
  )
}

/** The first that nobody else has is to be taken. Makes the directory. */
export async function foldersToAdopt(directory: string): Promise<string[]> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const unnamed = (await unnamedFolders(directory)).map(({ folder }) => folder)
  return [...(await remembered(directory)), ...unnamed].filter((folder) => existsSync(join(folder, 'project.sqlite')))
}

async function remembered(directory: string): Promise<string[]> {
  try {
    const { path } = JSON.parse(await readFile(join(directory, currentName), 'utf8')) as { path?: unknown }
    return typeof path === 'string' && path.endsWith(projectSuffix) ? [path] : []
  } catch {
    return []
  }
}
