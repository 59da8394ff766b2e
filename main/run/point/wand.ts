// The max-tree wand's field around what is pointed at, and the node there in level-0 px. The tree itself is held natively.
import { performance } from 'node:perf_hooks'
import type { Recipe, RecipeSpec, WandNode, WandRequest } from '../../../app/contract'
import { partsOfOutline } from '../../base/planar/outline'
import { planOf, tokenOf, traceOutlines, wand } from '../../../native/index'
import type { OpenSlide } from '../../slide/slides'
import { draftAnalysis } from '../analysis/analysis'
import { ringsOf } from './objectDetails'
import { lookedAt } from '../analysis/previewReach'
import type { Overviews } from '../analysis/overviews'

/** Fields begin and end at multiples of so many px of the analysed image, so that a pointer that moves on has the same one for a while. */
const stepPx = 512
/** At least so much lies around what is pointed at. */
const aroundPx = 256
/** A stroke longer than this has no node. */
const mostFieldPx = 2 ** 22
/** µm²: what one point offers first. From small lymphocytes to large tumour nuclei, and glands by walking. */
const minAreaUm2 = 10
const endAreaUm2 = 800

/**
 * null: a point lies off the slide, or the stroke is too long. The field's first question costs its reading and its tree, 0.1 to 0.3 s; the next ones
 * a millisecond or so.
 */
export async function wandAt(
  slide: OpenSlide,
  spec: RecipeSpec,
  recipe: Recipe,
  { layer, points, walk, mpp }: Pick<WandRequest, 'layer' | 'points' | 'walk' | 'mpp'>,
  overviews: Overviews,
  threads: number,
  signal?: AbortSignal,
): Promise<WandNode | null> {
  const started = performance.now()
  const draft = draftAnalysis(slide, spec, recipe, mpp)
  const { grid, resolution } = draft
  const xs = points.map(([x]) => Math.floor(x / grid.scale))
  const ys = points.map(([, y]) => Math.floor(y / grid.scale))
  const along = (at: readonly number[], size: number): [number, number] | null => {
    const first = Math.min(...at)
    const last = Math.max(...at)
    if (first < 0 || last >= size) return null
    const start = Math.max(0, Math.floor((first - aroundPx) / stepPx) * stepPx)
    const end = Math.max(start + 2 * stepPx, Math.ceil((last + aroundPx) / stepPx) * stepPx)
    return [start, Math.min(size, end) - start]
  }
  const across = along(xs, grid.widthPx)
  const down = along(ys, grid.heightPx)
  if (!across || !down || across[1] * down[1] > mostFieldPx) return null
  const { params, ground, unread } = await lookedAt(overviews, draft, threads, signal)
  const { nominalMpp, analysedMpp } = resolution
  const inPx = (um2: number): number => Math.max(1, Math.round(um2 / nominalMpp ** 2))
  const found = await wand(
    {
      slide: slide.native,
      scale: grid.scale,
      widthPx: grid.widthPx,
      heightPx: grid.heightPx,
      x: across[0],
      y: down[0],
      fieldWidth: across[1],
      fieldHeight: down[1],
      plan: planOf(spec.pipeline, params),
      ground: await ground?.get({ threads, signal }),
      threads,
      plane: layer,
      points: xs.flatMap((x, i) => [x, ys[i]!]),
      walk,
      minArea: inPx(minAreaUm2),
      endArea: inPx(endAreaUm2),
    },
    tokenOf(signal),
  )
  // What is around the point on its own level is larger already: it lies between what stands out.
  const standsOut = points.length > 1 || walk !== 0 || found.area < inPx(endAreaUm2)
  const outlines = standsOut ? await traceOutlines(found.shape, Int32Array.of(0, found.shape.length / 3), 0) : null
  return {
    layers: found.planes,
    layer: found.plane,
    value: found.value,
    parentValue: found.parentValue,
    area: found.area * (analysedMpp ?? grid.scale) ** 2,
    unit: analysedMpp === null ? 'px' : 'um',
    below: found.below,
    above: found.above,
    walked: found.walked,
    cut: found.cut,
    ...((found.unread || unread !== null) && { unread: true }),
    parts: outlines ? partsOfOutline(ringsOf(outlines, grid.scale)) : [],
    built: found.built,
    elapsedMs: performance.now() - started,
  }
}
