// What is on screen beside the slide: view, tool, layer, overlay, dialogs, banners, selection. Types and first values.
import {
  usualExportFiles,
  type AppError,
  type AppInfo,
  type ClickOutline,
  type ExportFile,
  type ExportRequest,
  type ExportResult,
  type ColourColumn,
  type ObjectDetails,
  type OverlayStyle,
  type Region,
  type Settings,
} from '../../../app/contract'
import type { Connection } from '../../api'
import type { ColourScale, Ink } from '../../arithmetic/colours'
import type { Point, View } from '../../arithmetic/geometry'
import { runNamesInFiles } from '../../words/runNames'
import type { RequestedRun } from './requestSlice'

/** What a scale of colours goes from and to; `settled`: found from all that was in view, or chosen. */
export interface ScaleRange {
  readonly low: number
  readonly high: number
  readonly settled: boolean
}
export interface OverlayState {
  readonly visible: boolean
  readonly style: OverlayStyle
  /** Of fills; outlines are whole. */
  readonly opacity: number
  /** Of outlines, CSS px. */
  readonly widthPx: number
  readonly ink: Ink
  /** What objects are coloured by; null: their class, or the ink. */
  readonly column: ColourColumn | null
  readonly scale: ColourScale
  /** null: to be found from what is in view. */
  readonly range: ScaleRange | null
  readonly layerScale: ColourScale
  readonly layerRange: ScaleRange | null
  /** Objects a mm² (uncalibrated: a Mpx) at the end of density's scale; null: objects themselves are drawn. */
  readonly densityTop: number | null
}
export const firstOverlay: OverlayState = {
  visible: true,
  style: 'outline',
  opacity: 0.4,
  widthPx: 2,
  ink: 'lime',
  column: null,
  scale: 'viridis',
  range: null,
  layerScale: 'viridis',
  layerRange: null,
  densityTop: null,
}

export interface SelectionState {
  /** Where the user asked, level-0 px. */
  readonly at: Point | null
  readonly object: ObjectDetails | null
  readonly state: 'none' | 'busy' | 'found' | 'empty'
  /** How the object was found: in a run's result, or by the recipe on a window around the click. */
  readonly source: 'run' | 'click' | null
  readonly elapsedMs: number | null
  /** The run that it is of; null: of none. */
  readonly runId: string | null
  /** Of a click: the outline that fits the image better than the recipe's, and the recipe's own, null where it finds none there. */
  readonly outlined: ClickOutline | null
  readonly recipes: ObjectDetails | null
}
export const noSelection: SelectionState = {
  at: null,
  object: null,
  state: 'none',
  source: null,
  elapsedMs: null,
  runId: null,
  outlined: null,
  recipes: null,
}

export type Dialog =
  | 'open'
  | 'addSlides'
  | 'summary'
  | 'export'
  | 'info'
  | 'help'
  | 'guide'
  | 'licences'
  | 'longRun'
  | 'region'
  | 'cores'
  | 'question'
  | 'timeline'
  | 'palette'
  | 'saveProject'
  | 'openProject'
  | 'importRegions'
  | 'placeImage'
  | 'askImport'
  | 'section'
  | 'regionImages'
  | 'grow'
  | 'shrink'
/** 'slide', 'stain:<channel>' or 'layer:<id>'. */
export type LayerChoice = string
/** The layer of a preview that is meant; null: none is. */
export const layerOf = (choice: LayerChoice): string | null =>
  choice.startsWith('layer:') ? choice.slice('layer:'.length) : null

/** What the dialog 'question' asks before work is ended or thrown away; whatever else closes it means no. */
export interface Question {
  readonly title: string
  readonly text: string
  readonly yes: string
  readonly no: string
  readonly act: () => void
  /** Another way, which loses nothing either. */
  readonly other?: { readonly label: string; readonly act: () => void }
}

/** What the dialog 'placeImage' asks: where on the slide an image lies that says nothing of it. */
export interface Placing {
  readonly file: string
  readonly width: number
  readonly height: number
  /** Level-0 px a px of it, if it covers the whole slide; null: it has another shape. */
  readonly scale: number | null
  readonly act: (place: { readonly x: number; readonly y: number; readonly scale: number }) => void
}

/** What the dialog 'askImport' asks of a file: what its features are, or how large the discs around its points. */
export interface AskedImport {
  readonly file: string
  readonly of: 'features' | 'radius'
  readonly act: (said: { readonly unsaid?: 'regions' | 'objects'; readonly radiusUm?: number }) => void
}

/** The engine's process ended. The banner goes with its slide, and when what it says is no longer true. */
export interface Banner {
  readonly message: string
  /** What "Run again" starts: what the lost engine was busy with. */
  readonly again: readonly RequestedRun[]
  /** Open then, or being opened; with the user's own calibration. */
  readonly slidePath: string | null
  readonly mpp: number | null
  /** The slide is not opened again by itself: it may have ended the engine. */
  readonly closed: boolean
  /** A new engine is up. */
  readonly restarted: boolean
  /** None is started by itself any more, but one can be. */
  readonly canRestart: boolean
}

export interface ExportState {
  readonly running: boolean
  /** Cancel was pressed, and the engine has not answered yet. */
  readonly cancelling: boolean
  /** What the state below tells of. */
  readonly runId: string | null
  readonly asked: ExportRequest | null
  /** null: what files tell beside the objects is still gathered. */
  readonly file: ExportFile | null
  /** Of it. */
  readonly fraction: number
  /** When it was begun, and what is left of it; null: nobody can say yet. */
  readonly fileSince: number | null
  readonly fileLeftMs: number | null
  readonly result: ExportResult | null
  readonly error: AppError | null
}
export const noExport: ExportState = {
  running: false,
  cancelling: false,
  runId: null,
  asked: null,
  file: null,
  fraction: 0,
  fileSince: null,
  fileLeftMs: null,
  result: null,
  error: null,
}

/** Sooner, and of less, nobody can say how long the rest takes. */
const [leastMs, leastShare] = [1000, 0.02]

/** What is told of the file that is written, at `now`. */
export function exportProgressed(before: ExportState, file: ExportFile | null, fraction: number, now: number): ExportState {
  const fileSince = before.fileSince !== null && before.file === file ? before.fileSince : now
  const passed = now - fileSince
  const isKnown = passed >= leastMs && fraction >= leastShare
  return { ...before, file, fraction, fileSince, fileLeftMs: isKnown ? (passed * (1 - fraction)) / fraction : null }
}

/** What the export dialog was last left with: the next time it opens so. */
export interface ExportDraft {
  /** null: the folder of the settings. */
  readonly directory: string | null
  readonly files: readonly ExportFile[]
  readonly simplifyPx: number
  readonly ownFolder: boolean
  /** The tables once more for each region of interest, where there are some. */
  readonly byRegion: boolean
  /** Objects' coordinates begin where QuPath crops the slide, where it does. */
  readonly asInQuPath: boolean
  readonly laser: LaserDraft
}
/** What is typed of shapes for laser microdissection. */
export interface LaserDraft {
  /** Level-0 px, and µm of Zeiss's stage; '': not said. */
  readonly marks: string
  readonly stage: string
  readonly filter: string
  /** A title; '': wherever an object lies. */
  readonly region: string
  /** µm, or px without a pixel size. */
  readonly tolerance: number
  /** Cells are cut, where the result has them. */
  readonly cells: boolean
  /** "class = well, …"; '': none. */
  readonly wells: string
}
export const firstExportDraft: ExportDraft = {
  directory: null,
  files: usualExportFiles,
  simplifyPx: 0,
  ownFolder: true,
  byRegion: false,
  asInQuPath: true,
  laser: { marks: '', stage: '', filter: '', region: '', tolerance: 0.5, cells: false, wells: '' },
}

export interface UiState {
  readonly app: AppInfo | null
  readonly settings: Settings | null
  readonly connection: Connection
  readonly view: View | null
  /** Under the mouse, level-0 px. */
  readonly pointer: Point | null
  readonly tool: 'pan' | 'rectangle'
  /** The rectangle being drawn. */
  readonly drawn: Region | null
  readonly layer: LayerChoice
  /** The menu of a place on the slide; null: it is closed. */
  readonly slideMenu: SlideMenu | null
  readonly dialog: Dialog | null
  /** The run that the export dialog is opened for; null: the first that can be exported. */
  readonly exportRunId: string | null
  readonly exportDraft: ExportDraft
  /** The value whose control is to be shown, and to have the keyboard; null: as the user left it. */
  readonly paramWanted: string | null
  /** The recipe's list of named versions is open. */
  readonly versionsOpen: boolean
  /** Where the split bar stands, as a share of the viewer's width; null: there is none. */
  readonly split: number | null
  /** The status bar's list of magnifications is open. */
  readonly magnificationOpen: boolean
  /** The grid lies over the slide. */
  readonly grid: boolean
  /** The status bar's menu of devices is open. */
  readonly deviceMenu: boolean
  /** What the dialog 'longRun' asks about, and what it is to be called. */
  readonly longRun: { readonly region: Region | 'whole'; readonly name: string }
  readonly question: Question | null
  readonly placing: Placing | null
  readonly askedImport: AskedImport | null
  /** By how much objects were grown or shrunk last, µm or px; null: never. */
  readonly reshapeBy: number | null
  /** Whose outlines the dialogs 'grow' and 'shrink' ask about. */
  readonly reshapeOf: 'selected' | 'rows'
  readonly livePreview: boolean
  /** Panning previews only once the user has asked for a result on this slide. */
  readonly armed: boolean
  readonly previewNote: string | null
  /** Pictures of this slide came with hatched parts, and why. */
  readonly hatched: { readonly slideId: string; readonly reason: string | null } | null
  /** Levels of this slide (halvings) whose pictures hold one of n × n squares of the file: n. */
  readonly sampled: { readonly slideId: string; readonly everyByLevel: Readonly<Record<number, number>> } | null
  readonly leftOpen: boolean
  readonly rightOpen: boolean
  /** Of the side panels, CSS px; null: as the window's width has it. */
  readonly leftWidth: number | null
  readonly rightWidth: number | null
  readonly banner: Banner | null
  /** There is no engine and none is coming by itself: the banner that says why, dismissed or not. */
  readonly engineGone: Banner | null
  /** The slide could not be opened: shown where the slide would be. */
  readonly openError: AppError | null
}

export interface SlideMenu {
  /** Level-0 px. */
  readonly at: Point
  /** CSS px from the viewer's corner. */
  readonly place: Point
  /** Of the selected object, which lies there. */
  readonly onObject: boolean
  /** The topmost region there; null: none. */
  readonly regionId: string | null
}

export const firstUi: UiState = {
  app: null,
  settings: null,
  connection: 'connecting',
  view: null,
  pointer: null,
  tool: 'pan',
  drawn: null,
  layer: 'slide',
  slideMenu: null,
  dialog: null,
  exportRunId: null,
  exportDraft: firstExportDraft,
  split: null,
  paramWanted: null,
  versionsOpen: false,
  magnificationOpen: false,
  grid: false,
  deviceMenu: false,
  longRun: { region: 'whole', name: runNamesInFiles.wholeSlide },
  question: null,
  placing: null,
  askedImport: null,
  reshapeBy: null,
  reshapeOf: 'selected',
  livePreview: true,
  armed: false,
  previewNote: null,
  hatched: null,
  sampled: null,
  leftOpen: true,
  rightOpen: true,
  leftWidth: null,
  rightWidth: null,
  banner: null,
  engineGone: null,
  openError: null,
}
