// What pages are told of a change of the document: the records that it put and removed, as pages know them. Pure.
import { mostToldPoints } from '../../app/contract'
import type { DocumentChange, DocumentSlide, KeptRun, PutRecord, RemovedRecord } from '../../app/contract'
import type { Content } from './document'
import { pointsOf } from './regions/furtherParts'
import { carryCounts, regionCounts } from './slides/perSlide'
import type { Touched } from './records/batch'
import type { Step } from './records/steps'
import { nextSteps } from './slides/standing'
import type { ProjectStore } from './store'
import { standingRuns } from './wholes/wholes'

/** Of one event: beyond it pages ask for all. */
const mostRecords = 1000
/** Points of one event's regions. */
const mostPoints = 8 * mostToldPoints

/** As it stands from now on. */
interface Now {
  readonly content: Content
  readonly slides: ReadonlyMap<string, DocumentSlide>
  readonly steps: readonly Step[]
}

/** undefined: pages ask for all. `store`: has just written the change. */
export function changeOf(
  before: Content,
  { content, slides, steps }: Now,
  store: Pick<ProjectStore, 'touched' | 'commandOf'>,
): DocumentChange | undefined {
  const told = toldOf(before, content, slides, store.touched)
  return told ? { ...told, ...nextSteps(steps, store) } : undefined
}

type Told = Pick<DocumentChange, 'put' | 'removed'>
const none: ReadonlySet<string> = new Set()

/** null: too much to tell, or slides came or went. O(touched), and O(runs) where a run was. */
function toldOf(before: Content, content: Content, slides: ReadonlyMap<string, DocumentSlide>, touched: Touched): Told | null {
  const [regionIds, runIds, corrected] = ['regions', 'runs', 'edits'].map((table) => touched.get(table) ?? none) as [
    ReadonlySet<string>,
    ReadonlySet<string>,
    ReadonlySet<string>,
  ]
  if (regionIds.size + runIds.size + corrected.size > mostRecords) return null
  const put: PutRecord[] = []
  const removed: RemovedRecord[] = []
  const keys = new Set<string>()
  let points = 0
  for (const id of regionIds) {
    const [was, is] = [before.regions.get(id), content.regions.get(id)]
    for (const each of [was, is]) if (each) keys.add(each.region.slide)
    if (!is) {
      if (was) removed.push({ kind: 'region', key: id })
      continue
    }
    const count = pointsOf(is.region.shape)
    const isLarge = count > mostToldPoints
    if (isLarge) put.push({ kind: 'largeRegion', key: id, slide: is.region.slide })
    else put.push({ kind: 'region', record: is.region, place: is.place })
    points += isLarge ? 0 : count
  }
  if (points > mostPoints) return null
  if (touched.has('classes')) put.push({ kind: 'classes', records: [...content.classes] })
  for (const { kind, run } of runIds.size > 0 ? runChanges(before, content) : []) {
    keys.add(run.slide)
    if (kind === 'put') put.push({ kind: 'run', record: run })
    else removed.push({ kind: 'run', key: run.id })
  }
  for (const id of corrected) {
    const run = content.runs.get(id)
    if (!run) continue
    keys.add(run.slide)
    put.push({ kind: 'corrections', key: id, slide: run.slide })
  }
  carryCounts(before.regions, content.regions, regionIds)
  const rows = slideRows(before, content, slides, keys)
  return rows && { put: [...put, ...rows], removed }
}

/** Of the runs that lists have: with a whole its parts go, and come back. */
function runChanges(before: Content, content: Content): { kind: 'put' | 'removed'; run: KeptRun }[] {
  const [was, is] = [before, content].map(({ runs }) => new Map(standingRuns(runs).map((run) => [run.id, run]))) as [
    Map<string, KeptRun>,
    Map<string, KeptRun>,
  ]
  return [
    ...[...was.values()].flatMap((run) => (is.has(run.id) ? [] : { kind: 'removed' as const, run })),
    ...[...is.values()].flatMap((run) => (was.get(run.id) === run ? [] : { kind: 'put' as const, run })),
  ]
}

/** null: one of them is listed now and was not before, or the other way. */
function slideRows(
  before: Content,
  content: Content,
  slides: ReadonlyMap<string, DocumentSlide>,
  keys: ReadonlySet<string>,
): PutRecord[] | null {
  const [was, is] = [usesOf(before, keys), usesOf(content, keys)]
  const rows: PutRecord[] = []
  for (const key of keys) {
    const slide = slides.get(key)
    if (!slide) return null
    const isListed = ({ used }: { used: ReadonlySet<string> }): boolean => !slide.removed || used.has(key)
    if (isListed(was) !== isListed(is)) return null
    if (isListed(is)) rows.push({ kind: 'slide', key, regions: is.regions.get(key) ?? 0 })
  }
  return rows
}

/** Which of these slides have a region or a run, and how many regions. */
function usesOf(
  { regions, runs }: Content,
  keys: ReadonlySet<string>,
): { used: Set<string>; regions: ReadonlyMap<string, number> } {
  if (keys.size === 0) return { used: new Set(), regions: new Map() }
  const counts = regionCounts(regions)
  const used = new Set([...keys].filter((key) => counts.has(key)))
  for (const { slide } of runs.values()) if (keys.has(slide)) used.add(slide)
  return { used, regions: counts }
}
