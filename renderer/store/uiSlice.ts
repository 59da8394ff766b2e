// What is on screen beside the slide: view, tool, layer, overlay, dialogs, banners, selection. Types and first values.
import type {
  AppInfo,
  ExportFile,
  ExportResult,
  AppError,
  ObjectDetails,
  OverlayStyle,
  Region,
  RunRequest,
  Settings,
} from '../../app/contract'
import type { Connection } from '../api'
import type { Point, View } from '../viewer/geometry'

export interface OverlayState {
  readonly visible: boolean
  readonly style: OverlayStyle
  readonly opacity: number
}
export const firstOverlay: OverlayState = { visible: true, style: 'outline', opacity: 1 }

export interface SelectionState {
  /** Where the user asked, level-0 px. */
  readonly at: Point | null
  readonly object: ObjectDetails | null
  readonly state: 'none' | 'busy' | 'found' | 'empty'
  /** How the object was found: in a run's result, or by the recipe on a window around the click. */
  readonly source: 'run' | 'click' | null
  readonly elapsedMs: number | null
}
export const noSelection: SelectionState = { at: null, object: null, state: 'none', source: null, elapsedMs: null }

export type Dialog = 'open' | 'export' | 'info' | 'help' | 'longRun' | 'region'
/** 'slide', 'stain:<channel>' or 'layer:<id>'. */
export type LayerChoice = string

export interface Banner {
  readonly message: string
  /** What "Run again" starts: the request that the lost engine was busy with. */
  readonly again: Pick<RunRequest, 'region' | 'purpose'> | null
  /** A new engine is up, so that running again makes sense. */
  readonly restarted: boolean
}

export interface ExportState {
  readonly running: boolean
  readonly runId: string | null
  readonly file: ExportFile | null
  readonly fraction: number
  readonly result: ExportResult | null
  readonly error: AppError | null
}
export const noExport: ExportState = { running: false, runId: null, file: null, fraction: 0, result: null, error: null }

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
  readonly dialog: Dialog | null
  /** The run that the export dialog is opened for; null: the first that can be exported. */
  readonly exportRunId: string | null
  /** The status bar's menu of devices is open. */
  readonly deviceMenu: boolean
  /** What the dialog 'longRun' asks about. */
  readonly asked: Region | 'whole'
  readonly livePreview: boolean
  /** Panning previews only once the user has asked for a result on this slide. */
  readonly armed: boolean
  readonly previewNote: string | null
  /** Pictures of this slide came with hatched parts, and why. */
  readonly hatched: { readonly slideId: string; readonly reason: string | null } | null
  readonly leftOpen: boolean
  readonly rightOpen: boolean
  readonly banner: Banner | null
  /** The slide could not be opened: shown where the slide would be. */
  readonly openError: AppError | null
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
  dialog: null,
  exportRunId: null,
  deviceMenu: false,
  asked: 'whole',
  livePreview: true,
  armed: false,
  previewNote: null,
  hatched: null,
  leftOpen: true,
  rightOpen: true,
  banner: null,
  openError: null,
}
