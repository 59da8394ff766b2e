// What a frame draws of the tiles, before it is drawn: where nothing of it has changed the canvas is left alone, as each canvas that is
// touched is copied whole to the compositor (4 MB a field) and put together with the others again.
import type { LoadedTile } from './tileCache'
import type { Box, Surface } from './tileLayer'

/** A tile's part to be drawn at a place, or, without one, a place to be cleared. */
export interface Step {
  readonly tile: LoadedTile | null
  readonly source: Box | null
  readonly target: Box
  /** Of what is cleared: the run in whose shapes alone; null: all of it. */
  readonly within: string | null
}

const isSameBox = (a: Box | null, b: Box | null): boolean =>
  a === b || (a !== null && b !== null && a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height)

export class RecordedFrame implements Surface<LoadedTile> {
  readonly steps: Step[] = []
  /** `key`: all that decides how the steps look, besides themselves. */
  constructor(readonly key: string) {}

  clear(x: number, y: number, width: number, height: number, within: string | null): void {
    this.steps.push({ tile: null, source: null, target: { x, y, width, height }, within })
  }
  draw(tile: LoadedTile, source: Box, target: Box): void {
    this.steps.push({ tile, source, target, within: null })
  }

  get tiles(): ReadonlySet<LoadedTile> {
    return new Set(this.steps.flatMap(({ tile }) => tile ?? []))
  }

  looksLike(other: RecordedFrame | null): boolean {
    return (
      other !== null &&
      this.key === other.key &&
      this.steps.length === other.steps.length &&
      this.steps.every((step, i) => {
        const before = other.steps[i]
        return (
          before?.tile === step.tile &&
          before.within === step.within &&
          isSameBox(before.source, step.source) &&
          isSameBox(before.target, step.target)
        )
      })
    )
  }
}
