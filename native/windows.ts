// Windows of a recipe: what is asked for, and what comes back.
import type { Plan } from './plan'
import type { StageTiming } from './stageTiming'
import type { CancelToken, PackedTiles, PixelRect, Slide, Unreadable } from './types'

/** An intermediate image of the core rectangle. binary holds 0 or 1. */
export type Plane =
  | { name: string; kind: 'gray' | 'binary'; width: number; height: number; data: Uint8Array<ArrayBuffer> }
  | { name: string; kind: 'labels'; width: number; height: number; data: Int32Array<ArrayBuffer> }

/**
 * Intermediate images cut into tiles, a byte a pixel. colored: of labels, 0 = none, else 1 … 6, by the object's first pixel, so that it has
 * its colour in every tile, window and run; what is no object has one by its label, which is the window's own.
 */
export interface TilePlanes {
  planes: { name: string; kind: 'gray' | 'binary' | 'colored' }[]
  /** In the grid's order. `data`: the tile's part of each plane, width × height bytes, one behind the other. */
  tiles: { width: number; height: number; data: Uint8Array<ArrayBuffer> }[]
}

/** Cells around nuclei (native/engine/query/cell_measures.hpp): how far they reach beyond them, and their membranes inwards from their border. */
export interface CellsRequest {
  readonly reachPx: number
  readonly ringPx: number
  /** When a membrane counts as stained: OD, and shares of 1. Absent: nobody asks. */
  readonly membrane?:
    | {
        readonly stain: number
        readonly limit: number
        readonly least: number
        readonly complete: number
        readonly moderate: number
        readonly strong: number
      }
    | undefined
}

export interface WindowRequest extends PixelRect {
  slide: Slide
  /** Level-0 px per px of the analysed image; x, y, width, height are in px of the analysed image (core plus halo). */
  scale: number
  /** Relative to the window, inside it: objects whose first pixel lies here are the window's own. */
  core: PixelRect
  plan: Plan
  /** What `computeGround` gave of this slide, scale and plan, where `plan.ground` says that it needs one. */
  ground?: { readonly memoryBytes: number } | null | undefined
  /** The planes, and overlapping. */
  wantPlanes?: boolean | undefined
  /** For a click. */
  wantOverlapping?: boolean | undefined
  keepStages?: boolean | undefined // begins where an earlier window of its place differs (native/engine/window/stage_memo.hpp)
  /** The tiles whose objects are wanted, one after the other; without it all of the window's are, as those of one tile. */
  grid?: WindowGrid | undefined
  /** The cells around its objects; absent: none. */
  cells?: CellsRequest | null | undefined
  /** CPU threads that this window may use, 1 … 256; default 1. */
  threads?: number | undefined
  /** It waits while so many windows are computed that have grown, 1 … 256; default 1. Each takes up to `PipelineInfo.mostGrownPixels`. */
  largerAtOnce?: number | undefined
  /** "cpu" (default), "gpu0", … Reading is the CPU's in any case. GPU_UNAVAILABLE where it is not there. */
  device?: string | undefined
  cancelToken?: CancelToken | undefined
}
/** What of a window's core no pixel beyond it, and none that could not be read, could change. */
export interface Certainty {
  /** Every object that has pixels in the core is what it is in the whole image. */
  certified: boolean
  /** Of the core. */
  corePixels: number
  certainPixels: number
  /** Computed besides the window itself, and their pixels. */
  grownWindows: number
  grownPixels: number
}
/** What of a window stands on parts of the slide that could not be read (native/engine/certainty/trust.hpp), tile by tile. */
export interface WindowTrust {
  /** Level-0 px: that the file did not give to the window, or to one that it grew to. */
  parts: Unreadable[]
  /** In the grid's order; without a grid one, of the core. null: nothing of the tile stands on them. */
  tiles: (TileShare | null)[]
}
export interface TileShare {
  /** Which of the parts lie in the tile, where that matters. */
  parts: number[]
  /** Px of the image, in the tile: they hold all else of it that the parts could change. */
  squares: PixelRect[]
}
/** Tiles are squares of the analysed image, counted from its corner; all in its px. */
export interface WindowGrid {
  tileSizePx: number
  /** Of the whole image: a window whose core could be changed by what lies beyond it grows inside until it cannot; `certainty` tells. */
  widthPx: number
  heightPx: number
  tiles: readonly { x: number; y: number }[]
}
export interface WindowResult {
  /** Of each tile, those whose first pixel lies in it. */
  objects: PackedTiles
  /** Where overlapping are wanted: of each tile, those of other tiles whose bounding box meets it. */
  overlapping: PackedTiles | null
  /** Where planes are wanted and no grid was given: of the whole core. */
  planes: Plane[]
  /** Where planes are wanted of the tiles of a grid. */
  tilePlanes: TilePlanes | null
  timings: StageTiming[]
  trust: WindowTrust
  /** null where no grid was given, or where the recipe lets nobody tell. */
  certainty: Certainty | null
  /** "gpu1: …" of each device among several that failed, and whose window another one computed. */
  givenUp: string[]
  /** It was computed (its stages, and waiting for a device between them), then packed, which ended so long ago. */
  span: { computedMs: number; packedMs: number; agoMs: number }
}
