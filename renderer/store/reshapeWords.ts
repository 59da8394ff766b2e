// What is said of outlines that were changed. Pure.
import type { LeftOut, ReshapedObjects } from '../../app/contract'
import { formatCount } from '../arithmetic/format'

/** The amount that is offered first: µm, or px where nobody knows a pixel's size. */
export const firstAmount = (mpp: number | null): number => (mpp === null ? 1 : 0.5)

/** The step's name, and what became of those that it is not true of. */
export function reshapedWords({ name, severed, made, objects, gone, asTheyAre }: ReshapedObjects): string {
  const words = [
    ...(severed > 0 ? [`${formatCount(severed)} fell into ${formatCount(made - objects + severed)} parts, each an object`] : []),
    ...(gone > 0
      ? [`nothing would be left of ${formatCount(gone)}, which ${gone === 1 ? 'stays as it is' : 'stay as they are'}`]
      : []),
    ...(asTheyAre > 0 ? [`nothing to change on ${formatCount(asTheyAre)}`] : []),
  ]
  return [name, ...words].join('; ')
}

/** The step's name, and how much of what was drawn did not become the object's. */
export function drawnWords({ name, leftOut }: { readonly name: string; readonly leftOut?: LeftOut | undefined }): string {
  if (!leftOut) return name
  const { others, apart } = leftOut
  const areaOf = ({ px, um2 }: LeftOut['apart']): string =>
    um2 === null ? `${formatCount(px)} px` : `${um2 < 100 ? Number(um2.toPrecision(2)) : formatCount(um2)} µm²`
  const words = [
    ...(others.px > 0
      ? [`${areaOf(others)} belong to ${others.objects === 1 ? 'another object' : 'other objects'} and were left out`]
      : []),
    ...(apart.px > 0 ? [`${areaOf(apart)} are not connected with the rest and were left out`] : []),
  ]
  return [name, ...words].join('; ')
}
