// Tiles painted as a look has them: each in one picture at a time, kept while it is used and within a budget.
import { LRUCache } from 'lru-cache'
import { objectMarginPx } from '../../../app/contract'
import { screensOfBytes } from './cacheBudget'
import { paintTile, Scratch, type Look } from './paintTile'
import type { LoadedTile } from './tileCache'

interface Picture {
  readonly key: string
  readonly canvas: OffscreenCanvas
  /** Px of the picture per px of the tile. */
  readonly factor: number
}

/** Beyond, pictures would take more memory than a finer line is worth: they are enlarged. */
const largestFactor = 4

export class TilePictures {
  private readonly scratch = new Scratch()
  private readonly pictures = new LRUCache<LoadedTile, Picture>({
    // A tile's px may be half as wide as the screen's.
    maxSize: screensOfBytes(4),
    sizeCalculation: ({ canvas }) => canvas.width * canvas.height * 4,
    // At once: what is collected some time counts for nothing where a page's memory is looked at.
    dispose: ({ canvas }) => void (canvas.width = canvas.height = 0),
  })

  /** `scale`: px of the screen per px of the tile. `outlinePx`: of the screen. */
  of(tile: LoadedTile, look: Look, scale: number, outlinePx: number): Picture {
    const isObjects = tile.data.kind === 'objects'
    const factor = isObjects ? Math.max(1, Math.min(largestFactor, Math.round(scale))) : 1
    // In quarters of a px: a view that zooms evenly does not paint each frame anew.
    const wished = Math.round((4 * outlinePx * factor) / scale) / 4
    const widthPx = isObjects ? Math.max(factor === 1 ? 1 : 0.75, Math.min(objectMarginPx * factor - 1, wished)) : 0
    const key = `${look.key}|${factor}|${widthPx}`
    const known = this.pictures.get(tile)
    if (known?.key === key) return known
    const { rgba, sidePx } = paintTile(tile.data, look, factor, widthPx, this.scratch)
    const canvas = new OffscreenCanvas(sidePx, sidePx)
    canvas.getContext('2d')?.putImageData(new ImageData(rgba, sidePx, sidePx), 0, 0)
    const picture = { key, canvas, factor }
    this.pictures.set(tile, picture)
    tile.onClosed = () => void this.pictures.delete(tile)
    return picture
  }
}
