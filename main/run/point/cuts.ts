// Where a field turns by a threshold's slider: computed once, kept for the page that asked, and read by its address.
import { performance } from 'node:perf_hooks'
import type { Cuts, Recipe, RecipeSpec, Region } from '../../../app/contract'
import { mostCutPx } from '../../../app/contract'
import { cuts, planOf, tokenOf } from '../../../native/index'
import { ByteCache } from '../../base/byteCache'
import type { Encoded } from '../../base/encoded'
import { EngineError } from '../../base/errors'
import { numberAt } from '../../recipe/validate'
import type { OpenSlide } from '../../slide/slides'
import { draftAnalysis } from '../analysis/analysis'
import { lookedAt } from '../analysis/previewReach'
import type { Overviews } from '../analysis/overviews'
import { fieldAround, regionInGrid } from '../plan/plan'

interface CutsRequest {
  readonly region: Region
  readonly stage: string
  readonly param: string
  readonly mpp: number | undefined
}

/** The fields of the last sliders that were looked at. */
export class CutFields {
  private readonly fields = new ByteCache<Uint8Array<ArrayBuffer>>(32 * 2 ** 20, (bytes) => bytes.byteLength + 200)
  private last = 0

  constructor(private readonly overviews: Overviews) {}

  /** null: the recipe cuts nothing by that parameter, or the slide has nothing there. Up to the cut the cost of a preview of the field. */
  async of(
    slide: OpenSlide,
    spec: RecipeSpec,
    recipe: Recipe,
    { region, stage, param, mpp }: CutsRequest,
    threads: number,
    signal?: AbortSignal,
  ): Promise<Cuts | null> {
    const started = performance.now()
    const slider = numberAt(spec, stage, param)
    const draft = draftAnalysis(slide, spec, recipe, mpp)
    const all = regionInGrid(draft.grid, region)
    // A slider's 255 values and its last, above which nothing is.
    if (!slider || !all || (slider.max - slider.min) / slider.step > 255.5) return null
    const focus = { x: all.x + all.width / 2, y: all.y + all.height / 2 }
    const { x, y, width, height } = fieldAround(all, focus, mostCutPx)
    const { params, ground, unread } = await lookedAt(this.overviews, draft, threads, signal)
    const { scale, widthPx, heightPx } = draft.grid
    const found = await cuts(
      {
        slide: slide.native,
        scale,
        widthPx,
        heightPx,
        x,
        y,
        fieldWidth: width,
        fieldHeight: height,
        plan: planOf(spec.pipeline, params),
        ground: await ground?.get({ threads, signal }),
        threads,
        param: `${stage}.${param}`,
        low: slider.min,
        step: slider.step,
      },
      tokenOf(signal),
    )
    if (!found) return null
    const cutsId = ++this.last
    this.fields.set(keyOf(slide.info.slideId, cutsId), found.steps)
    const corner = { x: Math.floor(x * scale), y: Math.floor(y * scale) }
    return {
      cutsId,
      region: { ...corner, width: Math.ceil(width * scale), height: Math.ceil(height * scale) },
      scale,
      width,
      height,
      // Nothing stands on values that are not certain.
      ...(unread !== null ? { unreadShare: 1 } : found.unreadPx > 0 && { unreadShare: found.unreadPx / (width * height) }),
      elapsedMs: performance.now() - started,
    }
  }

  /** NOT_FOUND once others have taken its room. */
  read(slideId: string, cutsId: number): Encoded {
    const body = this.fields.get(keyOf(slideId, cutsId))
    if (!body) throw new EngineError('NOT_FOUND', 'This field of a slider is not kept any more.')
    return { type: 'application/octet-stream', body }
  }

  forget(slideId: string): void {
    this.fields.deletePrefix(`${slideId}/`)
  }
}

const keyOf = (slideId: string, cutsId: number): string => `${slideId}/${cutsId}`
