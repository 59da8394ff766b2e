// The typed door to the native engine: slides, windows of a recipe, single operations. What main/ imports; no pixels are computed here.
import { loadAddon, NativeError, toNativeError } from './load'
import { PACKED_COLUMNS } from './packed'
import { partsBy } from './score'
import type { ScorePart } from './score'
import type { Addon, SlideHandle } from './addonCalls'
import { Plans } from './plan'
import type { Plan } from './plan'
import type { CancelToken, Params, Slide } from './types'

export { NativeError, addonCandidates, toNativeError } from './load'
export type { NativeErrorCode, NativePlace } from './load'
export * from './explanation'
export * from './ground'
export * from './packed'
export * from './pictures'
export type { PipelineInfo, Plan } from './plan'
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
        'The native engine was found but belongs to another version of this program. Install Morphoscope again, or run "npm run build:native" if you built it yourself.',
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
  info(): ReturnType<Slide['info']> {
    return guarded(() => this.handle.info())
  }
  readScaled(...args: Parameters<Slide['readScaled']>): ReturnType<Slide['readScaled']> {
    return promised(() => this.handle.readScaled(...args))
  }
  readChannel(...args: Parameters<Slide['readChannel']>): ReturnType<Slide['readChannel']> {
    return promised(() => this.handle.readChannel(...args))
  }
  tileJpeg(...args: Parameters<Slide['tileJpeg']>): Promise<Uint8Array<ArrayBuffer> | null> {
    return promised(() => this.handle.tileJpeg(...args))
  }
  associated(...args: Parameters<Slide['associated']>): ReturnType<Slide['associated']> {
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

/** What a call of the addon takes and gives: addonCalls.ts says it once. */
type Args<Name extends CallName> = Parameters<Addon[Name]>
type Answer<Name extends CallName> = ReturnType<Addon[Name]>
type CallName = { [Name in keyof Addon]: Addon[Name] extends (...args: never[]) => unknown ? Name : never }[keyof Addon]
/** The addon takes the handle of a slide. */
const held = <Request extends { readonly slide: Slide }>(request: Request): Request => ({
  ...request,
  slide: handleOf(request.slide),
})

// ---------------------------------------------------------------- what main/ calls

/** Loads the addon if need be. Throws NATIVE_UNAVAILABLE with what was tried and how to mend it. */
export const status = (): Answer<'status'> => guarded(() => addon().status())
export const scoreTable = (): Addon['scoreTable'] => guarded(() => addon().scoreTable)
/** What made an object's score. */
export function scorePartsOf(object: Parameters<typeof partsBy>[1]): ScorePart[] | null {
  return partsBy(scoreTable(), object)
}
let found: Answer<'gpus'> | undefined
/** Asked once, in a worker thread: the first question starts CUDA, which takes up to seconds. */
export function gpus(): Answer<'gpus'> {
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
 * be stopped: where it takes too long the call ends without it, and a slide that is opened in vain is closed again. `channel`: the one of several
 * that is analysed, by its name or number; absent: the reader chooses. INVALID_PARAMETER names those there are.
 */
export function openSlide(path: string, cancelToken?: CancelToken, withinMs = openWithinMs, channel?: string): Promise<Slide> {
  return promised(async () => {
    let over = false
    const opening = addon()
      .openSlide(path, cancelToken, channel)
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
export const largestTiffPage = (...args: Args<'largestTiffPage'>): Answer<'largestTiffPage'> =>
  promised(() => addon().largestTiffPage(...args))
/** The ICC profile of a TIFF's first directory; null: there is none. No reader applies it. */
export const colorProfile = (...args: Args<'colorProfile'>): Answer<'colorProfile'> =>
  promised(() => addon().colorProfile(...args))
/** A TIFF that is no slide, as label images are: its first directory of the most px. null where it is no TIFF; INVALID_PARAMETER in words that follow its name. */
export const tiffNumbers = (...args: Args<'tiffNumbers'>): Answer<'tiffNumbers'> => promised(() => addon().tiffNumbers(...args))
/** Its rows from `y` on, of each px the first sample: 2^28 px at most. INVALID_PARAMETER in words that follow its name. */
export const tiffRows = (...args: Args<'tiffRows'>): Answer<'tiffRows'> => promised(() => addon().tiffRows(...args))
/** A slide of one level whose pixels another library has decoded: width × height × 4 bytes, copied. */
export const memorySlide = (...args: Args<'memorySlide'>): Slide => guarded(() => new NativeSlide(addon().memorySlide(...args)))
/** The same of 16 bits a sample, at that depth: 1 to 4 a pixel, with 2 or 4 the last is opacity. They are copied until it answers. */
export const memorySamples = (...args: Args<'memorySamples'>): Promise<Slide> =>
  promised(async () => new NativeSlide(await addon().memorySamples(...args)))
export function createCancelToken(): CancelToken {
  return guarded(() => addon().createCancelToken())
}
export const pipelines = (): Answer<'pipelines'> => guarded(() => addon().pipelines())
/** How far beyond its core a window must see, px of the analysed image. */
export const haloPx = (...args: Args<'haloPx'>): number => guarded(() => addon().haloPx(...args))
/** The slide-wide values of a recipe, taken once from a sample of tissue (`deep`: its samples at 16 bits, where "pixel.depth" asks for them); merge them into the params of `planOf`. */
export function overview(
  pipeline: string,
  params: Params,
  rgba: Uint8Array,
  width: number,
  height: number,
  threads = 1,
  cancelToken?: CancelToken,
  deep?: Uint16Array,
): Answer<'overview'> {
  return promised(() => addon().overview(pipeline, params, rgba, width, height, threads, cancelToken, deep))
}
const plans = new Plans((pipeline, params) => addon().planOf(pipeline, params))
/** Of parameters with the "overview.*" entries that `overview` gave: they are frozen, and of the same object it is the same plan. */
export const planOf = (pipeline: string, params: Params): Plan => guarded(() => plans.of(pipeline, params))
/**
 * Computes that reconstruction for the whole slide, tile by tile on all the devices named. OUTPUT_FAILED at once where the folder has no room;
 * INVALID_PARAMETER where the recipe has none, or the memory does not do for a tile. `progress` must stay as it is until it settles.
 */
export const computeGround = (...[request, token]: Args<'computeGround'>): Answer<'computeGround'> =>
  promised(() => addon().computeGround(held(request), token))
/** One from a file of its rows. NOT_FOUND where it is not there, or shorter; it is read as windows need it, and OUTPUT_FAILED where it cannot be then. */
export const openGround = (...[request]: Args<'openGround'>): Answer<'openGround'> =>
  guarded(() => addon().openGround(held(request)))
/** Rows of the whole image, a byte or two a px, without gaps. */
export const groundRows = (...[ground, y, count]: Args<'groundRows'>): Answer<'groundRows'> =>
  promised(() => addon().groundRows(ground, y, count))
/** Reads a window, runs a recipe on it and packs what it found, all in one worker thread. Deterministic. */
export const runWindow = (...[request]: Args<'runWindow'>): Answer<'runWindow'> =>
  promised(() => addon().runWindow(held(request)))
/** Why a pixel is in an object or in none: a run's answer, from a window of its own around it. */
export const explain = (...[request, token]: Args<'explain'>): Answer<'explain'> =>
  promised(() => addon().explain(held(request), token))
/** The answer alone; after `explain`, or itself, from the first stage on that differs. */
export const isInside = (...[request, token]: Args<'isInside'>): Answer<'isInside'> =>
  promised(() => addon().isInside(held(request), token))
/** Where each pixel of a field turns by a slider's first 255 values; null where the recipe cuts nothing by that parameter. */
export const cuts = (...[request, token]: Args<'cuts'>): Answer<'cuts'> => promised(() => addon().cuts(held(request), token))
/** null where the recipe keeps no plane of that name. */
export const keptPlane = (...[request, token]: Args<'keptPlane'>): Answer<'keptPlane'> =>
  promised(() => addon().keptPlane(held(request), token))
/** A node of a plane's max-tree; the tree is held for the next question. */
export const wand = (...[request, token]: Args<'wand'>): Answer<'wand'> => promised(() => addon().wand(held(request), token))
/** Objects of given pixels, measured on the slide as the recipe measures what it finds: of the same pixels the same figures, to the bit. In one tile. */
export const measureRuns = (...[request, token]: Args<'measureRuns'>): Answer<'measureRuns'> =>
  promised(() => addon().measureRuns(held(request), token))
/** One stain of a set ("h-e", "h-dab", "rgb", or as stainsWord of the contract writes vectors) over a rectangle as `readScaled` takes it: width × height grey values, 100 per OD; of "rgb" the colour's own. */
export const stainChannel = (...[slide, ...args]: Args<'stainChannel'>): Answer<'stainChannel'> =>
  promised(() => addon().stainChannel(handleOf(slide), ...args))
/**
 * What libjpeg-turbo alone takes on one thread for tiles of at most width × height px, each once, and how many it could decode. Rejects
 * with NOT_FOUND where it is not there.
 */
export const decodeJpegs = (...args: Args<'decodeJpegs'>): Answer<'decodeJpegs'> => promised(() => addon().decodeJpegs(...args))
/** A TIFF's tiles as its first directory has them stored, 256 MiB at most; null: it has none. */
export const tiffTiles = (...args: Args<'tiffTiles'>): Answer<'tiffTiles'> => promised(() => addon().tiffTiles(...args))
/** Exact outlines of objects from their runs; simplifyPx > 0 applies Douglas-Peucker. The arrays must not change meanwhile. */
export const traceOutlines = (runs: Int32Array, runOffsets: Int32Array, simplifyPx = 0): Answer<'traceOutlines'> =>
  promised(() => addon().traceOutlines(runs, runOffsets, simplifyPx))
/**
 * Which object each pixel of a window shows: width × height ids, 0 = none; of several the last. Runs as `traceOutlines` takes them, an id each
 * object. The arrays are copied before this returns.
 */
export const paintIds = (...args: Args<'paintIds'>): Answer<'paintIds'> => promised(() => addon().paintIds(...args))
/**
 * Objects where they lie, in the order of `ids` (batch × rowsPerBatch + row). What the batches hold of them must not change, nor be
 * transferred, while the table is used.
 */
export const objectTable = (...args: Args<'objectTable'>): Answer<'objectTable'> => guarded(() => addon().objectTable(...args))
/**
 * As `paintIds`, all objects of a table: their ids are what it calls them. Over what `tile` holds, whose rows are `stride` numbers apart;
 * whether any were painted. `ofCells`: their cells in their place. The tile is the call's own until it settles.
 */
export const paintTile = (...args: Args<'paintTile'>): Answer<'paintTile'> => promised(() => addon().paintTile(...args))
/** The outlines of a table's objects in their order, each in its three bytes of `colors`. The picture is the call's own until it settles. */
export const paintOutlines = (...args: Args<'paintOutlines'>): Promise<void> => promised(() => addon().paintOutlines(...args))
/** Darkens what lies beside, above or below what was drawn. The picture is the call's own until it settles. */
export const paintRims = (...args: Args<'paintRims'>): Promise<void> => promised(() => addon().paintRims(...args))
/** Writes the colours of RGBA px into `rgb` from byte `at` on, at once. */
export const dropAlpha = (...args: Args<'dropAlpha'>): void => guarded(() => addon().dropAlpha(...args))
/** Objects as text, on so many threads, as many of them as `out` holds. `out` is the call's own until it settles. */
export const formatObjects = (...args: Args<'formatObjects'>): Answer<'formatObjects'> =>
  promised(() => addon().formatObjects(...args))
/** Every operation with its slots and parameters. */
export const ops = (): Answer<'ops'> => guarded(() => addon().ops())
/** The operations that callRegion knows. */
export function regionOps(): string[] {
  return addon().regionOps()
}
/**
 * Runs one operation tile by tile on all the devices named, with callOp's result to the bit. Typed arrays must stay as they are until it
 * ends; one that is written holds parts of the result when it is cancelled or fails. Errors as callOp, and OUTPUT_FAILED, NOT_FOUND of files.
 */
export const callRegion = (request: Args<'callRegion'>[0], cancelToken?: CancelToken): Answer<'callRegion'> =>
  promised(() => addon().callRegion(request, cancelToken))
/**
 * Runs one operation, on the CPU unless told "gpu0", … The inputs are copied before this returns. GPU_UNAVAILABLE where the device is
 * not there.
 */
export function callOp(
  name: string,
  inputs: Args<'callOp'>[1],
  params: Params,
  threads = 1,
  cancelToken?: CancelToken,
  device = 'cpu',
): Answer<'callOp'> {
  return promised(() => addon().callOp(name, inputs, params, threads, cancelToken, device))
}
