// What of the store the overlay canvases show: plain data, the same object while nothing in it has changed.
import type { ObjectDetails, Region, RunStatus, Shape } from '../../app/contract'
import type { Point } from '../arithmetic/geometry'
import { drawOrder, chosenRun } from '../store/slices/runSlice'
import type { State } from '../store/store'
import { layerOf, type OverlayState } from '../store/slices/uiSlice'

/** The first run's place and tiles stand for a comparison's. */
export interface ComparedScene {
  readonly comparison: number
  readonly run: RunStatus
}

export interface Scene {
  /** The topmost last. */
  readonly runs: readonly RunStatus[]
  /** Of those that ran within shapes, the shapes: what lies beside them is not theirs to hide. */
  readonly shapes: Readonly<Record<string, readonly Shape[]>>
  /** The full run whose figures are shown. */
  readonly chosen: string | null
  readonly compared: ComparedScene | null
  readonly overlay: OverlayState
  /** The intermediate image on show, or null. */
  readonly layer: string | null
  readonly selected: ObjectDetails | null
  /** Of a pixel of its run, level-0 px. */
  readonly selectedStep: number
  readonly clickedAt: Point | null
  readonly drawn: Region | null
  readonly crosshair: boolean
}

let lastStack: { runs: State['runs']; list: readonly RunStatus[] } | null = null
/** The same list while the statuses in it are the same: the canvas compares by identity. */
function stackOf(runs: State['runs']): readonly RunStatus[] {
  if (lastStack?.runs === runs) return lastStack.list
  const list = drawOrder(runs)
  const old = lastStack?.list
  const same = old?.length === list.length && list.every((run, i) => run === old[i])
  lastStack = { runs, list: same && old ? old : list }
  return lastStack.list
}

function comparedOf({ compare, runs }: State): ComparedScene | null {
  const run = compare.a === null ? undefined : runs.byId[compare.a]
  const { found } = compare
  return found && run ? { comparison: found.comparison, run: { ...run, region: found.region } } : null
}

const stepOf = ({ selection, runs }: State): number => (selection.runId ? runs.byId[selection.runId]?.grid.scale : null) ?? 1

export function sceneOf(state: State, crosshair: boolean): Scene {
  return {
    runs: stackOf(state.runs),
    shapes: state.runs.shapesById,
    chosen: chosenRun(state.runs)?.runId ?? null,
    compared: comparedOf(state),
    // Whose an object is has colours of its own.
    overlay: state.compare.found ? { ...state.overlay, column: null } : state.overlay,
    layer: layerOf(state.ui.layer),
    selected: state.selection.object,
    selectedStep: stepOf(state),
    clickedAt: state.selection.state === 'none' ? null : state.selection.at,
    drawn: state.ui.drawn,
    crosshair,
  }
}
