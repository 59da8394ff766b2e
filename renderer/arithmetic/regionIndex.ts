// The regions of a slide by their ids and by where they are: built once for a list, and carried on where little of it changes. Pure; level-0 px.
import Flatbush from 'flatbush'
import type { RegionOfInterest } from '../../app/contract'
import { boxOfShape, type Box } from './regionShapes'

type Regions = readonly RegionOfInterest[]
type Bounds = readonly [minX: number, minY: number, maxX: number, maxY: number]

/** So many that lie elsewhere than in the tree are looked through one by one. */
const mostBeside = 200

const boundsOf = ({ shape }: RegionOfInterest): Bounds => {
  const { x, y, width, height } = boxOfShape(shape)
  return [x, y, x + width, y + height]
}

export class RegionIndex {
  readonly #regions: Regions
  readonly #tree: Flatbush | null
  /** Those that came or moved since the tree was built, by their places in the list. */
  readonly #beside: ReadonlyMap<number, Bounds>
  readonly #places: ReadonlyMap<string, number>

  private constructor(
    regions: Regions,
    tree: Flatbush | null,
    beside: ReadonlyMap<number, Bounds>,
    places: ReadonlyMap<string, number>,
  ) {
    this.#regions = regions
    this.#tree = tree
    this.#beside = beside
    this.#places = places
  }

  /** O(n log n). */
  static built(regions: Regions): RegionIndex {
    const tree = regions.length > 0 ? new Flatbush(regions.length) : null
    for (const region of regions) tree?.add(...boundsOf(region))
    tree?.finish()
    return new RegionIndex(regions, tree, new Map(), new Map(regions.map(({ id }, place) => [id, place])))
  }

  /** Of a list of which some are others, or that has some more at its end; null: too much is another. O(n), and small. */
  after(regions: Regions): RegionIndex | null {
    const before = this.#regions
    if (regions.length < before.length || regions.length > before.length + mostBeside) return null
    const beside = new Map(this.#beside)
    const added: [string, number][] = []
    for (let place = 0; place < regions.length; place++) {
      const [was, is] = [before[place], regions[place]!]
      if (was === is) continue
      if (was && was.id !== is.id) return null
      if (!was) added.push([is.id, place])
      if (was?.shape !== is.shape) beside.set(place, boundsOf(is))
      if (beside.size > mostBeside) return null
    }
    const places = added.length === 0 ? this.#places : new Map([...this.#places, ...added])
    return new RegionIndex(regions, this.#tree, beside, places)
  }

  get(id: string): RegionOfInterest | undefined {
    const place = this.#places.get(id)
    return place === undefined ? undefined : this.#regions[place]
  }

  /** Its place in the list; undefined: it is not there. */
  placeOf = (id: string): number | undefined => this.#places.get(id)

  /** Those whose boxes meet it, the lowest first, by their places in the list. `least`: none whose longer side is less. */
  meeting({ x, y, width, height }: Box, least = 0): number[] {
    const [right, bottom] = [x + width, y + height]
    const isLarge = (x0: number, y0: number, x1: number, y1: number): boolean => x1 - x0 >= least || y1 - y0 >= least
    const found =
      this.#tree?.search(
        ...([x, y, right, bottom] as const),
        (place, x0, y0, x1, y1) => isLarge(x0, y0, x1, y1) && !this.#beside.has(place),
      ) ?? []
    for (const [place, [x0, y0, x1, y1]] of this.#beside)
      if (x0 <= right && x1 >= x && y0 <= bottom && y1 >= y && isLarge(x0, y0, x1, y1)) found.push(place)
    return Array.from(Uint32Array.from(found).sort())
  }
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
