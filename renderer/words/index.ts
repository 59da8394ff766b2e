// All texts of the window, by topic. A translation is one more object of the type `Areas`: the compiler says what it lacks.
// Texts that stand elsewhere are put into the language by named.ts: commands, the guide, recipes, titles, and the engine's own messages.
import type { Language } from '../../app/contract'
import { common } from './common'
import { corrections } from './corrections'
import { exporting } from './exporting'
import { frame } from './frame'
import { areas as german } from './german'
import { language } from './language'
import { notices } from './notices'
import { palette } from './palette'
import { project } from './project'
import { recipe } from './recipe'
import { regions } from './regions'
import { results } from './results'
import { runs } from './runs'
import { slides } from './slides'
import { start } from './start'
import { table } from './table'
import { tma } from './tma'
import { timings } from './timings'
import { viewer } from './viewer'
import { viewerTools } from './viewerTools'

/** By area, as the files of this folder have them. No two areas share a topic's name (test/renderer/texts.test.ts). */
export const areas = {
  common,
  corrections,
  exporting,
  frame,
  notices,
  palette,
  project,
  recipe,
  regions,
  results,
  runs,
  slides,
  start,
  table,
  timings,
  tma,
  viewer,
  viewerTools,
}

export type Areas = typeof areas

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
export const texts: Readonly<Record<Language, Words>> = { en: merged(areas), de: merged(german) }
/** In the page's own. */
export const words: Words = texts[language]
