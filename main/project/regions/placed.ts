// Regions with their slides and places: those of a slide from the lowest on, and some by their ids. Pure.
import { byPlace } from '../../../app/contract'
import type { DocumentCommand, DocumentState, PlacedRegion, RegionOfInterest } from '../../../app/contract'
import { finished } from '../../base/breather'
import { invalid } from '../../base/errors'
import type { Content, Placed } from '../document'
import type { FurtherParts } from './furtherParts'

/** The lowest first; where places are the same, by id. */
export const placedOn = (content: Content, key: string): Placed[] => finished(placing(content, key))

/** The same in small steps. As a rule they are in order. */
export function* placing({ regions }: Content, key: string): Generator<void, Placed[], void> {
  const placed: Placed[] = []
  let isSorted = true
  for (const each of regions.values()) {
    if (each.region.slide !== key) continue
    if (isSorted && placed.length > 0) isSorted = isBelow(placed.at(-1)!, each) < 0
    placed.push(each)
    if (placed.length % 1000 === 0) yield
  }
  return isSorted ? placed : placed.sort(isBelow)
}

const isBelow = (a: Placed, b: Placed): number => a.place - b.place || (a.region.id < b.region.id ? -1 : 1)

/** In small steps. `key` null: of no slide. `parts`: who holds what is too much for one answer. */
export function* regionsOfSlide(
  content: Content,
  key: string | null,
  parts?: FurtherParts,
): Generator<void, Pick<DocumentState, 'regions' | 'places' | 'more'>, void> {
  const all: PlacedRegion[] = []
  for (const { region, place } of key === null ? [] : yield* placing(content, key)) {
    all.push({ record: region, place })
    if (all.length % 1000 === 0) yield
  }
  const { first, ...more } = parts?.regions(all) ?? { first: all }
  return { regions: first.map(({ record }) => record), places: first.map(({ place }) => place), ...more }
}

/** Without those that are gone. */
export const placedOf = ({ regions }: Content, ids: readonly string[]): PlacedRegion[] =>
  ids.flatMap((id) => {
    const placed = regions.get(id)
    return placed ? [{ record: placed.region, place: placed.place }] : []
  })

/** Of a slide, the lowest first; `ids`: of these alone. */
export function regionsAmong(content: Content, key: string, ids?: readonly string[]): RegionOfInterest[] {
  if (!ids) return placedOn(content, key).map(({ region }) => region)
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
