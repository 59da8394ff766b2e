// Which tiles of a run hold tissue: a tile without any within the recipe's margin has no objects, whoever asks, so that no result depends on tiling.
import type { Shape } from '../../../app/contract'
import { ByteCache } from '../../base/byteCache'
import type { PixelRect } from '../../base/rect'
import { tissueOf } from '../../slide/tissue'
import type { Tissue } from '../../slide/tissue'
import { digest } from '../../base/digest'
import type { Draft } from './draft'
import { around, coreOf, regionOnSlide, tilesOver } from '../plan/plan'
import type { Grid, TileIndex } from '../plan/plan'

/** Level-0 px²: less is what rounding leaves of nothing. */
const leastArea = 0.5

export class TissueOfRun {
  private readonly tissue: Tissue
  private readonly grid: Grid
  /** Level-0 px. */
  private readonly margin: number

  constructor(tissue: Tissue, grid: Grid, margin: number) {
    this.tissue = tissue
    this.grid = grid
    this.margin = margin
  }

  /** On every device, in every run and in its verification. Where nobody knows: yes, so that nothing is left out. */
  readonly has = (tile: TileIndex): boolean => this.surelyHas(tile) || this.isUnknown(tile)

  private surelyHas(tile: TileIndex): boolean {
    return this.tissue.touches(this.coreOnSlide(tile), this.margin)
  }

  /** The overview could not be read there, and might show glass alone: the tile would then hold nothing. */
  isUnknown(tile: TileIndex): boolean {
    const { unknown } = this.tissue
    return unknown !== null && unknown.where.touches(this.coreOnSlide(tile), this.margin) && !this.surelyHas(tile)
  }

  private coreOnSlide(tile: TileIndex): PixelRect {
    return regionOnSlide(this.grid, coreOf(this.grid, tile))
  }

  /** Why not all of the overview could be read; null: it was. */
  get unread(): string | null {
    return this.tissue.unknown?.reason ?? null
  }

  /** Whether all of a region of analysed px, or of shapes of level-0 px, is known to be tissue or glass: else it has no area of tissue. */
  knows(at: PixelRect | readonly Shape[]): boolean {
    const where = this.tissue.unknown?.where
    if (!where) return true
    return ('width' in at ? where.areaIn(regionOnSlide(this.grid, at)) : where.areaWithin(at)) < leastArea
  }

  /** Of a block's core, around all tiles of the grid that have tissue; null where none has. */
  partOf(core: PixelRect): PixelRect | null {
    const tiles = tilesOver(core, this.grid.tileSizePx).filter(this.has)
    return tiles.length > 0 ? around(this.grid, tiles) : null
  }

  /** Of an analysed px. Where nobody knows: yes. */
  at(x: number, y: number): boolean {
    const { tissue } = this
    const [onX, onY] = [(x + 0.5) * this.grid.scale, (y + 0.5) * this.grid.scale]
    return tissue.at(onX, onY) || (tissue.unknown?.where.at(onX, onY) ?? false)
  }

  /** Level-0 px² of tissue in a region of analysed px, its margin apart. */
  areaIn(region: PixelRect): number {
    return this.tissue.areaIn(regionOnSlide(this.grid, region))
  }

  /** The same in level-0 px. */
  areaOnSlide(rect: PixelRect): number {
    return this.tissue.areaIn(rect)
  }

  /** The same within shapes of level-0 px. */
  areaWithin(shapes: readonly Shape[]): number {
    return this.tissue.areaWithin(shapes)
  }
}

/** Of fluorescence the overview shows the nuclei themselves: that is no tissue to tell a density of. */
export const hasTissueFigure = ({ spec }: Pick<Draft, 'spec'>): boolean => spec.stainSet !== 'rgb'

/** Level-0 px² of tissue, as the Tissue layer shows it; null where nobody knows. */
export function tissueFigure(draft: Draft, tissue: TissueOfRun | null, at: PixelRect | readonly Shape[]): number | null {
  if (!tissue || !hasTissueFigure(draft) || !tissue.knows(at)) return null
  return 'width' in at ? tissue.areaIn(at) : tissue.areaWithin(at)
}

/** The tissue of slides, each looked at once for every rule. */
export class Tissues {
  private readonly kept = new ByteCache<{ readonly tissue: Tissue | null }>(
    64 * 1024 * 1024,
    ({ tissue }) => 200 + (tissue?.bytes ?? 0),
  )

  /**
   * null where the recipe wants all of the slide, or its overview does not tell. `anew`: what could not be read before is asked for once more,
   * e.g. on a network drive.
   */
  async of(
    { slide, spec, grid, params, resolution }: Draft,
    threads: number,
    signal?: AbortSignal,
    anew = false,
  ): Promise<TissueOfRun | null> {
    if (params['tissue.only'] !== true) return null
    const rule = { shines: spec.stainSet === 'rgb', level: Number(params['tissue.level']) }
    const mpp = resolution.nominalMpp / grid.scale
    const key = `${slide.info.slideId}/${digest([rule, mpp])}`
    if (anew && this.kept.get(key)?.tissue?.unknown) this.kept.deletePrefix(key)
    const { tissue } = await this.kept.getOrCompute(
      key,
      async (stop) => ({ tissue: await tissueOf(slide, mpp, rule, threads, stop) }),
      { signal },
    )
    return tissue && new TissueOfRun(tissue, grid, Number(params['tissue.margin']) * grid.scale)
  }

  forget(slideId: string): void {
    this.kept.deletePrefix(`${slideId}/`)
  }
}
