// What this window has asked of the engine, as pure functions: what is to be started again when the engine or a GPU is lost.
import { isOver, type Region, type RunRequest, type RunStatus, type Shape, type StageVariants } from '../../../app/contract'
import { fullRuns, isStarting, runningRun, type RunState } from './runSlice'

/** A run that was asked for: on the slide with that path, whose coordinates mean nothing on another one. */
export interface RequestedRun {
  readonly region: Region | 'whole'
  readonly purpose: RunRequest['purpose']
  readonly slidePath: string
  /** Of a preview: layers are looked at. */
  readonly layers?: boolean
  readonly name?: string
  /** Regions of interest whose objects alone are meant. */
  readonly within?: Shape[]
  /** Algorithms that were chosen in place of `auto`. */
  readonly variants?: StageVariants
}

export interface RequestState {
  /** The newest request, answered or not. */
  readonly last: RequestedRun | null
  /** What a lost GPU failed, and nothing has replaced since. */
  readonly lostByGpu: RequestedRun | null
  /** What the runs that there are were asked for; their statuses tell a region cut to the slide and its grid. */
  readonly byRun: Readonly<Record<string, RequestedRun>>
  /** Full runs that this window has started, on whatever slide. */
  readonly startedHere: readonly string[]
  /** Counts previews, and what makes those under way void: the answer to an older one must not be taken for the newest. */
  readonly previews: number
}
export const nothingAsked: RequestState = { last: null, lostByGpu: null, byRun: {}, startedHere: [], previews: 0 }

export const askFor = (state: RequestState, last: RequestedRun): RequestState => ({ ...state, last })
export const voidPreviews = (state: RequestState): RequestState => ({ ...state, previews: state.previews + 1 })
export const startedOnSlide = (state: RequestState, runId: string): RequestState => ({
  ...state,
  startedHere: [...state.startedHere, runId],
})

/** The engine has begun it; of runs that are no longer known, nobody will ask. */
export function begun(state: RequestState, runId: string, asked: RequestedRun, known: RunState['byId']): RequestState {
  const kept = Object.fromEntries(Object.entries(state.byRun).filter(([id]) => known[id]))
  const next = { ...state, byRun: { ...kept, [runId]: asked } }
  return asked.purpose === 'run' ? { ...startedOnSlide(next, runId), lostByGpu: null } : next
}

/** What a run was asked for, as far as its status tells where it was another window's. */
export const askedOf = ({ byRun }: RequestState, { runId, region, purpose, name }: RunStatus, slidePath: string): RequestedRun =>
  byRun[runId] ?? { region, purpose, name, slidePath }

/** What the engine was busy with on this slide, or should have been: full runs before a preview. */
export function lostRequests(state: RequestState, runs: RunState, slidePath: string | undefined): readonly RequestedRun[] {
  if (slidePath === undefined) return []
  const asked = fullRuns(runs)
    .filter((run) => !isOver(run))
    .map((run) => askedOf(state, run, slidePath))
  if (isStarting(runs, 'run') && state.last) asked.push(state.last)
  if (asked.length === 0 && state.last && (runningRun(runs) || isStarting(runs))) asked.push(state.last)
  if (asked.length === 0 && state.lostByGpu) asked.push(state.lostByGpu)
  return asked.filter((one) => one.slidePath === slidePath)
}
