// Regions with their slides and places: those of a slide from the lowest on, and some by their ids. Pure.
import { byPlace } from '../../../app/contract'
import type { DocumentCommand, DocumentState, PlacedRegion, RegionOfInterest } from '../../../app/contract'
import { finished, goingOver, ofEach } from '../../base/breather'
import { invalid } from '../../base/errors'
import type { Content, Placed } from '../content'
import type { FurtherParts } from './furtherParts'

/** The lowest first; where places are the same, by id. */
export const placedOn = (content: Content, key: string): Placed[] => finished(placing(content, key))

/** The same in small steps. As a rule they are in order. */
export function* placing({ regions }: Content, key: string): Generator<void, Placed[], void> {
  const placed: Placed[] = []
  let isSorted = true
  yield* goingOver(regions.values(), (each) => {
    if (each.region.slide !== key) return
    if (isSorted && placed.length > 0) isSorted = isBelow(placed.at(-1)!, each) < 0
    placed.push(each)
  })
  return isSorted ? placed : placed.sort(isBelow)
}

/** The highest place, in small steps; 0 where there are none above. */
export function* topOf(regions: Content['regions']): Generator<void, number, void> {
  let top = 0
  yield* goingOver(regions.values(), ({ place }) => {
    top = Math.max(top, place)
  })
  return top
}

/** As a command adds them, in small steps. */
export function* asAdded(placed: readonly Placed[]): Generator<void, { regions: RegionOfInterest[]; places: number[] }, void> {
  return { regions: yield* ofEach(placed, ({ region }) => region), places: yield* ofEach(placed, ({ place }) => place) }
}

const isBelow = (a: Placed, b: Placed): number => a.place - b.place || (a.region.id < b.region.id ? -1 : 1)

/** In small steps. `key` null: of no slide. `parts`: who holds what is too much for one answer. */
export function* regionsOfSlide(
  content: Content,
  key: string | null,
  parts?: FurtherParts,
): Generator<void, Pick<DocumentState, 'regions' | 'places' | 'more'>, void> {
  const all: PlacedRegion[] = []
  yield* goingOver(key === null ? [] : yield* placing(content, key), ({ region, place }) => all.push({ record: region, place }))
  const { first, ...more } = parts?.regions(all) ?? { first: all }
  return { regions: first.map(({ record }) => record), places: first.map(({ place }) => place), ...more }
}

/** Without those that are gone. */
export const placedOf = ({ regions }: Content, ids: readonly string[]): PlacedRegion[] =>
  ids.flatMap((id) => {
    const placed = regions.get(id)
    return placed ? [{ record: placed.region, place: placed.place }] : []
  })

/** Of a slide, the lowest first, in small steps; `ids`: of these alone. */
export function* regionsAmong(content: Content, key: string, ids?: readonly string[]): Generator<void, RegionOfInterest[], void> {
  if (!ids) return yield* ofEach(yield* placing(content, key), ({ region }) => region)
  const here = placedOf(content, [...new Set(ids)]).filter(({ record }) => record.slide === key)
  return here.sort(byPlace).map(({ record }) => record)
}

/** Throws INVALID_PARAMETER where a region would be put on a slide that the document does not have. */
export function requireOnSlides(command: DocumentCommand, isKnown: (key: string) => boolean): void {
  for (const each of command.type === 'together' ? command.commands : [command]) {
    const stranger = each.type === 'regions:add' ? each.regions.find(({ slide }) => !isKnown(slide)) : undefined
    if (stranger) throw invalid('the key of a slide of the document', 'regions.slide', stranger.slide)
  }
}
