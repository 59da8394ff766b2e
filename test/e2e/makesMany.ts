// A slide and a project that holds a run of many objects on it, made by a process of its own (manyObjects.ts).
import { execFile } from 'node:child_process'
import { cp, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { builtScript } from '../built'
import { root } from './shells'

/** many.tif and Many.morphoscope in the folder; gives the project's path. `MADE`: a folder that has them from before, as many; they are copied. */
export async function makesMany(folder: string, objects: number): Promise<string> {
  const made = process.env['MADE']
  if (made !== undefined) {
    for (const name of ['many.tif', 'Many.morphoscope']) await cp(join(made, name), join(folder, name), { recursive: true })
    return join(folder, 'Many.morphoscope')
  }
  const script = await builtScript('test/e2e/manyObjects.ts')
  const settings = join(folder, 'made')
  await mkdir(settings)
  await promisify(execFile)(process.execPath, [script, folder, String(objects), settings, join(root, 'assets')])
  await rm(script)
  return join(folder, 'Many.morphoscope')
}
