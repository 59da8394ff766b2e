// A recipe on a slide, ready to run: every value checked and resolved, the grid laid, the slide's own values among them.
import { createHash } from 'node:crypto'
import type { ParamValue, Recipe, RecipeSpec } from '../../app/contract'
import { haloPx } from '../../native/index'
import { pixelSizeUm, resolution, resolveParams } from '../recipe/resolve'
import type { Resolution } from '../recipe/resolve'
import { completeRecipe } from '../recipe/validate'
import type { OpenSlide } from '../slide/slides'
import { gridOf } from './plan'
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

/** A short name for what JSON can write: the same value has the same. */
export function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url')
}

/** The draft with the values that adapt to its slide, and with what they could not see. */
export function analysisOf(draft: Draft, values: Draft['params'], warnings: readonly string[]): Analysis {
  const { slide, spec, grid, params, device } = draft
  return {
    ...draft,
    params: { ...params, ...values },
    warnings,
    key: `${slide.info.slideId}/${digest([spec.pipeline, grid.scale, params, values, device])}`,
  }
}
