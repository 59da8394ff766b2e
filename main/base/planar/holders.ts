// Which of many areas hold a place: of those whose boxes do, each is asked. Many are found by a tree, few one after the other.
import Flatbush from 'flatbush'
import type { Shape } from '../../../app/contract'
import { boxOf, holderOf } from '../shapes'
import type { Box } from '../shapes'

/** Asked one after the other they cost less than a search. */
const few = 8

interface Held<T> extends Box {
  readonly holds: ReturnType<typeof holderOf>
  readonly what: T
}

export class Holders<T> {
  readonly #held: Held<T>[] = []
  #tree: Flatbush | null = null
  #near: readonly Held<T>[] = []

  /** Level-0 px. */
  add(shape: Shape, what: T): void {
    this.#held.push({ ...boxOf(shape), holds: holderOf(shape), what })
    this.#tree = null
  }

  get size(): number {
    return this.#held.length
  }

  /** The places that are asked next all lie in this box, sides included. */
  narrow(box: Box): void {
    this.#near = this.#among(box)
  }

  /** In the order in which they were added. Left and upper edges belong to an area, right and lower edges do not. O(areas near it). */
  at(x: number, y: number, visit: (what: T) => void): void {
    const near = this.#near.length > few ? this.#among({ minX: x, minY: y, maxX: x, maxY: y }) : this.#near
    for (const { minX, minY, maxX, maxY, holds, what } of near)
      if (x >= minX && x < maxX && y >= minY && y < maxY && holds(x, y)) visit(what)
  }

  #among({ minX, minY, maxX, maxY }: Box): readonly Held<T>[] {
    if (this.#held.length <= few) return this.#held
    const places = this.#built().search(minX, minY, maxX, maxY)
    return places.sort((a, b) => a - b).map((place) => this.#held[place]!)
  }

  #built(): Flatbush {
    if (this.#tree) return this.#tree
    const tree = new Flatbush(this.#held.length)
    for (const { minX, minY, maxX, maxY } of this.#held) tree.add(minX, minY, maxX, maxY)
    tree.finish()
    return (this.#tree = tree)
  }
}

/** A box of analysed px in level-0 px. */
export const scaled = ({ minX, minY, maxX, maxY }: Box, scale: number): Box => ({
  minX: minX * scale,
  minY: minY * scale,
  maxX: maxX * scale,
  maxY: maxY * scale,
})
