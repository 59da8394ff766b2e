// Large maps that are not changed, of which others are made that differ in little: without a copy of all for each.

/** Smaller ones are copied. */
const leastLayered = 2000
/** So many entries may differ from the map below, before one map is made of both. */
const mostOver = 500

/** What a map is to become: changed, and then made a map that is not. */
export interface MapDraft<K, V> {
  get: (key: K) => V | undefined
  has: (key: K) => boolean
  set: (key: K, value: V) => unknown
  delete: (key: K) => unknown
  readonly size: number
  /** The draft is not used any more. */
  made: () => ReadonlyMap<K, V>
  /** The same in small steps. */
  making: () => Generator<void, ReadonlyMap<K, V>, void>
}

/** A draft that begins as the map, which stays as it is. O(1), but for maps that are small: those are copied. */
export function draftOf<K, V>(map: ReadonlyMap<K, V>): MapDraft<K, V> {
  if (map instanceof LayeredMap) return (map as LayeredMap<K, V>).draft()
  return map.size < leastLayered ? new CopiedDraft(map) : new LayeredMap(map, new Map(), map.size)
}

class CopiedDraft<K, V> extends Map<K, V> implements MapDraft<K, V> {
  // Of plain maps alone are its equals told apart by what they hold.
  made = (): ReadonlyMap<K, V> => new Map(this)
  making = (): Generator<void, ReadonlyMap<K, V>, void> => copied<K, V>(this)
}

/** `over`: what differs from the map. A step for each entry, also of those that are gone. */
function* copied<K, V>(map: ReadonlyMap<K, V>, over?: Over<K, V>): Generator<void, ReadonlyMap<K, V>, void> {
  const copy = new Map<K, V>()
  for (const [key, value] of map) {
    const own = over?.get(key)
    if (own === undefined) copy.set(key, value)
    else if (own) copy.set(key, own.value)
    yield
  }
  for (const [key, own] of over ?? []) {
    if (own && !map.has(key)) copy.set(key, own.value)
    yield
  }
  return copy
}

/** null: it is gone. */
type Over<K, V> = Map<K, { readonly value: V } | null>

class LayeredMap<K, V> implements ReadonlyMap<K, V>, MapDraft<K, V> {
  readonly #below: ReadonlyMap<K, V>
  readonly #over: Over<K, V>
  #size: number

  constructor(below: ReadonlyMap<K, V>, over: Over<K, V>, size: number) {
    this.#below = below
    this.#over = over
    this.#size = size
  }

  draft(): LayeredMap<K, V> {
    return new LayeredMap(this.#below, new Map(this.#over), this.#size)
  }

  made(): ReadonlyMap<K, V> {
    return this.#over.size <= mostOver ? this : new Map(this)
  }

  *making(): Generator<void, ReadonlyMap<K, V>, void> {
    return this.#over.size <= mostOver ? this : yield* copied(this.#below, this.#over)
  }

  get size(): number {
    return this.#size
  }

  get(key: K): V | undefined {
    const over = this.#over.get(key)
    return over === undefined ? this.#below.get(key) : over?.value
  }

  has(key: K): boolean {
    const over = this.#over.get(key)
    return over === undefined ? this.#below.has(key) : over !== null
  }

  set(key: K, value: V): void {
    if (!this.has(key)) this.#size += 1
    this.#over.set(key, { value })
  }

  delete(key: K): void {
    if (!this.has(key)) return
    this.#size -= 1
    if (this.#below.has(key)) this.#over.set(key, null)
    else this.#over.delete(key)
  }

  *entries(): MapIterator<[K, V]> {
    for (const entry of this.#below) {
      const over = this.#over.get(entry[0])
      if (over === undefined) yield entry
      else if (over) yield [entry[0], over.value]
    }
    for (const [key, over] of this.#over) if (over && !this.#below.has(key)) yield [key, over.value]
  }

  *keys(): MapIterator<K> {
    for (const [key] of this) yield key
  }

  *values(): MapIterator<V> {
    for (const [, value] of this) yield value
  }

  [Symbol.iterator](): MapIterator<[K, V]> {
    return this.entries()
  }

  forEach(each: (value: V, key: K, map: ReadonlyMap<K, V>) => void): void {
    for (const [key, value] of this) each(value, key, this)
  }
}
