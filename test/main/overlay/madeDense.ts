// A run of many small objects that was never computed, for what paints them: squares of a few px on a lattice.
import type { MeasurementField } from '../../../native/index'
import { ObjectStore } from '../../../main/run/objects/objectStore'
import { gridOf } from '../../../main/run/plan/plan'
import type { Run } from '../../../main/run/run'
import { tilesOf } from '../packing'
import type { Plain } from '../packing'

/** `count` objects of 8 × 8 px over a square of `sidePx`, as a run shows them to the overlay. */
export function denseRun(count: number, sidePx: number): Run {
  const grid = gridOf(sidePx, sidePx, 1)
  const objects = new ObjectStore(grid)
  const across = Math.ceil(Math.sqrt(count))
  const pitch = sidePx / across
  const places = Array.from({ length: count }, (_, n): [number, number] => [
    Math.floor((n % across) * pitch),
    Math.floor(Math.floor(n / across) * pitch),
  ])
  const tiles = tilesOf(
    places.map(([x, y]) => square(x, y, 8)),
    grid.tileSizePx,
  )
  objects.add(tiles.map((tile) => ({ objects: tile, keep: null })))
  const made = {
    runId: 'r1',
    draft: { grid, resolution: { analysedMpp: 0.5 }, spec: { stainSet: 'h-e' }, classes: null },
    changed: { revisionOf: () => 1 },
    objects,
    unreadable: [],
    uncertain: [],
  }
  return made as unknown as Run
}

function square(x: number, y: number, side: number): Plain {
  const values: Partial<Record<MeasurementField, number>> = {
    firstX: x,
    firstY: y,
    minX: x,
    minY: y,
    maxX: x + side - 1,
    maxY: y + side - 1,
  }
  const runs = Array.from({ length: side }, (_, row) => [y + row, x, x + side]).flat()
  return { value: (field) => values[field] ?? 0, runs: Int32Array.from(runs) }
}
