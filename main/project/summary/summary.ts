// One table over the document's slides and their regions: what is known of each, with its objects counted as they are now.
import { choiceOf, regionTitle, unfitWords, wholeRunOf } from '../../../app/contract'
import type { HotSpotField, KeptRun, ProjectSlide, ProjectSummary, SummaryFrom, SummaryRow } from '../../../app/contract'
import { EngineError, toAppError } from '../../base/errors'
import type { Run } from '../../run/run'
import { namelessRun } from '../../run/runNames'
import type { Runs } from '../../run/runs'
import type { OpenSlide, Slides } from '../../slide/slides'
import { withOnce } from '../figures/once'
import type { Counted } from '../figures/once'
import type { KeptRuns } from '../kept/keptRuns'
import { namelessClasses, namelessRegions } from '../regions/nameless'
import { findHotSpot } from '../objects/hotSpot'
import { regionHotSpots } from '../objects/regionHotSpots'
import type { Projects } from '../projects'
import { isAlike, regionResults } from '../regions/regionResults'
import { csvOfCores } from './summaryCores'
import { csvOfGroups, groupsOf } from './summaryGroups'
import { awayRow, csvOfRows, hotSpotOf, regionRow, slideRow } from './summaryRows'
import { stainOf } from '../slides/stains'
import { standingRuns } from '../wholes/wholes'

interface SummaryRequest {
  /** Of these slides alone. */
  readonly keys?: readonly string[] | undefined
  readonly runs: readonly Run[]
  /** Absent: own. */
  readonly from?: SummaryFrom | undefined
}

export interface SummaryTools {
  readonly projects: Projects
  readonly keptRuns: KeptRuns
  readonly runs: Runs
  readonly slides: Slides
  /** Of one that was opened here. */
  readonly closeSlide: (slideId: string) => void
  /** Of the circle that is looked for on each slide. */
  readonly hotSpot: HotSpotField
  /** What slides are called in place of their names; `open` is null where one is not there. Absent: they keep them. */
  readonly naming?: ((slide: ProjectSlide, open: OpenSlide | null) => Promise<Naming>) | undefined
}

export interface Naming {
  readonly shown: string
  /** A message without the slide's name and its folders. */
  clean(text: string): string
}

/**
 * One slide after the other is opened, its results brought back, and let go of again where nobody else has it. Which of them a row's figures come
 * from, `regionResults` says. What cannot be read has a row all the same, and is told in `notes`.
 */
export async function summaryOf(tools: SummaryTools, asked: SummaryRequest, signal: AbortSignal): Promise<ProjectSummary> {
  const parts: { rows: SummaryRow[]; notes: string[] }[] = []
  for (const slide of await tools.projects.slideList()) {
    if (asked.keys && !asked.keys.includes(slide.key)) continue
    if (signal.aborted) throw new EngineError('CANCELLED', 'The summary was taken back.')
    const notes: string[] = []
    const open = (await opened(tools, slide).catch((error: unknown) => void notes.push(toAppError(error).message))) ?? null
    try {
      const rows = await rowsOf(tools, slide, open, asked, notes, signal)
      parts.push(tools.naming ? hidden({ rows, notes }, await tools.naming(slide, open)) : { rows, notes })
    } finally {
      if (open) tools.closeSlide(open.info.slideId)
    }
  }
  // In the order of names pseudonyms would tell something of them.
  if (tools.naming) parts.sort((a, b) => (a.rows[0]!.slide < b.rows[0]!.slide ? -1 : 1))
  const rows = parts.flatMap((part) => part.rows)
  const groups = groupsOf(rows)
  return {
    rows,
    notes: parts.flatMap((part) => part.notes),
    groups,
    csv: csvOfRows(rows),
    groupsCsv: csvOfGroups(groups),
    coresCsv: csvOfCores(rows),
  }
}

function hidden({ rows, notes }: { rows: SummaryRow[]; notes: string[] }, names: Naming) {
  return {
    rows: rows.map((row) => ({ ...row, slide: names.shown, why: row.why === null ? null : names.clean(row.why) })),
    notes: notes.map((note) => names.clean(note)),
  }
}

async function opened({ projects, slides, closeSlide }: SummaryTools, slide: ProjectSlide): Promise<OpenSlide> {
  const { name, path, missing, key, channel } = slide
  if (missing)
    throw new EngineError('NOT_FOUND', `${name} is neither at ${path} nor beside the project: its objects are not counted.`)
  const open = await slides.open(path, undefined, channel === undefined ? undefined : choiceOf(channel))
  if ((await projects.keyOf(open)) === key) return open
  closeSlide(open.info.slideId)
  throw new EngineError('NOT_FOUND', `Another slide than ${name} is at its path now: ${path}.`)
}

async function rowsOf(
  { projects, keptRuns, runs, hotSpot, naming }: SummaryTools,
  slide: ProjectSlide,
  open: OpenSlide | null,
  { runs: asked, from = 'own' }: SummaryRequest,
  notes: string[],
  signal: AbortSignal,
): Promise<SummaryRow[]> {
  const standing = standingRuns(projects.content.runs).filter((run) => run.slide === slide.key)
  const held = meant(standing, from)
  const statuses = held.length > 0 && open ? await keptRuns.restoring.restored(projects, open) : []
  const back = statuses.flatMap(({ runId, state }) => (state === 'failed' ? [] : [runs.get(runId)]))
  const kept = back.filter(({ keptId }) => held.some(({ id }) => id === keptId))
  const lost = held.filter(({ id }) => open !== null && !kept.some(({ keptId }) => keptId === id))
  for (const { name } of lost)
    notes.push(`The objects of ${naming ? namelessRun(name) : name} of ${slide.name} could not be read.`)
  const here = asked.filter((run) => run.draft.slide.info.slideId === open?.info.slideId)
  const chosen = here[0] ?? alike(kept, asked[0])
  const results = regionResults([...new Set([...here, ...kept])], chosen)
  const typed = projects.regionsOn(slide.key).map(({ region }) => region)
  const measures = await projects.measured(slide.key, results)
  const seen = slide.stain ?? (open && (await stainOf(open)))
  const unfitIn = (run: Run | null): Pick<SummaryRow, 'unfit'> => {
    const unfit = run && unfitWords(seen, run.draft.spec)
    return unfit === null ? {} : { unfit }
  }
  // Names that people have typed do not stand beside pseudonyms.
  const classes = naming ? namelessClasses(projects.content.classes) : projects.content.classes
  const regions = naming ? namelessRegions(typed) : typed
  const counted = regions.map((region, i) => {
    const className = classes.find(({ id }) => id === region.classId)?.name ?? ''
    const { runId } = measures[i]!
    const run = runId === null ? null : runs.get(runId)
    const row = regionRow(
      slide,
      { title: regionTitle(region, regions, classes), className, core: region.core },
      measures[i]!,
      run,
    )
    return { region: typed[i]!, row: { ...row, ...unfitIn(run) }, run }
  })
  const inside = withOnce(await withHotSpots(counted, hotSpot, signal), slide, (note) => notes.push(note))
  const newest = wholeRunOf(held, slide.key)
  if (!open || (results.lead === null && newest)) return [awayRow(slide, newest?.tissueMm2 ?? null), ...inside]
  const why =
    results.whole === null && newest && results.lead
      ? `figures follow ${results.lead.draft.spec.name}; all of the slide was run with ${newest.recipeName}`
      : null
  const spot = results.whole && (await findHotSpot(results.whole, hotSpot, signal))
  return [{ ...slideRow(slide, results.whole, why), ...hotSpotOf(spot), ...unfitIn(results.whole) }, ...inside]
}

/** With the hot spots of regions; those of a result are looked for at once. Throws CancelledError. */
async function withHotSpots(counted: readonly Counted[], field: HotSpotField, signal: AbortSignal): Promise<Counted[]> {
  const spots = new Map<Counted, SummaryRow['hotSpot']>()
  for (const run of new Set(counted.map((each) => each.run))) {
    if (!run) continue
    const own = counted.filter((each) => each.run === run)
    const regions = own.map(({ region: { shape }, row: { objects } }) => ({ shape, objects }))
    for (const [i, spot] of (await regionHotSpots(run, regions, field, signal)).entries()) if (spot) spots.set(own[i]!, spot)
  }
  return counted.map((each) => (spots.has(each) ? { ...each, row: { ...each.row, hotSpot: spots.get(each) } } : each))
}

/** Of a slide's results those that figures may come from, in their order. */
function meant(held: readonly KeptRun[], from: SummaryFrom): KeptRun[] {
  if (from === 'newest') return [...held]
  if (typeof from === 'object') return held.filter(({ name }) => name === from.name)
  const imports = held.filter(({ imported }) => imported !== undefined)
  const own = held.filter(({ imported }) => imported === undefined)
  return from === 'imported' || own.length === 0 ? imports : own
}

/** Of a slide on which none is chosen: its newest result of the recipe and values that are chosen elsewhere. */
function alike(kept: readonly Run[], chosen: Run | undefined): Run | null {
  const same = chosen ? kept.filter((run) => run === chosen || isAlike(run, chosen)) : []
  return regionResults(same, null).lead
}
