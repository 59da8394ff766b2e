// Outlines of a stranger's file as objects of one result: each has pixels of its own, in one piece; what cannot be taken is counted by why.
import { mostHandClasses } from '../../../app/contract'
import type { Corner } from '../../base/corner'
import { contains } from '../../base/rect'
import type { PixelRect } from '../../base/rect'
import { partsOf } from '../../base/shapes'
import type { Grid } from '../../run/plan/plan'
import type { FoundFeature, Geometry } from '../geojsonFile/features'
import { shapeIn } from '../geojsonFile/geometry'
import { movedBy } from '../geojsonFile/origin'
import { QuickRing } from '../geojsonFile/quickFeature'
import { Reasons } from '../geojsonFile/reasons'
import { pixelCount } from '../objects/drawnPixels'
import { Gathered } from './gathered'
import { largestPiece } from './pieces'
import { rasterised, rasterisedRing } from './raster'
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
  readonly gathered = new Gathered()
  readonly leftOut: Reasons
  readonly repaired: Reasons
  /** In the order of their numbers, from 1. */
  readonly classes: FoundClass[] = []
  readonly #numbers = new Map<string, number>()
  readonly #taken = new TakenPixels()
  readonly #grid: Grid
  readonly #region: PixelRect
  readonly #corner: Corner | null

  /** `region`: of the image what a result of the whole slide looks at. `corner`: where the file's coordinates begin; null: at the slide's corner. `one`: what people call one. */
  constructor(grid: Grid, region: PixelRect, corner: Corner | null, one = 'feature') {
    this.leftOut = new Reasons(one)
    this.repaired = new Reasons(one)
    this.#grid = grid
    this.#region = region
    this.#corner = corner
  }

  add({ geometry, nucleus, className, color }: FoundFeature): void {
    const full = this.#full()
    if (full !== null) return this.leftOut.add(full)
    const given = nucleus ?? geometry
    if (!given) return this.leftOut.add('has no geometry')
    const pixels = this.#pixelsOf(given)
    if (typeof pixels === 'string') return this.leftOut.add(pixels)
    if (nucleus) this.repaired.add('is a cell, of which the nucleus was taken')
    this.#gather(pixels, className, color)
  }

  /** What is pixels already, or why there are none. */
  addDrawn(drawn: Drawn | NoPixels, className: string, color: string): void {
    const full = this.#full()
    if (full !== null) return this.leftOut.add(full)
    const pixels = typeof drawn === 'string' ? why[drawn] : this.#ownOf(drawn)
    if (typeof pixels === 'string') return this.leftOut.add(pixels)
    this.#gather(pixels, className, color)
  }

  /** Why no more is taken; null: more is. */
  #full(): string | null {
    if (this.gathered.count >= mostImported)
      return `has no room: a result holds ${mostImported.toLocaleString('en')} imported objects`
    if (this.#taken.isFull || this.gathered.isFull)
      return 'has no room: the objects before it take all the memory that an import may have'
    return null
  }

  #gather(pixels: Int32Array, className: string, color: string): void {
    const number = className === '' ? 0 : this.#numberOf(className, color)
    if (number === null) this.repaired.add(`is without its class: objects of a result can be of ${mostHandClasses} classes`)
    this.#taken.take(pixels)
    this.gathered.add(pixels, number ?? 0)
  }

  #pixelsOf(geometry: Geometry): Int32Array | string {
    const quick = this.#drawnQuickly(geometry)
    if (quick !== null) return this.#ownOf(quick)
    const found = shapeIn(geometry)
    if (typeof found === 'string') return found
    const { shape } = found
    if (shape.kind === 'points' || shape.kind === 'line')
      return `is ${shape.kind === 'line' ? 'a line' : 'points'}, and no outline of an object`
    const placed = this.#corner ? movedBy(shape, this.#corner.x, this.#corner.y) : shape
    if (placed.kind === 'points' || placed.kind === 'line') return 'has no outline'
    const drawn = rasterised(partsOf(placed), this.#grid.scale, this.#grid)
    if (typeof drawn === 'string') return why[drawn]
    const pixels = this.#ownOf(drawn)
    if (typeof pixels !== 'string' && found.lessened) this.repaired.add('is without its parts or holes of less than three points')
    return pixels
  }

  /** Of one ring that has pixels; null: of another geometry, and where there is something to say. */
  #drawnQuickly({ type, coordinates, isEllipse, plane }: Geometry): Drawn | null {
    if (!(coordinates instanceof QuickRing) || type !== 'Polygon' || isEllipse === true || plane !== undefined) return null
    const ring = coordinates.opened(this.#corner)
    if (ring.length < 6) return null
    const drawn = rasterisedRing(ring, this.#grid.scale, this.#grid)
    return typeof drawn === 'string' ? null : drawn
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
  #numberOf(name: string, color: string): number | null {
    const known = this.#numbers.get(name)
    if (known !== undefined) return known
    if (this.classes.length >= mostHandClasses) return null
    const number = this.classes.push({ name, color })
    this.#numbers.set(name, number)
    return number
  }
}
