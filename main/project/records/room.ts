// How much of a project's records there is, by kind, held to what a project can be: asked before a record is put, and as it is loaded.
import { finished, goingOver } from '../../base/breather'
import type { Kind } from './kind'

interface Held {
  readonly weights: Map<string, number>
  sum: number
}

/** What one record takes from now on; null: it is gone. */
export interface Change {
  readonly kind: Pick<Kind<never>, 'table' | 'most' | 'mostWeight' | 'tooHeavy'>
  readonly key: string
  readonly weight: number | null
}

export class Room {
  readonly #held = new Map<string, Held>()

  /** Throws an Error where there is no room for all of the changes; else what makes them count. O(changes). */
  for(changes: readonly Change[]): () => void {
    const counting = finished(this.fitting(changes))
    return () => finished(counting())
  }

  /** The same in small steps, and so is what makes them count. */
  *fitting(changes: readonly Change[]): Generator<void, () => Generator<void, void, void>, void> {
    const last = new Map<string, Map<string, number | null>>()
    const kinds = new Map<string, Change['kind']>()
    for (const { kind, key, weight } of changes) {
      kinds.set(kind.table, kind)
      let keys = last.get(kind.table)
      if (!keys) last.set(kind.table, (keys = new Map<string, number | null>()))
      keys.set(key, weight)
      yield
    }
    const sums: { held: Held; sum: number; keys: ReadonlyMap<string, number | null> }[] = []
    for (const [table, keys] of last) {
      const held = this.#of(table)
      const { most, mostWeight, tooHeavy } = kinds.get(table)!
      let { sum } = held
      let rows = held.weights.size
      for (const [key, weight] of keys) {
        const before = held.weights.get(key)
        sum += (weight ?? 0) - (before ?? 0)
        rows += (weight === null ? 0 : 1) - (before === undefined ? 0 : 1)
        yield
      }
      if (rows > most) throw new Error(`it can have ${most.toLocaleString('en')} ${table}`)
      if (sum > mostWeight) throw new Error(tooHeavy)
      sums.push({ held, sum, keys })
    }
    return function* () {
      for (const { held, sum, keys } of sums) {
        held.sum = sum
        yield* goingOver(keys, ([key, weight]) => {
          if (weight === null) held.weights.delete(key)
          else held.weights.set(key, weight)
        })
      }
    }
  }

  keysOf({ table }: Pick<Kind<never>, 'table'>): string[] {
    return [...this.#of(table).weights.keys()]
  }

  #of(table: string): Held {
    let held = this.#held.get(table)
    if (!held) this.#held.set(table, (held = { weights: new Map(), sum: 0 }))
    return held
  }
}
