// Outlines of a stranger's file as objects of one result: each has pixels of its own, in one piece; what cannot be taken is counted by why.
import { mostHandClasses } from '../../../app/contract'
import { contains } from '../../base/rect'
import type { PixelRect } from '../../base/rect'
import type { Grid } from '../../run/plan/plan'
import { Reasons } from '../geojsonFile/reasons'
import { pixelCount } from '../objects/drawnPixels'
import type { Outline } from './features/outline'
import { Gathered } from './gathered'
import { largestPiece } from './pieces'
import { rasterisedRings } from './raster'
import type { Drawn, NoPixels } from './raster'
import { TakenPixels } from './taken'

/** Of one file. */
export const mostImported = 2 ** 24

export interface FoundClass {
  readonly name: string
  readonly color: string
}

export const why = {
  beyond: 'lies beyond the slide',
  large: 'is larger than an object can be: 8,192 px across, or 4 million px, of the analysed image',
  tangled: 'crosses itself too often to be worked out',
  none: 'covers the centre of no pixel of the analysed image',
} as const

export class ImportedOutlines {
  readonly gathered: Gathered
  readonly leftOut: Reasons
  readonly repaired: Reasons
  /** In the order of their numbers, from 1. */
  readonly classes: FoundClass[] = []
  readonly #numbers = new Map<string, number>()
  readonly #taken = new TakenPixels()
  readonly #grid: Grid
  readonly #region: PixelRect

  /** `region`: of the image what a result of the whole slide looks at. `called`: what people know the file by. `one`: what they call one. */
  constructor(grid: Grid, region: PixelRect, called: string, one = 'feature') {
    this.gathered = new Gathered(called)
    this.leftOut = new Reasons(one)
    this.repaired = new Reasons(one)
    this.#grid = grid
    this.#region = region
  }

  /** A string: why it has none. `of`: its class; null: none. */
  addOutline(outline: Outline | string, isNucleus: boolean, of: FoundClass | null | 'too many'): void {
    const full = this.#full()
    if (full !== null) return this.leftOut.add(full)
    const pixels = typeof outline === 'string' ? outline : this.#pixelsOf(outline)
    if (typeof pixels === 'string') return this.leftOut.add(pixels)
    if (isNucleus) this.repaired.add('is a cell, of which the nucleus was taken')
    this.#gather(pixels, of)
  }

  /** What is pixels already, or why there are none. */
  addDrawn(drawn: Drawn | NoPixels, of: FoundClass | null): void {
    const full = this.#full()
    if (full !== null) return this.leftOut.add(full)
    const pixels = typeof drawn === 'string' ? why[drawn] : this.#ownOf(drawn)
    if (typeof pixels === 'string') return this.leftOut.add(pixels)
    this.#gather(pixels, of)
  }

  /** Why no more is taken; null: more is. */
  #full(): string | null {
    if (this.gathered.count >= mostImported)
      return `has no room: a result holds ${mostImported.toLocaleString('en')} imported objects`
    if (this.#taken.isFull || this.gathered.isFull)
      return 'has no room: the objects before it take all the memory that an import may have'
    return null
  }

  #gather(pixels: Int32Array, of: FoundClass | null | 'too many'): void {
    const number = of === null ? 0 : of === 'too many' ? null : this.#numberOf(of)
    if (number === null) this.repaired.add(`is without its class: objects of a result can be of ${mostHandClasses} classes`)
    this.#taken.take(pixels)
    this.gathered.add(pixels, number ?? 0)
  }

  #pixelsOf({ parts, lessened }: Outline): Int32Array | string {
    const drawn = rasterisedRings(parts, this.#grid.scale, this.#grid)
    if (typeof drawn === 'string') return why[drawn]
    const pixels = this.#ownOf(drawn)
    if (typeof pixels !== 'string' && lessened) this.repaired.add('is without its parts or holes of less than three points')
    return pixels
  }

  /** Of pixels those that are nobody's yet, in one piece, or why they are not taken. */
  #ownOf(drawn: Drawn): Int32Array | string {
    const whole = largestPiece(drawn.runs)
    const free = this.#taken.free(whole.runs)
    const left = free === whole.runs ? whole : largestPiece(free)
    if (left.runs.length > 0 && !contains(this.#region, left.runs[1]!, left.runs[0]!)) return why.beyond
    if (2 * pixelCount(left.runs) <= pixelCount(whole.runs)) return 'lies on another object, which was there first'
    if (drawn.clipped) this.repaired.add('reaches beyond the slide: what lies on it was taken')
    if (whole.pieces > 1) this.repaired.add('is in several pieces, of which the largest was taken')
    if (free !== whole.runs) this.repaired.add('lies on another object in part: what is its own was taken')
    return left.runs
  }

  /** null: there are too many. */
  #numberOf({ name, color }: FoundClass): number | null {
    const known = this.#numbers.get(name)
    if (known !== undefined) return known
    if (this.classes.length >= mostHandClasses) return null
    const number = this.classes.push({ name, color })
    this.#numbers.set(name, number)
    return number
  }
}
