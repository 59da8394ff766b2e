// Where the program of a thread of its own lies: what the build makes of a file of the source, beside the program that starts it.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { EngineError } from './errors'

/** Beside the program that this is bundled into, or in the build of the source's folder. `doing`: what the thread is for. */
export function threadFile(name: string, doing: string): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  for (let up = 0; up < 4; up++, folder = dirname(folder))
    for (const path of [join(folder, name), join(folder, 'dist', name)]) if (existsSync(path)) return path
  throw new EngineError('INTERNAL', `${name} is not there, by which ${doing}. Build the app again: npm run build.`)
}
