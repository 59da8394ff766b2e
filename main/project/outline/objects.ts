// Objects that are to become others: the place around them, their pixels, and how it is refused.
import { EngineError } from '../../base/errors'
import type { RunObject } from '../../run/objects/result'
import type { Runs } from '../objects/pixels'

export const refuse = (why: string): EngineError => new EngineError('INVALID_PARAMETER', why)

/** The engine's threads may not look at what others may change: a copy each. */
export const runsOf = (objects: readonly RunObject[]): Runs[] => objects.map(({ runs }) => runs.slice())

/** Around all of them and so much more, from the image's corner on. */
export function rectOf(objects: readonly RunObject[], margin: number): { x: number; y: number; width: number; height: number } {
  const x0 = Math.min(...objects.map(({ minX }) => minX)) - margin
  const y0 = Math.min(...objects.map(({ minY }) => minY)) - margin
  const x1 = Math.max(...objects.map(({ maxX }) => maxX)) + 1 + margin
  const y1 = Math.max(...objects.map(({ maxY }) => maxY)) + 1 + margin
  const [x, y] = [Math.max(0, x0), Math.max(0, y0)]
  return { x, y, width: x1 - x, height: y1 - y }
}
