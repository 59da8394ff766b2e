// Which rows of the palette a few letters mean, the likeliest first. Pure.
import { commands, type Command } from '../../app/commands'

/** What a row of the palette says. */
export const wordsOf = (command: Command): { label: string; group: string } => commands[command]

/** Other words that people look for a command by. */
const otherWords: Partial<Record<Command, string>> = {
  open: 'new image load file close',
  start: 'projects without a name unnamed recent',
  newProject: 'begin empty study',
  openProject: 'load study folder',
  saveProject: 'save as keep study folder',
  importRegions: 'load QuPath annotations file',
  exportRegions: 'save QuPath annotations file',
  export: 'save csv parquet geojson report pdf labels mask de-identify pseudonym anonymise',
  slideMenu: 'context right click',
  zoomToSelected: 'centre center find',
  autoTone: 'dark black brightness window levels 16 bit',
  info: 'metadata properties calibration pixel size mpp thumbnail',
  overlay: 'outlines nuclei cells density map heatmap detections opacity',
  style: 'display detections',
  summary: 'density per mm² all slides',
  segmentVisible: 'run find detect detection nuclei cells cell density',
  segmentWhole: 'run find detect detection positive nuclei cells cell density',
  segmentRegions: 'run find detect detection nuclei cells density roi annotations',
  rectangle: 'run find detect nuclei cells',
  segmentCenter: 'nucleus cell',
  hScore: 'hscore allred score classify classifier intensity weak moderate strong dab',
  positiveShare: 'ki67 labelling labeling index positive cell detection classify classifier dab tumour tumor',
  runSlides: 'batch many slides script',
  why: 'threshold missed nucleus cell',
  preview: 'threshold',
  pause: 'resume stop continue',
  cancel: 'stop',
  carry: 'transfer',
  device: 'settings preferences memory cuda',
  tone: 'intensity window levels display lut',
  magnification: 'objective zoom scale',
  savePicture: 'snapshot screenshot',
  copyPicture: 'snapshot screenshot',
  split: 'compare original',
  timeline: 'log timings',
  table: 'measurements nuclei cells list histogram results hot spot scatter plot',
  lasso: 'nuclei cells',
  mergeObjects: 'merge join combine',
  splitObjects: 'cut separate',
  addObjects: 'nucleus cell missed',
  drawRectangle: 'annotation annotate roi tumour tumor class',
  drawEllipse: 'ellipse circle annotation annotate roi',
  drawPolygon: 'annotation annotate roi tumour tumor class',
  drawFreehand: 'annotation annotate roi pencil',
  points: 'counter counting annotation mitosis',
  deleteRegions: 'remove erase nucleus cell',
  ruler: 'distance',
  versions: 'presets settings save parameters',
  keysQuPath: 'shortcuts preferences',
  themeDark: 'mode preferences',
  themeLight: 'mode preferences',
  help: 'preferences',
  guide: 'help manual documentation',
  licences: 'license notices third party open source about copyright sbom',
}

export interface Wordy {
  readonly label: string
  readonly group: string
  /** Found by them, and not shown. */
  readonly words?: string
}

/** Every word begins a word of the label, else lies somewhere in it, in the group's name or in a word beside; nothing: all of them, as they come. */
export function matchingRows<T extends Wordy>(query: string, rows: readonly T[]): T[] {
  const asked = query.toLowerCase().split(/\s+/).filter(Boolean)
  const scores = rows.map((row) => {
    const text = row.label.toLowerCase()
    const begins = text.split(/[^a-z0-9:]+/)
    const beside = `${row.group} ${row.words ?? ''}`.toLowerCase().split(' ')
    const each = asked.map((word) => {
      if (text.startsWith(word)) return 3
      if (begins.some((begin) => begin.startsWith(word))) return 2
      return text.includes(word) || beside.some((other) => other.startsWith(word)) ? 1 : 0
    })
    return { row, score: each.includes(0) ? 0 : each.reduce<number>((sum, score) => sum + score, 1) }
  })
  return scores
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ row }) => row)
}

export const commandRows = (Object.keys(commands) as Command[])
  .filter((command) => command !== 'palette')
  .map((command) => ({ command, ...wordsOf(command), words: otherWords[command] ?? '' }))

export const matching = (query: string): Command[] => matchingRows(query, commandRows).map(({ command }) => command)
