// A recipe on a slide, ready to run: every value checked and resolved, the grid laid, the slide's own values taken from its overview.
import { createHash } from 'node:crypto'
import type { ParamValue, Recipe, RecipeSpec } from '../../app/contract'
import { haloPx, overview } from '../../native/index'
import type { CancelToken } from '../../native/index'
import { ByteCache } from '../byteCache'
import { isCancelled } from '../errors'
import { pixelSizeUm, resolution, resolveParams } from '../recipe/resolve'
import type { Resolution } from '../recipe/resolve'
import { completeRecipe } from '../recipe/validate'
import type { OpenSlide } from '../slide/slides'
import { overviewSample } from '../slide/overviewSample'
import type { Sample } from '../slide/overviewSample'
import { gridOf, regionInGrid } from './plan'
import type { Grid } from './plan'

/** What can be known without reading a pixel. */
export interface Draft {
  readonly slide: OpenSlide
  readonly spec: RecipeSpec
  /** With every value, defaults included. */
  readonly recipe: Recipe
  readonly resolution: Resolution
  readonly grid: Grid
  readonly haloPx: number
  /** px and levels, without the overview's values. */
  readonly params: Readonly<Record<string, ParamValue>>
  readonly stainNames: readonly string[]
  /** What computes the tiles: "cpu", "gpu0", … The overview is the CPU's. */
  readonly device: string
}
export interface Analysis extends Draft {
  /**
   * Names everything that a tile's pixels of the result depend on, the tile apart. They must not depend on the device, but what one
   * computed must not be told as another's.
   */
  readonly key: string
}

const stainNames: Readonly<Record<string, readonly string[]>> = {
  'h-e': ['hematoxylin', 'eosin', 'residual'],
  'h-dab': ['hematoxylin', 'dab', 'residual'],
}

/** Throws INVALID_PARAMETER. */
export function draftAnalysis(slide: OpenSlide, spec: RecipeSpec, recipe: Recipe, mpp?: number, device = 'cpu'): Draft {
  const complete = completeRecipe(recipe, spec)
  const resolved = resolution(slide.info, pixelSizeUm(complete), mpp)
  const params = resolveParams(spec, complete, resolved.nominalMpp)
  const chosenStains = params['channel.stains']
  return {
    slide,
    spec,
    recipe: complete,
    resolution: resolved,
    grid: gridOf(resolved.widthPx, resolved.heightPx, resolved.scale),
    haloPx: Math.max(0, Math.ceil(haloPx(spec.pipeline, params))),
    params,
    stainNames: stainNames[typeof chosenStains === 'string' ? chosenStains : spec.stainSet] ?? stainNames[spec.stainSet] ?? [],
    device,
  }
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url')
}

/** The stages that make the image which the overview measures; no other value changes what it finds (a test holds this true). */
const overviewStages = ['image.', 'channel.']

/** The values that the overview depends on: sliders of later stages must not wait for it again. */
export function overviewParams(params: Readonly<Record<string, ParamValue>>): Record<string, ParamValue> {
  return Object.fromEntries(Object.entries(params).filter(([name]) => overviewStages.some((stage) => name.startsWith(stage))))
}

const sampleCacheBytes = 96 * 1024 * 1024

/** Takes the values that adapt to a slide, once for every slide, scale and channel. */
export class Overviews {
  private readonly samples = new ByteCache<Sample>(sampleCacheBytes, (sample) => sample.rgba.byteLength)
  private readonly values = new ByteCache<Readonly<Record<string, ParamValue>>>(
    1024 * 1024,
    (values) => 64 * (1 + Object.keys(values).length),
  )

  async complete(draft: Draft, threads: number, token?: CancelToken): Promise<Analysis> {
    const { slide, spec, grid } = draft
    const { slideId } = slide.info
    const overviewKey = digest([spec.pipeline, grid.scale, overviewParams(draft.params)])
    const adapt = async (): Promise<Readonly<Record<string, ParamValue>>> => {
      const area = regionInGrid(grid, slide.info.bounds) ?? { x: 0, y: 0, width: grid.widthPx, height: grid.heightPx }
      const sample = await this.samples.getOrCompute(`${slideId}/${grid.scale}`, () =>
        overviewSample({
          native: slide.native,
          scale: grid.scale,
          area,
          downsamples: slide.info.levels.map((level) => level.downsample),
        }),
      )
      return overview(spec.pipeline, draft.params, sample.rgba, sample.width, sample.height, threads, token)
    }
    const adapted = await this.shared(`${slideId}/${overviewKey}`, adapt, token)
    return {
      ...draft,
      params: { ...draft.params, ...adapted },
      key: `${slideId}/${digest([spec.pipeline, grid.scale, draft.params, adapted, draft.device])}`,
    }
  }

  /** Two runs may wait for one overview; when the one that began it is cancelled, the other begins anew. */
  private async shared(
    key: string,
    adapt: () => Promise<Readonly<Record<string, ParamValue>>>,
    token: CancelToken | undefined,
  ): Promise<Readonly<Record<string, ParamValue>>> {
    for (;;) {
      try {
        return await this.values.getOrCompute(key, adapt)
      } catch (error) {
        if (!isCancelled(error) || !token || token.cancelled) throw error
      }
    }
  }

  forget(slideId: string): void {
    this.samples.deletePrefix(`${slideId}/`)
    this.values.deletePrefix(`${slideId}/`)
  }
}
