// What 8 bits show of samples at 16 where nearly all are dim: a camera's picture of faint nuclei beside one bright thing.

/** Dim: all but a hundredth of the values are below this. Others stay as the slide's own range has them. */
const dimBelow = 65536 / 8
/** Of the values that become 255: less is a camera's noise. */
const leastTop = 64
/** Of the dim values' variance, what lies between their two parts. Noise has 0.64, evenly spread values have 0.75. */
const leastApart = 0.77

/** The value that all but a hundredth do not exceed. */
function topOf(counts: Uint32Array, total: number): number {
  let value = 65535
  for (let above = counts[value]!; value > 0 && above <= total / 100;) above += counts[--value]!
  return value
}

/** Whether values up to `top` are two kinds, as nuclei and what is between them (Otsu's ratio). */
function areTwoKinds(counts: Uint32Array, top: number): boolean {
  const of = counts.subarray(0, top + 1)
  let count = 0
  let sum = 0
  let squares = 0
  of.forEach((n, value) => {
    count += n
    sum += n * value
    squares += n * value * value
  })
  const variance = squares / count - (sum / count) ** 2
  let between = 0
  let below = 0
  let belowSum = 0
  of.forEach((n, value) => {
    below += n
    belowSum += n * value
    if (below > 0 && below < count)
      between = Math.max(
        between,
        ((below * (count - below)) / count ** 2) * (belowSum / below - (sum - belowSum) / (count - below)) ** 2,
      )
  })
  return variance > 0 && between >= leastApart * variance
}

/**
 * What is to become 255 of samples at 16 bits, for looking after tissue; null: the slide's own 8 bits say enough, as nothing is dim, or what is dim
 * is noise alone. `unread` (1 each): values that nobody knows. `isCertain`: it is the same whatever they are.
 */
export function dimTop(deep: Uint16Array, unread: Uint8Array | null = null): { top: number | null; isCertain: boolean } {
  const counts = new Uint32Array(65536)
  let lost = 0
  for (let i = 0; i < deep.length; i++) {
    if (unread?.[i]) lost += 1
    else counts[deep[i]!]! += 1
  }
  const top = topOf(counts, deep.length)
  if (top >= dimBelow) return { top: null, isCertain: true }
  return { top: areTwoKinds(counts, top) ? Math.max(top, leastTop) : null, isCertain: lost === 0 }
}

/** Grey over 0 to `top`, opaque. */
export function spreadTo(rgba: Uint8Array, deep: Uint16Array, top: number): void {
  for (let i = 0, at = 0; i < deep.length; i++, at += 4) {
    rgba[at] = rgba[at + 1] = rgba[at + 2] = Math.min(255, Math.round((deep[i]! * 255) / top))
    rgba[at + 3] = 255
  }
}
