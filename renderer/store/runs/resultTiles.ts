// Which result tiles exist, under which revision: facts from run:tiles, kept out of the reactive store because there are many.
import type { RunStatus, TileRef } from '../../../app/contract'

const keyOf = (level: number, x: number, y: number): string => `${level}/${x}_${y}`

interface RunTiles {
  readonly announced: Map<string, number>
  /** Ancestors of announced tiles, for levels that the engine does not announce itself. */
  readonly derived: Map<string, number>
  readonly levels: Set<number>
  /** In tiles of each announced level. */
  readonly extents: Map<number, { left: number; top: number; right: number; bottom: number }>
}

export class ResultTiles {
  private readonly runs = new Map<string, RunTiles>()
  private readonly listeners = new Set<(runId: string) => void>()
  /** Levels above this are never asked for: no run has more halvings. */
  private static readonly levels = 24

  announce(runId: string, tiles: readonly TileRef[]): void {
    let run = this.runs.get(runId)
    if (!run) {
      run = { announced: new Map(), derived: new Map(), levels: new Set(), extents: new Map() }
      this.runs.set(runId, run)
    }
    for (const { level, x, y, revision } of tiles) {
      const at = keyOf(level, x, y)
      // The answer to run:tiles may be older than an event that overtook it.
      if ((run.announced.get(at) ?? -1) < revision) run.announced.set(at, revision)
      run.levels.add(level)
      const known = run.extents.get(level)
      run.extents.set(level, {
        left: Math.min(known?.left ?? x, x),
        top: Math.min(known?.top ?? y, y),
        right: Math.max(known?.right ?? x, x + 1),
        bottom: Math.max(known?.bottom ?? y, y + 1),
      })
      for (let up = 1; level + up < ResultTiles.levels; up++) {
        const key = keyOf(level + up, Math.floor(x / 2 ** up), Math.floor(y / 2 ** up))
        const known = run.derived.get(key)
        // All coarser ancestors know at least this revision already.
        if (known !== undefined && known >= revision) break
        run.derived.set(key, revision)
      }
    }
    for (const listener of this.listeners) listener(runId)
  }

  /** undefined: the tile does not exist yet. */
  revision(runId: string, level: number, x: number, y: number): number | undefined {
    const run = this.runs.get(runId)
    if (!run) return undefined
    const key = keyOf(level, x, y)
    return run.levels.has(level) ? run.announced.get(key) : run.derived.get(key)
  }

  /** The box around all that has been computed of a run, in level-0 px; null: nothing yet. */
  box(runId: string, grid: RunStatus['grid']): { x: number; y: number; width: number; height: number } | null {
    const run = this.runs.get(runId)
    const finest = run && run.extents.size > 0 ? Math.min(...run.extents.keys()) : null
    const extent = finest === null ? undefined : run?.extents.get(finest)
    if (finest === null || !extent) return null
    const span = grid.tileSizePx * 2 ** finest * grid.scale
    const { left, top, right, bottom } = extent
    return { x: left * span, y: top * span, width: (right - left) * span, height: (bottom - top) * span }
  }

  count(runId: string): number {
    return this.runs.get(runId)?.announced.size ?? 0
  }

  /** Forgets every run that is not in `ids`. */
  keepOnly(ids: ReadonlySet<string>): void {
    for (const id of this.runs.keys()) if (!ids.has(id)) this.runs.delete(id)
  }

  clear(): void {
    this.runs.clear()
    for (const listener of this.listeners) listener('')
  }

  onChange(listener: (runId: string) => void): () => void {
    this.listeners.add(listener)
    return () => void this.listeners.delete(listener)
  }
}

export const resultTiles = new ResultTiles()
