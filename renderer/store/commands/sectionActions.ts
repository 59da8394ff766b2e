// Another section of the same block: opened to see how it lies on this slide, shown beside it, and what is on it carried over.
import type { RunStatus, SectionFit, SlideInfo } from '../../../app/contract'
import { api } from '../../api'
import { words } from '../../words'
import { tell, tellError } from '../base/notify'
import { refreshRuns } from '../runs/runList'
import { recipeOf } from '../slices/recipeSlice'
import { choose } from '../slices/runSlice'
import { chooseSecondSlide, leaveSecond, toggleSecond } from '../slide/secondActions'
import { fileName } from '../slide/slideActions'
import { getState, patch, update } from '../store'
import { reachedSince, revisionNow } from '../document/documentActions'
import { importNotice } from '../document/regionNotice'

const longMs = 20_000

/** A section that is open beside this slide, until it is let go. */
export interface Laid {
  readonly slide: SlideInfo
  readonly fit: SectionFit
}

export const letGoOf = ({ slide }: Laid): void => void api().call('slide:close', { slideId: slide.slideId })

/** null: it could not be laid there, which is told, or nobody wants it any more. */
export async function laidOn(path: string, by: 'tissue' | 'points', signal: AbortSignal): Promise<Laid | null> {
  const { info } = getState().slide
  if (!info) return null
  const opened = await api().call('slide:open', { path })
  if (!opened.ok) {
    if (!signal.aborted) tellError(opened.error, fileName(path))
    return null
  }
  const slide = opened.value
  const fit = await api().call('sections:fit', { fromId: slide.slideId, slideId: info.slideId, by }, signal)
  if (fit.ok && !signal.aborted) return { slide, fit: fit.value }
  void api().call('slide:close', { slideId: slide.slideId })
  // What is to be marked it says in full.
  if (fit.ok || signal.aborted) return null
  if (fit.error.code === 'INVALID_PARAMETER') tell(fit.error.message, slide.name, longMs)
  else tellError(fit.error, slide.name)
  return null
}

/** In the second view, which goes along with the first. */
export async function showBeside({ slide, fit }: Laid): Promise<void> {
  const { info } = getState().slide
  if (!info) return
  leaveSecond()
  toggleSecond()
  await chooseSecondSlide(slide.path)
  const { map, turnDeg } = fit
  const { bounds } = slide
  const to = { x: bounds.x + bounds.width / 2, y: bounds.y + bounds.height / 2 }
  const from = { x: map.xx * to.x + map.xy * to.y + map.dx, y: map.yx * to.x + map.yy * to.y + map.dy }
  const scale = 1 / Math.sqrt(Math.abs(map.xx * map.yy - map.xy * map.yx))
  if (getState().second.slide?.path === slide.path) patch('second', { link: { from, to, scale, turn: turnDeg } })
}

/** The newest finished result of it, those of the project among them; null: there is none. */
async function newestOf(slideId: string): Promise<RunStatus | null> {
  // Answered when their objects are there.
  await api().call('project:restore', { slideId })
  const list = await api().call('run:list', undefined)
  const own = (list.ok ? list.value : []).map(({ status }) => status)
  const done = own.filter((run) => run.slideId === slideId && run.purpose === 'run' && run.state === 'done')
  return done.sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1))[0] ?? null
}

export async function carryOver(
  { slide, fit }: Laid,
  what: { readonly regions: boolean; readonly objects: boolean },
): Promise<void> {
  const { info } = getState().slide
  const recipe = recipeOf(getState().recipe)
  if (!info) return
  const run = what.objects ? await newestOf(slide.slideId) : null
  if (what.objects && !run) tell(words.sections.noResult, slide.name)
  const objects = run && recipe ? { runId: run.runId, recipe } : undefined
  if (!what.regions && !objects) return
  const before = revisionNow()
  const stop = new AbortController()
  const over = importNotice.begin(words.sections.carrying(slide.name), () => stop.abort())
  const asked = { fromId: slide.slideId, slideId: info.slideId, map: fit.map, regions: what.regions, ...(objects && { objects }) }
  const result = await api().call('sections:carry', asked, stop.signal).finally(over)
  if (!result.ok) return stop.signal.aborted ? undefined : tellError(result.error, slide.name)
  const { regions, objects: found, leftOut: none } = result.value
  const repaired = [...(regions?.repaired ?? []), ...(found?.repaired ?? [])]
  const leftOut = [...(regions?.leftOut ?? []), ...(found?.leftOut ?? none)]
  tell(
    [
      ...(regions ? [words.sections.carried(regions.added)] : []),
      ...(found ? [words.sections.carriedObjects(found.objects, found.name)] : []),
      ...(repaired.length > 0 ? [words.regionFiles.takenOtherwise(repaired.join('; '))] : []),
      ...(leftOut.length > 0 ? [words.regionFiles.leftOut(leftOut.join('; '))] : []),
    ].join(' '),
    slide.name,
    repaired.length + leftOut.length > 0 ? longMs : 5000,
  )
  await reachedSince(before)
  if (!found) return
  await refreshRuns()
  update('runs', (state) => choose(state, found.runId))
}
