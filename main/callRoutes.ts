// Which module answers which call.
import { resolve } from 'node:path'
import { calls, isCallName, isPartialRun, isShellCall } from '../app/contract'
import type { ObjectDetails } from '../app/contract'
import { requireDevice } from '../native/index'
import { appInfo, cpuThreads } from './appInfo'
import type { AboutShell } from './appInfo'
import { EngineError, describe, schemaError, toAppError } from './base/errors'
import type { Log } from './base/log'
import { fileNameOf } from './export/names'
import { prefetchOverview } from './prefetchOverview'
import type { Parts } from './parts'
import { loadRecipe, saveRecipe } from './recipe/recipeFile'
import type { Pointed } from './project/objects/redraw'
import type { EngineCall, Handlers } from './handlers'
import { documentRoutes } from './documentRoutes'
import { startRoutes } from './startRoutes'
import { openAsChosen } from './project/kept/asChosen'
import { keepLooks, looksOf } from './project/kept/looks'
import { addSlide, recogniseAndNote } from './project/slides/stains'
import type { OpenSlide } from './slide/slides'
import { objectNumbered } from './table/tables'

/** Answers a call by its name, once its argument is what the contract says. Rejects with what is wrong. */
export type Invoke = (name: string, arg: unknown, signal: AbortSignal) => Promise<unknown>

export function callRoutes(parts: Parts, about: AboutShell, log: Log): Invoke {
  const handlers = handlersOf(parts, about, log)
  return async (name, arg, signal) => {
    if (isCallName(name) && isShellCall(name)) {
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
  const {
    settings,
    specs,
    versions,
    slides,
    overviews,
    results,
    cutFields,
    scheduler,
    runs,
    exports,
    projects,
    keptRuns,
    tables,
    comparisons,
    means,
    threads,
    useSettings,
    draftOf,
  } = parts
  let openedProject = false
  /** A full disk must not keep a project from opening; a command's settings are its own. */
  const rememberProject = async (path: string): Promise<void> => {
    if (about.shell === 'cli') return
    const [first] = await (await projects()).slideList()
    await settings
      .rememberProject(resolve(path), first?.key)
      .catch((error: unknown) => log({ level: 'warn', message: toAppError(error).message }))
  }
  /** What the document holds of a slide on show comes back by itself: events tell of it. */
  const followSoon = (slide: OpenSlide): void => {
    Promise.all([keptRuns(), projects()]).then(
      ([kept, document]) => kept.restoring.follow(document, slide),
      (error: unknown) => log({ level: 'warn', message: toAppError(error).message }),
    )
  }
  const ofDocument = async () => (about.shell === 'cli' ? ((await parts.projectsIfOpen()) ?? null) : projects())
  const opening = { slides, closeSlide: parts.closeSlide, projects: ofDocument, log }
  /** A project that was empty is known by its first slide. */
  const rememberFirst = async (): Promise<void> => {
    if (about.shell === 'cli') return
    const { path, slides: all } = await (await projects()).state(null)
    if (path !== null && all.length === 1) await rememberProject(path)
  }
  return {
    'app:info': async () => appInfo(about),
    'slide:open': async (asked) => {
      const slide = await openAsChosen(opening, asked)
      // A full disk must not keep a slide from opening.
      await settings
        .remember(slide.info.path)
        .catch((error: unknown) => log({ level: 'warn', message: toAppError(error).message }))
      // A command asks for one thing, and says which.
      if (about.shell !== 'cli') {
        prefetchOverview(parts, slide)
        ;(await parts.recents()).keepPictureSoon(slide, parts.pictures)
        parts.pictureSoon(slide)
        followSoon(slide)
      }
      return slide.info
    },
    'slide:close': async ({ slideId }) => {
      slides.get(slideId)
      parts.closeSlide(slideId)
      return null
    },
    'slide:fileName': async ({ slideId, deidentify }, signal) => {
      const { info, identity } = slides.get(slideId)
      return fileNameOf(info.name, (deidentify ?? (await settings.get()).deidentify) ? identity : null, signal)
    },
    'slide:looks': async ({ slideId }) => looksOf(await projects(), slides.get(slideId)),
    'slide:keepLooks': async ({ slideId, looks }) => keepLooks(await projects(), slides.get(slideId), looks),
    'slide:recognise': async ({ slideId }, signal) => recogniseAndNote(await parts.projectsIfOpen(), slides.get(slideId), signal),
    'slide:stains': async ({ method, within, ...of }, signal) => overviews.stains(await draftOf(of), method, within, signal),
    'slide:classLimit': async ({ within, ...of }, signal) =>
      overviews.classLimit(await draftOf(of), within, await threads(), signal),
    'recipe:list': async () => specs.list(),
    'recipe:load': async ({ path }) => loadRecipe(path, specs),
    'recipe:versions': async () => (await versions()).list(),
    'recipe:keep': async ({ name, recipe, replace }) => {
      await (await versions()).keep(name, recipe, replace)
      return null
    },
    'recipe:forget': async ({ name }) => {
      await (await versions()).forget(name)
      return null
    },
    'recipe:save': async ({ path, recipe }) => {
      await saveRecipe(path, recipe, specs)
      return null
    },
    'run:start': async (request) => {
      const asked = runs.asks()
      const slide = slides.get(request.slideId)
      const spec = await specs.get(request.recipe.spec)
      await requireDevice(request.device ?? 'cpu')
      const usual = await means()
      const status = runs.start(request, slide, spec, usual, {}, asked)
      scheduler.setWorkers(Math.max(cpuThreads(), request.threads ?? usual.threads))
      return status
    },
    'run:cancel': async ({ runId }) => {
      const run = runs.get(runId)
      run.cancel()
      return run.status()
    },
    'run:pause': async ({ runId }) => {
      const run = runs.get(runId)
      await run.pause()
      return run.status()
    },
    'run:continue': async ({ runId }) => {
      const run = runs.get(runId)
      run.goOn()
      return run.status()
    },
    'run:status': async ({ runId }) => runs.get(runId).status(),
    'run:list': async () => runs.list(),
    'run:delete': async ({ runId }) => {
      const run = runs.get(runId)
      // Who deletes a run does not want it back with the document.
      if (run.keptId !== null) await (await projects()).drop(run.keptId).catch(() => undefined)
      if (runs.all().includes(run)) runs.delete(runId)
      await run.tileCommitter.dropJournal()
      return null
    },
    'run:tiles': async ({ runId }) => runs.get(runId).changed.all(),
    'run:resume': async ({ runId }) => (await import('./goOn')).resumeRun(parts, about.version, runs.get(runId)),
    'run:within': async ({ runId }) => [...(runs.get(runId).order.shapes ?? [])],
    'run:estimate': async ({ slideId, region, recipe, mpp, device, threads: wanted }, signal) => {
      await parts.pace?.known
      const draft = await draftOf({ slideId, recipe, mpp, device })
      return runs.estimate(draft, region, { ...(await means()), ...(wanted && { threads: wanted }) }, signal)
    },
    'run:timeline': async ({ runId }) => runs.get(runId).timeline(),
    'run:compare': async ({ a, b }, signal) => comparisons.of(runs.get(a), runs.get(b), signal),
    'run:verify': async ({ runId, regions, random }, signal) => runs.get(runId).verify(regions, random, signal),
    'journal:list': async () => (await parts.journals?.list()) ?? [],
    'journal:resume': async (asked) => (await import('./goOn')).goOn(parts, about.version, asked),
    'journal:delete': async ({ journalId }) => {
      await (await import('./goOn')).requireJournals(parts).delete(journalId)
      return null
    },
    'object:at': async ({ runId, x, y }) => runs.get(runId).objectAt(x, y),
    'object:numbered': async ({ runId, id }) => objectNumbered(runs.get(runId), id),
    'table:view': async (request, signal) => (await import('./spatialOfRun')).viewOf(parts, ofDocument, request, signal),
    'table:groups': async ({ runId, view, column, regionsOf }) => {
      if (regionsOf === null) return tables.groups(runs.get(runId), view, column, null)
      const { namedAreas } = await import('./project/regions/namedAreas')
      return tables.groups(runs.get(runId), view, column, await namedAreas(await projects(), regionsOf, runs.get(runId)))
    },
    'table:row': async ({ runId, view, id }) => tables.rowOf(runId, view, id),
    'object:segment': async ({ slideId, recipe, x, y, mpp }, signal) => {
      const spec = await specs.get(recipe.spec)
      const { clickAt } = await import('./run/point/click')
      return clickAt(slides.get(slideId), spec, recipe, { x, y, mpp }, await threads(), { overviews, tiles: results }, signal)
    },
    'object:why': async ({ slideId, recipe, x, y, mpp, offers }, signal) =>
      (await import('./run/point/explain')).explainAt(
        slides.get(slideId),
        await specs.get(recipe.spec),
        recipe,
        { x, y, mpp, offers },
        overviews,
        await threads(),
        signal,
      ),
    'field:cuts': async ({ slideId, recipe, ...asked }, signal) =>
      cutFields.of(
        slides.get(slideId),
        await specs.get(recipe.spec),
        recipe,
        { ...asked, mpp: asked.mpp },
        await threads(),
        signal,
      ),
    'field:wand': async ({ slideId, recipe, ...asked }, signal) =>
      (await import('./run/point/wand')).wandAt(
        slides.get(slideId),
        await specs.get(recipe.spec),
        recipe,
        { ...asked, mpp: asked.mpp },
        overviews,
        await threads(),
        signal,
      ),
    'export:start': async (request) => {
      const run = runs.get(request.runId)
      const result = await exports.start(run, request, async (gathering) => {
        const deidentify = await settings.hides(request.deidentify)
        const { besideRun } = await import('./besideRun')
        // A command's document is its own and empty, but for one that opened a project.
        const document = about.shell !== 'cli' || openedProject ? await projects() : null
        const field = request.hotSpotField ?? (await settings.get()).hotSpot
        return { ...(await besideRun(document, parts, run, request.files, field, deidentify, gathering)), deidentify }
      })
      const status = run.status()
      if (result.cancelled || status.state !== 'done') return result
      // All that it was for lies in files, but for what a command's --resume may be able to read.
      if (parts.journals?.place.keepsOver && isPartialRun(status)) await run.tileCommitter.markWritten()
      else await run.tileCommitter.dropJournal()
      return result
    },
    'run:hotSpot': async ({ runId, field }, signal) => {
      const run = runs.get(runId)
      return (await import('./project/objects/hotSpot')).findHotSpot(run, field ?? (await settings.get()).hotSpot, signal)
    },
    'export:cancel': async ({ runId }) => {
      exports.cancel(runId)
      return null
    },
    'project:keep': async ({ runId }) => ({ keptId: await (await keptRuns()).keep(await projects(), runs.get(runId)) }),
    'project:restore': async ({ slideId }) => (await keptRuns()).restoring.restored(await projects(), slides.get(slideId)),
    'project:drop': async ({ keptId }) => {
      await (await projects()).drop(keptId)
      return null
    },
    'object:edit': async ({ runId, choice, edit }) => (await keptRuns()).edit(await projects(), runs.get(runId), choice, edit),
    'object:merge': async ({ runId, choice }, signal) =>
      (await import('./project/objects/reshape')).mergeObjects(
        await keptRuns(),
        await projects(),
        runs.get(runId),
        choice,
        signal,
      ),
    'object:split': async ({ runId, line }, signal) =>
      (await import('./project/objects/reshape')).splitObjects(await keptRuns(), await projects(), runs.get(runId), line, signal),
    'object:reshape': async ({ runId, choice, how }, signal) =>
      (await import('./project/objects/resize')).reshapeObjects(
        await keptRuns(),
        await projects(),
        runs.get(runId),
        choice,
        how,
        signal,
      ),
    'object:add': async ({ runId, what }, signal) => {
      const run = runs.get(runId)
      const { mpp, recipe: own } = run.order.request
      const lookup = async ({ at, recipe = own }: Pointed): Promise<ObjectDetails | null> => {
        const { pointedAt } = await import('./run/point/click')
        const [spec, point] = [await specs.get(recipe.spec), { ...at, mpp, asked: recipe !== own }]
        return pointedAt(run.draft.slide, spec, recipe, point, await threads(), { overviews, tiles: results }, signal)
      }
      const { addObject } = await import('./project/objects/redraw')
      return addObject(await keptRuns(), await projects(), run, what, lookup, signal)
    },
    'object:redraw': async ({ runId, stroke }, signal) =>
      (await import('./project/objects/redraw')).redrawObject(
        await keptRuns(),
        await projects(),
        runs.get(runId),
        stroke,
        signal,
      ),
    'object:count': async ({ runId, choice, outlines }) => (await keptRuns()).count(runs.get(runId), choice, outlines === true),
    'object:carry': async ({ from, to }, signal) =>
      (await keptRuns()).carry(await projects(), runs.get(from), runs.get(to), signal),
    'object:rule': async ({ runId, rule }) => (await keptRuns()).rule(await projects(), runs.get(runId), rule),
    'project:open': async ({ path }) => {
      await (await projects()).open(path)
      openedProject = true
      await rememberProject(path)
      return null
    },
    'project:save': async ({ path }) => {
      await (await projects()).save(path)
      await rememberProject(path)
      // What was opened before the document listed it has none yet.
      slides.inUse().forEach((slide) => parts.pictureSoon(slide))
      return null
    },
    'project:new': async () => {
      await (await projects()).startAnew()
      return null
    },
    'project:openUnnamed': async ({ id }) => {
      const { unnamedFolder } = await import('./project/unnamed')
      const folder = await (await projects()).now((open) => unnamedFolder(open, id))
      await (await projects()).open(folder)
      return null
    },
    'project:deleteUnnamed': async ({ id }) => {
      const { deleteUnnamed } = await import('./project/unnamed')
      await (await projects()).now((open) => deleteUnnamed(open, id))
      return null
    },
    'project:slides': async (arg) => {
      const { seen, keys: wanted } = arg ?? {}
      const [list, keys] = await Promise.all([(await projects()).slideList(seen, wanted), (await parts.slidePictures()).keys()])
      return list.map((slide) => ({ ...slide, pictured: keys.has(slide.key) }))
    },
    'project:add': async ({ slideId }) => {
      const slide = slides.get(slideId)
      const added = await addSlide(await projects(), slide)
      parts.pictureSoon(slide)
      await rememberFirst()
      return added
    },
    'project:addFile': async (asked) => {
      const slide = await openAsChosen(opening, asked)
      let added = false
      try {
        const answer = { ...(await addSlide(await projects(), slide)), name: slide.info.name }
        added = true
        await rememberFirst()
        return answer
      } finally {
        // It stays open for its picture, and nobody waits for that.
        parts.afterwards.now(async () => {
          if (added) await parts.picture(slide)
          parts.closeSlide(slide.info.slideId)
        })
      }
    },
    'project:remove': async ({ key }) => {
      ;(await parts.cohorts()).requireIdle(key)
      await (await projects()).removeSlide(key)
      await (await parts.slidePictures()).drop(key)
      return null
    },
    'cohort:run': async (request) => {
      await requireDevice(request.device ?? 'cpu')
      const state = await (await parts.cohorts()).start(request)
      scheduler.setWorkers(Math.max(cpuThreads(), request.threads ?? (await threads())))
      return state
    },
    'cohort:cancel': async () => {
      await parts.endCohort()
      return null
    },
    'cohort:state': async () => (await parts.cohorts()).state,
    'project:summary': async ({ keys, runIds = [], from, deidentify }, signal) => {
      const asked = { keys, from, runs: runIds.map((runId) => runs.get(runId)) }
      const { summaryOf } = await import('./project/summary/summary')
      const { closeSlide } = parts
      const known = await settings.get()
      const tools = { projects: await projects(), keptRuns: await keptRuns(), runs, slides, closeSlide, hotSpot: known.hotSpot }
      if (!(deidentify ?? known.deidentify)) return summaryOf(tools, asked, signal)
      const { namesOfSlide } = await import('./export/pseudonyms')
      return summaryOf({ ...tools, naming: (slide, open) => namesOfSlide(slide, open?.identity ?? null, signal) }, asked, signal)
    },
    'settings:get': async () => settings.get(),
    'settings:set': async (change) => {
      const next = await settings.set(change)
      await useSettings()
      return next
    },
    ...documentRoutes(parts, about.version),
    ...startRoutes(parts),
  }
}
