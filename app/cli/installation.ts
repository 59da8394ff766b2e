// Where the program lies, and an engine in this process for the commands that need one.
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createEngine, defaultSettingsDir } from '../../main/engine'
import type { Engine, JournalPlace, Log } from '../../main/engine'

export interface Installation {
  readonly root: string
  readonly assetsDir: string
  readonly rendererDir: string
  readonly engineProgram: string
  readonly sampleSlide: string
  readonly version: string
}

let found: Installation | undefined
/** From the folder of the build (dist) or of the sources upwards to the package. */
export function installation(): Installation {
  if (found) return found
  let root = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(root, 'package.json')) && dirname(root) !== root) root = dirname(root)
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  found = {
    root,
    assetsDir: join(root, 'assets'),
    rendererDir: join(root, 'dist', 'renderer'),
    engineProgram: join(root, 'dist', 'engine.mjs'),
    sampleSlide: join(root, 'assets', 'samples', 'CMU-1-Small-Region.svs'),
    version,
  }
  return found
}

/**
 * Runs `work` with an engine. Its settings are the defaults, in a folder of their own: a script must not depend on what somebody
 * has set in the window, nor fill that window's list of recent slides.
 */
export async function withEngine<T>(work: (engine: Engine) => Promise<T>, log?: Log, journal?: JournalPlace): Promise<T> {
  const { assetsDir, version } = installation()
  // Made by nobody but who keeps something in it: a command that is killed leaves no folder.
  const settingsDir = join(tmpdir(), `morphoscope-cli-${randomBytes(12).toString('hex')}`)
  const engine = createEngine({
    settingsDir,
    // Who names a recipe asks for it.
    recipesDir: join(defaultSettingsDir(), 'recipes'),
    assetsDir,
    version,
    shell: 'cli',
    dialogs: false,
    ...(log && { log }),
    ...(journal && { journal }),
  })
  try {
    return await work(engine)
  } finally {
    await engine.close()
    await rm(settingsDir, { recursive: true, force: true })
  }
}
