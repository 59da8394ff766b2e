// The window's texts in English, by area. What a translation has to have.
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

export type Areas = typeof areas
