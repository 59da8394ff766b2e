// A document one change later, as the engine told of it: by kind and key, so that nothing else of it is another. Pure.
import { byPlace } from '../../../app/contract'
import type { DocumentChange, DocumentState, PlacedRegion, PutRecord, RegionOfInterest } from '../../../app/contract'

type Put<K extends PutRecord['kind']> = Extract<PutRecord, { kind: K }>
const putOf = <K extends PutRecord['kind']>({ put }: DocumentChange, kind: K): Put<K>[] =>
  put.filter((each): each is Put<K> => each.kind === kind)

/** Regions of the open slide that were told by key alone: they are asked for before the change is applied. */
export const largeOn = (change: DocumentChange, slide: string | null): string[] =>
  putOf(change, 'largeRegion').flatMap((each) => (each.slide === slide ? each.key : []))

/** `large`: those of `largeOn` that are still there. Cost: one pass over what the slide has, of the kinds that are told of. */
export function changed(
  doc: DocumentState,
  revision: number,
  change: DocumentChange,
  large: readonly PlacedRegion[] = [],
): DocumentState {
  const classes = putOf(change, 'classes').at(-1)?.records ?? doc.classes
  return {
    ...doc,
    revision,
    classes,
    undo: change.undo,
    redo: change.redo,
    slides: slidesAfter(doc, change),
    runs: runsAfter(doc, change),
    ...regionsAfter(doc, change, large),
  }
}

function regionsAfter(
  { slide, regions, places }: DocumentState,
  change: DocumentChange,
  large: readonly PlacedRegion[],
): Pick<DocumentState, 'regions' | 'places'> {
  const put = [...putOf(change, 'region'), ...large].filter(({ record }) => record.slide === slide)
  const gone = [
    ...change.removed.flatMap(({ kind, key }) => (kind === 'region' ? key : [])),
    // One that is gone by now is told as removed next.
    ...largeOn(change, slide).filter((key) => !large.some(({ record }) => record.id === key)),
  ]
  if (put.length === 0 && gone.length === 0) return { regions, places }
  const other = new Set([...gone, ...put.map(({ record }) => record.id)])
  const byId = new Map(put.map((each) => [each.record.id, each]))
  const sorted = [...byId.values()].sort(byPlace)
  const after: { regions: RegionOfInterest[]; places: number[] } = { regions: [], places: [] }
  const push = ({ record, place }: PlacedRegion): void => {
    after.regions.push(record)
    after.places.push(place)
  }
  // What stays is in order already.
  let next = 0
  for (const [i, record] of regions.entries()) {
    if (other.has(record.id)) continue
    const place = places[i]!
    while (next < sorted.length && byPlace(sorted[next]!, { record, place }) < 0) push(sorted[next++]!)
    after.regions.push(record)
    after.places.push(place)
  }
  while (next < sorted.length) push(sorted[next++]!)
  return after
}

function runsAfter({ runs }: DocumentState, change: DocumentChange): DocumentState['runs'] {
  const put = putOf(change, 'run')
  const gone = change.removed.filter(({ kind }) => kind === 'run')
  if (put.length === 0 && gone.length === 0) return runs
  const byId = new Map(runs.map((run) => [run.id, run]))
  for (const { key } of gone) byId.delete(key)
  for (const { record } of put) byId.set(record.id, record)
  return [...byId.values()]
}

/** Is there a result among what was put on this slide? */
const putsRunOn = (change: DocumentChange, slide: string | null): boolean =>
  putOf(change, 'run').some(({ record }) => record.slide === slide)

function slidesAfter({ slides }: DocumentState, change: DocumentChange): DocumentState['slides'] {
  const counts = new Map(putOf(change, 'slide').map(({ key, regions }) => [key, regions]))
  const isOther = slides.some(({ key, regions }) => (counts.get(key) ?? regions) !== regions)
  return isOther ? slides.map((slide) => ({ ...slide, regions: counts.get(slide.key) ?? slide.regions })) : slides
}

/** What of its figures is another now: of these regions, or of all where a result or its objects are. */
export function toMeasure(change: DocumentChange, slide: string | null): readonly string[] | 'all' {
  const isAll = change.put.some((each) => each.kind === 'corrections' && each.slide === slide)
  if (isAll || putsRunOn(change, slide) || change.removed.some(({ kind }) => kind === 'run')) return 'all'
  const own = putOf(change, 'region').flatMap(({ record }) => (record.slide === slide ? record.id : []))
  return [...own, ...largeOn(change, slide)]
}

/** Slides of which lists say something else. */
export const slidesOf = (change: DocumentChange): string[] => putOf(change, 'slide').map(({ key }) => key)
