// Which objects of two sets are the same: one to one, where they share half of what they cover together.
import type { Overlap, Pair } from './overlap'

export interface Matching {
  readonly pairs: readonly Pair[]
  /** 1: it has a partner; by index. */
  readonly inBoth: { readonly a: Uint8Array<ArrayBuffer>; readonly b: Uint8Array<ArrayBuffer> }
  /** Intersection over union, of the matched; null: none is. */
  readonly meanIou: number | null
  /** Of the areas of all objects; 1 where both cover nothing. */
  readonly dice: number
}

/** Intersection over union. */
export function iouOf(areas: Overlap['areas'], { a, b, pixels }: Pair): number {
  return pixels / (areas.a[a]! + areas.b[b]! - pixels)
}

/**
 * IoU ≥ 0.5. Where objects of a set share no px, at most one partner can be above one half, so the best pairs first is the one answer; of two
 * that are equal the first in raster order is taken.
 */
export function matchingOf({ areas, covered, pairs }: Overlap): Matching {
  const iou = (pair: Pair): number => iouOf(areas, pair)
  const candidates = pairs.filter(({ a, b, pixels }) => 3 * pixels >= areas.a[a]! + areas.b[b]!)
  candidates.sort((p, q) => iou(q) - iou(p) || p.a - q.a || p.b - q.b)
  const inBoth = { a: new Uint8Array(areas.a.length), b: new Uint8Array(areas.b.length) }
  const matched = candidates.filter(({ a, b }) => {
    if (inBoth.a[a] === 1 || inBoth.b[b] === 1) return false
    inBoth.a[a] = inBoth.b[b] = 1
    return true
  })
  const sum = matched.reduce((total, pair) => total + iou(pair), 0)
  return {
    pairs: matched,
    inBoth,
    meanIou: matched.length > 0 ? sum / matched.length : null,
    dice: covered.a + covered.b > 0 ? (2 * covered.both) / (covered.a + covered.b) : 1,
  }
}
