// The outlines of chosen objects, for a window that shows which they are.
import { traceOutlines } from '../../../native/index'
import { ringsOf } from '../../run/point/objectDetails'
import type { Run } from '../../run/run'

/** More are a carpet in which no single one is seen, and would take the window seconds to draw. */
const mostOutlines = 5000

/** Rings of level-0 px of the first of those whose rank is marked. */
export async function chosenOutlines(run: Run, mask: Uint8Array): Promise<[number, number][][]> {
  const list = run.objects.all()
  const runs: number[] = []
  const offsets = [0]
  for (let rank = 0; rank < mask.length && offsets.length <= mostOutlines; rank++) {
    if (mask[rank] !== 1) continue
    for (const value of list.at(rank).runs) runs.push(value)
    offsets.push(runs.length / 3)
  }
  if (offsets.length === 1) return []
  return ringsOf(await traceOutlines(Int32Array.from(runs), Int32Array.from(offsets)), run.draft.grid.scale)
}
