// Regions with their slides and places: those of a slide from the lowest on, and some by their ids. Pure.
import { byPlace } from '../../app/contract'
import type { DocumentCommand, DocumentState, PlacedRegion, RegionOfInterest } from '../../app/contract'
import { invalid } from '../base/errors'
import type { Content, Placed } from './document'

/** The lowest first; where places are the same, by id. */
export const placedOn = ({ regions }: Content, key: string): Placed[] =>
  [...regions.values()]
    .filter(({ region }) => region.slide === key)
    .sort((a, b) => a.place - b.place || (a.region.id < b.region.id ? -1 : 1))

/** `key` null: of no slide. */
export function regionsOfSlide(content: Content, key: string | null): Pick<DocumentState, 'regions' | 'places'> {
  const placed = key === null ? [] : placedOn(content, key)
  return { regions: placed.map(({ region }) => region), places: placed.map(({ place }) => place) }
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
