// The one object that a shell sees: call, onEvent, tile, close. What is wrong becomes an answer here, and what is under way is known.
import { join } from 'node:path'
import type { AppError, AppEvent, AppInfo, CallArg, CallValue, Result } from '../app/contract'
import { EngineError, isCancelled, toAppError } from './base/errors'
import { logToStderr } from './base/log'
import type { Log } from './base/log'
import { callRoutes } from './callRoutes'
import type { EngineCall } from './handlers'
import { makeParts } from './parts'
import type { Opening } from './project/adoption'
import type { Budget } from './run/schedule/budget'
import type { JournalPlace } from './run/journal/journals'
import type { ShardWork } from './shardWork'
import { tileFailed } from './tileResponse'
import type { TileResponse } from './tileResponse'
import { answerTile } from './tileRoutes'
import { parseTileUrl } from './tileUrl'

export { logToStderr } from './base/log'
export type { Log, LogEntry } from './base/log'
export type { TileResponse } from './tileResponse'
export { EngineError } from './base/errors'
export { kindOf, requireNoPipe } from './base/regularFile'
export { isZarrImage } from './slide/zarrFiles'
export { defaultSettingsDir } from './settings'
export { defaultRecipe } from './recipe/validate'
export { withSetOption } from './recipe/setOption'
export { checkOutput } from './export/output/checkOutput'
export { measuredChannels } from './slide/measuredChannels'
export { nameHider, pseudonymOf } from './export/names'
export { plainLines } from './base/plainText'
// Single operations by name, without a call.
export { callOp, callRegion, createCancelToken, gpus, ops, regionOps } from '../native/index'
export type {
  OpImage,
  OpInfo,
  OpParam,
  OpResult,
  OpSlot,
  Params as OpParams,
  PixelType,
  RegionResult,
  RegionVisit,
} from '../native/index'
export { isShownBelow, realPathBelow } from './base/reach'
export { namelessRun } from './run/runNames'
export { writeTextFile } from './export/output/singleFile'
export type { BenchPart } from './slideBench'
export type { JournalPlace } from './run/journal/journals'
export type { Prepared } from './shards/prepared'
export type { ShardWork } from './shardWork'
export { preparedName, shardFolder, shardResult, shardsIn } from './shards/shardFiles'

/** Loaded where a summary is added up. */
export const summaryGroups = () => import('./project/summary/summaryGroups')
/** Loaded where a slide to learn with is written. */
export const samples = () => import('./samples/samples')
/** Loaded where a slide's parts are timed. */
export const slideBench = () => import('./slideBench')

const lateTileMs = 100
/** What a close waits for calls under way. The shells end a process that takes 5 s. */
const closeWithinMs = 4000

export interface EngineOptions {
  settingsDir: string
  /** Where recipes lie that people keep under names; absent: below the settings. */
  recipesDir?: string
  assetsDir: string
  initialSlide?: string | null
  sampleSlide?: string | null
  shell: AppInfo['shell']
  /** True where the shell can show the system's file dialogs. */
  dialogs: boolean
  version: string
  /** Makes a PDF of an HTML page; absent where the shell cannot. Told where nobody waits for it any more. */
  print?: ((page: string, signal: AbortSignal) => Promise<Uint8Array>) | undefined
  log?: Log
  /** Hears of the project that is opened next, before it is, and of null afterwards. It is waited for. */
  opening?: Opening
  /** What runs may hold; absent: by this machine's memory. */
  budget?: Partial<Budget>
  /**
   * Real paths of folders: no file outside them is opened or looked for, whoever names it, a project above all; and what is remembered of documents
   * is theirs alone. Absent: everywhere.
   */
  roots?: readonly string[]
  /** Where runs leave what is final, so that one that dies can go on; null: nowhere. Absent: below the settings, but for a command. */
  journal?: JournalPlace | null
}
export interface Engine {
  /** Checks the argument, never throws. Aborted: the work stops where it can, and the answer is CANCELLED unless it was there first. */
  call(name: string, arg: unknown, signal?: AbortSignal): Promise<Result<unknown>>
  /** The same in-process, typed: throws EngineError or NativeError. */
  invoke<N extends EngineCall>(name: N, arg: CallArg<N>, signal?: AbortSignal): Promise<CallValue<N>>
  onEvent(listener: (event: AppEvent) => void): () => void
  /** For a command alone: no page names folders of a cluster. */
  shards(): Promise<ShardWork>
  /** Answers a pathname (a query is ignored) under any protocol. Never throws. Aborted: nobody reads the answer. */
  tile(url: string, signal?: AbortSignal): Promise<TileResponse>
  /** Stops all work and frees the slides. What settings there are to write is on disk when it resolves. */
  close(): Promise<void>
}

const never = new AbortController().signal

export function createEngine(options: EngineOptions): Engine {
  const log = options.log ?? logToStderr
  const listeners = new Set<(event: AppEvent) => void>()
  const emit = (event: AppEvent): void => {
    for (const listener of listeners) {
      try {
        listener(event)
      } catch (error) {
        log({ level: 'error', message: `A listener failed on ${event.type}`, ...detailOf(error) })
      }
    }
  }

  const {
    shell,
    version,
    dialogs,
    print,
    settingsDir,
    assetsDir,
    budget,
    journal,
    roots = null,
    opening,
    recipesDir = join(settingsDir, 'recipes'),
  } = options
  const program = { desktop: 'Morphoscope’s window', serve: 'morphoscope serve', cli: 'the command line' }[shell]
  const parts = makeParts(
    { settingsDir, recipesDir, assetsDir, version, budget, remembers: shell !== 'cli', journal, program, print, roots, opening },
    emit,
    log,
  )
  const invoke = callRoutes(
    parts,
    {
      shell,
      version,
      dialogs,
      prints: print !== undefined,
      initialSlide: options.initialSlide ?? null,
      sampleSlide: options.sampleSlide ?? null,
    },
    log,
  )
  void parts.useSettings()

  const closing = new AbortController()
  const inFlight = new Set<Promise<unknown>>()
  /** Known to `close` while it lasts, and told of it. */
  async function tracked<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (closing.signal.aborted) throw new EngineError('ENGINE_LOST', 'Morphoscope is closing.')
    const going = work(AbortSignal.any([signal, closing.signal]))
    inFlight.add(going)
    try {
      return await going
    } finally {
      inFlight.delete(going)
    }
  }

  return {
    async call(name, arg, signal = never) {
      if (signal.aborted) return { ok: false, error: cancelled(name) }
      try {
        return { ok: true, value: await tracked(signal, (either) => invoke(name, arg, either)) }
      } catch (error) {
        if (signal.aborted || (closing.signal.aborted && isCancelled(error))) return { ok: false, error: cancelled(name) }
        const failure = toAppError(error)
        if (failure.code === 'INTERNAL')
          log({ level: 'error', message: `${name}: ${failure.message}`, ...(failure.detail ? { detail: failure.detail } : {}) })
        return { ok: false, error: failure }
      }
    },
    async invoke(name, arg, signal = never) {
      return (await tracked(signal, (either) => invoke(name, arg, either))) as CallValue<typeof name>
    },
    onEvent(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async shards() {
      return (await import('./shardWork')).shardWork(parts, version)
    },
    async tile(url, signal = never) {
      const request = parseTileUrl(url)
      if (!request) return tileFailed(400, 'This is no tile address.')
      if (signal.aborted) return tileFailed(499, 'Nobody waits for this tile any more.')
      // What is looked at comes before what runs: a tile that does not come at once gets a core to itself.
      let giveBack: () => void = () => undefined
      const late = setTimeout(() => (giveBack = parts.scheduler.holdBack()), lateTileMs)
      try {
        return await tracked(signal, (either) => answerTile(parts, request, either))
      } catch (error) {
        if (signal.aborted || (closing.signal.aborted && isCancelled(error)))
          return tileFailed(499, 'Nobody waits for this tile any more.')
        const failure = toAppError(error)
        if (failure.code === 'INTERNAL')
          log({ level: 'error', message: `tile: ${failure.message}`, ...(failure.detail ? { detail: failure.detail } : {}) })
        const status = failure.code === 'NOT_FOUND' ? 404 : failure.code === 'INVALID_PARAMETER' ? 400 : 500
        return tileFailed(status, failure.message)
      } finally {
        clearTimeout(late)
        giveBack()
      }
    },
    async close() {
      parts.exports.close()
      await parts.endCohort()
      const journals = parts.runs.closeJournals(parts.journals?.place.keepsOver === true)
      parts.runs.cancelAll()
      closing.abort()
      // Exports put their files away, and whoever called hears how it ended. What hangs must not keep the program.
      await Promise.race([
        Promise.allSettled([...inFlight, journals, parts.afterwards.close()]),
        new Promise((resolve) => setTimeout(resolve, closeWithinMs).unref()),
      ])
      listeners.clear()
      parts.slides.closeAll()
      await parts.closeProjects()
      await Promise.all([parts.settings.flushed(), parts.pending?.flushed(), parts.pace?.flushed()])
    },
  }
}

const cancelled = (name: string): AppError => ({ code: 'CANCELLED', message: `The call ${name} was taken back.` })

function detailOf(error: unknown): { detail?: string } {
  return error instanceof Error ? { detail: error.stack ?? error.message } : { detail: String(error) }
}
