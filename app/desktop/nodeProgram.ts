// Finds a Node to run the engine on Linux, where Electron's own cannot: its process holds the system's GLib, sharp brings another,
// and the two corrupt each other (sharp's issue 4522, Electron's 46323).
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { words } from './words'

const oldestMajor = 20

export interface NodePlaces {
  /** MORPHOSCOPE_NODE: whoever starts the app names one. */
  override: string | undefined
  /** Where a package brings its own. */
  resources: string | undefined
  /** PATH. */
  path: string | undefined
}

function majorOf(program: string): number {
  try {
    const version = execFileSync(program, ['--version'], {
      encoding: 'utf8',
      timeout: 10_000,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return Number(/^v(\d+)\./.exec(version)?.[1] ?? 0)
  } catch {
    return 0
  }
}

/** The first Node that is new enough, or a message that says what is missing. */
export function findNode({ override, resources, path }: NodePlaces): { node: string } | { message: string } {
  // An override that is wrong must not be papered over by another one.
  const places = override
    ? [override]
    : [
        ...(resources ? [join(resources, 'node')] : []),
        ...(path ?? '')
          .split(delimiter)
          .filter(Boolean)
          .map((folder) => join(folder, 'node')),
      ]
  const node = places.find((place) => existsSync(place) && majorOf(place) >= oldestMajor)
  if (node) return { node }
  return {
    message: words().noNode(oldestMajor, override),
  }
}
