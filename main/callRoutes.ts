// Which module answers which call.
import { calls, shellCalls } from '../app/contract'
import type { CallName, CallValue } from '../app/contract'
import { requireDevice } from '../native/index'
import { appInfo, cpuThreads } from './appInfo'
import type { AboutShell } from './appInfo'
import { EngineError, describe, schemaError, toAppError } from './base/errors'
import type { Log } from './base/log'
import { foresee } from './foresee'
import type { Parts } from './parts'
import { loadRecipe, saveRecipe } from './recipe/recipeFile'
import { draftAnalysis } from './run/analysis'
import { segmentAt } from './run/segment'

type ShellCall = (typeof shellCalls)[number]
export type EngineCall = Exclude<CallName, ShellCall>

/**
 * `signal` says that nobody waits for the answer any more, which is no wish to undo: calls whose effect outlives their caller (run:start,
 * export:start, what writes a file) do not listen to it, and are stopped by their own calls.
 */
type Handlers = {
  [N in EngineCall]: (arg: ReturnType<(typeof calls)[N]['arg']['parse']>, signal: AbortSignal) => Promise<CallValue<N>>
}

/** Answers a call by its name, once its argument is what the contract says. Rejects with what is wrong. */
export type Invoke = (name: string, arg: unknown, signal: AbortSignal) => Promise<unknown>

export function callRoutes(parts: Parts, about: AboutShell, log: Log): Invoke {
  const handlers = handlersOf(parts, about, log)
  return async (name, arg, signal) => {
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
}

function handlersOf(parts: Parts, about: AboutShell, log: Log): Handlers {
  const { settings, specs, slides, overviews, results, scheduler, runs, exports, threads, memory, useSettings } = parts
  return {
    'app:info': async () => appInfo(about),
    'slide:open': async ({ path, mpp }) => {
      const slide = await slides.open(path, mpp)
      // A full disk must not keep a slide from opening.
      await settings
        .remember(slide.info.path)
        .catch((error: unknown) => log({ level: 'warn', message: toAppError(error).message }))
      // A command asks for one thing, and says which.
      if (about.shell !== 'cli') foresee(parts, slide)
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
      await requireDevice(request.device ?? 'cpu')
      const status = runs.start(request, slide, spec, { threads: await threads(), memoryBytes: await memory() })
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
    'run:estimate': async ({ slideId, region, recipe, mpp, device, threads: wanted }) => {
      await parts.pace?.known
      const draft = draftAnalysis(slides.get(slideId), await specs.get(recipe.spec), recipe, mpp, device)
      return runs.estimate(draft, region, { threads: wanted ?? (await threads()), memoryBytes: await memory() })
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
}
