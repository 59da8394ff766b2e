// The regions of a slide by their ids and by where they are: built once for a list, and carried on where little of it changes. Pure; level-0 px.
import Flatbush from 'flatbush'
import type { RegionOfInterest } from '../../app/contract'
import { boxOfShape, type Box } from './regionShapes'

type Regions = readonly RegionOfInterest[]
type Bounds = readonly [minX: number, minY: number, maxX: number, maxY: number]

/** So many that lie elsewhere than in the tree, or are deleted from it, are looked through one by one. */
const mostBeside = 200

/** Of those with the longest sides, which are asked for most. */
const mostLongest = 2000

const boundsOf = ({ shape }: RegionOfInterest): Bounds => {
  const { x, y, width, height } = boxOfShape(shape)
  return [x, y, x + width, y + height]
}

/** How many of some numbers, which rise, are less than one. */
function countBelow(rising: readonly number[], limit: number): number {
  let [from, to] = [0, rising.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (rising[middle]! < limit) from = middle + 1
    else to = middle
  }
  return from
}

/** All slots of the tree whose longer side is above a length. */
interface Longest {
  readonly slots: readonly number[]
  readonly above: number
}

/** What is known of a list and those before it. A slot is a place that stays when others are deleted. */
interface Slots {
  /** With those that are deleted: their slots may be theirs again, as an undo puts them back. */
  readonly all: Regions
  readonly byId: ReadonlyMap<string, number>
  /** Deleted; they rise. */
  readonly gone: readonly number[]
  /** Four numbers a slot, as they were when the tree was built. */
  readonly bounds: Float64Array
  readonly longest: Longest
  /** Those that came or moved since then. */
  readonly beside: ReadonlyMap<number, Bounds>
}

export class RegionIndex {
  readonly #regions: Regions
  /** Of slots. */
  readonly #tree: Flatbush | null
  readonly #slots: Slots

  private constructor(regions: Regions, tree: Flatbush | null, slots: Slots) {
    this.#regions = regions
    this.#tree = tree
    this.#slots = slots
  }

  /** O(n log n). */
  static built(regions: Regions): RegionIndex {
    const tree = regions.length > 0 ? new Flatbush(regions.length) : null
    const bounds = new Float64Array(4 * regions.length)
    for (const [slot, region] of regions.entries()) {
      const own = boundsOf(region)
      bounds.set(own, 4 * slot)
      tree?.add(...own)
    }
    tree?.finish()
    const byId = new Map(regions.map(({ id }, place) => [id, place]))
    const longest = longestOf(bounds)
    return new RegionIndex(regions, tree, { all: regions, byId, gone: [], bounds, longest, beside: new Map() })
  }

  /** Of a list of which some are others, deleted or back, or that has some more at its end; null: too much is another. O(n), and small. */
  after(regions: Regions): RegionIndex | null {
    const { all: before, byId, bounds, longest, beside: known } = this.#slots
    const all: RegionOfInterest[] = []
    const gone: number[] = []
    const beside = new Map(known)
    let place = 0
    for (let slot = 0; slot < before.length; slot++) {
      const [was, is] = [before[slot]!, regions[place]]
      if (is?.id !== was.id) {
        all.push(was)
        if (gone.push(slot) > mostBeside) return null
        continue
      }
      all.push(is)
      place++
      if (was.shape === is.shape) continue
      if (beside.set(slot, boundsOf(is)).size > mostBeside) return null
    }
    const more = regions.slice(place)
    if (beside.size + more.length > mostBeside || more.some(({ id }) => byId.has(id))) return null
    for (const region of more) beside.set(all.push(region) - 1, boundsOf(region))
    const added = more.map(({ id }, n) => [id, before.length + n] as const)
    return new RegionIndex(regions, this.#tree, {
      ...{ all, gone, bounds, longest, beside },
      byId: added.length === 0 ? byId : new Map([...byId, ...added]),
    })
  }

  get(id: string): RegionOfInterest | undefined {
    const place = this.placeOf(id)
    return place === undefined ? undefined : this.#regions[place]
  }

  /** Its place in the list; undefined: it is not there. */
  placeOf = (id: string): number | undefined => {
    const { byId, gone } = this.#slots
    const slot = byId.get(id)
    if (slot === undefined) return undefined
    const below = countBelow(gone, slot)
    return gone[below] === slot ? undefined : slot - below
  }

  /** Its box, worked out once for each shape. */
  boxAt(place: number): Box {
    const { gone, bounds, beside } = this.#slots
    let slot = place
    // Slots that are gone below it come before it.
    for (let below = countBelow(gone, slot + 1); place + below !== slot; below = countBelow(gone, slot + 1)) slot = place + below
    const own = beside.get(slot)
    const at = (n: number): number => own?.[n] ?? bounds[4 * slot + n]!
    return { x: at(0), y: at(1), width: at(2) - at(0), height: at(3) - at(1) }
  }

  /** Those whose boxes meet it, the lowest first, by their places in the list. `least`: none whose longer side is less. */
  meeting({ x, y, width, height }: Box, least = 0): number[] {
    const [right, bottom] = [x + width, y + height]
    const { gone, bounds, longest, beside } = this.#slots
    const fits = (x0: number, y0: number, x1: number, y1: number): boolean => x1 - x0 >= least || y1 - y0 >= least
    const meets = (x0: number, y0: number, x1: number, y1: number): boolean =>
      x0 <= right && x1 >= x && y0 <= bottom && y1 >= y && fits(x0, y0, x1, y1)
    const boundsAt = (slot: number): Bounds => [
      bounds[4 * slot]!,
      bounds[4 * slot + 1]!,
      bounds[4 * slot + 2]!,
      bounds[4 * slot + 3]!,
    ]
    const tree = this.#tree
    let found: number[] = []
    // The whole slide, of which the tree would ask each.
    if (tree && least <= 0 && x <= tree.minX && y <= tree.minY && right >= tree.maxX && bottom >= tree.maxY)
      found = Array.from({ length: tree.numItems }, (_, slot) => slot).filter((slot) => !beside.has(slot))
    else if (tree && least > longest.above) found = longest.slots.filter((slot) => !beside.has(slot) && meets(...boundsAt(slot)))
    else if (tree) found = tree.search(x, y, right, bottom, (slot, ...own) => fits(...own) && !beside.has(slot))
    for (const [slot, own] of beside) if (meets(...own)) found.push(slot)
    const slots = Array.from(Uint32Array.from(found).sort())
    if (gone.length === 0) return slots
    return slots.flatMap((slot) => {
      const below = countBelow(gone, slot)
      return gone[below] === slot ? [] : slot - below
    })
  }
}

function longestOf(bounds: Float64Array): Longest {
  const sides = new Float64Array(bounds.length / 4)
  for (let slot = 0; slot < sides.length; slot++)
    sides[slot] = Math.max(bounds[4 * slot + 2]! - bounds[4 * slot]!, bounds[4 * slot + 3]! - bounds[4 * slot + 1]!)
  const above = Float64Array.from(sides).sort().at(-mostLongest) ?? -1
  return { above, slots: Array.from(sides.keys()).filter((slot) => sides[slot]! > above) }
}

const indices = new WeakMap<Regions, RegionIndex>()
let latest: WeakRef<RegionIndex> | null = null

/** Of a list that is not changed any more: made when it is first asked for. */
export function indexOf(regions: Regions): RegionIndex {
  const known = indices.get(regions)
  if (known) return known
  const made = latest?.deref()?.after(regions) ?? RegionIndex.built(regions)
  indices.set(regions, made)
  latest = new WeakRef(made)
  return made
}
