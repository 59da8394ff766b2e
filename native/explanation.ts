// What is asked of a point or a field: the shapes that cross between JavaScript and the native engine.
import type { Plan } from './plan'
import type { Slide } from './types'
import type { CellsRequest } from './windows'

/** A pixel of the analysed image, which is widthPx × heightPx as a whole. */
export interface ExplainRequest {
  slide: Slide
  /** Level-0 px per px of the analysed image. */
  scale: number
  widthPx: number
  heightPx: number
  x: number
  y: number
  plan: Plan
  /** As WindowRequest's. */
  ground?: { readonly memoryBytes: number } | null | undefined
  threads?: number | undefined
}
/** A field whose corner is (x, y), of at most 2^24 px. */
export interface FieldRequest extends ExplainRequest {
  fieldWidth: number
  fieldHeight: number
}
/** And the slider of a parameter: values low, low + step, … */
export interface CutsRequest extends FieldRequest {
  /** "stage.key" */
  param: string
  low: number
  step: number
}
/** The intermediate image of that name, and nothing after it. */
export interface KeptPlaneRequest extends FieldRequest {
  plane: string
}
/** A node of the max-tree of one of the recipe's grey planes ('' is the first) over the field. */
export interface WandRequest extends FieldRequest {
  plane: string
  /** x and y by turns, in the field; of several points the smallest node that holds them. */
  points: number[]
  /** So many parents up, or, negative, children down towards the first point. */
  walk: number
  /** px: what one point offers first. */
  minArea: number
  endArea: number
}
/** Objects of given pixels in the field; of one that holds pixels which could not be read stains are not measured (NaN): object k has the runs (y, x0, x1) [runOffsets[k], runOffsets[k + 1]), in raster order. */
export interface MeasureRequest extends FieldRequest {
  runs: Int32Array
  runOffsets: Int32Array
  /** Their cells in the same way, none of an object without one: each is measured by itself, as `cells` says, and has its object's px too. */
  cellRuns?: Int32Array | undefined
  cellOffsets?: Int32Array | undefined
  /** In place of cells: the other nuclei near the objects, in the same way. Cells are made around the objects, which these bound. */
  neighbourRuns?: Int32Array | undefined
  neighbourOffsets?: Int32Array | undefined
  cells?: CellsRequest | undefined
}
export interface CutsFound {
  /** Of each pixel, of how many of the slider's first 255 values it is above; 0 where that stands on what could not be read. */
  steps: Uint8Array<ArrayBuffer>
  /** How many pixels are so. */
  unreadPx: number
}
export interface Inside {
  /** An object would hold the pixel. */
  inside: boolean
  /** Nothing that could not be read could change that. */
  read: boolean
}
export interface WandFound {
  planes: string[]
  plane: string
  value: number
  parentValue: number
  /** px */
  area: number
  /** Nodes from it to the first point's own, and to the root. */
  below: number
  above: number
  walked: number
  /** It meets a rim of the field where the image goes on. */
  cut: boolean
  /** It holds or meets pixels that could not be read, or that such pixels decide: it may be another. */
  unread: boolean
  /** The tree was built for this question. */
  built: boolean
  /** y, x0, x1 */
  shape: Int32Array<ArrayBuffer>
}
export interface Explanation {
  /** An object holds the pixel. */
  inside: boolean
  /** Nothing beyond the window, and nothing that could not be read, could change the answer. */
  certain: boolean
  /** Nothing that could not be read could change it. */
  read: boolean
  /** Of the planes to look at, in their order. */
  values: { plane: string; value: number; binary: boolean }[]
  /** What parameters said of it, in the order of the steps (native/engine/program/program.hpp: Decides); `measured` in the parameter's unit, px. */
  judgements: { what: string; param: string; measured: number | null; kept: boolean }[]
  /** y, x0, x1: runs of the object, or of what was judged last as a whole and dropped. */
  shape: Int32Array<ArrayBuffer>
  pixels: number
}
