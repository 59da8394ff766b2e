// Has OpenSeadragon draw tiles that it holds in another look: nothing is loaded, and the old look stays until the new one is there.
import { retryAfterMs } from './retry'

interface Repaints<Tile> {
  /** null: as it was loaded it has the look that is asked for. */
  repainted(tile: Tile): Promise<ImageBitmap | null>
}
interface Invalidated<Tile> {
  readonly tile: Tile
  readonly tiledImage: { readonly source: unknown }
  readonly setData: (data: ImageBitmap, type: string) => Promise<unknown>
}
/** What is used of OpenSeadragon's viewer. */
interface Invalidating<Tile> {
  addHandler(name: 'tile-invalidated', handler: (event: Invalidated<Tile>) => Promise<void>): unknown
  requestInvalidate(restoreTiles?: boolean): PromiseLike<unknown>
}

export class Repainter<Tile> {
  private busy = false
  private again = false
  private failures = 0

  constructor(
    private readonly viewer: Invalidating<Tile>,
    sourceOf: (source: unknown) => Repaints<Tile> | null,
  ) {
    viewer.addHandler('tile-invalidated', async ({ tile, tiledImage, setData }) => {
      try {
        const bitmap = await sourceOf(tiledImage.source)?.repainted(tile)
        this.failures = 0
        if (bitmap) await setData(bitmap, 'imageBitmap')
      } catch {
        // Samples of a channel that was not shown before could not be had: the tile stays as it is until they can.
        setTimeout(() => this.repaint(), retryAfterMs(++this.failures))
      }
    })
  }

  /** One pass at a time: of what is asked for meanwhile the last counts. */
  repaint(): void {
    this.again = true
    if (!this.busy) void this.pass()
  }

  private async pass(): Promise<void> {
    this.busy = true
    while (this.again) {
      this.again = false
      // Two passes of one millisecond would count as one.
      await new Promise((resolve) => setTimeout(resolve, 4))
      await this.viewer.requestInvalidate(true)
    }
    this.busy = false
  }
}
