// Ranks in the order of a column: four passes of a counting sort over the values' own bits, as comparing a million pairs takes a second.

/** Doubles are little-endian everywhere that this runs. */
const digits = 4

/** `ranks` by their values; equal values (0 and -0, too) stay in the order they had, also when descending. NaN comes last. O(n). */
export function sortRanks(ranks: Uint32Array, values: Float64Array, descending: boolean): Uint32Array {
  const n = ranks.length
  const keys = new Float64Array(n)
  for (let i = 0; i < n; i++) keys[i] = values[ranks[i]!]! + 0
  const words = new Uint32Array(keys.buffer)
  for (let i = 0; i < n; i++) {
    const isNaN = keys[i] !== keys[i]
    let low = words[2 * i]!
    let high = words[2 * i + 1]!
    // So that they ascend as whole numbers do: of negative ones every bit the other way round, of others the sign.
    if (high >>> 31) {
      low = ~low >>> 0
      high = ~high >>> 0
    } else high = (high | 0x80000000) >>> 0
    if (descending) {
      low = ~low >>> 0
      high = ~high >>> 0
    }
    words[2 * i] = isNaN ? 0xffffffff : low
    words[2 * i + 1] = isNaN ? 0xffffffff : high
  }
  const parts = new Uint16Array(keys.buffer)
  let order = Uint32Array.from({ length: n }, (_, i) => i)
  let other = new Uint32Array(n)
  const next = new Uint32Array(65536)
  for (let digit = 0; digit < digits; digit++) {
    next.fill(0)
    for (let i = 0; i < n; i++) next[parts[4 * i + digit]!]! += 1
    // All have the same here: nothing to do, as often in the lowest bits.
    if (n > 0 && next[parts[digit]!] === n) continue
    let before = 0
    for (let value = 0; value < 65536; value++) {
      const count = next[value]!
      next[value] = before
      before += count
    }
    for (let i = 0; i < n; i++) {
      const at = order[i]!
      other[next[parts[4 * at + digit]!]!++] = at
    }
    ;[order, other] = [other, order]
  }
  for (let i = 0; i < n; i++) other[i] = ranks[order[i]!]!
  return other
}
