// The runs there are: starts them from a request, lists and finds them, and lets go of old ones.
import type { RecipeSpec, Region, RunEntry, RunEstimate, RunRequest, RunStatus } from '../../app/contract'
import { requireDevice } from '../../native/index'
import { EngineError } from '../base/errors'
import { newRunId } from '../base/ids'
import type { OpenSlide } from '../slide/slides'
import { draftAnalysis } from './analysis'
import type { Draft } from './analysis'
import { tooMuch } from './budget'
import { checkExtent, regionFor } from './extent'
import { fieldAround, regionOnSlide } from './plan'
import { Run } from './run'
import type { RunTools } from './run'
import { Turns } from './turns'

/** A preview's field: more than any screen shows, and an answer within seconds. */
const maxPreviewPixels = 40_000_000
/** A run of so many analysed px takes seconds: it goes beside a long one instead of waiting for its end. */
const shortRunPixels = 60_000_000
/** More than anybody starts by hand: what starts runs in a loop is stopped here. */
const maxWaiting = 100
/** A page shows what it has previewed of a slide until it is told that a preview is gone. */
const keptPreviews = 32

/** What the rest of the engine has to do with runs. */
export interface RunLinks {
  /** Frees what depends on a run. */
  onForget: (run: Run) => void
  /** An export reads it: it is not let go of by itself. */
  isInUse: (runId: string) => boolean
  /** What a slide holds that nobody has open. */
  slideBytes: (slideId: string) => number
}

export class Runs {
  private readonly runs = new Map<string, Run>()
  private readonly turns = new Turns<Run>(() => this.changed())
  /** How many runs of a name a slide has had. */
  private readonly names = new Map<string, number>()
  private readonly tools: RunTools
  private readonly keptBytes: number
  private readonly links: RunLinks

  /** Runs that are over hold `keptBytes` together. */
  constructor(tools: RunTools, keptBytes: number, links: RunLinks) {
    this.tools = tools
    this.keptBytes = keptBytes
    this.links = links
  }

  /** Everything wrong with a request is found here, before the run exists. */
  start(request: RunRequest, slide: OpenSlide, spec: RecipeSpec, threads: number): RunStatus {
    const device = request.device ?? 'cpu'
    requireDevice(device)
    const draft = draftAnalysis(slide, spec, request.recipe, request.mpp, device)
    const { slideId } = slide.info
    const { grid } = draft
    const clipped = regionFor(draft, request.region)
    const warnings = [...draft.resolution.warnings]
    const focus = request.focus && { x: request.focus.x / grid.scale, y: request.focus.y / grid.scale }
    const isPreview = request.purpose === 'preview'
    let region = clipped
    if (isPreview) {
      const center = focus ?? { x: clipped.x + clipped.width / 2, y: clipped.y + clipped.height / 2 }
      region = fieldAround(clipped, center, maxPreviewPixels)
      if (region !== clipped) {
        const shown = regionOnSlide(grid, region)
        warnings.push(
          `The preview covers the ${shown.width} × ${shown.height} px around the centre of the view. Zoom in, or run the recipe on the whole region.`,
        )
      }
      for (const other of this.of(slideId)) if (other.purpose === 'preview') other.cancel()
    }
    checkExtent(region, this.tools.throughput.estimate(draft, region.width * region.height, threads).ms)
    const lane = isPreview ? 'preview' : region.width * region.height <= shortRunPixels ? 'short' : 'long'
    if (this.turns.mustWait(lane) && this.turns.waiting >= maxWaiting) {
      throw new EngineError(
        'INVALID_PARAMETER',
        `${this.turns.waiting} runs wait for their turn already, and no more can. Cancel some of them, or start this one when they are done.`,
      )
    }
    const run = new Run(
      {
        runId: newRunId(),
        name: this.nameOf(request, slideId),
        draft,
        purpose: request.purpose,
        lane,
        region,
        focus,
        // Whatever computes, this many windows are read at once; of those that are read the engine lets a few onto a GPU together.
        threads: request.threads ?? threads,
        warnings,
      },
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

  /** How long a run would take. */
  estimate(draft: Draft, region: Region | 'whole', threads: number): RunEstimate {
    const clipped = regionFor(draft, region)
    const estimate = this.tools.throughput.estimate(draft, clipped.width * clipped.height, threads)
    checkExtent(clipped, estimate.ms)
    return estimate
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

  /** Whether work would be lost with the slide: runs for keeps that go on, wait, are exported or have found something. */
  holdsWork(slideId: string): boolean {
    return this.of(slideId).some(
      (run) => this.links.isInUse(run.runId) || (run.purpose === 'run' && (!run.over || run.objects.count > 0)),
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
    for (const key of [...this.names.keys()]) if (key.startsWith(`${slideId}/`)) this.names.delete(key)
    this.forgetAll(this.of(slideId), 'So many slides are open that the one used longest ago was closed, with its runs')
  }

  cancelAll(): void {
    for (const run of this.runs.values()) run.cancel()
  }

  private of(slideId: string): Run[] {
    return [...this.runs.values()].filter((run) => run.draft.slide.info.slideId === slideId)
  }

  private nameOf(request: RunRequest, slideId: string): string {
    const name = request.name ?? (request.region === 'whole' ? 'Whole slide' : 'Region')
    if (request.purpose === 'preview') return request.name ?? 'Preview'
    const key = `${slideId}/${name}`
    const count = (this.names.get(key) ?? 0) + 1
    this.names.set(key, count)
    return count > 1 ? `${name} ${count}` : name
  }

  private forget(run: Run): void {
    run.cancel()
    this.runs.delete(run.runId)
    this.links.onForget(run)
  }

  /** `why` begins the sentence that tells of those that were for keeps. */
  private forgetAll(runs: readonly Run[], why: string): void {
    if (runs.length === 0) return
    const lost = runs.filter((run) => run.purpose === 'run' && run.objects.count > 0).map((run) => run.status())
    for (const run of runs) this.forget(run)
    const words = lost.map(({ name, objects }) => `${name} (${objects.toLocaleString('en')} objects)`).join(', ')
    this.changed(lost.length > 0 ? `${why}: ${words}. Export what you want to keep.` : undefined)
  }

  /** Makes room; `newest` stays in any case. */
  private letGo(newest: Run): void {
    const stays = (run: Run): boolean => run === newest || !run.over || this.links.isInUse(run.runId)
    const previews = this.of(newest.draft.slide.info.slideId).filter(({ purpose }) => purpose === 'preview')
    const old = previews.slice(0, -keptPreviews).filter((run) => !stays(run))
    const slides = new Set<string>()
    const holders = [...this.runs.values()].map((run) => {
      // A slide that is kept for its runs alone counts with the first of them.
      const { slideId } = run.draft.slide.info
      const bytes = run.objects.bytes + (slides.has(slideId) ? 0 : this.links.slideBytes(slideId))
      slides.add(slideId)
      return { run, bytes, isPreview: run.purpose === 'preview', stays: stays(run) }
    })
    const gone = tooMuch(holders, this.keptBytes).map(({ run }) => run)
    this.forgetAll([...new Set([...old, ...gone])], 'To make room for newer runs, the oldest were let go of')
  }

  private changed(message?: string): void {
    this.tools.emit({ type: 'runs:changed', ...(message === undefined ? {} : { message }) })
  }
}
