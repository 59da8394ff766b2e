// Outlines of a stranger's file as objects of one result: each has pixels of its own, in one piece; what cannot be taken is counted by why.
import { mostHandClasses } from '../../../app/contract'
import { contains } from '../../base/rect'
import type { PixelRect } from '../../base/rect'
import { mostCellReachPx } from '../../run/analysis/cells'
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

/** On an average px of the slide, by their boxes: their measuring takes time for each. */
const mostCellsAPx = 8

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

/** Of runs; x1 and y1 lie behind them. */
export function boxOf(runs: Int32Array | Int16Array): { x0: number; y0: number; x1: number; y1: number } {
  let [x0, x1] = [Infinity, -Infinity]
  for (let r = 0; r < runs.length; r += 3) {
    x0 = Math.min(x0, runs[r + 1]!)
    x1 = Math.max(x1, runs[r + 2]!)
  }
  return { x0, y0: runs[0]!, x1, y1: runs[runs.length - 3]! + 1 }
}

export class ImportedOutlines {
  readonly gathered: Gathered
  readonly leftOut: Reasons
  readonly repaired: Reasons
  /** In the order of their numbers, from 1. */
  readonly classes: FoundClass[] = []
  /** So far, in px of the analysed image, reaches a cell beyond its nucleus's box; 0: there are no cells. */
  cellReachPx = 0
  #cellPx = 0
  readonly #mostCellPx: number
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
    this.#mostCellPx = Math.max(2 ** 28, mostCellsAPx * grid.widthPx * grid.heightPx)
  }

  /** A string: why it has none. `cell`: of the cell whose nucleus it is; null: of none. `of`: its class; null: none. */
  addOutline(outline: Outline | string, cell: Outline | string | null, of: FoundClass | null | 'too many'): void {
    const full = this.#full()
    if (full !== null) return this.leftOut.add(full)
    const isBare = typeof outline === 'string' && cell !== null && typeof cell !== 'string'
    const own = isBare ? cell : outline
    const found = typeof own === 'string' ? own : this.#pixelsOf(own)
    if (typeof found === 'string') return this.leftOut.add(found)
    // The cell's own lie where these are.
    const pixels = cell === null ? found : found.slice()
    if (isBare) this.repaired.add('is a cell without a nucleus that can be taken: its own outline is the object')
    const around = isBare || cell === null ? null : this.#cellOf(cell, pixels)
    if (typeof around === 'string')
      this.repaired.add(`is a cell of which the nucleus alone was taken, as its own outline ${around}`)
    this.#gather(pixels, of, typeof around === 'string' ? null : around)
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

  #gather(pixels: Int32Array, of: FoundClass | null | 'too many', cell: Int32Array | null = null): void {
    const number = of === null ? 0 : of === 'too many' ? null : this.#numberOf(of)
    if (number === null) this.repaired.add(`is without its class: objects of a result can be of ${mostHandClasses} classes`)
    this.#taken.take(pixels)
    this.gathered.add(pixels, number ?? 0, cell)
  }

  /** As the file has it: cells may share px with others. Or why it is not taken. */
  #cellOf(outline: Outline | string, nucleus: Int32Array): Int32Array | string {
    if (typeof outline === 'string') return outline
    const drawn = rasterisedRings(outline.parts, this.#grid.scale, this.#grid)
    if (typeof drawn === 'string') return why[drawn]
    const [inner, outer] = [boxOf(nucleus), boxOf(drawn.runs)]
    const reach = Math.max(inner.x0 - outer.x0, outer.x1 - inner.x1, inner.y0 - outer.y0, outer.y1 - inner.y1)
    if (reach > mostCellReachPx) return `reaches more than ${mostCellReachPx} px of the analysed image beyond it`
    this.#cellPx += (outer.x1 - outer.x0) * (outer.y1 - outer.y0)
    if (this.#cellPx > this.#mostCellPx) return 'has no room: the cells before it lie on each other too often'
    this.cellReachPx = Math.max(this.cellReachPx, reach, 1)
    return drawn.runs
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
