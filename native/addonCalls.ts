// What the addon exports, as it is: native/index.ts is what others call.
import type {
  CutsFound,
  CutsRequest,
  ExplainRequest,
  Explanation,
  Inside,
  KeptPlaneRequest,
  MeasureRequest,
  WandFound,
  WandRequest,
} from './explanation'
import type { Ground, GroundFile, GroundRequest } from './ground'
import type { FormatRequest, Formatted, ObjectMarks, ObjectTable } from './packed'
import type { OutlinedPicture, PaintWindow } from './pictures'
import type { PipelineInfo, Plan } from './plan'
import type { ScoreTable } from './score'
import type {
  CancelToken,
  MemorySlideInfo,
  NativeGpus,
  NativeStatus,
  OpImage,
  OpInfo,
  OpResult,
  Outlines,
  PackedBatch,
  PackedTiles,
  Params,
  ReadLimits,
  RegionRequest,
  RegionResult,
  SampleArray,
  Slide,
  StainRead,
  TiffPage,
} from './types'
import type { Plane, WindowRequest, WindowResult } from './windows'

/** The addon's own slide: its methods are Slide's, but that bad arguments throw at once and errors are no NativeError yet. */
export type SlideHandle = Slide
export type Held<Request> = Omit<Request, 'slide'> & { slide: SlideHandle }
/** A TIFF's tiles as they are stored. */
export interface TiffTiles {
  /** TIFF's number. */
  compression: number
  tileWidth: number
  tileHeight: number
  tiles: Uint8Array<ArrayBuffer>[]
}
/** The numbers of a TIFF that is no slide. */
export interface TiffNumbers {
  width: number
  height: number
  /** "uint8", "int32", "float64" … */
  type: string
  /** Of a px. */
  samples: number
  /** Rows of a tile, or of what is unpacked together. */
  pieceHeight: number
  /** Numbers stand for colours of a table. */
  indexed: boolean
  /** Further directories of that size. */
  others: number
  /** The file's: OME-XML stands there. */
  description: string
}
export interface Addon {
  packedColumns: string[]
  scoreTable: ScoreTable
  status(): NativeStatus
  gpus(): Promise<NativeGpus>
  /** Of what `gpus` has found. */
  requireDevice(device: string): void
  trimMemory(): number
  keepDecodedTiles(bytes: number): void
  cancelAll(): void
  openSlide(path: string, cancel?: CancelToken, channel?: string): Promise<SlideHandle>
  largestTiffPage(path: string, largestMpp: number, cancel?: CancelToken): Promise<TiffPage | null>
  colorProfile(path: string): Promise<Uint8Array<ArrayBuffer> | null>
  tiffNumbers(path: string): Promise<TiffNumbers | null>
  tiffRows(path: string, y: number, rows: number, cancel?: CancelToken): Promise<SampleArray>
  memorySlide(info: MemorySlideInfo, rgba: Uint8Array, width: number, height: number): SlideHandle
  memorySamples(
    info: MemorySlideInfo,
    samples: Uint16Array,
    width: number,
    height: number,
    samplesPerPx: number,
  ): Promise<SlideHandle>
  createCancelToken(): CancelToken
  pipelines(): PipelineInfo[]
  haloPx(pipeline: string, params: Params): number
  overview(
    pipeline: string,
    params: Params,
    rgba: Uint8Array,
    width: number,
    height: number,
    threads: number,
    cancel?: CancelToken,
    deep?: Uint16Array,
  ): Promise<Params>
  planOf(pipeline: string, params: Params): Plan
  computeGround(request: Held<GroundRequest>, cancel?: CancelToken): Promise<Ground>
  openGround(request: Held<GroundFile>): Ground
  groundRows(ground: Ground, y: number, count: number): Promise<Uint8Array<ArrayBuffer>>
  runWindow(request: Held<WindowRequest>): Promise<WindowResult>
  explain(request: Held<ExplainRequest>, cancel?: CancelToken): Promise<Explanation>
  cuts(request: Held<CutsRequest>, cancel?: CancelToken): Promise<CutsFound | null>
  keptPlane(request: Held<KeptPlaneRequest>, cancel?: CancelToken): Promise<Plane | null>
  wand(request: Held<WandRequest>, cancel?: CancelToken): Promise<WandFound>
  measureRuns(request: Held<MeasureRequest>, cancel?: CancelToken): Promise<PackedTiles>
  isInside(request: Held<ExplainRequest>, cancel?: CancelToken): Promise<Inside>
  stainChannel(
    slide: SlideHandle,
    stainSet: string,
    channel: number,
    scale: number,
    x: number,
    y: number,
    width: number,
    height: number,
    cancel?: CancelToken,
    limits?: ReadLimits,
  ): Promise<StainRead>
  traceOutlines(runs: Int32Array, runOffsets: Int32Array, simplifyPx: number): Promise<Outlines>
  tiffTiles(path: string): Promise<TiffTiles | null>
  decodeJpegs(tiles: readonly Uint8Array[], width: number, height: number): Promise<{ ms: number; tiles: number }>
  paintIds(
    runs: Int32Array,
    runOffsets: Int32Array,
    ids: Int32Array,
    window: PaintWindow,
    cancel?: CancelToken,
  ): Promise<Int32Array<ArrayBuffer>>
  paintTile(
    table: ObjectTable,
    window: PaintWindow,
    tile: Int32Array<ArrayBuffer>,
    stride: number,
    ofCells: boolean,
    cancel?: CancelToken,
  ): Promise<boolean>
  paintOutlines(
    table: ObjectTable,
    colors: Uint8Array,
    picture: OutlinedPicture,
    threads: number,
    cancel?: CancelToken,
  ): Promise<void>
  paintRims(picture: OutlinedPicture, threads: number, cancel?: CancelToken): Promise<void>
  dropAlpha(rgba: Uint8Array, rgb: Uint8Array, at: number): void
  objectTable(batches: readonly PackedBatch[], ids: Uint32Array, rowsPerBatch: number, marks?: ObjectMarks): ObjectTable
  formatObjects(request: FormatRequest): Promise<Formatted>
  ops(): OpInfo[]
  regionOps(): string[]
  callRegion(request: RegionRequest, cancel: CancelToken | undefined): Promise<RegionResult>
  callOp(
    name: string,
    inputs: readonly OpImage[],
    params: Params,
    threads: number,
    cancel: CancelToken | undefined,
    device: string,
  ): Promise<OpResult>
}
