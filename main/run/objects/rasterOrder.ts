// Objects in raster order of their first pixels. Pure.

/** Two passes of a counting sort, by column and then by row: a comparison each of millions would take seconds. `fill`: of each object its place. */
export function rasterOrder(
  count: number,
  fill: (field: 'firstX' | 'firstY', places: Uint32Array) => void,
): Uint32Array<ArrayBuffer> {
  let ids = new Uint32Array(count)
  for (let id = 0; id < count; id++) ids[id] = id
  for (const field of ['firstX', 'firstY'] as const) {
    const place = new Uint32Array(count)
    fill(field, place)
    let most = 0
    for (const at of place) if (at > most) most = at
    const next = new Uint32Array(most + 2)
    for (const at of place) next[at + 1]! += 1
    for (let i = 1; i < next.length; i++) next[i]! += next[i - 1]!
    const ordered = new Uint32Array(count)
    for (const id of ids) ordered[next[place[id]!]!++] = id
    ids = ordered
  }
  return ids
}
