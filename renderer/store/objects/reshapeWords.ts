// What is said of outlines that were changed. Pure.
import type { LeftOut, ReshapedObjects } from '../../../app/contract'
import { formatCount } from '../../arithmetic/format'
import { words } from '../../words'

/** The amount that is offered first: µm, or px where nobody knows a pixel's size. */
export const firstAmount = (mpp: number | null): number => (mpp === null ? 1 : 0.5)

/** The step's name, and what became of those that it is not true of. */
export function reshapedWords({ name, severed, made, objects, gone, asTheyAre }: ReshapedObjects): string {
  const said = [
    ...(severed > 0 ? [words.reshaped.fellApart(severed, made - objects + severed)] : []),
    ...(gone > 0 ? [words.reshaped.wouldVanish(gone)] : []),
    ...(asTheyAre > 0 ? [words.reshaped.nothingToChange(asTheyAre)] : []),
  ]
  return [name, ...said].join('; ')
}

/** The step's name, and how much of what was drawn did not become the object's. */
export function drawnWords({ name, leftOut }: { readonly name: string; readonly leftOut?: LeftOut | undefined }): string {
  if (!leftOut) return name
  const { others, apart } = leftOut
  const areaOf = ({ px, um2 }: LeftOut['apart']): string =>
    um2 === null ? `${formatCount(px)} px` : `${um2 < 100 ? Number(um2.toPrecision(2)) : formatCount(um2)} µm²`
  const said = [
    ...(others.px > 0 ? [words.reshaped.ofOthers(areaOf(others), others.objects)] : []),
    ...(apart.px > 0 ? [words.reshaped.apart(areaOf(apart))] : []),
  ]
  return [name, ...said].join('; ')
}
