// A run's result and intermediate images as tiles: paints what is known now, and keeps what was painted within a budget.
import type { OverlayStyle } from '../../app/contract'
import { ByteCache } from '../base/byteCache'
import { EngineError } from '../base/errors'
import type { Run } from '../run/run'
import type { TileResults } from '../run/tileResults'
import type { Encoded } from '../base/encoded'
import { encodePng } from './encode'
import { hatchParts } from '../slide/hatch'
import { halve, padded, paintObjects, paintPlane, paintedArea } from './paint'

/** Up to this level tiles are painted from the objects; beyond there are too many, and tiles are halved from finer ones. */
const paintedLevels = 3
/** Intermediate images that were not kept are computed again, but only for so few windows that one tile answers soon. */
const recomputedLevels = { preview: 2, run: 1 } as const
const hatchColor = [200, 30, 90, 200] as const

export class OverlayTiles {
  private readonly encoded: ByteCache<Encoded>
  /** Unencoded tiles of the levels above paintedLevels, which coarser ones are made of. */
  private readonly halved = new ByteCache<Uint8Array>(64 * 1024 * 1024, (rgba) => rgba.byteLength)
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
    this.halved.deletePrefix(`${runId}/`)
  }

  /** The objects. Whatever revision was asked for, what is known now is painted: a later change has a later URL. */
  overlay(run: Run, style: OverlayStyle, level: number, x: number, y: number, signal?: AbortSignal): Promise<Encoded> {
    checkPlace(run, level, x, y)
    const key = `${run.runId}/${style}/${level}/${x}_${y}/${run.changed.revisionOf(level, x, y)}`
    return this.encoded.getOrCompute(
      key,
      async (stop) => encodePng(await this.objects(run, style, level, x, y, stop), run.draft.grid.tileSizePx),
      { signal },
    )
  }

  /** An intermediate image. NOT_FOUND where the recipe has none of that name, or the tile has none at that level. */
  async layer(run: Run, layer: string, level: number, x: number, y: number, signal?: AbortSignal): Promise<Encoded> {
    checkPlace(run, level, x, y)
    const known = run.draft.spec.layers
    if (!known.some(({ id }) => id === layer)) {
      throw new EngineError(
        'NOT_FOUND',
        `The recipe ${run.draft.spec.id} has no layer of that name: it has ${known.map(({ id }) => id).join(', ')}.`,
      )
    }
    const key = `${run.runId}/layer/${layer}/${level}/${x}_${y}/${run.changed.revisionOf(level, x, y)}`
    const paint = async (stop: AbortSignal): Promise<Encoded> => {
      const rgba = await this.plane(run, layer, level, x, y, level <= recomputedLevels[run.purpose] ? stop : null)
      if (!rgba) throw new EngineError('NOT_FOUND', `The layer ${layer} has nothing at this place and zoom. Zoom in.`)
      return encodePng(rgba, run.draft.grid.tileSizePx)
    }
    return this.encoded.getOrCompute(key, paint, { signal })
  }

  private async objects(
    run: Run,
    style: OverlayStyle,
    level: number,
    x: number,
    y: number,
    stop: AbortSignal,
  ): Promise<Uint8Array> {
    const size = run.draft.grid.tileSizePx
    if (run.changed.revisionOf(level, x, y) === 0) return new Uint8Array(size * size * 4)
    if (level <= paintedLevels) {
      const rgba = await paintObjects(run.objects.inRect(paintedArea(size, level, x, y)), style, size, level, x, y, stop)
      const area = { x: x * size, y: y * size, width: size, height: size }
      hatchParts(rgba, area, run.draft.grid.scale * 2 ** level, run.unreadable, hatchColor)
      return rgba
    }
    const key = `${run.runId}/${style}/${level}/${x}_${y}/${run.changed.revisionOf(level, x, y)}`
    const known = this.halved.get(key)
    if (known) return known
    // One after the other: a far view asks for thousands of tiles' objects, and other tiles are waited for too.
    const parts: (Uint8Array | null)[] = []
    for (const child of children(x, y)) {
      const isKnown = run.changed.revisionOf(level - 1, child.x, child.y) > 0
      parts.push(isKnown ? await this.objects(run, style, level - 1, child.x, child.y, stop) : null)
    }
    const rgba = halve(parts, size)
    this.halved.set(key, rgba)
    return rgba
  }

  private async plane(
    run: Run,
    layer: string,
    level: number,
    x: number,
    y: number,
    /** Stops what is computed for it; null = only what is kept is shown. */
    recompute: AbortSignal | null,
  ): Promise<Uint8Array | null> {
    const { grid } = run.draft
    // A tile that no worker has finished has no layers to show either.
    if (run.changed.revisionOf(level, x, y) === 0) return null
    if (level > 0) {
      const parts = await Promise.all(
        children(x, y).map((child) => this.plane(run, layer, level - 1, child.x, child.y, recompute)),
      )
      return parts.some((part) => part) ? halve(parts, grid.tileSizePx) : null
    }
    const { analysis } = run
    if (!analysis || x * grid.tileSizePx >= grid.widthPx || y * grid.tileSizePx >= grid.heightPx) return null
    const kept =
      this.results.cached(analysis, { x, y }, true) ??
      (recompute ? await this.results.look(analysis, { x, y }, 1, recompute) : null)
    const plane = kept?.planes?.find(({ name }) => name === layer)
    return plane ? padded(paintPlane(plane.kind, plane.data), plane.width, plane.height, grid.tileSizePx) : null
  }
}

function children(x: number, y: number): { x: number; y: number }[] {
  return [0, 1, 2, 3].map((n) => ({ x: x * 2 + (n % 2), y: y * 2 + (n >> 1) }))
}

function checkPlace(run: Run, level: number, x: number, y: number): void {
  const { grid } = run.draft
  const sizePx = grid.tileSizePx * 2 ** level
  if (level > grid.maxLevel || x * sizePx >= grid.widthPx || y * sizePx >= grid.heightPx) {
    throw new EngineError('NOT_FOUND', `The run ${run.runId} has no tile ${x}, ${y} at level ${level}.`)
  }
}
