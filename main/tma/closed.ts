// A map of tissue or not, 255 and 0: what is scattered, as nuclei that shine, becomes the tissue that it is of. Pure.
import type { CoverMap } from './coverMap'

/** Of a px: what may be tissue at all. Nuclei that shine fill a small part of theirs. */
const least = 32
/** Of the usual px of tissue: from here one is of it. */
const half = 0.5

/** `gap`: px that may lie between two bits of one core. */
export function tissueMap(map: CoverMap, gap: number): CoverMap {
  const { width, height, share } = map
  const first = closed(map, least, gap)
  let [sum, count] = [0, 0]
  for (let at = 0; at < first.length; at++) {
    if (!first[at]) continue
    sum += share[at]!
    count += 1
  }
  const from = Math.min(128, Math.max(least / 2, (half * sum) / Math.max(1, count)))
  return { width, height, share: closed(map, from, gap).map((each) => each * 255) }
}

/** 1 where tissue is, or lies around within so many px. */
function closed({ width, height, share }: CoverMap, from: number, gap: number): Uint8Array {
  const tissue = new Uint8Array(share.length)
  for (let at = 0; at < tissue.length; at++) if (share[at]! >= from) tissue[at] = 1
  if (gap < 1) return tissue
  const wide = spread(spread(tissue, width, height, gap, 1), height, width, gap, 1)
  return spread(spread(wide, width, height, gap, 0), height, width, gap, 0)
}

/** Turned about its diagonal, with each run of `value` of a row longer by so many px at both ends. */
function spread(mask: Uint8Array, width: number, height: number, by: number, value: 0 | 1): Uint8Array {
  const turned = new Uint8Array(mask.length).fill(1 - value)
  for (let y = 0; y < height; y++) {
    let until = -1
    for (let x = 0; x < width + by; x++) {
      if (x < width && mask[y * width + x] === value) until = x + 2 * by
      const at = x - by
      if (at >= 0 && x <= until) turned[at * height + y] = value
    }
  }
  return turned
}
