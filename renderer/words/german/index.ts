// The window's texts in German, by area as the English ones are.
import type { Areas } from '../english'
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
import { timings } from './timings'
import { tma } from './tma'
import { viewer } from './viewer'
import { viewerTools } from './viewerTools'

export const areas: Areas = {
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
