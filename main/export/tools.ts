// What the writers of an export's files need of the slide and the engine.
import type { ChannelLook } from '../../app/contract'
import { status } from '../../native/index'
import { readShown } from '../slide/blendedRead'
import type { OpenSlide } from '../slide/slides'
import type { ExportTools } from './exporter'

/** This program's version, and what its shell can do. */
export interface ExportProgram {
  readonly app: string
  readonly print: ExportTools['print']
}

/** `looks`: how the slide's channels are shown, where somebody has said so. */
export function toolsFor(slide: OpenSlide, { app, print }: ExportProgram, looks: readonly ChannelLook[] | null): ExportTools {
  const { identity } = slide
  const { version, openslide, threads } = status()
  return {
    sha256OfSlide: (signal) => identity.sha256(signal),
    seed: identity.seed,
    slideState: async () => (await identity.compare()).state,
    isSource: (path) => identity.includes(path),
    threads,
    readRgba: async (scale, area, signal) => {
      const { rgba, unreadable } = await readShown(slide, looks, scale, area, signal)
      return { rgba, unreadable: unreadable.length }
    },
    print,
    versions: { app, native: version, openslide: openslide.version, node: process.versions.node },
  }
}
