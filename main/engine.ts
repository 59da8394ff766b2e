// The one object that a shell sees: call, onEvent, tile, close. It wires the modules and holds no algorithm.
import { calls, shellCalls } from '../app/contract'
import type { AppError, AppEvent, AppInfo, CallArg, CallName, CallValue, Result } from '../app/contract'
import { appInfo, cpuThreads } from './appInfo'
import { EngineError, describe, isCancelled, schemaError, toAppError } from './base/errors'
import { PendingExports } from './export/pending'
import { Exports } from './export/exports'
import { logToStderr } from './base/log'
import type { Log } from './base/log'
import { OverlayTiles } from './overlay/overlayTiles'
import { loadRecipe, saveRecipe } from './recipe/recipeFile'
import { openSpecs } from './recipe/specs'
import { defaultRecipe } from './recipe/validate'
import { draftAnalysis } from './run/analysis'
import { Overviews } from './run/overviews'
import { defaultBudget } from './run/budget'
import type { Budget } from './run/budget'
import { Runs } from './run/runs'
import { Scheduler } from './run/schedule'
import { segmentAt } from './run/segment'
import { Throughput } from './run/throughput'
import { TileResults } from './run/tileResults'
import { SettingsStore } from './settings'
import { Slides } from './slide/slides'
import type { OpenSlide } from './slide/slides'
import { SlideTiles } from './slide/slideTiles'
import { tileFailed, tileFound } from './tileResponse'
import type { TileResponse } from './tileResponse'
import { parseTileUrl } from './tileUrl'
import type { TileRequest } from './tileUrl'

export { logToStderr } from './base/log'
export type { Log, LogEntry } from './base/log'
export type { TileResponse } from './tileResponse'
export { EngineError } from './base/errors'
export { defaultSettingsDir } from './settings'
export { defaultRecipe } from './recipe/validate'
export { withSetOption } from './recipe/setOption'
export { checkOutput } from './export/checkOutput'
export { nameHider } from './export/names'
export { plainLines } from './base/plainText'
export * from './ops'

const foreseeDelayMs = 400
const lateTileMs = 100
/** What a close waits for calls under way. The shells end a process that takes 5 s. */
const closeWithinMs = 4000

export interface EngineOptions {
  settingsDir: string
  assetsDir: string
  initialSlide?: string | null
  shell: AppInfo['shell']
  /** True where the shell can show the system's file dialogs. */
  dialogs: boolean
  version: string
  log?: Log
  /** What runs may hold; absent: by this machine's memory. */
  budget?: Partial<Budget>
}
type ShellCall = (typeof shellCalls)[number]
type EngineCall = Exclude<CallName, ShellCall>

export interface Engine {
  /** Checks the argument, never throws. Aborted: the work stops where it can, and the answer is CANCELLED unless it was there first. */
  call(name: string, arg: unknown, signal?: AbortSignal): Promise<Result<unknown>>
  /** The same in-process, typed: throws EngineError or NativeError. */
  invoke<N extends EngineCall>(name: N, arg: CallArg<N>, signal?: AbortSignal): Promise<CallValue<N>>
  onEvent(listener: (event: AppEvent) => void): () => void
  /** Answers a pathname (a query is ignored) under any protocol. Never throws. Aborted: nobody reads the answer. */
  tile(url: string, signal?: AbortSignal): Promise<TileResponse>
  /** Stops all work and frees the slides. What settings there are to write is on disk when it resolves. */
  close(): Promise<void>
}

/**
 * `signal` says that nobody waits for the answer any more, which is no wish to undo: calls whose effect outlives their caller (run:start,
 * export:start, what writes a file) do not listen to it, and are stopped by their own calls.
 */
type Handlers = {
  [N in EngineCall]: (arg: ReturnType<(typeof calls)[N]['arg']['parse']>, signal: AbortSignal) => Promise<CallValue<N>>
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

  const settings = new SettingsStore(options.settingsDir, log)
  const specs = openSpecs(options.assetsDir)
  const overviews = new Overviews()
  const results = new TileResults()
  const pictures = new SlideTiles()
  const overlays = new OverlayTiles(512 * 2 ** 20, results)
  const scheduler = new Scheduler(cpuThreads())
  // A command has settings for itself alone, and looks into its own folder when it exports.
  const pending = options.shell === 'cli' ? null : new PendingExports(options.settingsDir, log)
  void pending?.recover()
  const exports = new Exports(options.version, emit, pending)
  const budget = { ...defaultBudget(), ...options.budget }
  const runs: Runs = new Runs(
    { scheduler, tiles: results, overviews, throughput: new Throughput(), budget, emit, log },
    budget.keptBytes,
    {
      onForget: ({ runId }) => {
        exports.cancel(runId)
        overlays.forget(runId)
        // The slide may have been kept for this run alone; it is closed when whoever forgets has come to an end.
        setImmediate(() => slides.closeIdle())
      },
      isInUse: (runId) => exports.isExporting(runId),
      slideBytes: (slideId) => slides.idleBytes(slideId),
    },
  )
  const slides = new Slides(
    log,
    (slideId) => {
      runs.forgetSlide(slideId)
      for (const cache of [pictures, results, overviews]) cache.forget(slideId)
    },
    (slideId) => runs.isBusy(slideId),
    (slideId) => runs.holdsWork(slideId),
  )
  const threads = async (): Promise<number> => (await settings.get()).threads || cpuThreads()
  const useSettings = async (): Promise<void> => {
    const { overlayBudgetMiB } = await settings.get()
    overlays.setBudget(overlayBudgetMiB * 2 ** 20)
  }
  const { shell, version, dialogs } = options
  /** Takes the overview that the first click or preview will need, once the slide's first tiles are on their way. */
  const foresee = (slide: OpenSlide): void => {
    if (shell === 'cli') return
    const take = async (): Promise<void> => {
      const spec = await specs.get((await settings.get()).recipeSpec)
      await overviews.complete(draftAnalysis(slide, spec, defaultRecipe(spec)), 1)
    }
    // Whatever is wrong here, a slide that was closed meanwhile above all, is told by the call that needs the overview.
    setTimeout(() => void take().catch(() => undefined), foreseeDelayMs).unref()
  }

  const handlers: Handlers = {
    'app:info': async () => appInfo({ shell, version, dialogs, initialSlide: options.initialSlide ?? null }),
    'slide:open': async ({ path, mpp }) => {
      const slide = await slides.open(path, mpp)
      // A full disk must not keep a slide from opening.
      await settings
        .remember(slide.info.path)
        .catch((error: unknown) => log({ level: 'warn', message: toAppError(error).message }))
      foresee(slide)
      return slide.info
    },
    'slide:close': async ({ slideId }) => {
      slides.get(slideId)
      if (slides.release(slideId)) {
        runs.forgetPreviews(slideId)
        slides.closeIdle()
      }
      return null
    },
    'recipe:list': async () => specs.list(),
    'recipe:load': async ({ path }) => loadRecipe(path, specs),
    'recipe:save': async ({ path, recipe }) => {
      await saveRecipe(path, recipe, specs)
      return null
    },
    'run:start': async (request) => {
      const slide = slides.get(request.slideId)
      const spec = await specs.get(request.recipe.spec)
      const status = runs.start(request, slide, spec, await threads())
      scheduler.setWorkers(Math.max(cpuThreads(), request.threads ?? (await threads())))
      return status
    },
    'run:cancel': async ({ runId }) => {
      const run = runs.get(runId)
      run.cancel()
      return run.status()
    },
    'run:status': async ({ runId }) => runs.get(runId).status(),
    'run:list': async () => runs.list(),
    'run:delete': async ({ runId }) => {
      runs.delete(runId)
      return null
    },
    'run:tiles': async ({ runId }) => runs.get(runId).changed.all(),
    'run:estimate': async ({ slideId, region, recipe, mpp, device }) => {
      const draft = draftAnalysis(slides.get(slideId), await specs.get(recipe.spec), recipe, mpp, device)
      return runs.estimate(draft, region, await threads())
    },
    'object:at': async ({ runId, x, y }) => runs.get(runId).objectAt(x, y),
    'object:segment': async ({ slideId, recipe, x, y, mpp }, signal) => {
      const slide = slides.get(slideId)
      const draft = draftAnalysis(slide, await specs.get(recipe.spec), recipe, mpp)
      return segmentAt(draft, { x, y }, await threads(), { overviews, tiles: results }, signal)
    },
    'export:start': async (request) => {
      const run = runs.get(request.runId)
      const { deidentify } = await settings.get()
      return exports.start(run, { deidentify, ...request })
    },
    'export:cancel': async ({ runId }) => {
      exports.cancel(runId)
      return null
    },
    'settings:get': async () => settings.get(),
    'settings:set': async (change) => {
      const next = await settings.set(change)
      await useSettings()
      return next
    },
    'recent:list': async () => settings.recent(),
    'recent:clear': async () => {
      await settings.clearRecent()
      return null
    },
  }
  void useSettings()

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

  async function invokeUnchecked(name: string, arg: unknown, signal: AbortSignal): Promise<unknown> {
    if ((shellCalls as readonly string[]).includes(name)) {
      throw new EngineError('INVALID_PARAMETER', `The call ${name} is answered by the shell, and this one has no answer to it.`)
    }
    if (!Object.hasOwn(handlers, name)) {
      throw new EngineError(
        'INVALID_PARAMETER',
        `expected one of ${Object.keys(handlers).join(', ')} for the call's name but received ${describe(name)}`,
      )
    }
    const known = name as EngineCall
    const checked = calls[known].arg.safeParse(arg)
    if (!checked.success) throw schemaError(known, arg, checked.error)
    // The schema above is the one that gives this handler's argument its type.
    return (handlers[known] as (value: unknown, signal: AbortSignal) => Promise<unknown>)(checked.data, signal)
  }

  async function answerTile(request: TileRequest, signal: AbortSignal): Promise<TileResponse> {
    const { kind } = request
    if (kind === 'overlay')
      return tileFound(await overlays.overlay(runs.get(request.runId), request.style, request.k, request.x, request.y, signal))
    if (kind === 'layer')
      return tileFound(await overlays.layer(runs.get(request.runId), request.layer, request.k, request.x, request.y, signal))
    const slide = slides.get(request.slideId)
    if (kind === 'associated') return tileFound(await pictures.associated(slide, request.name))
    if (kind === 'stain') {
      return tileFound(await pictures.stain(slide, request.stainSet, request.channel, request.k, request.x, request.y, signal))
    }
    return tileFound(await pictures.picture(slide, request.k, request.x, request.y, signal))
  }

  return {
    async call(name, arg, signal = never) {
      if (signal.aborted) return { ok: false, error: cancelled(name) }
      try {
        return { ok: true, value: await tracked(signal, (either) => invokeUnchecked(name, arg, either)) }
      } catch (error) {
        if (signal.aborted || (closing.signal.aborted && isCancelled(error))) return { ok: false, error: cancelled(name) }
        const failure = toAppError(error)
        if (failure.code === 'INTERNAL')
          log({ level: 'error', message: `${name}: ${failure.message}`, ...(failure.detail ? { detail: failure.detail } : {}) })
        return { ok: false, error: failure }
      }
    },
    async invoke(name, arg, signal = never) {
      return (await tracked(signal, (either) => invokeUnchecked(name, arg, either))) as CallValue<typeof name>
    },
    onEvent(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async tile(url, signal = never) {
      const request = parseTileUrl(url)
      if (!request) return tileFailed(400, 'This is no tile address.')
      if (signal.aborted) return tileFailed(499, 'Nobody waits for this tile any more.')
      // What is looked at comes before what runs: a tile that does not come at once gets a core to itself.
      let giveBack: () => void = () => undefined
      const late = setTimeout(() => (giveBack = scheduler.holdBack()), lateTileMs)
      try {
        return await tracked(signal, (either) => answerTile(request, either))
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
      exports.cancelAll()
      runs.cancelAll()
      closing.abort()
      // Exports put their files away, and whoever called hears how it ended. What hangs must not keep the program.
      await Promise.race([
        Promise.allSettled([...inFlight]),
        new Promise((resolve) => setTimeout(resolve, closeWithinMs).unref()),
      ])
      listeners.clear()
      slides.closeAll()
      await Promise.all([settings.flushed(), pending?.flushed()])
    },
  }
}

const cancelled = (name: string): AppError => ({ code: 'CANCELLED', message: `The call ${name} was taken back.` })

function detailOf(error: unknown): { detail?: string } {
  return error instanceof Error ? { detail: error.stack ?? error.message } : { detail: String(error) }
}
