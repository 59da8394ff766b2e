// What of its region a run has looked at: without what it has not computed, and without what could not be read. Every area of a density is one of these.
import type { Shape } from '../../../app/contract'
import { areaInside, areaInsideAll, clippedShape, disjoint } from '../../base/clippedArea'
import { areaOf, intersection } from '../../base/rect'
import type { PixelRect } from '../../base/rect'
import { partsOf } from '../../base/shapes'
import type { RunOrder } from '../request/order'
import { regionOnSlide } from '../plan/plan'
import type { TissueOfRun } from '../analysis/tissueOfRun'

/** Level-0 px, but `undone`, which is in px of the analysed image. */
export class LookedAt {
  /** Its region on the slide. */
  private readonly bounds: PixelRect
  /** They share no place. */
  private readonly shapes: readonly Shape[] | undefined
  /** Of its region, and none twice. */
  private readonly missing: readonly PixelRect[]

  constructor({ draft, region, areas }: RunOrder, unreadable: readonly PixelRect[], undone: readonly PixelRect[]) {
    const { grid, slide } = draft
    const whole = { x: 0, y: 0, width: slide.info.widthPx, height: slide.info.heightPx }
    this.bounds = intersection(regionOnSlide(grid, region), whole)!
    this.shapes = areas
    const left = undone.map((rect) => regionOnSlide(grid, rect))
    this.missing = disjoint([...unreadable, ...left].flatMap((rect) => intersection(rect, this.bounds) ?? []))
  }

  /** All that was meant has been computed, and could be read. */
  get isWhole(): boolean {
    return this.missing.length === 0
  }

  /** All of it: of the box, or of the shapes in it where there are some, what is not missing. */
  get ground(): { bounds: PixelRect; shapes: readonly Shape[] | null; missing: readonly PixelRect[] } {
    return { bounds: this.bounds, shapes: this.shapes ?? null, missing: this.missing }
  }

  /** Of all that was meant. */
  get areaPx(): number {
    if (!this.shapes) return areaOf(this.bounds) - this.missing.reduce((sum, rect) => sum + areaOf(rect), 0)
    return this.shapes.reduce((sum, shape) => sum + this.areaOf(shape), 0)
  }

  /** Of a shape. */
  areaOf(shape: Shape): number {
    return Math.max(0, areaInside(shape, this.bounds) - areaInsideAll(shape, this.missing))
  }

  /** Whether something of the shape is missing. */
  lacks(shape: Shape): boolean {
    return areaInsideAll(shape, this.missing) > 0
  }

  /** Of all that was meant, as the slide's overview shows it. `all`: with what is missing. */
  tissueOf(tissue: TissueOfRun, all: number): number {
    const { missing, shapes } = this
    if (missing.length === 0) return all
    if (!shapes) return Math.max(0, all - missing.reduce((sum, rect) => sum + tissue.areaOnSlide(rect), 0))
    return Math.max(0, all - this.tissueMissing(tissue, shapes))
  }

  /** The same of a shape. */
  tissueIn(tissue: TissueOfRun, shape: Shape): number {
    return Math.max(0, tissue.areaWithin([shape]) - this.tissueMissing(tissue, [shape]))
  }

  private tissueMissing(tissue: TissueOfRun, shapes: readonly Shape[]): number {
    const { missing } = this
    const cut = shapes.flatMap((shape) =>
      missing.flatMap((rect) => clippedShape({ kind: 'polygon', parts: partsOf(shape) }, rect) ?? []),
    )
    return cut.length > 0 ? tissue.areaWithin(cut) : 0
  }
}
