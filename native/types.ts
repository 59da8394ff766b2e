// The shapes that cross between JavaScript and the native engine: slides, objects, operations, with their units; of windows, windows.ts.

// ---------------------------------------------------------------- what the engine says about itself

export interface NativeStatus {
  version: string
  /** Hardware threads of this machine. */
  threads: number
  openslide: { available: boolean; version: string; library: string; reason: string }
}
/** `reason` says why there is no device, with CUDA's own text; empty where there is one. */
export interface NativeGpus {
  /** Whether this build holds GPU code at all. */
  built: boolean
  devices: GpuDevice[]
  reason: string
}
export interface GpuDevice {
  index: number
  name: string
  totalBytes: number
  /** "9.0" */
  computeCapability: string
  multiprocessors: number
}

/** Asks a running call to stop. It then rejects with code CANCELLED, at the latest after the step it is in. */
export interface CancelToken {
  cancel(): void
  readonly cancelled: boolean
}

// ---------------------------------------------------------------- slides

export interface SlideLevel {
  width: number
  height: number
  /** Level-0 px per px of this level; not always an integer. */
  downsample: number
  /** 0 where the file has no useful tiles. */
  tileWidth: number
  tileHeight: number
}
/** Px; x and y may be negative where a function says so. */
export interface PixelRect {
  x: number
  y: number
  width: number
  height: number
}
/** What of the 8-bit picture a channel makes. */
export type ChannelShown = 'no' | 'gray' | 'red' | 'green' | 'blue'
export interface SlideChannel {
  name: string
  /** "#rrggbb" as the file states it; null where it does not. */
  color: string | null
  type: 'uint8' | 'int8' | 'uint16' | 'int16' | 'uint32' | 'int32' | 'float32' | 'float64'
  /** Become 0 and 255 in the 8-bit picture. */
  low: number
  high: number
  shown: ChannelShown
}
export type SampleArray =
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array
  | Float32Array
  | Float64Array
/** Of one channel: width × height samples of its own type. What is unreadable is 0. */
export interface ChannelRead {
  samples: SampleArray
  width: number
  height: number
  unreadable: Unreadable[]
}
export interface SlideInfo {
  path: string
  vendor: string
  reader: string
  readerVersion: string
  levels: SlideLevel[]
  /** µm per px of level 0; 0 = uncalibrated. */
  mppX: number
  mppY: number
  mppSource: 'vendor' | 'tiff-resolution' | 'ome-xml' | 'given' | 'none'
  /** 0 = unknown. */
  objectivePower: number
  /** Level-0 px of the part that holds tissue; the whole canvas where the file does not say. */
  bounds: PixelRect
  background: { r: number; g: number; b: number }
  /** All that the file has; empty where the reader gives one picture in 8-bit colours and knows no more. */
  channels: SlideChannel[]
  /** Of what is analysed, in bits: 16 where it is one channel that 8 do not hold. */
  depth: 8 | 16
  /** Names only: label and macro images may carry a patient's name, so their pixels come by `associated` alone. */
  associated: string[]
  properties: Record<string, string>
  /** In the user's words. */
  warnings: string[]
  /** Why all pixels may be others than the intact file's, in the user's words; absent: they are the file's. */
  uncertainPixels?: string
}
/** What `memorySlide` needs to know; all but the path is optional. mpp 0 or absent = uncalibrated. */
export interface MemorySlideInfo {
  path: string
  vendor?: string
  reader?: string
  readerVersion?: string
  mppX?: number
  mppY?: number
  mppSource?: SlideInfo['mppSource']
  objectivePower?: number
  background?: { r: number; g: number; b: number }
  properties?: Record<string, string>
  warnings?: string[]
  uncertainPixels?: string
}
/** Of the directories of a TIFF the largest: what a decoder of whole images is to decode, and how large its pixels are. */
export interface TiffPage {
  index: number
  width: number
  height: number
  /** Pages of that size. */
  ofThatSize: number
  /** µm along the page's own sides, before it is turned; 0 = none that can be believed. */
  mppX: number
  mppY: number
  mppSource: 'tiff-resolution' | 'ome-xml' | 'none'
  /** In the user's words: what is stated and not believed. */
  warnings: string[]
  /** Where the entries of its resolution and its unit begin in the file, in bytes. */
  resolutionEntries: number[]
  bigEndian: boolean
  bigTiff: boolean
}
/** A part of a read that the file could not give (level-0 px); its pixels hold the background. */
export interface Unreadable {
  region: PixelRect
  reason: string
}
export interface RgbaImage {
  /** width × height × 4 bytes, opaque. */
  rgba: Uint8Array<ArrayBuffer>
  width: number
  height: number
}
/** How a read went. */
export interface ReadReport {
  unreadable: Unreadable[]
  /** n: of every n × n squares one was read and stands for the others, as `mostLevelPxPerPx` asks; 1 = everything was read. */
  sampledEvery: number
  /** What there was no time for is among `unreadable`; another try may get further. */
  timedOut: boolean
}
export interface ScaledRead extends RgbaImage, ReadReport {
  /** The channel that is analysed at 16 bits, its range as 0 to 65535; where that was asked for. */
  deep?: Uint16Array<ArrayBuffer>
}
/** Grey values, 100 per OD. */
export interface StainRead extends ReadReport {
  gray: Uint8Array<ArrayBuffer>
  width: number
  height: number
}
/** What a picture may cost, so that its answer comes soon. Windows of a run have no limits: their user cancels them. */
export interface ReadLimits {
  /** Of computing time, counted from when a thread takes the call; by the clock eight times as long. */
  deadlineMs?: number
  /** Above this many px of the file's level per output px the read samples: coarse views of slides without small levels. */
  mostLevelPxPerPx?: number
  /** That decode, where there is no deadline; 1 where absent. */
  threads?: number
  /** Colours near the slide's will do, where they are cheaper: not the same bytes. */
  rough?: boolean
  /** Of use only if all of it can be read: the read ends at the first part that cannot, which is in `unreadable`. */
  whole?: boolean
  /** Its samples at 16 bits too, of a slide whose `depth` is 16. */
  deep?: boolean
}

/** An open slide. Calls may overlap. After `close` every call rejects with INVALID_PARAMETER; reads under way still finish. */
export interface Slide {
  info(): SlideInfo
  /**
   * Output pixel (i, j) covers level-0 px [(x+i)·scale, (x+i+1)·scale), so x and y are in px of that scale (they may lie
   * outside the slide: background). `scale` is level-0 px per output px, 1/16 … 1e6. The same request always gives the same
   * bytes, whatever the tiling. At most 2^28 px.
   */
  readScaled(
    scale: number,
    x: number,
    y: number,
    width: number,
    height: number,
    cancelToken?: CancelToken,
    limits?: ReadLimits,
  ): Promise<ScaledRead>
  /** The samples of one of the info's channels as the file has them: width × height px of `level` from (x, y), all inside it. */
  readChannel(
    level: number,
    channel: number,
    x: number,
    y: number,
    width: number,
    height: number,
    cancelToken?: CancelToken,
  ): Promise<ChannelRead>
  /**
   * The JPEG of one tile as the file holds it (about 40 times faster than decoding and encoding), or null where the file does
   * not allow that. Tiles at the right and bottom edge come padded to tileWidth × tileHeight: crop them, or use `readScaled`.
   */
  tileJpeg(level: number, tx: number, ty: number, cancelToken?: CancelToken): Promise<Uint8Array<ArrayBuffer> | null>
  /** An associated image, only when the user asks: it can show a patient's name. NOT_FOUND for an unknown name. */
  associated(name: string, cancelToken?: CancelToken): Promise<RgbaImage>
  close(): void
}

// ---------------------------------------------------------------- pipelines

/** Parameters by "stage.key"; lengths in px of the analysed image. */
export type Params = Readonly<Record<string, number | boolean | string>>

/**
 * The measurements of an object, those of native/contract/ops.hpp's ObjectMeasurement; `PACKED_COLUMNS` says how each is kept. Px of the
 * analysed image, degrees, OD; contrast, score and stained area (%) are NaN where the recipe gives none. Centroids are multiples of 2^-20 px: the corner of a window adds to them exactly.
 */
export const MEASUREMENT_FIELDS = [
  'firstX',
  'firstY',
  'minX',
  'minY',
  'maxX',
  'maxY',
  'area',
  'perimeter',
  'centroidX',
  'centroidY',
  'majorAxis',
  'minorAxis',
  'eccentricity',
  'orientation',
  'circularity',
  'solidity',
  'stain1Mean',
  'stain2Mean',
  'stain3Mean',
  'stain1Std',
  'stain2Std',
  'stain3Std',
  'stain1Min',
  'stain2Min',
  'stain3Min',
  'stain1Max',
  'stain2Max',
  'stain3Max',
  'contrast',
  'score',
  'stainedArea',
] as const
export type MeasurementField = (typeof MEASUREMENT_FIELDS)[number]

export type PackedNumbers =
  | Int16Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>
/** Objects in the columns of PACKED_COLUMNS, which may be longer than `count`. */
export interface PackedBatch {
  readonly count: number
  readonly columns: readonly (PackedNumbers | null)[]
  /** Where each object's outline ends in `outlines`; main/run/objects/outlineCode.ts says how it is written. */
  readonly ends: Uint32Array<ArrayBuffer>
  readonly outlines: Uint8Array<ArrayBuffer>
}

/** Objects of some tiles, one tile after the other, in px of the whole analysed image. */
export interface PackedTiles extends PackedBatch {
  /** tiles + 1: tile i has the rows [starts[i], starts[i + 1]). */
  readonly starts: Uint32Array<ArrayBuffer>
  /** Rows, ascending: the object touches the rim of its window where the image goes on. */
  readonly cut: Uint32Array<ArrayBuffer>
  /** row, x, y: a tile that the object's bounding box meets beside the one that its first pixel lies in. Rows ascend. */
  readonly crossings: Int32Array<ArrayBuffer>
}

/** Outlines of objects as closed rings of pixel corners; the first point is not repeated. */
export interface Outlines {
  /** x, y pairs. */
  xy: Int32Array<ArrayBuffer>
  /** rings + 1 offsets in points: ring r owns pairs [ringOffsets[r], ringOffsets[r + 1]). */
  ringOffsets: Int32Array<ArrayBuffer>
  /** 1 where the ring bounds a hole, one a ring. */
  holes: Uint8Array<ArrayBuffer>
  /** objects + 1 offsets in rings. */
  objectOffsets: Int32Array<ArrayBuffer>
}

// ---------------------------------------------------------------- single operations

export type PixelType = 'uint8' | 'uint16' | 'int32'
/** An image of an operation; the type of `data` is its pixel type. channels 4 is RGBA and needs Uint8Array. */
export interface OpImage {
  /** The slot: "image", "marker", "mask", "out", … as `ops` lists them. */
  name: string
  channels: 1 | 4
  width: number
  height: number
  data: Uint8Array | Uint16Array | Int32Array
}
export interface OpSlot {
  name: string
  help: string
  types: PixelType[]
  channels: 1 | 4
  optional: boolean
}
export interface OpParam {
  name: string
  help: string
  kind: 'number' | 'integer' | 'choice' | 'toggle'
  choices: string[]
  /** Choices that one kind of device does not have and refuses by name. */
  notOnCpu?: string[]
  notOnGpu?: string[]
  low: number
  high: number
  fallback: number | boolean | string
  required: boolean
}
export interface OpInfo {
  name: string
  help: string
  inputs: OpSlot[]
  outputs: OpSlot[]
  params: OpParam[]
}
/** Pixels in a file, row by row from a byte on in this machine's order, or in memory. */
export type RegionImage = { slot: string; width: number; height: number } & (
  | { path: string; offset: number; type: PixelType }
  | { data: Uint8Array | Uint16Array | Int32Array }
)
/** One operation on images that may be larger than memory, tile by tile. */
export interface RegionRequest {
  name: string
  inputs: readonly RegionImage[]
  /** A file must be there; it is made as long as its pixels need. */
  output: RegionImage
  params: Params
  /** Px a side, 16 to 46000. */
  tile: number
  /** What tiles and merges may take; 0: no limit. */
  memoryBytes: number
  scratchFolder: string
  threads: number
  /** "cpu", "gpu0", …: all work on one queue of tiles. */
  devices: readonly string[]
  /** Does each core take a tile by itself, or do all of them take one together? */
  cpu: 'cores' | 'group'
  /** Two numbers that are written while it works: visits of tiles done in this step, and tiles left. */
  progress?: Int32Array
}
export interface RegionVisit {
  tile: number
  device: string
  worker: number
  step: string
  /** Since the call began: when it was taken, its pixels were there, it was computed, it was written. */
  fromMs: number
  readMs: number
  computedMs: number
  toMs: number
}
export interface RegionResult {
  scalars: Record<string, number>
  ms: number
  /** That worked at once. */
  workers: number
  /** Devices that took no more tiles, and why. */
  notes: string[]
  visits: RegionVisit[]
}
export interface OpResult {
  outputs: OpImage[]
  /** "count", "threshold", … */
  scalars: Record<string, number>
  /** Of the operation itself. */
  ms: number
  /** What computed it: "cpu", "gpu0", …; and its algorithm. */
  device: string
  variant: string
  /** In order: on the CPU "compute"; on a GPU "open", "upload", "compute" and "download". */
  steps: { name: string; ms: number }[]
}
