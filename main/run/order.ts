// What a run is to do, made of a request: everything that is wrong with one is found here, before the run exists.
import type { RecipeSpec, RunMemory, RunRequest, RunStatus } from '../../app/contract'
import type { PixelRect } from '../base/rect'
import type { OpenSlide } from '../slide/slides'
import { draftAnalysis } from './analysis'
import type { Draft } from './analysis'
import { checkExtent, regionFor } from './extent'
import { planMemory } from './memory'
import { fieldAround, regionOnSlide } from './plan'
import type { Throughput } from './throughput'
import type { Lane } from './turns'

/** A preview's field: more than any screen shows, and an answer within seconds. */
const maxPreviewPixels = 40_000_000
/** A run of so many analysed px takes seconds: it goes beside a long one instead of waiting for its end. */
const shortRunPixels = 60_000_000

export interface RunOrder {
  readonly runId: string
  readonly name: string
  readonly draft: Draft
  readonly purpose: RunStatus['purpose']
  /** Whose preview it is. */
  readonly page?: string | undefined
  readonly lane: Lane
  /** Analysed px, inside the slide. */
  readonly region: PixelRect
  /** Analysed px. */
  readonly focus: { x: number; y: number } | undefined
  readonly threads: number
  readonly memory: RunMemory
  readonly warnings: readonly string[]
}

/** What a run may use where its request says nothing. */
export interface Means {
  readonly threads: number
  readonly memoryBytes: number
}

/** The request's device is there: the caller has asked. Throws INVALID_PARAMETER. */
export function orderOf(
  request: RunRequest,
  slide: OpenSlide,
  spec: RecipeSpec,
  means: Means,
  throughput: Throughput,
): Omit<RunOrder, 'runId' | 'name'> {
  const device = request.device ?? 'cpu'
  // Whatever computes, this many windows are read at once; of those that are read the engine lets a few onto a GPU together.
  const threads = request.threads ?? means.threads
  const draft = draftAnalysis(slide, spec, request.recipe, request.mpp, device)
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
  }
  const pixels = region.width * region.height
  checkExtent(region, throughput.estimate(draft, pixels, threads).ms)
  return {
    draft,
    purpose: request.purpose,
    page: request.page,
    lane: isPreview ? 'preview' : pixels <= shortRunPixels ? 'short' : 'long',
    region,
    focus,
    threads,
    memory: planMemory(draft, pixels, threads, means.memoryBytes),
    warnings,
  }
}
