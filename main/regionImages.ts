// What pictures of regions are made of: the document's regions, how the slide is shown, and the run whose objects are outlined.
import { isArea, regionTitle } from '../app/contract'
import type { CallArg, RegionImages } from '../app/contract'
import { EngineError } from './base/errors'
import { boxOf } from './base/shapes'
import { toolsFor } from './export/tools'
import type { Parts } from './parts'
import { looksOf } from './project/kept/looks'
import { namelessClasses, namelessRegions } from './project/regions/nameless'

/** Throws NOT_FOUND for a region that is not on the slide. */
export async function regionImages(
  parts: Parts,
  version: string,
  { slideId, ids, runId, deidentify, ...asked }: CallArg<'regions:images'>,
  signal: AbortSignal,
): Promise<RegionImages> {
  const slide = parts.slides.get(slideId)
  const projects = await parts.projects()
  const hidden = await parts.settings.hides(deidentify)
  const state = await projects.state(slide)
  const [regions, classes] = hidden
    ? [namelessRegions(state.regions), namelessClasses(state.classes)]
    : [state.regions, state.classes]
  const wanted = ids && new Set(ids)
  const chosen = regions.filter((region) => (wanted ? wanted.has(region.id) : isArea(region.shape) && !region.core?.missing))
  if (wanted && chosen.length < wanted.size) throw new EngineError('NOT_FOUND', 'A region is no longer on the slide.')
  const run = runId === undefined ? null : parts.runs.get(runId)
  if (run && run.draft.slide.info.slideId !== slideId)
    throw new EngineError('INVALID_PARAMETER', `The run ${run.runId} is of another slide.`)
  if (run && !run.over)
    throw new EngineError('INVALID_PARAMETER', `The run ${run.runId} is still going on. Wait for its end or cancel it.`)
  const pictured = chosen.flatMap((region) =>
    isArea(region.shape) ? [{ title: regionTitle(region, regions, classes), shape: region.shape, box: boxOf(region.shape) }] : [],
  )
  const { writeRegionImages } = await import('./export/images/regionImages')
  let last = 0
  const told = (fraction: number): void => {
    // A hundred are enough for whoever looks on.
    if (fraction < 1 && fraction < last + 0.01) return
    last = fraction
    parts.emit({ type: 'images:progress', slideId, fraction: Math.min(1, fraction) })
  }
  const looks = await looksOf(projects, slide)
  return writeRegionImages(
    { ...asked, slide: slide.info, regions: pictured, result: run?.result() ?? null, hidden },
    toolsFor(slide, { app: version, print: undefined }, looks),
    told,
    signal,
  )
}
