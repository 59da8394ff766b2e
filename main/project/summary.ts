// One table over the document's slides and their regions: what is known of each, with its objects counted as they are now.
import { hScoreOf, positiveShareOf, regionTitle, wholeRunOf } from '../../app/contract'
import type { ProjectSlide, ProjectSummary, RegionMeasure, RunStatus, SummaryRow } from '../../app/contract'
import { csvText } from '../base/csvText'
import { EngineError, toAppError } from '../base/errors'
import type { Run } from '../run/run'
import type { Runs } from '../run/runs'
import type { OpenSlide, Slides } from '../slide/slides'
import type { KeptRuns } from './keptRuns'
import type { Projects } from './projects'

interface Asked {
  /** Of these slides alone. */
  readonly keys?: readonly string[] | undefined
  readonly runs: readonly Run[]
}

export interface SummaryTools {
  readonly projects: Projects
  readonly keptRuns: KeptRuns
  readonly runs: Runs
  readonly slides: Slides
  /** Of one that was opened here. */
  readonly closeSlide: (slideId: string) => void
  /** What slides are called in place of their names; `open` is null where one is not there. Absent: they keep them. */
  readonly naming?: ((slide: ProjectSlide, open: OpenSlide | null) => Promise<Naming>) | undefined
}

export interface Naming {
  readonly shown: string
  /** A message without the slide's name and its folders. */
  clean(text: string): string
}

/**
 * One slide after the other is opened, its newest whole run brought back, and let go of again where nobody else has it. Regions count the
 * objects of the runs that are asked first, then of that one. What cannot be read has a row all the same, and is told in `notes`.
 */
export async function summaryOf(tools: SummaryTools, asked: Asked, signal: AbortSignal): Promise<ProjectSummary> {
  const parts: { rows: SummaryRow[]; notes: string[] }[] = []
  for (const slide of await tools.projects.slideList()) {
    if (asked.keys && !asked.keys.includes(slide.key)) continue
    if (signal.aborted) throw new EngineError('CANCELLED', 'The summary was taken back.')
    const notes: string[] = []
    const open = (await opened(tools, slide).catch((error: unknown) => void notes.push(toAppError(error).message))) ?? null
    try {
      const rows = await rowsOf(tools, slide, open, asked.runs, notes)
      parts.push(tools.naming ? hidden({ rows, notes }, await tools.naming(slide, open)) : { rows, notes })
    } finally {
      if (open) tools.closeSlide(open.info.slideId)
    }
  }
  // In the order of names pseudonyms would tell something of them.
  if (tools.naming) parts.sort((a, b) => (a.rows[0]!.slide < b.rows[0]!.slide ? -1 : 1))
  const rows = parts.flatMap((part) => part.rows)
  return {
    rows,
    notes: parts.flatMap((part) => part.notes),
    csv: [csvHeader, ...rows.map(csvCells)].map((cells) => `${cells.map(csvText).join(',')}\n`).join(''),
  }
}

function hidden({ rows, notes }: { rows: SummaryRow[]; notes: string[] }, names: Naming) {
  return {
    rows: rows.map((row) => ({ ...row, slide: names.shown, why: row.why === null ? null : names.clean(row.why) })),
    notes: notes.map((note) => names.clean(note)),
  }
}

async function opened({ projects, slides, closeSlide }: SummaryTools, slide: ProjectSlide): Promise<OpenSlide> {
  const { name, path, missing, key } = slide
  if (missing)
    throw new EngineError('NOT_FOUND', `${name} is neither at ${path} nor beside the project: its objects are not counted.`)
  const open = await slides.open(path)
  if ((await projects.keyOf(open)) === key) return open
  closeSlide(open.info.slideId)
  throw new EngineError('NOT_FOUND', `Another slide than ${name} lies at its place: ${path}.`)
}

async function rowsOf(
  { projects, keptRuns, runs }: SummaryTools,
  slide: ProjectSlide,
  open: OpenSlide | null,
  asked: readonly Run[],
  notes: string[],
): Promise<SummaryRow[]> {
  const newest = wholeRunOf(projects.content.runs.values(), slide.key)
  const kept = newest && open ? await keptRuns.restored(projects, open) : []
  const found = kept.find(({ keptId, state }) => keptId === newest?.id && state === 'done') ?? null
  if (newest && open && !found) notes.push(`The objects of ${slide.name} could not be read.`)
  const measures = projects.measure(slide.key, [
    ...asked.filter((run) => run.draft.slide.info.slideId === open?.info.slideId),
    ...(found ? [runs.get(found.runId)] : []),
  ])
  const { classes } = projects.content
  const regions = projects.regionsOn(slide.key).map(({ region }) => region)
  const inside = regions.map((region, i) => {
    const className = classes.find(({ id }) => id === region.classId)?.name ?? ''
    const { runId } = measures[i]!
    const title = regionTitle(region, regions, classes)
    return regionRow(slide, title, className, measures[i]!, runId === null ? null : runs.get(runId).draft.spec.name)
  })
  return [slideRow(slide, found, newest?.tissueMm2 ?? null), ...inside]
}

function shares(classes: SummaryRow['classes']): Pick<SummaryRow, 'positiveShare' | 'hScore' | 'classes'> {
  if (!classes) return { positiveShare: null, hScore: null }
  const counts = classes.map(({ id, label, objects }) => ({ id, label, objects }))
  return { positiveShare: positiveShareOf(classes), hScore: hScoreOf(classes), classes: counts }
}

/** `found`: its newest run's objects; null: they are not there, and what the project says of them stands. */
export function slideRow(
  slide: ProjectSlide,
  found: Pick<RunStatus, 'objects' | 'classes'> | null,
  tissueMm2: number | null,
): SummaryRow {
  const { name, state, recipeName, widthPx, heightPx, mppX, mppY, why } = slide
  return {
    ...{ slide: name, region: null, class: '', state, recipe: recipeName, areaPx: widthPx * heightPx },
    areaMm2: mppX && mppY ? (widthPx * heightPx * mppX * mppY) / 1e6 : null,
    tissueMm2,
    objects: found?.objects ?? slide.objects,
    perMm2: slide.perMm2,
    ...shares(found?.classes),
    why,
  }
}

/** `recipe`: of the run whose objects were counted. */
export function regionRow(
  { name: slide }: ProjectSlide,
  title: string,
  className: string,
  { areaPx, areaMm2, objects, classes, points, lengthPx, lengthUm }: RegionMeasure,
  recipe: string | null,
): SummaryRow {
  return {
    ...{
      slide,
      region: title,
      class: className,
      state: points !== undefined ? 'counted' : lengthPx !== undefined ? 'measured' : objects === null ? 'not run' : 'done',
      recipe,
      areaPx,
      areaMm2,
    },
    tissueMm2: null,
    objects,
    ...(points === undefined ? {} : { points }),
    ...(lengthPx === undefined ? {} : { lengthPx, lengthUm: lengthUm ?? null }),
    perMm2: objects === null || !areaMm2 ? null : objects / areaMm2,
    ...shares(classes),
    why: null,
  }
}

const csvHeader =
  'slide,region,class,state,recipe,area_px,area_mm2,tissue_mm2,objects,per_mm2,positive_share,h_score,why,points,length_um,length_px'.split(
    ',',
  )
const csvCells = (row: SummaryRow): string[] => {
  const { slide, region, state, recipe, areaPx, areaMm2, tissueMm2, objects, perMm2, positiveShare, hScore, why } = row
  const hasArea = row.points === undefined && row.lengthPx === undefined
  const figures = [hasArea ? areaPx : null, areaMm2, tissueMm2, objects, perMm2, positiveShare, hScore, why]
  return [slide, region, row.class, state, recipe, ...figures, row.points, row.lengthUm, row.lengthPx].map((each) =>
    String(each ?? ''),
  )
}
