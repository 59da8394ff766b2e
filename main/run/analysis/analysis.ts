// A recipe on a slide, ready to run: every value checked and resolved, the grid laid, the slide's own values among them.
import type { ParamValue, Recipe, RecipeSpec, StageVariants } from '../../../app/contract'
import { classParamsOf, StainSetId, stainSets } from '../../../app/contract'
import { haloPx, pipelines, planOf } from '../../../native/index'
import type { GroundSource } from './grounds'
import { pixelSizeUm, resolution, resolveParams } from '../../recipe/resolve'
import { completeRecipe } from '../../recipe/validate'
import { unmeasuredWarning } from '../../slide/measuredChannels'
import type { OpenSlide } from '../../slide/slides'
import { digest } from '../../base/digest'
import { cellsOf } from './cells'
import { pixelDepth } from './draft'
import type { Draft } from './draft'
import { classesOf } from '../objects/objectClasses'
import { gridOf } from '../plan/plan'
import type { TissueOfRun } from './tissueOfRun'

export type { Draft } from './draft'

export interface Analysis extends Draft {
  /** Tiles that do not touch it hold no objects; null: all are computed. */
  readonly tissue: TissueOfRun | null
  /** What it knows of the whole slide; null where its recipe asks for nothing of the kind. */
  readonly ground: GroundSource | null
  /**
   * Why the values that adapt to the slide, or the range that its samples are shown over, may not be the intact slide's, so that nothing of the
   * result is certain; null: they are.
   */
  readonly unread: string | null
  /** For the run, that among them. */
  readonly warnings: readonly string[]
  /**
   * Names everything that a tile's pixels of the result depend on, the tile apart. They must not depend on the device, but what one
   * computed must not be told as another's.
   */
  readonly key: string
}

/** The parameters that an overview gives. */
export const isAdapted = (name: string): boolean => name.startsWith('overview.')

const stainNames = (set: string): readonly string[] | undefined => {
  const known = StainSetId.safeParse(set)
  return known.success ? stainSets[known.data].names : undefined
}

/** As the engine takes them: beside the recipe's parameters. */
const variantParams = (variants: StageVariants): Record<string, string> =>
  Object.fromEntries(Object.entries(variants).map(([place, variant]) => [`variant.${place.replace('/', '.')}`, variant]))

/** What the engine takes beside a recipe's parameters where pixels are not square: their width over their height. */
const pixelAspect = 'pixel.aspect'
/** Of a slide that has 16 bits, and a recipe that takes them. */
function depthOf({ info }: OpenSlide, { pipeline }: RecipeSpec): Record<string, number> {
  const takes = pipelines().some(({ id, deepBytesPerPixel }) => id === pipeline && deepBytesPerPixel > 0)
  return info.depth !== undefined && takes ? { [pixelDepth]: info.depth } : {}
}

/** A parameter of it asks for the whole slide, by 0. */
function asksForAll({ stages }: RecipeSpec, { params }: Recipe): boolean {
  return stages.some(({ id, params: of }) =>
    of.some((param) => param.kind === 'number' && param.previewValue !== undefined && params[id]?.[param.key] === 0),
  )
}

/** Throws INVALID_PARAMETER. */
export function draftAnalysis(
  slide: OpenSlide,
  spec: RecipeSpec,
  recipe: Recipe,
  mpp?: number,
  device = 'cpu',
  variants: StageVariants = {},
): Draft {
  const complete = completeRecipe(recipe, spec)
  const resolved = resolution(slide.info, pixelSizeUm(complete), mpp)
  const params: Draft['params'] = {
    ...resolveParams(spec, complete, resolved.nominalMpp),
    ...(resolved.aspect !== 1 && { [pixelAspect]: resolved.aspect }),
    ...depthOf(slide, spec),
    ...variantParams(variants),
  }
  const cells = cellsOf(params, resolved.nominalMpp)
  const chosenStains = params['channel.stains']
  return {
    slide,
    spec,
    recipe: complete,
    resolution: resolved,
    mpp,
    grid: gridOf(resolved.widthPx, resolved.heightPx, resolved.scale),
    haloPx: Math.max(0, Math.ceil(haloPx(spec.pipeline, params))) + (cells?.marginPx ?? 0),
    cells,
    groundBytes:
      asksForAll(spec, complete) && planOf(spec.pipeline, params).ground !== null ? resolved.widthPx * resolved.heightPx : 0,
    params,
    stainNames: stainNames(String(chosenStains)) ?? stainSets[spec.stainSet].names,
    classes: classesOf(spec, params),
    device,
  }
}

/** Parameters that some pixel depends on: what was computed with them holds whatever the others are. */
export function pixelParams(
  { classes }: Pick<RecipeSpec, 'classes'>,
  params: Readonly<Record<string, ParamValue>>,
): Readonly<Record<string, ParamValue>> {
  const apart = classParamsOf(classes)
  return Object.fromEntries(Object.entries(params).filter(([name]) => !apart.includes(name) && !name.startsWith('tissue.')))
}

const reopen = 'So nothing of this result is certain. Open the slide again once the file can be read in full, and run again.'

/** The draft with the values that adapt to its slide. `unread`: why they may not be the intact slide's. */
export function analysisOf(
  draft: Draft,
  values: Draft['params'],
  unread: string | null,
  tissue: TissueOfRun | null = null,
  ground: GroundSource | null = null,
): Analysis {
  const { slide, spec, grid, params, device } = draft
  const { uncertainPixels } = slide.info
  const reasons = [
    ...(unread === null ? [] : [unread]),
    ...(uncertainPixels === undefined ? [] : [`${uncertainPixels} ${reopen}`]),
  ]
  return {
    ...draft,
    params: { ...params, ...values },
    unread: reasons.length > 0 ? reasons.join(' ') : null,
    warnings: [...reasons, ...unmeasuredWarning(slide.info)],
    tissue,
    ground,
    key: `${slide.info.slideId}/${digest([spec.pipeline, grid.scale, pixelParams(spec, params), values, device])}`,
  }
}
