// Runs by id and which of them are on screen, as pure functions.
import { isOver, type Region, type RunStatus } from '../../app/contract'
import { containsRegion, regionContains } from '../viewer/geometry'

export interface RunState {
  readonly byId: Readonly<Record<string, RunStatus>>
  /** What each run was started with: recipeKey, so that "is this still true" can be asked. */
  readonly keyById: Readonly<Record<string, string>>
  /** Runs on screen, oldest first: a later run's tiles replace an earlier one's under them. */
  readonly stack: readonly string[]
  /** The run whose figures the panels show. */
  readonly activeId: string | null
  /** The latest run for keeps: what exports take. */
  readonly keptId: string | null
  readonly previewId: string | null
  /** A call of run:start that has no answer yet. */
  readonly starting: 'preview' | 'run' | null
}

export const emptyRuns: RunState = {
  byId: {},
  keyById: {},
  stack: [],
  activeId: null,
  keptId: null,
  previewId: null,
  starting: null,
}

/** An event may overtake an answer: the status that is further along wins. */
export function upsertStatus(runs: RunState, status: RunStatus): RunState {
  const known = runs.byId[status.runId]
  if (known && isOver(known) && !isOver(status)) return runs
  if (known && !isOver(status) && status.tilesDone < known.tilesDone) return runs
  return { ...runs, byId: { ...runs.byId, [status.runId]: status } }
}

/** A dragged slider leaves a trail of cancelled previews: the last complete one and the newest few hold what is on screen. */
function trimPreviews(runs: RunState): string[] {
  const isPreview = (id: string) => runs.byId[id]?.purpose === 'preview'
  const lastDone = runs.stack.findLast((id) => isPreview(id) && runs.byId[id]?.state === 'done')
  const newest = new Set(runs.stack.filter(isPreview).slice(-4))
  const doneKey = lastDone === undefined ? undefined : runs.keyById[lastDone]
  return runs.stack.filter(
    (id) => !isPreview(id) || newest.has(id) || (runs.byId[id]?.state === 'done' && runs.keyById[id] === doneKey),
  )
}

export function beginRun(runs: RunState, status: RunStatus, key: string): RunState {
  const next = upsertStatus(runs, status)
  const id = status.runId
  const kept = status.purpose === 'run' ? id : runs.keptId
  return {
    ...next,
    keyById: { ...next.keyById, [id]: key },
    stack: [...trimPreviews(next).filter((other) => other !== id), id],
    activeId: id,
    keptId: kept,
    previewId: status.purpose === 'preview' ? id : runs.previewId,
    starting: null,
  }
}

/**
 * When a run is complete on screen, older results that it makes untrue go: previews of another recipe, previews inside its
 * region, and, for a run for keeps, the one before it. An older run for keeps stays under a preview: it took its time.
 */
export function settleStack(runs: RunState, id: string): RunState {
  const status = runs.byId[id]
  if (!status || status.state === 'failed' || !runs.stack.includes(id)) return runs
  const position = runs.stack.indexOf(id)
  const stack = runs.stack.filter((other, index) => {
    if (index >= position) return true
    const older = runs.byId[other]
    if (!older) return false
    if (older.purpose === 'run') return status.purpose === 'preview'
    return runs.keyById[other] === runs.keyById[id] && !containsRegion(status.region, older.region)
  })
  return stack.length === runs.stack.length ? runs : forget({ ...runs, stack })
}

/** Statuses of runs that nothing shows any more are dropped, or a long session would keep them all. */
function forget(runs: RunState): RunState {
  const keep = new Set([...runs.stack, runs.activeId, runs.keptId, runs.previewId])
  const pick = <T>(record: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.entries(record).filter(([id]) => keep.has(id)))
  return { ...runs, byId: pick(runs.byId), keyById: pick(runs.keyById) }
}

export function dropRun(runs: RunState, id: string): RunState {
  const stack = runs.stack.filter((other) => other !== id)
  const without = (other: string | null) => (other === id ? null : other)
  const keptId = without(runs.keptId)
  return forget({
    ...runs,
    stack,
    keptId,
    previewId: without(runs.previewId),
    activeId: without(runs.activeId) ?? stack.at(-1) ?? null,
  })
}

/** Is this region already on screen, computed with this recipe (or being computed)? */
export function isCovered(runs: RunState, region: Region, key: string, needPreview: boolean): boolean {
  return runs.stack.some((id) => {
    const status = runs.byId[id]
    if (!status || runs.keyById[id] !== key) return false
    if (needPreview && status.purpose !== 'preview') return false
    if (status.state !== 'done' && isOver(status)) return false
    return containsRegion(status.region, region)
  })
}

/** Runs that hold a point, the topmost first. */
export function runsAt(runs: RunState, x: number, y: number): RunStatus[] {
  return runs.stack
    .map((id) => runs.byId[id])
    .filter((status): status is RunStatus => status !== undefined && regionContains(status.region, x, y))
    .reverse()
}

export const activeRun = (runs: RunState): RunStatus | null => (runs.activeId ? (runs.byId[runs.activeId] ?? null) : null)
export const keptRun = (runs: RunState): RunStatus | null => (runs.keptId ? (runs.byId[runs.keptId] ?? null) : null)

/** What can be exported: every segmentation on screen, the newest first, then the preview. */
export function exportableRuns(runs: RunState): RunStatus[] {
  const all = runs.stack
    .map((id) => runs.byId[id])
    .filter((run): run is RunStatus => run !== undefined && run.state !== 'failed' && run.tilesDone > 0)
  const preview = all.findLast((run) => run.purpose === 'preview')
  return [...all.filter((run) => run.purpose === 'run').reverse(), ...(preview ? [preview] : [])]
}

/** The run that a cancel means: the one for keeps before a preview. */
export function runningRun(runs: RunState): RunStatus | null {
  const running = runs.stack.map((id) => runs.byId[id]).filter((status) => status && !isOver(status))
  return running.find((status) => status?.purpose === 'run') ?? running.at(-1) ?? null
}
