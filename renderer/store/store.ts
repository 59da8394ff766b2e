// The one store: slices of plain data; the functions that change them stand beside each slice and in the actions.
import { create } from 'zustand'
import { nothingAsked, type AskedState } from './askedSlice'
import { firstBrush, type BrushState } from './brushSlice'
import { noCarry, type CarryState } from './carrySlice'
import { noCompare, type CompareState } from './compareSlice'
import { noCohort, type CohortSlice } from './cohortSlice'
import { noCuts, type CutsState } from './cutsSlice'
import { firstDevice, type DeviceState } from './deviceSlice'
import { noHistory, type History } from './history'
import { noProject, type ProjectSlice } from './projectSlice'
import { emptyRecipe, type RecipePart, type RecipeState } from './recipeSlice'
import { noInterrupted, type InterruptedState } from './interruptedSlice'
import { emptyRuns, type RunState } from './runSlice'
import { noWand, type WandState } from './wandSlice'
import { noWhy, type WhyState } from './whySlice'
import { noStart, type StartState } from './startSlice'
import { noTable, type TableState } from './tableSlice'
import { noSecond, type SecondState } from './secondSlice'
import { plainTone, type ToneState } from './toneSlice'
import { emptySlide, type SlideState } from './slideSlice'
import {
  firstOverlay,
  firstUi,
  noExport,
  noSelection,
  type ExportState,
  type OverlayState,
  type SelectionState,
  type UiState,
} from './uiSlice'

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
  readonly asked: AskedState
  readonly interrupted: InterruptedState
  readonly device: DeviceState
  readonly overlay: OverlayState
  readonly tone: ToneState
  readonly second: SecondState
  readonly selection: SelectionState
  readonly why: WhyState
  readonly wand: WandState
  readonly brush: BrushState
  readonly cuts: CutsState
  readonly compare: CompareState
  readonly carry: CarryState
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
  second: noSecond,
  selection: noSelection,
  why: noWhy,
  wand: noWand,
  brush: firstBrush,
  cuts: noCuts,
  compare: noCompare,
  carry: noCarry,
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
