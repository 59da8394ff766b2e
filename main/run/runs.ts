// The runs there are: begins them in turn, lists and finds them, and forgets them.
import { analysedChannel } from '../../app/contract'
import type { RecipeSpec, Region, RunEntry, RunEstimate, RunRequest, RunStatus } from '../../app/contract'
import { CancelledError, EngineError } from '../base/errors'
import { newRunId } from '../base/ids'
import type { OpenSlide } from '../slide/slides'
import type { Draft } from './analysis/analysis'
import { measuredCells } from './analysis/cells'
import { checkExtent, regionFor } from './request/extent'
import type { RunJournal } from './journal/journal'
import type { KeptFile, KeptObjects } from './journal/kept'
import { planMemory } from './analysis/memory'
import { orderOf } from './request/order'
import type { Means } from './request/order'
import { Plan } from './plan/plan'
import type { TileIndex } from './plan/plan'
import { excessRuns, farewell } from './retention'
import type { RetentionRules } from './retention'
import { Run } from './run'
import type { RunTools } from './run'
import { importedRecipe, plainName, RunNames } from './runNames'
import { Turns } from './schedule/turns'
import { costOfPlan, fullCost } from './analysis/workload'

/** More than anybody starts by hand: what starts runs in a loop is stopped here. */
const maxWaiting = 100

/** What the rest of the engine has to do with runs. */
export interface RunLinks extends RetentionRules {
  /** Frees what depends on a run. */
  onForget: (run: Run) => void
}

/** Of a run that goes on from another. */
export interface GoesOn {
  readonly journal?: RunJournal
  /** What a cancelled run had that the document holds. */
  readonly base?: KeptObjects
  /** Whose objects those are, or were before the engine that began it ended. */
  readonly part?: string
  /** The name that it had. */
  readonly name?: string
}

/** It was cancelled, and what it has lies nowhere but in its journal. */
const leavesPart = (run: Run): boolean => run.keptId === null && run.status().state === 'cancelled' && run.onlyFinal

export class Runs {
  private readonly runs = new Map<string, Run>()
  private readonly turns = new Turns<Run>(() => this.changed())
  private readonly names = new RunNames()
  private readonly tools: RunTools
  private readonly links: RunLinks
  /** How many runs were asked for. */
  private asked = 0
  /** The engine is: what is let go of now is not what nobody wants, and what a call under way would start is refused. */
  private closing = false

  constructor(tools: RunTools, links: RunLinks) {
    this.tools = tools
    this.links = links
  }

  /** A request's place among all: taken when it comes, before whatever it waits for, as a later one may wait for less. */
  asks(): number {
    return ++this.asked
  }

  /**
   * Everything wrong with a request is found here, before the run exists, but for its device, which the caller has asked for. CANCELLED: it is a
   * preview whose page has asked for another one since.
   */
  start(
    request: RunRequest,
    slide: OpenSlide,
    spec: RecipeSpec,
    means: Means,
    from: GoesOn = {},
    asked = this.asks(),
  ): RunStatus {
    if (this.closing) throw new EngineError('ENGINE_LOST', 'Morphoscope is closing.')
    const order = orderOf(request, slide, spec, means, this.tools.throughput)
    const { slideId } = slide.info
    if (order.purpose === 'preview') this.cancelPreviews(slideId, order.page, asked)
    if (this.turns.mustWait(order.lane) && this.turns.waiting >= maxWaiting) {
      throw new EngineError(
        'INVALID_PARAMETER',
        `${this.turns.waiting} runs wait for their turn already, and no more can. Cancel some of them, or start this one when they are done.`,
      )
    }
    const name = from.name ? plainName(from.name) : this.names.next(request, slideId)
    const { slideId: _slide, page: _page, ...rest } = request
    // With every value: what goes on with it must not depend on defaults that change.
    // Nor on what whoever opens the slide then says of its pixels.
    const { mppSource, mppX } = slide.info
    const mpp = request.mpp ?? (mppSource === 'given' ? (mppX ?? undefined) : undefined)
    const channel = analysedChannel(slide.info)
    const whole = {
      ...rest,
      ...(mpp !== undefined && { mpp }),
      ...(channel !== null && { channel }),
      name,
      recipe: order.draft.recipe,
    }
    const run = new Run(
      { ...order, asked, runId: newRunId(), name, request: whole, journal: from.journal, base: from.base, part: from.part },
      this.tools,
    )
    this.runs.set(run.runId, run)
    this.letGo(run)
    void run.ended.then(() => {
      this.turns.drop(run)
      this.letGo(run)
    })
    this.turns.add(run)
    const status = run.status()
    this.changed()
    return status
  }

  /** A run that was done, with the objects that it found. Not in anybody's turn: it computes nothing. Throws INVALID_PARAMETER. */
  restore(kept: KeptFile, slide: OpenSlide, spec: RecipeSpec, means: Means): Run {
    // What was found stands, whichever channel is analysed now.
    const { device: _device, channel: _channel, ...rest } = kept.head.request
    const request = { ...rest, slideId: slide.info.slideId }
    const { imported } = kept.head
    // No list may say that the recipe found what came in with a file.
    const as = imported ? { ...spec, name: importedRecipe(spec.name) } : spec
    const order = orderOf(request, slide, as, means, this.tools.throughput)
    // Cells that came in with a file, whatever the recipe would make around nuclei.
    const reachPx = imported?.cellReachPx
    const { draft: found } = order
    const draft = imported
      ? { ...found, cells: reachPx === undefined ? null : measuredCells(found.params, reachPx, found.resolution.nominalMpp) }
      : found
    const name = kept.keptId === null ? this.names.next(request, request.slideId) : this.names.ofKept(kept.keptId, request)
    const run = new Run({ ...order, draft, runId: newRunId(), name, request: kept.head.request, kept }, this.tools)
    this.runs.set(run.runId, run)
    this.letGo(run)
    void run.begin().then(() => this.letGo(run))
    this.changed()
    return run
  }

  all(): Run[] {
    return [...this.runs.values()]
  }

  /** All there are, oldest first. */
  list(): RunEntry[] {
    return [...this.runs.values()].map((run) => ({
      status: run.status(),
      recipe: run.draft.recipe,
      recipeName: run.draft.spec.name,
      slideName: run.draft.slide.info.name,
      slidePath: run.draft.slide.info.path,
    }))
  }

  /** How long a run would take, by what its windows cost: the first one who asks of a slide waits for its overview, which the run needs too. */
  async estimate(
    draft: Draft,
    region: Region | 'whole',
    { threads, memoryBytes }: Means,
    signal: AbortSignal,
  ): Promise<RunEstimate> {
    const { throughput, overviews } = this.tools
    const clipped = regionFor(draft, region)
    const pixels = clipped.width * clipped.height
    const { memory, blockSize } = planMemory(draft, pixels, threads, memoryBytes)
    const atMost = throughput.estimate(draft, fullCost * pixels, memory.windowsAtOnce)
    checkExtent(clipped, atMost.ms)
    const told = { megapixels: pixels / 1e6, memory }
    if (atMost.ms === null) return { ...atMost, ...told }
    const tissue = await overviews.tissueOf(draft, threads, signal)
    const plan = new Plan(draft.grid, clipped, undefined, blockSize)
    const isToDo = (tile: TileIndex): boolean => tissue?.has(tile) ?? true
    const cost = await costOfPlan({ ...draft, tissue }, plan, isToDo, () => signal.aborted)
    if (cost === null) throw new CancelledError('nobody waits for the estimate any more')
    const { ms, basis } = throughput.estimate(draft, cost, memory.windowsAtOnce)
    return { ms: ms === null ? null : ms + (overviews.groundOf(draft)?.estimateMs(threads) ?? 0), basis, ...told }
  }

  get(runId: string): Run {
    const run = this.runs.get(runId)
    if (!run) throw new EngineError('NOT_FOUND', `The run ${runId} is not there any more. Start it again.`)
    return run
  }

  /** Cancels it where it is not over, and frees what it holds. */
  delete(runId: string): void {
    this.forget(this.get(runId))
    this.changed()
  }

  isBusy(slideId: string): boolean {
    return this.of(slideId).some((run) => !run.over || this.links.isInUse(run.runId))
  }

  /** Whether work would be lost with the slide: runs that go on, wait, are exported or have found something. */
  holdsWork(slideId: string): boolean {
    return this.of(slideId).some(
      (run) =>
        this.links.isInUse(run.runId) || (run.purpose === 'run' && run.keptId === null && (!run.over || run.objects.count > 0)),
    )
  }

  /** For a slide that nobody looks at any more. */
  forgetPreviews(slideId: string): void {
    this.forgetAll(
      this.of(slideId).filter((run) => run.purpose === 'preview' && !this.links.isInUse(run.runId)),
      '',
    )
  }

  /** Ends and forgets what belongs to a slide that is closed. */
  forgetSlide(slideId: string): void {
    this.names.forget(slideId)
    this.forgetAll(this.of(slideId), 'So many slides are open that the one used longest ago was closed, with its runs')
  }

  cancelAll(): void {
    for (const run of this.runs.values()) run.cancel()
  }

  private of(slideId: string): Run[] {
    return [...this.runs.values()].filter((run) => run.draft.slide.info.slideId === slideId)
  }

  /** A page looks at one preview, the one that it asked for last; those of other pages on the same slide are looked at, too. */
  private cancelPreviews(slideId: string, page: string | undefined, asked: number): void {
    const others = this.of(slideId).filter((run) => run.purpose === 'preview' && run.page === page)
    if (others.some((run) => run.asked > asked)) throw new EngineError('CANCELLED', 'A newer preview has taken its place.')
    for (const run of others) run.cancel()
  }

  /** What their journals are for goes on in the next process: of runs that are not over, or were cancelled, and where `keepsOver` of all. */
  async closeJournals(keepsOver: boolean): Promise<void> {
    this.closing = true
    await Promise.all(
      [...this.runs.values()].map((run) =>
        run.over && !keepsOver && !leavesPart(run) ? run.tileCommitter.dropJournal() : run.tileCommitter.closeJournal(),
      ),
    )
  }

  private forget(run: Run): void {
    run.cancel()
    if (!this.closing) void run.tileCommitter.dropJournal()
    this.runs.delete(run.runId)
    this.links.onForget(run)
  }

  /** `why` begins the sentence that tells of those that were full runs. */
  private forgetAll(runs: readonly Run[], why: string): void {
    if (runs.length === 0) return
    const lost = runs
      .filter((run) => run.purpose === 'run' && run.keptId === null && run.objects.count > 0)
      .map((run) => run.status())
    for (const run of runs) this.forget(run)
    this.changed(farewell(why, lost))
  }

  /** Makes room; `newest` stays in any case. */
  private letGo(newest: Run): void {
    const gone = excessRuns([...this.runs.values()], newest, this.links)
    this.forgetAll(gone, 'To make room for newer runs, the oldest were removed')
  }

  private changed(message?: string): void {
    this.tools.emit({ type: 'runs:changed', ...(message === undefined ? {} : { message }) })
  }
}
