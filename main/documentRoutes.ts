// Which module answers what is asked of the document and its regions: how they stand, commands, measures, and GeoJSON.
import type { RegionExport } from '../app/contract'
import type { Handlers } from './handlers'
import type { Parts } from './parts'
import { FurtherParts } from './project/regions/furtherParts'
import { placedOf } from './project/regions/placed'
import type { FileImports } from './project/importing/fileImports'
import type { Draft } from './run/analysis/analysis'
import { objectsRoom } from './run/analysis/memory'

type Asked =
  | 'slide:cores'
  | 'run:bands'
  | 'run:map'
  | 'run:hotSpots'
  | 'project:state'
  | 'project:regions'
  | 'project:more'
  | 'project:do'
  | 'project:undo'
  | 'project:redo'
  | 'project:measure'
  | 'project:measureAll'
  | 'project:import'
  | 'project:export'
  | 'project:exportParts'
  | 'import:begin'
  | 'import:part'
  | 'import:end'
  | 'import:cancel'
  | 'regions:images'
  | 'sections:fit'
  | 'sections:carry'

export function documentRoutes(parts: Parts, program: string): Pick<Handlers, Asked> {
  const { projects, slides, runs, settings, emit } = parts
  const further = new FurtherParts()
  let imports: Promise<FileImports> | undefined
  const importsOnce = () => (imports ??= import('./project/importing/fileImports').then((loaded) => new loaded.FileImports()))
  const importTools = async () => {
    const { threads, memoryBytes } = await parts.means()
    return {
      ...{ projects: await projects(), keptRuns: await parts.keptRuns(), program, emit, threads },
      nameless: parts.journals?.place.nameless === true,
      analysisOf: (draft: Draft, signal: AbortSignal) => parts.overviews.complete(draft, threads, signal, undefined, true),
      storeBytes: objectsRoom(memoryBytes),
    }
  }
  const measure: Handlers['project:measure'] = async ({ runIds, chosen, key, ids }, signal) => {
    const asked = runIds.map((runId) => runs.get(runId))
    const { regionResults } = await import('./project/regions/regionResults')
    return (await projects()).measured(key, regionResults(asked, chosen === undefined ? null : runs.get(chosen)), ids, signal)
  }
  const written = async ({ key, ids, deidentify: asked, boundsOf }: RegionExport, signal: AbortSignal): Promise<string[]> => {
    // As it is when it is asked for: what is waited for below lets changes in.
    const { content } = await projects()
    const { exportRegions } = await import('./project/geojsonFile/exporting')
    const corner = boundsOf === undefined ? null : slides.get(boundsOf).info.bounds
    return exportRegions(content, { key, ids, hidden: await settings.hides(asked), corner }, signal, emit)
  }
  return {
    'slide:cores': async ({ slideId, ...asked }, signal) =>
      (await import('./tma/find')).findCores(slides.get(slideId), asked, await parts.threads(), signal),
    'run:bands': async ({ runId, bands }, signal) =>
      (await import('./spatialOfRun')).bandsOfRun(parts.spatial, await projects(), runs.get(runId), bands, false, signal),
    'run:map': async ({ runId, map }, signal) =>
      (await (await import('./mapOfRun')).mapOfRun(parts.maps, runs.get(runId), map, signal)).info,
    'run:hotSpots': async ({ runId, ...asked }, signal) =>
      (await import('./mapOfRun')).hotSpotsOfRun(parts.maps, await projects(), runs.get(runId), { runId, ...asked }, signal),
    'project:state': async ({ slideId, parts }) =>
      (await projects()).state(slideId === null ? null : slides.get(slideId), parts && further),
    'project:regions': async ({ ids }) => (await projects()).now(({ content }) => placedOf(content, ids)),
    'project:more': async ({ more, from }) => further.from(more, from),
    'project:do': async ({ slideId, command }) => (await projects()).do(command, slideId === null ? null : slides.get(slideId)),
    'project:undo': async () => (await projects()).undo(),
    'project:redo': async () => (await projects()).redo(),
    'project:measure': measure,
    'project:measureAll': async (asked, signal) => further.measures(await measure(asked, signal)),
    'project:import': async ({ slideId, text, origin }, signal) => {
      const { importRegions } = await import('./project/geojsonFile/importing')
      return importRegions(await projects(), text, slides.get(slideId), signal, emit, origin)
    },
    'project:export': async (asked, signal) => (await written(asked, signal)).join(''),
    'project:exportParts': async (asked, signal) => further.texts(await written(asked, signal)),
    'import:begin': async (asked) => {
      if (asked.folder !== undefined) await slides.requireReachable(asked.folder)
      return (await importsOnce()).begin(await importTools(), await parts.draftOf(asked), asked)
    },
    'import:part': async ({ importId, text }) => (await importsOnce()).part(importId, text),
    'import:end': async ({ importId }, signal) => (await importsOnce()).end(importId, signal),
    'import:cancel': async ({ importId }) => {
      ;(await importsOnce()).cancel(importId)
      return null
    },
    'regions:images': async (asked, signal) => (await import('./regionImages')).regionImages(parts, program, asked, signal),
    'sections:fit': async ({ fromId, slideId, by, pairs }, signal) => {
      const { fitOf } = await import('./project/sections/sections')
      const asked = { from: slides.get(fromId), to: slides.get(slideId), ...(by && { by }), ...(pairs && { pairs }) }
      return fitOf(await projects(), asked, await parts.threads(), signal)
    },
    'sections:carry': async ({ fromId, slideId, map, regions, objects }, signal) => {
      const { carried } = await import('./project/sections/sections')
      const [from, to] = [slides.get(fromId), slides.get(slideId)]
      const carriedRun = objects && {
        run: runs.get(objects.runId),
        draft: await parts.draftOf({ slideId, recipe: objects.recipe, ...(objects.mpp && { mpp: objects.mpp }) }),
      }
      return carried(await importTools(), { from, to, map, regions, objects: carriedRun ?? null }, signal)
    },
  }
}
