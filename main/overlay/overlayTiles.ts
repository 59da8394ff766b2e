// A run's result and intermediate images as tiles of numbers: what is known now, and what was asked for lately kept within a budget.
import { deepestObjectLevel, packTile, tissueLayer } from '../../app/contract'
import { ByteCache } from '../base/byteCache'
import { EngineError } from '../base/errors'
import type { Run } from '../run/run'
import type { TileResults } from '../run/tiles/tileResults'
import type { Encoded } from '../base/encoded'
import { densityOf, objectsTile, withUnreadable } from './objectTiles'
import { halve, padded, tissueTile, type PlaneSquare } from './planeTiles'

/** Intermediate images that were not kept are computed again, but only for so few windows that one tile answers soon. */
const recomputedLevels = { preview: 2, run: 1 } as const

export class OverlayTiles {
  private readonly encoded: ByteCache<Encoded>
  private readonly results: TileResults

  constructor(budgetBytes: number, results: TileResults) {
    this.encoded = new ByteCache(budgetBytes, (tile) => tile.body.byteLength + 200)
    this.results = results
  }

  setBudget(bytes: number): void {
    this.encoded.setBudget(bytes)
  }

  forget(runId: string): void {
    this.encoded.deletePrefix(`${runId}/`)
  }

  /** The objects. Whatever revision was asked for, what is known now is told: a later change has a later URL. NOT_FOUND beyond their levels. */
  objects(run: Run, level: number, x: number, y: number, signal?: AbortSignal): Promise<Encoded> {
    checkPlace(run, level, x, y)
    if (level > deepestObjectLevel) {
      throw new EngineError('NOT_FOUND', `Objects have tiles up to level ${deepestObjectLevel}; beyond, ask for their density.`)
    }
    const compute = async (stop: AbortSignal): Promise<Encoded> => {
      const tile = await objectsTile(run, level, x, y, stop)
      return encoded(packTile(withUnreadable(tile, run, level, x, y)))
    }
    return this.encoded.getOrCompute(this.key(run, 'objects', level, x, y), compute, { signal })
  }

  /** How many objects there are where. */
  density(run: Run, level: number, x: number, y: number, signal?: AbortSignal): Promise<Encoded> {
    checkPlace(run, level, x, y)
    const compute = (): Promise<Encoded> => Promise.resolve(encoded(packTile(densityOf(run, level, x, y))))
    return this.encoded.getOrCompute(this.key(run, 'density', level, x, y), compute, { signal })
  }

  /** An intermediate image. NOT_FOUND where the recipe has none of that name, or the tile has none at that level. */
  async layer(run: Run, layer: string, level: number, x: number, y: number, signal?: AbortSignal): Promise<Encoded> {
    checkPlace(run, level, x, y)
    if (layer === tissueLayer) {
      const key = `${run.runId}/layer/${layer}/${level}/${x}_${y}`
      return this.encoded.getOrCompute(key, () => Promise.resolve(encoded(packTile(tissueTile(run, level, x, y)))), { signal })
    }
    const known = run.draft.spec.layers
    if (!known.some(({ id }) => id === layer)) {
      throw new EngineError(
        'NOT_FOUND',
        `The recipe ${run.draft.spec.id} has no layer of that name: it has ${known.map(({ id }) => id).join(', ')}.`,
      )
    }
    const compute = async (stop: AbortSignal): Promise<Encoded> => {
      const square = await this.plane(run, layer, level, x, y, level <= recomputedLevels[run.purpose] ? stop : null)
      if (!square) throw new EngineError('NOT_FOUND', `The layer ${layer} has nothing at this place and zoom. Zoom in.`)
      return encoded(packTile({ ...square, sidePx: run.draft.grid.tileSizePx }))
    }
    return this.encoded.getOrCompute(this.key(run, `layer/${layer}`, level, x, y), compute, { signal })
  }

  private key(run: Run, what: string, level: number, x: number, y: number): string {
    return `${run.runId}/${what}/${level}/${x}_${y}/${run.changed.revisionOf(level, x, y)}`
  }

  private async plane(
    run: Run,
    layer: string,
    level: number,
    x: number,
    y: number,
    /** Stops what is computed for it; null = only what is kept is shown. */
    recompute: AbortSignal | null,
  ): Promise<PlaneSquare | null> {
    const { grid } = run.draft
    // A tile that no worker has finished has no layers to show either.
    if (run.changed.revisionOf(level, x, y) === 0) return null
    if (level > 0) {
      const children = [0, 1, 2, 3].map((n) => ({ x: x * 2 + (n % 2), y: y * 2 + (n >> 1) }))
      const parts = await Promise.all(children.map((child) => this.plane(run, layer, level - 1, child.x, child.y, recompute)))
      return halve(parts, grid.tileSizePx)
    }
    const { analysis } = run
    if (!analysis || x * grid.tileSizePx >= grid.widthPx || y * grid.tileSizePx >= grid.heightPx) return null
    const kept =
      this.results.cached(analysis, { x, y }, 'planes') ??
      (recompute ? await this.results.look(analysis, { x, y }, { wanted: 'planes', threads: 1 }, recompute) : null)
    const plane = kept?.planes?.find(({ name }) => name === layer)
    return plane ? padded(plane, grid.tileSizePx) : null
  }
}

const encoded = (body: Uint8Array<ArrayBuffer>): Encoded => ({ type: 'application/octet-stream', body })

function checkPlace(run: Run, level: number, x: number, y: number): void {
  const { grid } = run.draft
  const sizePx = grid.tileSizePx * 2 ** level
  if (level > grid.maxLevel || x * sizePx >= grid.widthPx || y * sizePx >= grid.heightPx) {
    throw new EngineError('NOT_FOUND', `The run ${run.runId} has no tile ${x}, ${y} at level ${level}.`)
  }
}
