// The runs of the open slide and what is drawn of them, as pure functions; and the unfinished runs of everybody else.
import { isOver, runOfMapLayer, tissueLayer, type Region, type RunEntry, type RunStatus, type Shape } from '../../../app/contract'
import { containsRegion, regionContains, regionsMeet } from '../../arithmetic/geometry'
import { words } from '../../words'

export interface RunState {
  readonly byId: Readonly<Record<string, RunStatus>>
  /** What each run was started with: recipeKey, so that "is this still true" can be asked. */
  readonly keyById: Readonly<Record<string, string>>
  /** The names of the recipes of full runs, and of the channels that they analysed, where the engine has told them. */
  readonly recipeById: Readonly<Record<string, string>>
  /** The shapes that runs ran within, of those that ran within some, where the engine has told them. */
  readonly shapesById: Readonly<Record<string, readonly Shape[]>>
  /** Runs of the open slide in the order in which they began: full runs until they are deleted, previews while they are true. */
  readonly stack: readonly string[]
  /** Full runs that the user does not want to see on the slide. */
  readonly hidden: readonly string[]
  /** The run whose figures the panels show. */
  readonly activeId: string | null
  /** That run, where nobody chose it: what comes back of a project later, one result after the other, is newer, and takes its place. */
  readonly givenId: string | null
  readonly previewId: string | null
  /** The preview whose figures the panels show: a new one's not before it is done or lasts, or they would come and go with each step of a slider. */
  readonly figuresId: string | null
  /** The user is changing values: previews lie over the full runs and the headline is theirs. Otherwise they lie under them. */
  readonly tuning: boolean
  /** Unfinished runs that are not on this slide, or previews of other windows: seen, and ended, from everywhere. */
  readonly elsewhere: readonly RunEntry[]
  /** Calls of run:start that have no answer yet. */
  readonly unanswered: readonly Unanswered[]
}
interface Unanswered {
  readonly id: number
  readonly purpose: RunStatus['purpose']
}

export const emptyRuns: RunState = {
  byId: {},
  keyById: {},
  recipeById: {},
  shapesById: {},
  stack: [],
  hidden: [],
  activeId: null,
  givenId: null,
  previewId: null,
  figuresId: null,
  tuning: false,
  elsewhere: [],
  unanswered: [],
}

export const asking = (runs: RunState, one: Unanswered): RunState => ({ ...runs, unanswered: [...runs.unanswered, one] })
export const answered = (runs: RunState, id: number): RunState => ({
  ...runs,
  unanswered: runs.unanswered.filter((one) => one.id !== id),
})
/** What was asked for may have begun: events may tell of it before the answer does. */
export const isStarting = ({ unanswered }: RunState, purpose?: Unanswered['purpose']): boolean =>
  unanswered.some((one) => purpose === undefined || one.purpose === purpose)

const progressOf = (status: RunStatus): number => (status.state === 'queued' ? -1 : status.tilesDone)

/** An event may overtake an answer: the status that is further along wins. */
export function upsertStatus(runs: RunState, status: RunStatus): RunState {
  const known = runs.byId[status.runId]
  if (known && isOver(known) && !isOver(status)) return runs
  if (known && !isOver(status) && progressOf(status) < progressOf(known)) return runs
  const next = { ...runs, byId: { ...runs.byId, [status.runId]: status } }
  return status.state === 'done' || status.state === 'failed' ? showFigures(next, status.runId) : next
}

/** Of the newest preview, however it stands. */
export const showFigures = (runs: RunState, id: string): RunState =>
  runs.previewId === id && runs.figuresId !== id ? { ...runs, figuresId: id } : runs

/** A status of a run of another slide or window: what the list of those says of it. */
export function upsertElsewhere(runs: RunState, status: RunStatus): RunState {
  const at = runs.elsewhere.findIndex((entry) => entry.status.runId === status.runId)
  const known = runs.elsewhere[at]
  if (!known || (!isOver(status) && progressOf(status) < progressOf(known.status))) return runs
  const elsewhere = isOver(status) ? runs.elsewhere.toSpliced(at, 1) : runs.elsewhere.with(at, { ...known, status })
  return { ...runs, elsewhere }
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

/**
 * A full run is what the user asked for by name: its figures are shown, and no preview lies over it, but where he has changed values since
 * (`now`: the recipe's key by now).
 */
export function beginRun(runs: RunState, status: RunStatus, key: string, now = key): RunState {
  const next = upsertStatus(runs, status)
  const id = status.runId
  const kept = status.purpose === 'run'
  const before = next.figuresId === null ? undefined : next.byId[next.figuresId]
  return {
    ...next,
    keyById: { ...next.keyById, [id]: key },
    stack: [...trimPreviews(next).filter((other) => other !== id), id],
    activeId: kept ? id : runs.activeId,
    previewId: kept ? runs.previewId : id,
    figuresId: kept || (before?.state === 'done' && !isOver(status)) ? next.figuresId : id,
    tuning: kept ? key !== now : runs.tuning,
    // A list that was made before its answer has it among those that nobody here knows.
    elsewhere: next.elsewhere.filter((entry) => entry.status.runId !== id),
  }
}

/**
 * When a run is complete on screen, the previews that it makes untrue go: those of another recipe, and those inside its region.
 * Full runs stay: nothing but the user replaces them.
 */
export function settleStack(runs: RunState, id: string): RunState {
  const status = runs.byId[id]
  if (!status || status.state === 'failed' || !runs.stack.includes(id)) return runs
  const position = runs.stack.indexOf(id)
  const stack = runs.stack.filter((other, index) => {
    const older = runs.byId[other]
    if (!older) return false
    if (index >= position || older.purpose === 'run') return true
    return runs.keyById[other] === runs.keyById[id] && !containsRegion(status.region, older.region)
  })
  return stack.length === runs.stack.length ? runs : forget({ ...runs, stack })
}

/** Statuses of runs that nothing shows any more are dropped, or a long session would keep them all. */
function forget(runs: RunState): RunState {
  const keep = new Set([...runs.stack, runs.previewId, runs.figuresId])
  const pick = <T>(record: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.entries(record).filter(([id]) => keep.has(id)))
  return {
    ...runs,
    byId: pick(runs.byId),
    keyById: pick(runs.keyById),
    recipeById: pick(runs.recipeById),
    shapesById: pick(runs.shapesById),
    hidden: runs.hidden.filter((id) => keep.has(id)),
  }
}

export function dropRuns(runs: RunState, ids: readonly string[]): RunState {
  const gone = new Set(ids)
  const stack = runs.stack.filter((id) => !gone.has(id))
  const isShown = [runs.previewId, runs.figuresId].some((id) => id !== null && gone.has(id))
  if (stack.length === runs.stack.length && !isShown) return runs
  const activeGone = runs.activeId !== null && gone.has(runs.activeId)
  return forget({
    ...runs,
    stack,
    previewId: runs.previewId && gone.has(runs.previewId) ? null : runs.previewId,
    figuresId: runs.figuresId && gone.has(runs.figuresId) ? null : runs.figuresId,
    activeId: activeGone ? (stack.findLast((id) => runs.byId[id]?.purpose === 'run') ?? null) : runs.activeId,
  })
}

export const dropRun = (runs: RunState, id: string): RunState => dropRuns(runs, [id])

/** The user changes values: from now on previews are what he looks at. */
export const tune = (runs: RunState): RunState => (runs.tuning ? runs : { ...runs, tuning: true })

/** A preview that is there already is what the user looks at: over the other previews. */
export const showPreview = (runs: RunState, id: string): RunState =>
  runs.previewId === id && runs.stack.at(-1) === id
    ? showFigures(runs, id)
    : { ...runs, previewId: id, figuresId: id, stack: [...runs.stack.filter((other) => other !== id), id] }

/** The user is back at what has been run: previews of other values are untrue now. */
export function untune(runs: RunState, key: string | null): RunState {
  const stale = runs.stack.filter((id) => runs.byId[id]?.purpose === 'preview' && key !== null && runs.keyById[id] !== key)
  const clean = dropRuns(runs, stale)
  return clean.tuning ? { ...clean, tuning: false } : clean
}

/** Shows a run's figures, and the run itself. */
export function choose(runs: RunState, id: string): RunState {
  if (runs.byId[id]?.purpose !== 'run') return runs
  return { ...runs, activeId: id, givenId: null, tuning: false, hidden: runs.hidden.filter((other) => other !== id) }
}

export function setHidden(runs: RunState, id: string, hidden: boolean): RunState {
  const others = runs.hidden.filter((other) => other !== id)
  return { ...runs, hidden: hidden ? [...others, id] : others }
}

/**
 * The engine's list of runs is the truth: what it has let go of goes (`asked`: the runs that were known when it was asked for; a run that
 * began since is not in it), what another window or an earlier page has started on this slide comes.
 */
export function syncList(
  runs: RunState,
  entries: readonly RunEntry[],
  slideId: string | null,
  asked: ReadonlySet<string>,
  keyOf: (entry: RunEntry) => string,
): RunState {
  const listed = new Set(entries.map(({ status }) => status.runId))
  let next = dropRuns(
    runs,
    runs.stack.filter((id) => asked.has(id) && !listed.has(id)),
  )
  const ours = entries.filter(({ status }) => status.slideId === slideId)
  for (const { status } of ours) if (next.byId[status.runId]) next = upsertStatus(next, status)
  const known = new Set(next.stack)
  const come = ours.filter(({ status }) => status.purpose === 'run' && !known.has(status.runId))
  if (come.length > 0) {
    for (const { status } of come) next = upsertStatus(next, status)
    const order = new Map(entries.map(({ status }, at) => [status.runId, at]))
    // Runs that are not listed yet are the newest.
    const place = (id: string) => order.get(id) ?? entries.length
    next = {
      ...next,
      keyById: { ...next.keyById, ...Object.fromEntries(come.map((entry) => [entry.status.runId, keyOf(entry)])) },
      stack: [...next.stack, ...come.map(({ status }) => status.runId)].sort((a, b) => place(a) - place(b)),
      ...givenOf(next, come),
    }
  }
  const mine = new Set(next.stack)
  return {
    ...next,
    recipeById: Object.fromEntries(ours.map((entry) => [entry.status.runId, recipeIn(entry)])),
    elsewhere: entries.filter(({ status }) => !isOver(status) && !mine.has(status.runId)),
  }
}

const recipeIn = ({ recipeName, status: { channelName } }: RunEntry): string =>
  channelName === undefined ? recipeName : words.runList.inChannel(recipeName, channelName)

/** Which run is shown, of those that come, oldest first, where the user has chosen none. */
function givenOf({ activeId, givenId }: RunState, come: readonly RunEntry[]): Pick<RunState, 'activeId' | 'givenId'> {
  const newest = come.findLast(({ status }) => activeId === null || status.keptId !== undefined)?.status.runId
  return newest !== undefined && (activeId === null || activeId === givenId)
    ? { activeId: newest, givenId: newest }
    : { activeId, givenId }
}

const isStatus = (status: RunStatus | undefined): status is RunStatus => status !== undefined
const statusesOf = (runs: RunState): RunStatus[] => runs.stack.map((id) => runs.byId[id]).filter(isStatus)

/** A preview of another window comes and goes with every move there: it is no news unless it hangs. */
const previewLastsMs = 5000
export const shownElsewhere = ({ elsewhere }: RunState): readonly RunEntry[] =>
  elsewhere.filter(({ status }) => status.purpose === 'run' || status.elapsedMs > previewLastsMs)

/** The shown run whose objects can be changed: a full one that is done. */
export function changeableRun(runs: RunState): RunStatus | null {
  const run = activeRun(runs)
  return run?.purpose === 'run' && run.state === 'done' ? run : null
}

/** The slide's runs without its previews, oldest first. */
export const fullRuns = (runs: RunState): RunStatus[] => statusesOf(runs).filter(({ purpose }) => purpose === 'run')

/** So many results have a row before anybody asks for more: each row is some thirty elements, which the page puts together in each frame. */
const firstRows = 40

/** The results that have a row, the newest first, and how many older ones have none. The chosen one always has. */
export function resultRows(runs: RunState, isWhole: boolean): { rows: RunStatus[]; older: number } {
  const all = fullRuns(runs).reverse()
  const chosen = chosenRun(runs)
  const rows = isWhole ? all : all.filter((run, i) => i < firstRows || run === chosen)
  return { rows, older: all.length - rows.length }
}

/** What is drawn, the topmost last: among full runs the newest, and previews over all of them only while the user changes values. */
export function drawOrder(runs: RunState): RunStatus[] {
  const all = statusesOf(runs).filter(({ runId }) => !runs.hidden.includes(runId))
  const previews = all.filter(({ purpose }) => purpose === 'preview')
  const kept = all.filter(({ purpose }) => purpose === 'run')
  return runs.tuning ? [...kept, ...previews] : [...previews, ...kept]
}

/** A layer is a preview's that was asked for with layers; what counts as tissue each one knows. A map is of one run. */
export const showsLayer = ({ purpose, layers, runId }: RunStatus, layer: string): boolean =>
  runOfMapLayer(layer) === null
    ? purpose === 'preview' && (layers === true || layer === tissueLayer)
    : runOfMapLayer(layer) === runId

/**
 * Is this region already on screen, computed with this recipe (or being computed), with these layers? By which run. A preview that is being
 * computed ends where anything else has been asked for, and a result of other values hides an older one: these do not count.
 */
export function coveredBy(runs: RunState, region: Region, key: string, layers: readonly string[]): RunStatus | null {
  const covers = (status: RunStatus) =>
    runs.keyById[status.runId] === key &&
    layers.every((layer) => showsLayer(status, layer)) &&
    (status.state === 'done' || (status.state === 'running' && !(status.purpose === 'preview' && isStarting(runs)))) &&
    containsRegion(status.region, region)
  const order = drawOrder(runs)
  const at = order.findLastIndex(covers)
  const hides = (over: RunStatus) =>
    over.purpose === 'run' && runs.keyById[over.runId] !== key && regionsMeet(over.region, region)
  return order[at]?.purpose === 'run' && order.slice(at + 1).some(hides) ? null : (order[at] ?? null)
}

/** Full runs hide whatever would be previewed in this region. */
export const isUnderKept = (runs: RunState, region: Region): boolean =>
  !runs.tuning &&
  drawOrder(runs).some(
    (run) => run.purpose === 'run' && run.state === 'done' && run.withinPx === undefined && containsRegion(run.region, region),
  )

/** Visible runs that hold a point, the topmost first. */
export const runsAt = (runs: RunState, x: number, y: number): RunStatus[] =>
  drawOrder(runs)
    .filter((status) => regionContains(status.region, x, y))
    .reverse()

/** The run whose figures can be seen with one click, whatever the headline shows. */
export const chosenRun = (runs: RunState): RunStatus | null => (runs.activeId ? (runs.byId[runs.activeId] ?? null) : null)

/** The preview whose figures are shown. */
export function figuresPreview({ figuresId, previewId, byId }: RunState): RunStatus | null {
  const id = figuresId ?? previewId
  return id === null ? null : (byId[id] ?? null)
}

/** The run of the headline: the preview while values are being changed, or where nothing else is there. */
export function activeRun(runs: RunState): RunStatus | null {
  const preview = figuresPreview(runs)
  return runs.tuning && preview ? preview : (chosenRun(runs) ?? preview)
}

/** What can be exported: every segmentation of the slide, the newest first, then the preview. */
export function exportableRuns(runs: RunState): RunStatus[] {
  const all = statusesOf(runs).filter((run) => run.state !== 'failed' && run.tilesDone > 0)
  const preview = all.findLast((run) => run.purpose === 'preview')
  return [...all.filter((run) => run.purpose === 'run').reverse(), ...(preview ? [preview] : [])]
}

/** The unfinished run that progress and cancel mean: the chosen one, else a full one that computes, that waits, else a preview. */
export function runningRun(runs: RunState): RunStatus | null {
  const unfinished = statusesOf(runs).filter((status) => !isOver(status))
  const kept = unfinished.filter(({ purpose }) => purpose === 'run')
  return (
    kept.find(({ runId }) => runId === runs.activeId) ??
    kept.findLast(({ state }) => state === 'running') ??
    kept.at(-1) ??
    unfinished.at(-1) ??
    null
  )
}

/** What a queued run waits for, in words: of the full runs that compute the one most like it in size, as short ones go beside long ones. */
export function waitsFor(runs: RunState, run: RunStatus): string | null {
  const here = fullRuns(runs).map((status) => ({ status, words: status.name }))
  const others = runs.elsewhere.map(({ status, slideName }) => ({ status, words: words.elsewhere.runOf(status.name, slideName) }))
  const busy = [...here, ...others].filter(
    ({ status }) => (status.state === 'running' || status.state === 'paused') && status.purpose === 'run',
  )
  const unlike = ({ status }: { status: RunStatus }) => Math.abs(Math.log((status.tilesTotal + 1) / (run.tilesTotal + 1)))
  return busy.sort((a, b) => unlike(a) - unlike(b))[0]?.words ?? null
}
