// Objects in raster order of their first pixels. Pure.

/** So many objects are looked at in one step: some 1 ms. */
const stepObjects = 2 ** 16

/** What is asked of a batch of objects. */
interface Batch {
  readonly count: number
  copyValues: (field: 'firstX' | 'firstY', to: Uint32Array, at: number) => void
}
type Firsts = Readonly<Record<'firstX' | 'firstY', Uint32Array>>

/**
 * Two passes of a counting sort, by column and then by row, in small steps: a comparison each of millions would take seconds. `known`: of the first
 * batches their objects' places. Where more objects come in a rest, what it comes to is nobody's.
 */
export function* rasterOrder(
  count: number,
  batches: readonly Batch[],
  known: readonly Firsts[],
): Generator<void, Uint32Array<ArrayBuffer>, void> {
  let ids = new Uint32Array(count)
  for (let id = 0; id < count; id++) ids[id] = id
  for (const field of ['firstX', 'firstY'] as const) {
    const place = new Uint32Array(count)
    let n = 0
    for (const [i, batch] of batches.entries()) {
      const firsts = known[i]
      if (n + batch.count > count) break
      if (firsts) place.set(firsts[field], n)
      else batch.copyValues(field, place, n)
      n += batch.count
      yield
    }
    let most = 0
    for (const some of slices(place)) {
      for (const at of some) if (at > most) most = at
      yield
    }
    const next = new Uint32Array(most + 2)
    for (const some of slices(place)) {
      for (const at of some) next[at + 1]! += 1
      yield
    }
    for (let i = 1; i < next.length; i++) next[i]! += next[i - 1]!
    const ordered = new Uint32Array(count)
    for (const some of slices(ids)) {
      for (const id of some) ordered[next[place[id]!]!++] = id
      yield
    }
    ids = ordered
  }
  return ids
}

function* slices(all: Uint32Array): Generator<Uint32Array, void, void> {
  for (let from = 0; from < all.length; from += stepObjects) yield all.subarray(from, from + stepObjects)
}
