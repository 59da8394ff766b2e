// The typed door to the native engine: slides, windows of a recipe, single operations. What main/ imports; no pixels are computed here.
import { loadAddon, NativeError, toNativeError } from './load'
import { PACKED_COLUMNS } from './packed'
import { partsBy } from './score'
import type { ScorePart, ScoreTable } from './score'
import type { Addon, SlideHandle } from './addonCalls'
import type {
  CutsFound,
  CutsRequest,
  ExplainRequest,
  Explanation,
  Inside,
  MeasureRequest,
  WandFound,
  WandRequest,
} from './explanation'
import type { Ground, GroundRequest } from './ground'
import type { FormatRequest, Formatted, ObjectTable } from './packed'
import type { PaintWindow } from './pictures'
import type {
  CancelToken,
  MemorySlideInfo,
  NativeGpus,
  NativeStatus,
  OpImage,
  OpInfo,
  OpResult,
  Outlines,
  PackedTiles,
  Params,
  PipelineInfo,
  ReadLimits,
  RegionRequest,
  RegionResult,
  RgbaImage,
  ScaledRead,
  Slide,
  SlideInfo,
  StainRead,
  TiffPage,
} from './types'
import type { WindowRequest, WindowResult } from './windows'

export { NativeError, addonCandidates, toNativeError } from './load'
export type { NativeErrorCode, NativePlace } from './load'
export * from './explanation'
export * from './ground'
export * from './packed'
export * from './pictures'
export type { ScorePart, ScoreTable } from './score'
export * from './stageTiming'
export * from './types'
export * from './windows'

// ---------------------------------------------------------------- the addon as it is

function isAddon(value: unknown): value is Addon {
  const { packedColumns } = (value ?? {}) as { packedColumns?: unknown }
  const own = PACKED_COLUMNS.map(({ field, storage, unit, base }) => `${field} ${storage} 1/${1 / unit} ${base}`)
  return Array.isArray(packedColumns) && packedColumns.join() === own.join()
}

let cached: Addon | undefined
function addon(): Addon {
  if (!cached) {
    const loaded = loadAddon()
    if (!isAddon(loaded)) {
      throw new NativeError(
        'NATIVE_UNAVAILABLE',
        'The native engine was found but belongs to another version of this program. Build it again with "npm run build:native".',
      )
    }
    // Node waits for native calls before it exits; without this a long window would hold process.exit() until it is done.
    process.once('exit', () => loaded.cancelAll())
    cached = loaded
  }
  return cached
}

function guarded<T>(call: () => T): T {
  try {
    return call()
  } catch (error) {
    throw toNativeError(error)
  }
}
/** Working memory is kept from call to call, and given back when none came for so long. */
const idleMs = 10_000
let underWay = 0
let idle: NodeJS.Timeout | undefined

/** Bad arguments throw at once inside the addon; here they reject like every other failure. */
async function promised<T>(call: () => Promise<T>): Promise<T> {
  clearTimeout(idle)
  underWay += 1
  try {
    return await call()
  } catch (error) {
    throw toNativeError(error)
  } finally {
    underWay -= 1
    if (underWay === 0) idle = setTimeout(() => cached?.trimMemory(), idleMs).unref()
  }
}

class NativeSlide implements Slide {
  readonly handle: SlideHandle
  constructor(handle: SlideHandle) {
    this.handle = handle
  }
  info(): SlideInfo {
    return guarded(() => this.handle.info())
  }
  readScaled(...args: Parameters<Slide['readScaled']>): Promise<ScaledRead> {
    return promised(() => this.handle.readScaled(...args))
  }
  tileJpeg(...args: Parameters<Slide['tileJpeg']>): Promise<Uint8Array<ArrayBuffer> | null> {
    return promised(() => this.handle.tileJpeg(...args))
  }
  associated(...args: Parameters<Slide['associated']>): Promise<RgbaImage> {
    return promised(() => this.handle.associated(...args))
  }
  close(): void {
    guarded(() => this.handle.close())
  }
}

function handleOf(slide: Slide): SlideHandle {
  if (slide instanceof NativeSlide) return slide.handle
  throw new NativeError(
    'INVALID_PARAMETER',
    'expected a slide from openSlide or memorySlide for slide but received another object',
  )
}

// ---------------------------------------------------------------- what main/ calls

/** Loads the addon if need be. Throws NATIVE_UNAVAILABLE with what was tried and how to mend it. */
export function status(): NativeStatus {
  return guarded(() => addon().status())
}
export function scoreTable(): ScoreTable {
  return guarded(() => addon().scoreTable)
}
/** What made an object's score. */
export function scorePartsOf(object: Parameters<typeof partsBy>[1]): ScorePart[] | null {
  return partsBy(scoreTable(), object)
}
let found: Promise<NativeGpus> | undefined
/** Asked once, in a worker thread: the first question starts CUDA, which takes up to seconds. */
export function gpus(): Promise<NativeGpus> {
  if (!found) {
    found = promised(() => addon().gpus())
    found.catch(() => (found = undefined))
  }
  return found
}
/** Rejects with GPU_UNAVAILABLE where the device is not there, with the reason and what to do; INVALID_PARAMETER for what names none. */
export async function requireDevice(device: string): Promise<void> {
  if (device !== 'cpu') await gpus()
  guarded(() => addon().requireDevice(device))
}
/** Gives working memory that lies idle back to the system, here and on GPUs; by itself ten seconds after the last call. Returns its bytes. */
export function trimMemory(): number {
  return guarded(() => addon().trimMemory())
}
/** How many bytes of decoded tiles all open slides keep together from now on; what is beyond goes at once. 192 MiB are the most. */
export function keepDecodedTiles(bytes: number): void {
  guarded(() => addon().keepDecodedTiles(bytes))
}
/** By far more than a slow network drive takes, and less than a user waits for. */
const openWithinMs = 60_000
/**
 * Opens by content. SLIDE_UNREADABLE (detail 'unsupported-format': another decoder may try) or NOT_FOUND. A library that has a file cannot
 * be stopped: where it takes too long the call ends without it, and a slide that is opened in vain is closed again.
 */
export function openSlide(path: string, cancelToken?: CancelToken, withinMs = openWithinMs): Promise<Slide> {
  return promised(async () => {
    let over = false
    const opening = addon()
      .openSlide(path, cancelToken)
      .then((handle) => {
        const slide = new NativeSlide(handle)
        if (!over && !cancelToken?.cancelled) return slide
        slide.close()
        throw new NativeError('CANCELLED', 'The call was cancelled.')
      })
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        over = true
        reject(
          new NativeError(
            'SLIDE_UNREADABLE',
            `${path} took longer than ${withinMs / 1000} s to open. Its drive may not answer, or the file is damaged: copy it to this computer and try again.`,
            'deadline',
          ),
        )
      }, withinMs)
    })
    try {
      return await Promise.race([opening, late])
    } finally {
      clearTimeout(timer)
      opening.catch(() => undefined)
    }
  })
}
const tokens = new WeakMap<AbortSignal, CancelToken>()

/** A token that is cancelled when the signal aborts, one a signal however many calls it stops; none where there is no signal. */
export function tokenOf(signal: AbortSignal): CancelToken
export function tokenOf(signal: AbortSignal | undefined): CancelToken | undefined
export function tokenOf(signal: AbortSignal | undefined): CancelToken | undefined {
  if (!signal) return undefined
  const known = tokens.get(signal)
  if (known) return known
  const token = createCancelToken()
  tokens.set(signal, token)
  if (signal.aborted) token.cancel()
  else signal.addEventListener('abort', () => token.cancel(), { once: true })
  return token
}
/** null where the file is no TIFF. Resolutions coarser than `largestMpp` are print's. Directories alone are read. */
export function largestTiffPage(path: string, largestMpp: number, cancel?: CancelToken): Promise<TiffPage | null> {
  return promised(() => addon().largestTiffPage(path, largestMpp, cancel))
}
/** A slide of one level whose pixels another library has decoded: width × height × 4 bytes, copied. */
export function memorySlide(info: MemorySlideInfo, rgba: Uint8Array, width: number, height: number): Slide {
  return guarded(() => new NativeSlide(addon().memorySlide(info, rgba, width, height)))
}
export function createCancelToken(): CancelToken {
  return guarded(() => addon().createCancelToken())
}
export function pipelines(): PipelineInfo[] {
  return guarded(() => addon().pipelines())
}
/** How far beyond its core a window must see, px of the analysed image. */
export function haloPx(pipeline: string, params: Params): number {
  return guarded(() => addon().haloPx(pipeline, params))
}
/** The slide-wide values of a recipe, taken once from a sample of tissue; merge them into the params of `runWindow`. */
export function overview(
  pipeline: string,
  params: Params,
  rgba: Uint8Array,
  width: number,
  height: number,
  threads = 1,
  cancelToken?: CancelToken,
): Promise<Params> {
  return promised(() => addon().overview(pipeline, params, rgba, width, height, threads, cancelToken))
}
/**
 * What names the steps before a recipe's reconstruction without limit; null where it has none. With one, every window but that of the whole
 * image needs the ground of these steps.
 */
export const groundOf = (pipeline: string, params: Params): string | null => guarded(() => addon().groundOf(pipeline, params))
/**
 * Computes that reconstruction for the whole slide, tile by tile on all the devices named. OUTPUT_FAILED at once where the folder has no room;
 * INVALID_PARAMETER where the recipe has none, or the memory does not do for a tile. `progress` must stay as it is until it settles.
 */
export const computeGround = (request: GroundRequest, cancelToken?: CancelToken): Promise<Ground> =>
  promised(() => addon().computeGround({ ...request, slide: handleOf(request.slide) }, cancelToken))
/** Reads a window, runs a recipe on it and packs what it found, all in one worker thread. Deterministic. */
export const runWindow = (request: WindowRequest): Promise<WindowResult> =>
  promised(() => addon().runWindow({ ...request, slide: handleOf(request.slide) }))
/** Why a pixel is in an object or in none: a run's answer, from a window of its own around it. */
export const explain = (request: ExplainRequest, cancelToken?: CancelToken): Promise<Explanation> =>
  promised(() => addon().explain({ ...request, slide: handleOf(request.slide) }, cancelToken))
/** The answer alone; after `explain`, or itself, from the first stage on that differs. */
export const isInside = (request: ExplainRequest, cancelToken?: CancelToken): Promise<Inside> =>
  promised(() => addon().isInside({ ...request, slide: handleOf(request.slide) }, cancelToken))
/** Where each pixel of a field turns by a slider's first 255 values; null where the recipe cuts nothing by that parameter. */
export const cuts = (request: CutsRequest, cancelToken?: CancelToken): Promise<CutsFound | null> =>
  promised(() => addon().cuts({ ...request, slide: handleOf(request.slide) }, cancelToken))
/** A node of a plane's max-tree; the tree is held for the next question. */
export const wand = (request: WandRequest, cancelToken?: CancelToken): Promise<WandFound> =>
  promised(() => addon().wand({ ...request, slide: handleOf(request.slide) }, cancelToken))
/** Objects of given pixels, measured on the slide as the recipe measures what it finds: of the same pixels the same figures, to the bit. In one tile. */
export const measureRuns = (request: MeasureRequest, cancelToken?: CancelToken): Promise<PackedTiles> =>
  promised(() => addon().measureRuns({ ...request, slide: handleOf(request.slide) }, cancelToken))
/** One stain of a set ("h-e", "h-dab", "rgb", or as stainsWord of the contract writes vectors) over a rectangle as `readScaled` takes it: width × height grey values, 100 per OD; of "rgb" the colour's own. */
export function stainChannel(
  slide: Slide,
  stainSet: string,
  channel: 0 | 1 | 2,
  scale: number,
  x: number,
  y: number,
  width: number,
  height: number,
  cancelToken?: CancelToken,
  limits?: ReadLimits,
): Promise<StainRead> {
  return promised(() => addon().stainChannel(handleOf(slide), stainSet, channel, scale, x, y, width, height, cancelToken, limits))
}
/**
 * What libjpeg-turbo alone takes on one thread for tiles of at most width × height px, each once, and how many it could decode. Rejects
 * with NOT_FOUND where it is not there.
 */
export function decodeJpegs(tiles: readonly Uint8Array[], width: number, height: number): Promise<{ ms: number; tiles: number }> {
  return promised(() => addon().decodeJpegs(tiles, width, height))
}
/** Exact outlines of objects from their runs; simplifyPx > 0 applies Douglas-Peucker. The arrays must not change meanwhile. */
export function traceOutlines(runs: Int32Array, runOffsets: Int32Array, simplifyPx = 0): Promise<Outlines> {
  return promised(() => addon().traceOutlines(runs, runOffsets, simplifyPx))
}
/**
 * Which object each pixel of a window shows: width × height ids, 0 = none; of several the last. Runs as `traceOutlines` takes them, an id each
 * object. The arrays are copied before this returns.
 */
export function paintIds(
  runs: Int32Array,
  runOffsets: Int32Array,
  ids: Int32Array,
  window: PaintWindow,
  cancelToken?: CancelToken,
): Promise<Int32Array<ArrayBuffer>> {
  return promised(() => addon().paintIds(runs, runOffsets, ids, window, cancelToken))
}
/**
 * Objects where they lie, in the order of `ids` (batch × rowsPerBatch + row). What the batches hold of them must not change, nor be
 * transferred, while the table is used.
 */
export function objectTable(...args: Parameters<Addon['objectTable']>): ObjectTable {
  return guarded(() => addon().objectTable(...args))
}
/**
 * As `paintIds`, all objects of a table: their ids are what it calls them. Over what `tile` holds, whose rows are `stride` numbers apart;
 * whether any were painted. The tile is the call's own until it settles.
 */
export function paintTile(...args: Parameters<Addon['paintTile']>): Promise<boolean> {
  return promised(() => addon().paintTile(...args))
}
/** The outlines of a table's objects in their order, each in its three bytes of `colors`. The picture is the call's own until it settles. */
export const paintOutlines = (...args: Parameters<Addon['paintOutlines']>): Promise<void> =>
  promised(() => addon().paintOutlines(...args))
/** Darkens what lies beside, above or below what was drawn. The picture is the call's own until it settles. */
export const paintRims = (...args: Parameters<Addon['paintRims']>): Promise<void> => promised(() => addon().paintRims(...args))
/** Writes the colours of RGBA px into `rgb` from byte `at` on, at once. */
export const dropAlpha = (...args: Parameters<Addon['dropAlpha']>): void => guarded(() => addon().dropAlpha(...args))
/** Objects as text, on so many threads, as many of them as `out` holds. `out` is the call's own until it settles. */
export function formatObjects(request: FormatRequest): Promise<Formatted> {
  return promised(() => addon().formatObjects(request))
}
/** Every operation with its slots and parameters. */
export function ops(): OpInfo[] {
  return guarded(() => addon().ops())
}
/** The operations that callRegion knows. */
export function regionOps(): string[] {
  return addon().regionOps()
}
/**
 * Runs one operation tile by tile on all the devices named, with callOp's result to the bit. Typed arrays must stay as they are until it
 * ends; one that is written holds parts of the result when it is cancelled or fails. Errors as callOp, and OUTPUT_FAILED, NOT_FOUND of files.
 */
export function callRegion(request: RegionRequest, cancelToken?: CancelToken): Promise<RegionResult> {
  return promised(() => addon().callRegion(request, cancelToken))
}
/**
 * Runs one operation, on the CPU unless told "gpu0", … The inputs are copied before this returns. GPU_UNAVAILABLE where the device is
 * not there.
 */
export function callOp(
  name: string,
  inputs: readonly OpImage[],
  params: Params,
  threads = 1,
  cancelToken?: CancelToken,
  device = 'cpu',
): Promise<OpResult> {
  return promised(() => addon().callOp(name, inputs, params, threads, cancelToken, device))
}
