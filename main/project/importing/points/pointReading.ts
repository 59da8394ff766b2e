// A table of points as it comes in: around each lies a disc, which is an object as an outline's pixels are.
import type { Undecided } from '../../../../app/contract'
import { inSteps } from '../../../base/breather'
import type { Corner } from '../../../base/corner'
import { EngineError } from '../../../base/errors'
import type { Draft } from '../../../run/analysis/analysis'
import { regionFor } from '../../../run/request/extent'
import { ImportedOutlines } from '../objects'
import type { Found, Reading } from '../reading'
import { pointColumns } from './columns'
import type { PointColumns, Unit } from './columns'
import { discOf } from './disc'
import { TableRows } from './table'

/** Where nobody says another. */
export const usualRadiusUm = 4

export interface PointsAsked {
  readonly file: string
  /** Where coordinates begin if the table does not say so. */
  readonly corner: Corner | null
  readonly radiusUm: number | undefined
  /** How large the discs are a person is to say, where neither a column nor `radiusUm` does. */
  readonly asks: boolean
}

/** Of a class that the project does not know: a table has none. */
const noColor = '#808080'

const numberText = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i

export class PointReading implements Reading {
  readonly comeShare = 0.5
  readonly #asked: PointsAsked
  readonly #breathe: () => Promise<void>
  readonly #draft: Draft
  readonly #rows: TableRows
  readonly #outlines: ImportedOutlines
  /** µm a level-0 px; null: nobody knows. */
  readonly #mpp: number | null
  #columns: PointColumns | null = null

  constructor(draft: Draft, asked: PointsAsked, breathe: () => Promise<void>) {
    const { analysedMpp, scale } = draft.resolution
    this.#draft = draft
    this.#asked = asked
    this.#breathe = breathe
    this.#rows = new TableRows(asked.file)
    this.#mpp = analysedMpp === null ? null : analysedMpp / scale
    this.#outlines = new ImportedOutlines(draft.grid, regionFor(draft, 'whole'), asked.file, 'point')
  }

  get undecided(): Undecided | undefined {
    const { asks, radiusUm } = this.#asked
    return asks && radiusUm === undefined && this.#columns?.radius === null ? 'radius' : undefined
  }

  async take(text: string): Promise<void> {
    await inSteps(this.#rows.take(text), this.#breathe, (fields) => this.#taken(fields))
    await this.#outlines.gathered.relieve()
  }

  /** Of a table whose rows others have read; the first are its names. */
  async rows(rows: readonly (readonly string[])[]): Promise<void> {
    const each = function* (): Generator<readonly string[], void, void> {
      for (const row of rows) yield row
    }
    await inSteps(each(), this.#breathe, (fields) => this.#taken(fields))
    await this.#outlines.gathered.relieve()
  }

  async end(): Promise<Found> {
    await inSteps(this.#rows.end(), this.#breathe, (fields) => this.#taken(fields))
    if (!this.#columns) throw this.#refused('is an empty table.')
    return this.#outlines
  }

  regions(): null {
    return null
  }

  unread(): string[] {
    return []
  }

  notes(): string[] {
    const { radius } = this.#columns!
    const how =
      this.#asked.radiusUm === undefined && radius
        ? `radii by the column “${radius.name.slice(0, 100)}”`
        : `a radius of ${this.#asked.radiusUm ?? usualRadiusUm} µm`
    return [`its objects are discs around points, with ${how}`]
  }

  dispose(): Promise<void> {
    return this.#outlines.gathered.dispose()
  }

  #refused(why: string): EngineError {
    return new EngineError('INVALID_PARAMETER', `${this.#asked.file} ${why}`)
  }

  #taken(fields: readonly string[]): void {
    const { leftOut } = this.#outlines
    if (!this.#columns) return this.#begin(fields)
    if (this.undecided) return
    const { x, y, unit, radius, className, origin } = this.#columns
    const [px, py] = [this.#numberOf(fields[x], unit), this.#numberOf(fields[y], unit)]
    if (px === null || py === null) return leftOut.add('has no number for its place')
    const own =
      radius && this.#asked.radiusUm === undefined ? this.#numberOf(fields[radius.at], radius.unit) : this.#usualRadius()
    if (own === null || own <= 0) return leftOut.add('has no number above 0 for its radius')
    const { corner } = this.#asked
    const [fromX, fromY] = origin ? origin.map((at) => this.#numberOf(fields[at], 'px') ?? 0) : [corner?.x ?? 0, corner?.y ?? 0]
    const disc = discOf(
      px + fromX!,
      py + fromY!,
      radius?.half && this.#asked.radiusUm === undefined ? own / 2 : own,
      this.#draft.grid,
    )
    const name = className === null ? '' : (fields[className] ?? '').trim().slice(0, 200)
    this.#outlines.addDrawn(disc, name === '' ? null : { name, color: noColor })
  }

  #begin(names: readonly string[]): void {
    this.#columns = pointColumns(names)
    if (!this.#columns)
      throw this.#refused(
        'has no two columns of places: expected names as “Centroid X px” and “Centroid Y px”, “Location_Center_X” and “Location_Center_Y”, “centroid-1” and “centroid-0”, or “x” and “y”.',
      )
    const { unit, radius } = this.#columns
    if (this.#mpp === null && (unit === 'um' || radius === null || radius.unit === 'um'))
      throw this.#refused(
        'has lengths in µm, and the slide does not say how large its pixels are: give it by --mpp, or calibrate the slide.',
      )
  }

  /** Level-0 px. */
  #usualRadius(): number | null {
    return this.#mpp === null ? null : (this.#asked.radiusUm ?? usualRadiusUm) / this.#mpp
  }

  /** In level-0 px; null: it is none. Throws INVALID_PARAMETER for a decimal comma. */
  #numberOf(text: string | undefined, unit: Unit): number | null {
    if (text === undefined) return null
    if (!numberText.test(text)) {
      if (/^\s*[+-]?\d+,\d+\s*$/.test(text))
        throw this.#refused(`has decimal commas, as in ${text.trim().slice(0, 30)}: write the table with decimal points.`)
      return null
    }
    const value = Number(text)
    return Number.isFinite(value) ? (unit === 'um' ? value / this.#mpp! : value) : null
  }
}
