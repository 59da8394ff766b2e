// Maps of density of runs: made when they are asked for, the last few kept for their tiles and files.
import { isPositive, mapLayerOf } from '../../app/contract'
import type { DensityMapAsk, DensityMapInfo, PlaneTile } from '../../app/contract'
import { EngineError } from '../base/errors'
import { SharedWork } from '../base/sharedWork'
import type { Classes } from '../run/objects/objectClasses'
import type { Run } from '../run/run'
import { aside } from './aside'
import { beside, counted } from './densityMap'
import type { MapValues } from './densityMap'
import { gathered, objectClassesOf, umPerPxOf } from './gathered'

/** 64 MiB each at most. */
const keptMaps = 2

export interface DensityMap extends MapValues {
  readonly asked: DensityMapAsk
  /** What it counts, as a file may say: a class by its id. */
  readonly what: string
  readonly umPerPx: { readonly x: number; readonly y: number } | null
  readonly info: DensityMapInfo
}
interface Kept {
  readonly run: Run
  readonly marks: Run['objects']['marks']
  readonly endOfIds: number
  readonly map: DensityMap
}

export class DensityMaps {
  readonly #kept = new Map<number, Kept>()
  readonly #going = new SharedWork<DensityMap>()
  readonly #onProgress: (runId: string, share: number) => void
  #made = 0

  constructor(onProgress: (runId: string, share: number) => void) {
    this.#onProgress = onProgress
  }

  /** Of a run that is over. `rule`: the recipe's, by the values that the run has. Throws INVALID_PARAMETER, CancelledError. */
  async make(run: Run, asked: DensityMapAsk, rule: Classes | null, signal: AbortSignal): Promise<DensityMap> {
    if (!run.over) throw new EngineError('INVALID_PARAMETER', `The run ${run.runId} is still going on: wait for its end.`)
    const { marks, endOfIds } = run.objects
    for (const kept of this.#kept.values()) {
      const isOf = kept.run === run && kept.marks === marks && kept.endOfIds === endOfIds
      if (isOf && JSON.stringify(kept.map.asked) === JSON.stringify(asked)) return kept.map
    }
    // Who asks after a change does not join.
    const name = JSON.stringify([run.runId, endOfIds, run.status().edits ?? 0, asked])
    const map = await this.#going.get(name, (work) => this.#measured(run, asked, rule, work.signal), signal)
    signal.throwIfAborted()
    return map
  }

  forget(runId: string): void {
    for (const [number, { run }] of this.#kept) if (run.runId === runId) this.#kept.delete(number)
  }

  async #measured(run: Run, asked: DensityMapAsk, rule: Classes | null, signal: AbortSignal): Promise<DensityMap> {
    const { marks, endOfIds } = run.objects
    const { kinds, what } = kindsOf(objectClassesOf(run, { rule }), asked)
    const { xs, ys, classAt } = await gathered(run, rule, signal)
    const ground = run.lookedAt.ground
    const umPerPx = umPerPxOf(run)
    const input = {
      ...{ xs, ys, counts: classAt.map((of) => kinds[of] ?? (kinds.length > 0 ? 0 : counted)) },
      ...{ isShare: asked.share, radius: asked.radiusUm, umPerPx, ground, regions: [] },
    }
    const told = (share: number): void => this.#onProgress(run.runId, share)
    const values = await aside('map', input, () => '', told, signal)
    const layer = mapLayerOf(++this.#made, run.runId)
    const { cellPx, highest, percentiles, cells } = values
    const info = {
      layer,
      unit: umPerPx ? ('um' as const) : ('px' as const),
      share: asked.share,
      highest,
      cellPx,
      cells,
      percentiles,
    }
    const map = { ...values, asked, what, umPerPx, info }
    this.#kept.set(this.#made, { run, marks, endOfIds, map })
    while (this.#kept.size > keptMaps) this.#kept.delete(this.#kept.keys().next().value!)
    return map
  }

  /** NOT_FOUND where it is kept no more. */
  tile(run: Run, number: number, level: number, x: number, y: number): PlaneTile {
    const kept = this.#kept.get(number)
    if (kept?.run !== run) throw new EngineError('NOT_FOUND', 'This map is kept no more: ask for it again.')
    const { cellPx, left, top, width, height, values, highest } = kept.map
    const { tileSizePx: side, scale } = run.draft.grid
    const tile = new Uint16Array(side * side)
    const cellAt = (at: number, first: number): number => Math.floor(((at + 0.5) * 2 ** level * scale) / cellPx) - first
    const columns = Int32Array.from({ length: side }, (_, i) => cellAt(x * side + i, left))
    for (let j = 0; j < side; j++) {
      const row = cellAt(y * side + j, top)
      if (row < 0 || row >= height) continue
      for (let i = 0; i < side; i++) {
        const column = columns[i]!
        const value = column < 0 || column >= width ? NaN : values[row * width + column]!
        if (!Number.isNaN(value)) tile[j * side + i] = 256 + (highest > 0 ? Math.round((255 * value) / highest) : 0)
      }
    }
    return { kind: 'map', sidePx: side, values: tile }
  }
}

/** What each class's objects are to the map; none: all objects count. */
function kindsOf(
  classes: readonly { readonly id: string; readonly name: string }[],
  { of, share }: DensityMapAsk,
): { kinds: readonly number[]; what: string } {
  if (share) {
    const signs = classes.map(({ id }) => isPositive(id))
    if (!signs.includes(true))
      throw new EngineError(
        'INVALID_PARAMETER',
        'The objects of this run are neither positive nor negative: it has no share of them.',
      )
    return { kinds: signs.map((sign) => (sign === null ? 0 : sign ? counted : beside)), what: 'positive share' }
  }
  if (of === null) return { kinds: [], what: 'objects' }
  const at = classes.findIndex(({ id, name }) => [id, name].some((each) => each.toLowerCase() === of.toLowerCase()))
  if (at < 0) {
    const known = classes.map(({ name }) => name).join(', ')
    throw new EngineError(
      'INVALID_PARAMETER',
      `expected ${known === '' ? 'a run with classes' : `one of ${known}`} for the map's class but received ${of}`,
    )
  }
  return { kinds: classes.map((_, i) => (i === at ? counted : 0)), what: `objects of class ${classes[at]!.id}` }
}
