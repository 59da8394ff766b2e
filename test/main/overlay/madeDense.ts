// A run of many small objects that was never computed, for what paints them: squares of a few px on a lattice.
import type { MeasurementField, ObjectColumns } from '../../../native/index'
import { MEASUREMENT_FIELDS } from '../../../native/index'
import { TileObjects } from '../../../main/run/tileObjects'
import { ObjectStore } from '../../../main/run/objectStore'
import { gridOf } from '../../../main/run/plan'
import type { Run } from '../../../main/run/run'

/** `count` objects of 8 × 8 px over a square of `sidePx`, as a run shows them to the overlay. */
export function denseRun(count: number, sidePx: number): Run {
  const grid = gridOf(sidePx, sidePx, 1)
  const objects = new ObjectStore(grid)
  const across = Math.ceil(Math.sqrt(count))
  const pitch = sidePx / across
  const byTile = new Map<string, [number, number][]>()
  for (let n = 0; n < count; n++) {
    const at: [number, number] = [Math.floor((n % across) * pitch), Math.floor(Math.floor(n / across) * pitch)]
    const key = at.map((value) => Math.floor(value / grid.tileSizePx)).join()
    const own = byTile.get(key)
    if (own) own.push(at)
    else byTile.set(key, [at])
  }
  for (const places of byTile.values())
    objects.add(
      TileObjects.from(squares(places, 8), 0, 0, () => true),
      () => true,
    )
  const made = { runId: 'r1', draft: { grid }, changed: { revisionOf: () => 1 }, objects, unreadable: [] }
  return made as unknown as Run
}

function squares(places: readonly [number, number][], side: number): ObjectColumns {
  const values: Partial<Record<MeasurementField, (x: number, y: number) => number>> = {
    firstX: (x) => x,
    firstY: (_, y) => y,
    minX: (x) => x,
    minY: (_, y) => y,
    maxX: (x) => x + side - 1,
    maxY: (_, y) => y + side - 1,
  }
  const column = (field: MeasurementField) => Float64Array.from(places, ([x, y]) => values[field]?.(x, y) ?? 0)
  const runs = places.flatMap(([x, y]) => Array.from({ length: side }, (_, row) => [y + row, x, x + side]).flat())
  return {
    count: places.length,
    columns: Object.fromEntries(MEASUREMENT_FIELDS.map((field) => [field, column(field)])) as ObjectColumns['columns'],
    runs: Int32Array.from(runs),
    runOffsets: Int32Array.from({ length: places.length + 1 }, (_, i) => i * side),
  }
}
