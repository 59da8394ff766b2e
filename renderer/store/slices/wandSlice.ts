// The max-tree wand in hand: where it points, what it found there, and how far the wheel has walked. Pure.
import type { WandNode } from '../../../app/contract'
import { formatCount, formatMeasure } from '../../arithmetic/format'
import type { Point } from '../../arithmetic/geometry'
import { words } from '../../words'

export interface WandState {
  readonly on: boolean
  /** '': the recipe's first grey image. */
  readonly layer: string
  /** Level-0 px: the point, or the stroke that is drawn. */
  readonly points: readonly Point[]
  readonly stroke: boolean
  /** Parents up from what the point offers first; children down where negative. */
  readonly walk: number
  readonly busy: boolean
  readonly node: WandNode | null
  /** What a click makes of the node. */
  readonly keeps: 'region' | 'object'
}
export const noWand: WandState = {
  ...{ on: false, layer: '', points: [], stroke: false, walk: 0, busy: false, node: null },
  keeps: 'region',
}

type Rings = WandNode['parts'][number]

/** Whether a point lies within the rings, holes apart: an odd number of their edges lies to its right. */
export function isWithin(rings: Rings, { x, y }: Point): boolean {
  let odd = false
  for (const ring of rings) {
    ring.forEach(([x1, y1], i) => {
      const [x0, y0] = ring[(i + ring.length - 1) % ring.length]!
      if (y0 > y !== y1 > y && x < x0 + ((y - y0) / (y1 - y0)) * (x1 - x0)) odd = !odd
    })
  }
  return odd
}

/** "83 µm²", "1 240 px". */
export const areaWords = ({ area, unit }: WandNode): string =>
  `${unit === 'um' ? formatMeasure(area) : formatCount(area)} ${unit === 'um' ? 'µm²' : 'px'}`

/** Where the node stands between the point and the whole: "12 down, 40 up". */
export const placeWords = ({ below, above }: WandNode): string => words.wand.place(below, above)
