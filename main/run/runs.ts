// The runs there are: starts them from a request, finds them, and lets go of old ones.
import type { RecipeSpec, RunRequest, RunStatus } from '../../app/contract'
import { requireDevice } from '../../native/index'
import { EngineError } from '../errors'
import { newRunId } from '../ids'
import type { OpenSlide } from '../slide/slides'
import { draftAnalysis } from './analysis'
import { fieldAround, regionInGrid, regionOnSlide } from './plan'
import { Run } from './run'
import type { RunTools } from './run'

/** A preview's field: more than any screen shows, and an answer within seconds. */
const maxPreviewPixels = 40_000_000
/** The newest preview is looked at while the one before it still fades out. */
const keptPreviews = 2
const keptRuns = 8

export class Runs {
  private readonly runs = new Map<string, Run>()
  private readonly tools: RunTools
  private readonly onForget: (runId: string) => void
  private readonly isInUse: (runId: string) => boolean

  /** `onForget` frees what depends on a run; one that `isInUse` (an export reads it) is not let go of by itself. */
  constructor(tools: RunTools, onForget: (runId: string) => void, isInUse: (runId: string) => boolean) {
    this.tools = tools
    this.onForget = onForget
    this.isInUse = isInUse
  }

  /** Everything wrong with a request is found here, before the run exists. */
  start(request: RunRequest, slide: OpenSlide, spec: RecipeSpec, threads: number): RunStatus {
    const device = request.device ?? 'cpu'
    requireDevice(device)
    const draft = draftAnalysis(slide, spec, request.recipe, request.mpp, device)
    const { grid } = draft
    const asked = request.region === 'whole' ? slide.info.bounds : request.region
    const clipped = regionInGrid(grid, asked)
    if (!clipped) {
      const { x, y, width, height } = asked
      throw new EngineError(
        'INVALID_PARAMETER',
        `expected a region that meets the slide (${slide.info.widthPx} × ${slide.info.heightPx} px) for region but received ${width} × ${height} px at ${x}, ${y}`,
      )
    }
    const warnings = [...draft.resolution.warnings]
    const focus = request.focus && { x: request.focus.x / grid.scale, y: request.focus.y / grid.scale }
    let region = clipped
    if (request.purpose === 'preview') {
      const center = focus ?? { x: clipped.x + clipped.width / 2, y: clipped.y + clipped.height / 2 }
      region = fieldAround(clipped, center, maxPreviewPixels)
      if (region !== clipped) {
        const shown = regionOnSlide(grid, region)
        warnings.push(
          `The preview covers the ${shown.width} × ${shown.height} px around the centre of the view. Zoom in, or run the recipe on the whole region.`,
        )
      }
      for (const other of this.of(slide.info.slideId)) if (other.purpose === 'preview') other.cancel()
    }
    const run = new Run(
      {
        runId: newRunId(),
        draft,
        purpose: request.purpose,
        region,
        focus,
        // Whatever computes, this many windows are read at once; of those that are read the engine lets a few onto a GPU together.
        threads: request.threads ?? threads,
        warnings,
      },
      this.tools,
    )
    this.runs.set(run.runId, run)
    this.letGo(slide.info.slideId)
    const status = run.status()
    // The caller learns the run's id before the first event about it.
    setImmediate(() => void run.execute())
    return status
  }

  get(runId: string): Run {
    const run = this.runs.get(runId)
    if (!run) throw new EngineError('NOT_FOUND', `The run ${runId} is not there any more. Start it again.`)
    return run
  }

  find(runId: string): Run | undefined {
    return this.runs.get(runId)
  }

  isBusy(slideId: string): boolean {
    return this.of(slideId).some((run) => run.running || this.isInUse(run.runId))
  }

  /** Ends and forgets what belongs to a slide. */
  forgetSlide(slideId: string): void {
    for (const run of this.of(slideId)) this.forget(run)
  }

  cancelAll(): void {
    for (const run of this.runs.values()) run.cancel()
  }

  private of(slideId: string): Run[] {
    return [...this.runs.values()].filter((run) => run.draft.slide.info.slideId === slideId)
  }

  private forget(run: Run): void {
    run.cancel()
    this.runs.delete(run.runId)
    this.onForget(run.runId)
  }

  private letGo(slideId: string): void {
    const idle = this.of(slideId).filter((run) => !this.isInUse(run.runId))
    for (const run of idle.filter(({ purpose }) => purpose === 'preview').slice(0, -keptPreviews)) this.forget(run)
    for (const run of idle.filter(({ purpose, running }) => purpose === 'run' && !running).slice(0, -keptRuns)) this.forget(run)
  }
}
