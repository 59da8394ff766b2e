// All texts of the window, by topic. A translation is one more object of the type `Words`: the compiler says what it lacks.
// Texts that stand elsewhere, each in one table: commands (app/commands.ts), the guide (app/guide.ts), the recipes with their labels and help
// (assets/recipes/), titles of measurements, stains and units (app/contract/), and the engine's own messages (main/).
import { common } from './common'
import { corrections } from './corrections'
import { exporting } from './exporting'
import { frame } from './frame'
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

const english = {
  ...common,
  ...corrections,
  ...exporting,
  ...frame,
  ...notices,
  ...palette,
  ...project,
  ...recipe,
  ...regions,
  ...results,
  ...runs,
  ...slides,
  ...start,
  ...table,
  ...timings,
  ...tma,
  ...viewer,
  ...viewerTools,
}

export type Words = typeof english
export const words: Words = english
