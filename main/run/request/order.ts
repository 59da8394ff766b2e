// What a run is to do, made of a request: everything that is wrong with one is found here, before the run exists.
import type { RecipeSpec, Region, RunMemory, RunRequest, RunStatus, Shape, ShardRef } from '../../../app/contract'
import { intersection } from '../../base/rect'
import type { PixelRect } from '../../base/rect'
import { EngineError } from '../../base/errors'
import { areaInside } from '../../base/clippedArea'
import { TooTangled } from '../../base/planar/noded'
import { together } from '../../base/planar/once'
import { boxOf, holderOf } from '../../base/shapes'
import type { OpenSlide } from '../../slide/slides'
import { requireChannel } from '../analysis/channel'
import { draftAnalysis } from '../analysis/analysis'
import type { Draft } from '../analysis/analysis'
import { checkExtent, regionFor } from './extent'
import type { JournalHead, RunJournal } from '../journal/journal'
import type { KeptFile, KeptObjects } from '../journal/kept'
import { planMemory } from '../analysis/memory'
import { fieldAround, regionOnSlide } from '../plan/plan'
import type { BlockSize } from '../plan/plan'
import type { Throughput } from './throughput'
import type { Lane } from '../schedule/turns'
import { fullCost } from '../analysis/workload'

/** A preview's field: more than any screen shows, and an answer within seconds. */
const maxPreviewPixels = 40_000_000
/** A run of so many analysed px takes seconds: it goes beside a long one instead of waiting for its end. */
const shortRunPixels = 60_000_000

export interface RunOrder {
  readonly runId: string
  readonly name: string
  /** As it was asked for, its slide and page apart. */
  readonly request: JournalHead['request']
  /** Of a run that died, which this one goes on with. */
  readonly journal?: RunJournal | undefined
  /** What a cancelled run had, which this one goes on from. */
  readonly base?: KeptObjects | undefined
  /** The id of that, in this engine or one before. */
  readonly part?: string | undefined
  /** Its objects, where they are not to be computed. */
  readonly kept?: KeptFile | undefined
  readonly draft: Draft
  readonly purpose: RunStatus['purpose']
  /** Whose preview it is. */
  readonly page?: string | undefined
  /** Its place among all that were asked for; absent: it was brought back, before any. */
  readonly asked?: number
  /** It is a preview, and somebody looks at its intermediate images. */
  readonly layers: boolean
  readonly lane: Lane
  /** Analysed px, inside the slide. */
  readonly region: PixelRect
  /** Of its tiles these alone are computed. */
  readonly shard?: ShardRef | undefined
  /** Whether an object is meant whose centroid this is, analysed px; absent: all in the region are. */
  readonly within?: ((x: number, y: number) => boolean) | undefined
  /** The shapes that say so. */
  readonly shapes?: readonly Shape[] | undefined
  /** The same places by shapes that share none: what areas are told of. */
  readonly areas?: readonly Shape[] | undefined
  /** Their area, level-0 px². */
  readonly withinPx?: number | undefined
  /** Around them, on the slide, level-0 px. */
  readonly withinBox?: Region | undefined
  /** Analysed px. */
  readonly focus: { x: number; y: number } | undefined
  readonly threads: number
  readonly memory: RunMemory
  readonly largerAtOnce: number
  readonly blockSize: BlockSize
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
): Omit<RunOrder, 'runId' | 'name' | 'request' | 'journal' | 'base' | 'part' | 'kept' | 'asked'> {
  const device = request.device ?? 'cpu'
  // Whatever computes, this many windows are read at once; of those that are read the engine lets a few onto a GPU together.
  const threads = request.threads ?? means.threads
  requireChannel(request, slide.info, 'The run was begun')
  const draft = draftAnalysis(slide, spec, request.recipe, request.mpp, device, request.variants)
  const { grid } = draft
  const clipped = around(request, draft, regionFor(draft, request.region))
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
  const areas = request.within && areasOf(request.within, warnings)
  const pixels = (region.width * region.height) / (request.shard?.of ?? 1)
  const holders = request.within?.map(holderOf)
  const slidePx = { x: 0, y: 0, width: slide.info.widthPx, height: slide.info.heightPx }
  checkExtent(region, throughput.estimate(draft, fullCost * pixels, threads).ms)
  return {
    draft,
    purpose: request.purpose,
    page: request.page,
    layers: isPreview && request.layers === true,
    lane: isPreview ? 'preview' : pixels <= shortRunPixels ? 'short' : 'long',
    region,
    shard: request.shard,
    within: holders && ((x, y) => holders.some((holds) => holds(x * grid.scale, y * grid.scale))),
    shapes: request.within,
    areas,
    withinPx: areas?.reduce((sum, shape) => sum + areaInside(shape, slidePx), 0),
    withinBox: (request.within && intersection(boxAround(request.within), slidePx)) ?? undefined,
    focus,
    threads,
    ...planMemory(draft, pixels, threads, means.memoryBytes, !isPreview),
    warnings,
  }
}

/** Places that several shapes hold count once, as their objects do. */
function areasOf(shapes: readonly Shape[], warnings: string[]): readonly Shape[] {
  try {
    const areas = together(shapes)
    if (areas.length < shapes.length)
      warnings.push('Regions of this run overlap: what several of them have counts once, in its area as in its objects.')
    return areas
  } catch (cause) {
    if (!(cause instanceof TooTangled)) throw cause
    warnings.push(
      'Regions of this run may overlap, in lines too tangled to work out: their areas are added, so densities may be too low.',
    )
    return shapes
  }
}

/** In whole px. */
function boxAround(shapes: readonly Shape[]): Region {
  const boxes = shapes.map(boxOf)
  const [x, y] = [Math.floor(Math.min(...boxes.map(({ minX }) => minX))), Math.floor(Math.min(...boxes.map(({ minY }) => minY)))]
  const [right, bottom] = [Math.max(...boxes.map(({ maxX }) => maxX)), Math.max(...boxes.map(({ maxY }) => maxY))]
  return { x, y, width: Math.ceil(right) - x, height: Math.ceil(bottom) - y }
}

/**
 * Where shapes say which objects are meant, no more is computed than around them. An object belongs to a tile, and to a run's region, by its
 * first pixel, and to a shape by its centroid: what reaches further out than a halo is cut there anyway.
 */
function around({ within }: RunRequest, { grid, haloPx }: Draft, region: PixelRect): PixelRect {
  if (!within) return region
  const boxes = within.map(boxOf)
  const least = (key: 'minX' | 'minY'): number => Math.floor(Math.min(...boxes.map((box) => box[key])) / grid.scale) - haloPx
  const most = (key: 'maxX' | 'maxY'): number => Math.ceil(Math.max(...boxes.map((box) => box[key])) / grid.scale) + haloPx
  const x = Math.max(region.x, least('minX'))
  const y = Math.max(region.y, least('minY'))
  const width = Math.min(region.x + region.width, most('maxX')) - x
  const height = Math.min(region.y + region.height, most('maxY')) - y
  if (width <= 0 || height <= 0)
    throw new EngineError('INVALID_PARAMETER', 'The region of interest lies outside the slide. Move it onto the tissue.')
  return { x, y, width, height }
}
