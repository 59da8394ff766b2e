// All texts of the window, by topic. A translation is one more object of the type `Areas`: the compiler says what it lacks.
// Texts that stand elsewhere are put into the language by named.ts: commands, the guide, recipes, titles, and the engine's own messages.
import type { Language } from '../../app/contract'
import { areas as english, type Areas } from './english'
import { areas as german } from './german'
import { language } from './language'

const merged = (by: Areas) => ({
  ...by.common,
  ...by.corrections,
  ...by.exporting,
  ...by.frame,
  ...by.notices,
  ...by.palette,
  ...by.project,
  ...by.recipe,
  ...by.regions,
  ...by.results,
  ...by.runs,
  ...by.slides,
  ...by.start,
  ...by.table,
  ...by.timings,
  ...by.tma,
  ...by.viewer,
  ...by.viewerTools,
})

export type Words = ReturnType<typeof merged>
/** In every language. */
export const texts: Readonly<Record<Language, Words>> = { en: merged(english), de: merged(german) }
/** In the page's own. */
export const words: Words = texts[language]
