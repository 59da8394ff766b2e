// Slides to learn with, by name: the bundled one, and made ones of which every count is known.
import { channels } from './channels'
import { her2, ki67 } from './painted'
import type { MadeSample } from './made'
import { sampleOf, sectionOf } from './sections'

export const sampleNames = ['he', 'section', 'ki67', 'her2', 'channels'] as const
export type SampleName = (typeof sampleNames)[number]

/** `bundled`: where the bundled slide lies. */
export const samplesOf = (bundled: string): Readonly<Record<SampleName, MadeSample>> => ({
  he: sampleOf(bundled),
  section: sectionOf(bundled),
  ki67,
  her2,
  channels,
})
