// Which result tiles exist, under which revision: facts from run:tiles, kept out of the reactive store because there are many.
import type { TileRef } from '../../app/contract'

const keyOf = (level: number, x: number, y: number): string => `${level}/${x}_${y}`

interface RunTiles {
  readonly announced: Map<string, number>
  /** Ancestors of announced tiles, for levels that the engine does not announce itself. */
  readonly derived: Map<string, number>
  readonly levels: Set<number>
}

export class ResultTiles {
  private readonly runs = new Map<string, RunTiles>()
  private readonly listeners = new Set<(runId: string) => void>()
  /** Levels above this are never asked for: no run has more halvings. */
  private static readonly levels = 24

  announce(runId: string, tiles: readonly TileRef[]): void {
    let run = this.runs.get(runId)
    if (!run) {
      run = { announced: new Map(), derived: new Map(), levels: new Set() }
      this.runs.set(runId, run)
    }
    for (const { level, x, y, revision } of tiles) {
      run.announced.set(keyOf(level, x, y), revision)
      run.levels.add(level)
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
