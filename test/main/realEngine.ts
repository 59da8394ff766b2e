// The whole engine for tests: the real addon, the bundled slide and recipes, settings in a folder of the test's own.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Recipe } from '../../app/contract'
import { createEngine, defaultRecipe } from '../../main/engine'
import type { Engine } from '../../main/engine'

export const assetsDir = fileURLToPath(new URL('../../assets', import.meta.url))
export const sample = join(assetsDir, 'samples', 'CMU-1-Small-Region.svs')

/** A new engine, quiet and a command line's unless told otherwise. The caller closes it. */
export const realEngine = (settingsDir: string, more: Partial<Parameters<typeof createEngine>[0]> = {}): Engine =>
  createEngine({ settingsDir, assetsDir, shell: 'cli', dialogs: false, version: '0.0.0', log: () => undefined, ...more })

/** The first of the bundled recipes with its defaults. */
export const firstRecipe = async (engine: Engine): Promise<Recipe> =>
  defaultRecipe((await engine.invoke('recipe:list', undefined))[0]!)
