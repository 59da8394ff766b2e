// Which of many areas hold a place: of those whose boxes do, each is asked. Many are found by a tree, few one after the other.
import { finished, goingOver } from '../breather'
import type { Shape } from '../../../app/contract'
import { boxOf, holderOf } from '../shapes'
import type { Box } from '../shapes'
import { BoxTree } from './boxTree'

/** Asked one after the other they cost less than a search. */
const few = 8

interface Held<T> extends Box {
  readonly shape: Shape
  readonly what: T
  /** Made when it is asked first, and let go where it is near no more: of very many areas none but a few are held at a time. */
  holds: ReturnType<typeof holderOf> | null
  isNear: boolean
}

export class Holders<T> {
  readonly #held: Held<T>[] = []
  #tree: BoxTree | null = null
  #near: readonly Held<T>[] = []

  /** Level-0 px. */
  add(shape: Shape, what: T): void {
    const { minX, minY, maxX, maxY } = boxOf(shape)
    this.#held.push({ minX, minY, maxX, maxY, shape, what, holds: null, isNear: false })
    this.#tree = null
  }

  get size(): number {
    return this.#held.length
  }

  /** The places that are asked next all lie in this box, sides included. */
  narrow(box: Box): void {
    const before = this.#near
    for (const each of before) each.isNear = false
    this.#near = this.#among(box)
    for (const each of this.#near) each.isNear = true
    for (const each of before) if (!each.isNear) each.holds = null
  }

  /** In the order in which they were added. Left and upper edges belong to an area, right and lower edges do not. O(areas near it). */
  at(x: number, y: number, visit: (what: T) => void): void {
    const near = this.#near.length > few ? this.#among({ minX: x, minY: y, maxX: x, maxY: y }) : this.#near
    for (const each of near) {
      if (x < each.minX || x >= each.maxX || y < each.minY || y >= each.maxY) continue
      each.holds ??= holderOf(each.shape)
      if (each.holds(x, y)) visit(each.what)
    }
  }

  #among({ minX, minY, maxX, maxY }: Box): readonly Held<T>[] {
    if (this.#held.length <= few) return this.#held
    if (!this.#tree) finished(this.built())
    const tree = this.#tree!
    const places: number[] = []
    tree.around({ minX, minY, maxX, maxY }, 0, (from, to) => {
      for (let i = from; i < to; i++) {
        const place = tree.order[i]!
        const held = this.#held[place]!
        if (held.minX <= maxX && held.maxX >= minX && held.minY <= maxY && held.maxY >= minY) places.push(place)
      }
    })
    return places.sort((a, b) => a - b).map((place) => this.#held[place]!)
  }

  /** Made ready in small steps for what is asked next; else that is done at once. */
  *built(): Generator<void, void, void> {
    if (this.#tree || this.#held.length <= few) return
    const { length } = this.#held
    const [minX, minY, maxX, maxY] = Array.from({ length: 4 }, () => new Float64Array(length)) as [
      Float64Array,
      Float64Array,
      Float64Array,
      Float64Array,
    ]
    yield* goingOver(this.#held, (box, place) => {
      minX[place] = box.minX
      minY[place] = box.minY
      maxX[place] = box.maxX
      maxY[place] = box.maxY
    })
    const tree = yield* BoxTree.building(minX, minY, maxX, maxY)
    if (length === this.#held.length) this.#tree = tree
  }
}

/** A box of analysed px in level-0 px. */
export const scaled = ({ minX, minY, maxX, maxY }: Box, scale: number): Box => ({
  minX: minX * scale,
  minY: minY * scale,
  maxX: maxX * scale,
  maxY: maxY * scale,
})
