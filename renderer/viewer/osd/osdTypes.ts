// What the viewer of one slide is given, and what it tells.
import type { Point, View } from '../../arithmetic/geometry'
import type { Picture } from '../tiles/pictureCache'

/** A tile that is made in the page. */
export interface Painted extends Omit<Picture, 'blob'> {
  readonly bitmap: ImageBitmap
}

export interface Source {
  readonly widthPx: number
  readonly heightPx: number
  readonly tileSizePx: number
  /** Halvings of level 0. */
  readonly maxLevel: number
  readonly url: (k: number, x: number, y: number) => string
  /** In place of the picture at `url`. `look` is another object when tiles are to be painted anew. */
  readonly painter?: {
    readonly look: () => object
    readonly paint: (k: number, x: number, y: number, signal: AbortSignal) => Promise<Painted>
  }
}

export interface OsdEvents {
  /** Within a frame, after the slide was drawn. */
  onFrame(view: View): void
  onSettled(): void
  onFirstTile(): void
  onTileFailed(): void
  /** A picture came with parts that the file could not give. */
  onUnreadable(parts: number, reason: string | null): void
  /** A picture of the level with `k` halvings stands for more than was read of it. */
  onSampled(k: number, every: number): void
  onClick(at: Point): void
  onPointer(at: Point | null): void
  /** Return true to take the drag from panning. */
  wantsDrag(): boolean
  /** A tool that takes drags and knows clicks besides. */
  clicksToo(): boolean
  onDrag(from: Point, to: Point, finished: boolean): void
  /** The wheel with Ctrl, by notches, away from the hand positive: return true to take it from zooming. The wheel alone always zooms. */
  onWheel(notches: number): boolean
}
