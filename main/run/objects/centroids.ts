// The centroids of objects, in steps short enough for the engine's thread, each with the box that they lie in.
import type { Box } from '../../base/shapes'
import { batchRows } from './packedObjects'
import type { PackedObjects } from './packedObjects'

export type VisitCentroid = (x: number, y: number, batch: PackedObjects, row: number, id: number) => void
/** So many are visited in a step. Rows side by side lie near each other. */
const rowsAtOnce = 1024

/** Gives the box of a step's centroids, all sides included, before they are visited; whose ids `isGone` names is not. */
export function* centroidsOf(
  batches: readonly PackedObjects[],
  isGone: (id: number) => boolean,
  visit: VisitCentroid,
): Generator<Box, void, void> {
  const [xs, ys] = [new Float64Array(batchRows), new Float64Array(batchRows)]
  for (const batch of batches) {
    batch.copyValues('centroidX', xs)
    batch.copyValues('centroidY', ys)
    for (let row = 0; row < batch.count;) {
      const end = Math.min(batch.count, row + rowsAtOnce)
      yield boxOfPoints(xs, ys, row, end)
      for (let id = batch.place * batchRows + row; row < end; row++, id++)
        if (!isGone(id)) visit(xs[row]!, ys[row]!, batch, row, id)
    }
  }
}

function boxOfPoints(xs: Float64Array, ys: Float64Array, first: number, end: number): Box {
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity]
  for (let i = first; i < end; i++) {
    const [x, y] = [xs[i]!, ys[i]!]
    if (x < minX) minX = x
    if (x > maxX) maxX = x
    if (y < minY) minY = y
    if (y > maxY) maxY = y
  }
  return { minX, minY, maxX, maxY }
}
