// What is said of outlines that were changed. Pure.
import type { ReshapedObjects } from '../../app/contract'
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
