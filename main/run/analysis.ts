// A recipe on a slide, ready to run: every value checked and resolved, the grid laid, the slide's own values taken from its overview.
import { createHash } from 'node:crypto'
import type { ParamValue, Recipe, RecipeSpec } from '../../app/contract'
import { haloPx, overview } from '../../native/index'
import { ByteCache } from '../byteCache'
import { pixelSizeUm, resolution, resolveParams } from '../recipe/resolve'
import type { Resolution } from '../recipe/resolve'
import { completeRecipe } from '../recipe/validate'
import { tokenOf } from '../sharedWork'
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
  /** What of the overview could not be read. */
  readonly warnings: readonly string[]
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

/** What the overview gave, and what it could not see. */
interface Adapted {
  values: Readonly<Record<string, ParamValue>>
  warnings: readonly string[]
}

/** Takes the values that adapt to a slide, once for every slide, scale and channel. */
export class Overviews {
  private readonly samples = new ByteCache<Sample>(sampleCacheBytes, (sample) => sample.rgba.byteLength)
  private readonly values = new ByteCache<Adapted>(1024 * 1024, ({ values }) => 64 * (1 + Object.keys(values).length))

  /** What several want is taken once, and stopped when all their signals have aborted. */
  async complete(draft: Draft, threads: number, signal?: AbortSignal): Promise<Analysis> {
    const { slideId } = draft.slide.info
    const overviewKey = digest([draft.spec.pipeline, draft.grid.scale, overviewParams(draft.params)])
    const { values, warnings } = await this.values.getOrCompute(
      `${slideId}/${overviewKey}`,
      (stop) => this.adapt(draft, threads, stop),
      // What could not be read may be readable the next time, e.g. on a network drive.
      { signal, isKept: (adapted) => adapted.warnings.length === 0 },
    )
    return {
      ...draft,
      params: { ...draft.params, ...values },
      warnings,
      key: `${slideId}/${digest([draft.spec.pipeline, draft.grid.scale, draft.params, values, draft.device])}`,
    }
  }

  private async adapt({ slide, spec, grid, params }: Draft, threads: number, signal: AbortSignal): Promise<Adapted> {
    const area = regionInGrid(grid, slide.info.bounds) ?? { x: 0, y: 0, width: grid.widthPx, height: grid.heightPx }
    const downsamples = slide.info.levels.map((level) => level.downsample)
    const sample = await this.samples.getOrCompute(
      `${slide.info.slideId}/${grid.scale}`,
      (stop) => overviewSample({ native: slide.native, scale: grid.scale, area, downsamples, token: tokenOf(stop) }),
      { signal, isKept: ({ passedOver, holes }) => passedOver + holes === 0 },
    )
    const { rgba, width, height } = sample
    return {
      values: await overview(spec.pipeline, params, rgba, width, height, threads, tokenOf(signal)),
      warnings: unseen(sample),
    }
  }

  forget(slideId: string): void {
    this.samples.deletePrefix(`${slideId}/`)
    this.values.deletePrefix(`${slideId}/`)
  }
}

function unseen({ passedOver, holes, reason }: Sample): string[] {
  if (holes > 0) {
    return [
      `The values that adapt to the slide come from a sample with ${holes} parts that could not be read, so they may be off: ${reason}`,
    ]
  }
  if (passedOver === 0) return []
  return [
    `${passedOver} of the places where the slide is sampled for the values that adapt to it could not be read: other places were taken, and the values may differ from those of the intact file.`,
  ]
}
