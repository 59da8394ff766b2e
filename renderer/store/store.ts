// The one store: slices of plain data; the functions that change them stand beside each slice and in the actions.
import { create } from 'zustand'
import { nothingAsked, type RequestState } from './slices/requestSlice'
import { firstBrush, type BrushState } from './slices/brushSlice'
import { noCarry, type CarryState } from './slices/carrySlice'
import { noHotSpot, type HotSpotState } from './slices/hotSpotSlice'
import { noChannels, type ChannelsState } from './slices/channelsSlice'
import { noCompare, type CompareState } from './slices/compareSlice'
import { noCohort, type CohortSlice } from './slices/cohortSlice'
import { noCuts, type CutsState } from './slices/cutsSlice'
import { firstDevice, type DeviceState } from './slices/deviceSlice'
import { noHistory, type History } from './slices/history'
import { noProject, type ProjectSlice } from './slices/projectSlice'
import { emptyRecipe, type RecipePart, type RecipeState } from './slices/recipeSlice'
import { noInterrupted, type InterruptedState } from './slices/interruptedSlice'
import { emptyRuns, type RunState } from './slices/runSlice'
import { noWand, type WandState } from './slices/wandSlice'
import { noWhy, type WhyState } from './slices/whySlice'
import { noStart, type StartState } from './slices/startSlice'
import { noTable, type TableState } from './slices/tableSlice'
import { noSecond, type SecondState } from './slices/secondSlice'
import { plainTone, type ToneState } from './slices/toneSlice'
import { emptySlide, type SlideState } from './slices/slideSlice'
import {
  firstOverlay,
  firstUi,
  noExport,
  noSelection,
  type ExportState,
  type OverlayState,
  type SelectionState,
  type UiState,
} from './slices/uiSlice'

/** What steps of history hold, by the slice that they change. */
export interface UndoableParts {
  recipe: RecipePart
}

export interface State {
  readonly slide: SlideState
  readonly recipe: RecipeState
  readonly history: History<UndoableParts>
  readonly runs: RunState
  readonly project: ProjectSlice
  readonly cohort: CohortSlice
  readonly asked: RequestState
  readonly interrupted: InterruptedState
  readonly device: DeviceState
  readonly overlay: OverlayState
  readonly tone: ToneState
  readonly channels: ChannelsState
  readonly second: SecondState
  readonly selection: SelectionState
  readonly why: WhyState
  readonly wand: WandState
  readonly brush: BrushState
  readonly cuts: CutsState
  readonly compare: CompareState
  readonly carry: CarryState
  readonly hotSpot: HotSpotState
  readonly table: TableState
  readonly start: StartState
  readonly exporting: ExportState
  readonly ui: UiState
}

export const firstState: State = {
  slide: emptySlide,
  recipe: emptyRecipe,
  history: noHistory,
  runs: emptyRuns,
  project: noProject,
  cohort: noCohort,
  asked: nothingAsked,
  interrupted: noInterrupted,
  device: firstDevice,
  overlay: firstOverlay,
  tone: plainTone,
  channels: noChannels,
  second: noSecond,
  selection: noSelection,
  why: noWhy,
  wand: noWand,
  brush: firstBrush,
  cuts: noCuts,
  compare: noCompare,
  carry: noCarry,
  hotSpot: noHotSpot,
  table: noTable,
  start: noStart,
  exporting: noExport,
  ui: firstUi,
}

export const useStore = create<State>()(() => firstState)
export const getState = (): State => useStore.getState()

/** Changes some fields of one slice. */
export function patch<K extends keyof State>(slice: K, part: Partial<State[K]>): void {
  useStore.setState((state) => ({ [slice]: { ...state[slice], ...part } }))
}
/** Replaces one slice by a pure function of itself. */
export function update<K extends keyof State>(slice: K, change: (value: State[K]) => State[K]): void {
  useStore.setState((state) => {
    const next = change(state[slice])
    return next === state[slice] ? state : { [slice]: next }
  })
}
