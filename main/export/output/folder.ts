// Where an export goes: the home folder's short name, and a folder of its own for each export.
import { mkdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { EngineError } from '../../base/errors'
import { systemCode } from './failure'
import { folderName } from '../names'
import { quickly } from './patience'

/** "~" is what a shell would make of it, and never a folder of that name; what depends on where a program was started is refused. */
export function outputDirectory(given: string): string {
  if (given === '~' || /^~[/\\]/.test(given)) return resolve(homedir(), given.slice(2))
  if (given.startsWith('~') || !isAbsolute(given)) {
    throw new EngineError(
      'INVALID_PARAMETER',
      `expected a folder's whole path (like ${join(homedir(), 'results')}, or ~/results) for the export's folder but received ${given}`,
    )
  }
  return resolve(given)
}

/** A new folder SLIDE_RECIPE_DATE below `directory`, which is there: never one that was there before. */
export async function makeOwnFolder(directory: string, slide: string, recipe: string, signal?: AbortSignal): Promise<string> {
  const name = folderName(slide, recipe, new Date())
  for (let n = 1; ; n++) {
    const path = join(directory, n === 1 ? name : `${name}-${n}`)
    const made = await quickly(
      path,
      () =>
        mkdir(path).then(
          () => true,
          (error: unknown) => {
            if (systemCode(error) === 'EEXIST' && n < 1000) return false
            throw error
          },
        ),
      signal,
    )
    if (made) return path
  }
}
