// What the writers of an export's files need of the slide and the engine.
import { status } from '../../native/index'
import { readHatched } from '../slide/hatchedRead'
import type { OpenSlide } from '../slide/slides'
import type { ExportTools } from './exporter'

/** This program's version, and what its shell can do. */
export interface ExportProgram {
  readonly app: string
  readonly print: ExportTools['print']
}

export function toolsFor({ native, identity }: OpenSlide, { app, print }: ExportProgram): ExportTools {
  const { version, openslide, threads } = status()
  return {
    sha256OfSlide: (signal) => identity.sha256(signal),
    seed: identity.seed,
    slideState: async () => (await identity.compare()).state,
    isSource: (path) => identity.includes(path),
    threads,
    readRgba: async (scale, x, y, width, height) => {
      const { rgba, unreadable } = await readHatched(native, scale, { x, y, width, height })
      return { rgba, unreadable: unreadable.length }
    },
    print,
    versions: { app, native: version, openslide: openslide.version, node: process.versions.node },
  }
}
