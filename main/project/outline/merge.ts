// Several objects as one piece: their union, and where they lie apart a compact bridge. Analysed px, exact. Pure.
import { Box } from '../objects/pixels'
import type { Runs } from '../objects/pixels'

/** Why there is no merged object: too large to be looked at, too far apart, or only corners touch and other objects have the px beside these. */
export type NoMerge = 'large' | 'apart' | 'corner'

/**
 * All pixels of the objects, in one 4-connected piece. Parts that lie apart by two px at most are bridged by every free pixel on a shortest way
 * between them; where two parts touch at a corner, one pixel beside the corner is added. Pixels of `others` stay theirs. O(box).
 */
export function merged(objects: readonly Runs[], others: readonly Runs[]): Runs | NoMerge {
  const box = Box.around(objects, 0)
  if (!box) return 'large'
  const taken = new Box(box.x, box.y, box.width, box.height)
  for (const runs of others) taken.paint(runs, 1)
  for (const runs of objects) box.paint(runs, 1)
  if (box.number((value) => value === 1, 2).length > 1) for (const place of between(box, taken)) box.data[place] = 1
  box.data.forEach((value, place) => (box.data[place] = Math.min(value, 1)))
  const pieces = new Joined(box.numberSides((value) => value === 1, 2).length)
  joinCorners(box, taken, pieces)
  if (!isOne(box, objects, pieces)) {
    box.data.forEach((value, place) => (box.data[place] = Math.min(value, 1)))
    return box.number((value) => value === 1, 2).length > 1 ? 'apart' : 'corner'
  }
  return box.runsOf((value) => value > 0)
}

/** Free empty places on a way of two px at most, corners allowed, from one part to another. Parts are numbers from 2 on. */
function between(box: Box, taken: Box): number[] {
  const isFree = (place: number): boolean => box.data[place] === 0 && taken.data[place] === 0
  /** Of a place the parts that are one or two steps away. */
  const near = new Map<number, Map<number, 1 | 2>>()
  const reach = (place: number, part: number, steps: 1 | 2): void => {
    let parts = near.get(place)
    if (!parts) near.set(place, (parts = new Map<number, 1 | 2>()))
    if (!parts.has(part)) parts.set(part, steps)
  }
  for (let place = 0; place < box.data.length; place++)
    if (box.data[place]! > 0) for (const next of box.around(place)) if (isFree(next)) reach(next, box.data[place]!, 1)
  const first = [...near].map(([place, parts]) => [place, [...parts.keys()]] as const)
  for (const [place, parts] of first)
    for (const next of box.around(place)) if (isFree(next)) for (const part of parts) reach(next, part, 2)
  return [...near].flatMap(([place, parts]) => {
    const steps = [...parts.values()].sort((a, b) => a - b)
    return steps.length > 1 && steps[0]! + steps[1]! <= 3 ? [place] : []
  })
}

/** Numbers from 2 on, of which some become one. */
class Joined {
  readonly #of: number[]
  constructor(count: number) {
    this.#of = Array.from({ length: count + 2 }, (_, n) => n)
  }
  of(n: number): number {
    while (this.#of[n] !== n) n = this.#of[n] = this.#of[this.#of[n]!]!
    return n
  }
  join(a: number, b: number): void {
    this.#of[this.of(a)] = this.of(b)
  }
  isOne(): boolean {
    return this.#of.every((_, n) => n < 3 || this.of(n) === this.of(2))
  }
}

/** Where two pieces touch at a corner only: the free pixel beside it that touches more of them, of equals the upper or left one. */
function joinCorners(box: Box, taken: Box, pieces: Joined): void {
  const { data, width, height } = box
  const isIn = (place: number): boolean => data[place]! > 0
  const sides = (place: number): number[] => {
    const x = place % width
    return [x > 0 ? place - 1 : -1, x + 1 < width ? place + 1 : -1, place - width, place + width].filter(
      (each) => each >= 0 && each < data.length && isIn(each),
    )
  }
  for (let y = 0; y + 1 < height; y++)
    for (let x = 0; x + 1 < width; x++) {
      const at = y * width + x
      const [a, b, c, d] = [at, at + 1, at + width, at + width + 1]
      const aslant = isIn(a) && isIn(d) ? [a, d, b, c] : isIn(b) && isIn(c) ? [b, c, a, d] : null
      if (!aslant) continue
      const [one, other, ...beside] = aslant as [number, number, number, number]
      if (pieces.of(data[one]!) === pieces.of(data[other]!)) continue
      const free = beside.filter((place) => !isIn(place) && taken.data[place] === 0)
      if (free.length === 0) continue
      const added = free.length > 1 && sides(free[1]!).length > sides(free[0]!).length ? free[1]! : free[0]!
      data[added] = data[one]!
      for (const place of sides(added)) pieces.join(data[place]!, data[one]!)
    }
}

/** Whether all of it is one piece, where an object that was in pieces at corners already counts as one. */
function isOne(box: Box, objects: readonly Runs[], pieces: Joined): boolean {
  if (pieces.isOne()) return true
  const { data, width } = box
  const own = new Box(box.x, box.y, box.width, box.height)
  objects.forEach((runs, i) => own.paint(runs, i + 1))
  own.data.forEach((object, place) => {
    if (object === 0) return
    const x = place % width
    for (const below of [x > 0 ? place + width - 1 : -1, x + 1 < width ? place + width + 1 : -1])
      if (below >= 0 && own.data[below] === object) pieces.join(data[place]!, data[below]!)
  })
  return pieces.isOne()
}
