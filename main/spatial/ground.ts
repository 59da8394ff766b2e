// What a run has looked at, as what scan lines have of it. Pure.
import type { Shape } from '../../app/contract'
import type { PixelRect } from '../base/rect'
import { partsOf } from '../base/shapes'
import { oriented } from '../base/planar/simple'
import type { Scale } from './border'
import { Edges } from './edges'
import { Spans } from './spans'

/** What was looked at, level-0 px: of its box, or of the shapes in it where there are some, all but the rectangles, which share none. */
export interface Ground {
  readonly bounds: PixelRect
  /** They share no place. */
  readonly shapes: readonly Shape[] | null
  readonly missing: readonly PixelRect[]
}

/** In the unit of the scale. Heights are asked for rising. */
export class GroundLines {
  readonly bounds: PixelRect
  readonly #edges: Edges
  readonly #missing: readonly PixelRect[]
  readonly #hasShapes: boolean
  readonly #ellipses: readonly PixelRect[]
  readonly #spans = new Spans()

  constructor({ bounds, shapes, missing }: Ground, scale: Scale) {
    const inUnit = ({ x, y, width, height }: PixelRect): PixelRect => ({
      x: x * scale.x,
      y: y * scale.y,
      width: width * scale.x,
      height: height * scale.y,
    })
    this.bounds = inUnit(bounds)
    this.#missing = missing.map(inUnit)
    this.#hasShapes = shapes !== null
    this.#ellipses = (shapes ?? []).filter((shape) => shape.kind === 'ellipse').map(inUnit)
    const others = (shapes ?? []).filter((shape) => shape.kind !== 'ellipse')
    this.#edges = new Edges(oriented(others.flatMap(partsOf)), scale, 0)
  }

  /** At which it turns. */
  heights(): Generator<number> {
    return this.#edges.heights()
  }

  /** At which what a line has of it jumps, or begins. */
  *levels(): Generator<number> {
    const { y: from, height: whole } = this.bounds
    yield from
    yield from + whole
    yield* this.#edges.levels()
    for (const { y, height } of [...this.#missing, ...this.#ellipses]) {
      yield y
      yield y + height
    }
  }

  /** What a line has of it, until the next is asked for. */
  at(y: number): Spans {
    const spans = this.#spans
    const { x: left, width } = this.bounds
    if (this.#hasShapes) {
      this.#edges.at(y, spans, false)
      for (const { x, y: top, width: across, height } of this.#ellipses) {
        const squared = 1 - ((y - top) / (height / 2) - 1) ** 2
        if (squared <= 0) continue
        const half = (across / 2) * Math.sqrt(squared)
        spans.add(x + across / 2 - half, x + across / 2 + half)
      }
      spans.settle()
      spans.clip(left, left + width)
    } else {
      spans.clear()
      spans.add(left, left + width)
      spans.settle()
    }
    for (const { x, y: top, width: across, height } of this.#missing)
      if (y >= top && y < top + height) spans.takeOut(x, x + across)
    return spans
  }
}
