// A comparison as tiles of numbers: objects coloured by whose they are, and from afar how many there are that only one run has.
import { comparedColours, deepestObjectLevel, packTile } from '../../app/contract'
import type { Encoded } from '../base/encoded'
import { EngineError } from '../base/errors'
import { densityOf, shownArea, tileOf } from '../overlay/objectTiles'
import type { PaintedObject } from '../overlay/objectTiles'
import type { Run } from '../run/run'
import { inBoth, onlyHere } from './comparisons'
import type { Compared } from './comparisons'

/** NOT_FOUND beyond the levels that tiles of objects have. */
export async function comparedTile(
  { a, b, fates }: Compared,
  plane: 'objects' | 'density',
  level: number,
  x: number,
  y: number,
  signal: AbortSignal,
): Promise<Encoded> {
  const { grid } = a.draft
  if (level > (plane === 'objects' ? deepestObjectLevel : grid.maxLevel))
    throw new EngineError('NOT_FOUND', `A comparison has no tile ${x}, ${y} at level ${level}.`)
  if (plane === 'density') {
    const tile = densityOf(a, level, x, y, (id) => fates.a[id] === onlyHere)
    const other = densityOf(b, level, x, y, (id) => fates.b[id] === onlyHere)
    other.counts.forEach((count, i) => (tile.counts[i]! += count))
    return encoded(packTile(tile))
  }
  const area = shownArea(grid.tileSizePx, level, x, y)
  const painted = (run: Run, own: Uint8Array, wanted: readonly number[], only: 'a' | 'b'): PaintedObject[] =>
    run.objects
      .inRect(area)
      .filter(({ id = -1 }) => wanted.includes(own[id]!))
      .map((object) => ({
        object,
        draft: run.draft,
        color: comparedColours[own[object.id!] === inBoth ? 'both' : only],
      }))
  // Of those that both have the first run's outline is drawn; what is in a larger object of the other is seen on it.
  const objects = [...painted(a, fates.a, [onlyHere, inBoth], 'a'), ...painted(b, fates.b, [onlyHere], 'b')]
  objects.sort((p, q) => q.object.area - p.object.area)
  return encoded(packTile(await tileOf(objects, grid, level, x, y, signal)))
}

const encoded = (body: Uint8Array<ArrayBuffer>): Encoded => ({ type: 'application/octet-stream', body })
