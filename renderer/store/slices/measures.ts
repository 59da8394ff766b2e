// What regions measure, by their ids: some of them told anew leave all others where they are, however many there are. Pure.
import type { RegionMeasure } from '../../../app/contract'

/** So many may differ from those below, before one map is made of both. */
const mostOver = 500
const none: ReadonlyMap<string, RegionMeasure> = new Map()

export class Measures {
  readonly #below: ReadonlyMap<string, RegionMeasure>
  readonly #over: ReadonlyMap<string, RegionMeasure>
  readonly #counted: number

  private constructor(below: ReadonlyMap<string, RegionMeasure>, over: ReadonlyMap<string, RegionMeasure>, counted: number) {
    this.#below = below
    this.#over = over
    this.#counted = counted
  }

  static readonly none = new Measures(none, none, 0)

  /** All that there are. */
  static of(all: readonly RegionMeasure[]): Measures {
    return new Measures(new Map(all.map((each) => [each.id, each])), none, all.filter(isCounted).length)
  }

  /** With some that are told anew. O(some), as a rule. */
  with(some: readonly RegionMeasure[]): Measures {
    const over = new Map(this.#over)
    let counted = this.#counted
    for (const each of some) {
      const was = over.get(each.id) ?? this.#below.get(each.id)
      counted += Number(isCounted(each)) - Number(was !== undefined && isCounted(was))
      over.set(each.id, each)
    }
    return over.size <= mostOver
      ? new Measures(this.#below, over, counted)
      : new Measures(new Map([...this.#below, ...over]), none, counted)
  }

  get(id: string): RegionMeasure | undefined {
    return this.#over.get(id) ?? this.#below.get(id)
  }

  /** Whether objects of a result were counted in any. */
  get areCounted(): boolean {
    return this.#counted > 0
  }
}

const isCounted = ({ runId }: RegionMeasure): boolean => runId !== null
