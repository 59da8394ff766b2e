// Distances between points: to the nearest, to the k nearest, and how many lie within a radius. Exact. Pure; any unit of length.
import { BoxTree } from '../base/planar/boxTree'

/** Points by item. */
export interface Points {
  readonly xs: Float64Array
  readonly ys: Float64Array
}
/** Is told the share that is done, now and then. */
export type Progress = (share: number) => void

/** Items between two words of progress. */
export const toldItems = 65_536

/** Every item by its place in the tree, as those side by side lie near each other. */
export function eachItem({ order }: BoxTree, progress: Progress, visit: (item: number) => void): void {
  for (let place = 0; place < order.length; place++) {
    if (place % toldItems === 0) progress(place / order.length)
    visit(order[place]!)
  }
}

export const treeOf = ({ xs, ys }: Points): BoxTree => new BoxTree(xs, ys)

/** Of each point the distance to the nearest of `members`, itself left out; NaN where there is none. `all`: the tree of the points. */
export function nearestOf(points: Points, all: BoxTree, members: Uint32Array, progress: Progress): Float64Array {
  const { xs, ys } = points
  const theirs = { xs: new Float64Array(members.length), ys: new Float64Array(members.length) }
  for (let i = 0; i < members.length; i++) {
    theirs.xs[i] = xs[members[i]!]!
    theirs.ys[i] = ys[members[i]!]!
  }
  const tree = treeOf(theirs)
  const found = new Float64Array(xs.length)
  let x = 0
  let y = 0
  let self = 0
  // Not a number that the function below holds: each write of one that is no whole number takes memory.
  const best = new Float64Array(1)
  const look = (from: number, to: number): number => {
    for (let i = from; i < to; i++) {
      const member = tree.order[i]!
      if (members[member] === self) continue
      const dx = theirs.xs[member]! - x
      const dy = theirs.ys[member]! - y
      const squared = dx * dx + dy * dy
      if (squared < best[0]!) best[0] = squared
    }
    return best[0]!
  }
  eachItem(all, progress, (item) => {
    x = xs[item]!
    y = ys[item]!
    self = item
    best[0] = Infinity
    tree.nearest(x, y, Infinity, look)
    found[item] = best[0] === Infinity ? NaN : Math.sqrt(best[0])
  })
  return found
}

/** Of each point the mean distance to its `count` nearest others; NaN where there are fewer. */
export function meanOfNearest({ xs, ys }: Points, all: BoxTree, count: number, progress: Progress): Float64Array {
  const found = new Float64Array(xs.length)
  // Squared, rising.
  const best = new Float64Array(count)
  let x = 0
  let y = 0
  let self = 0
  const look = (from: number, to: number): number => {
    for (let i = from; i < to; i++) {
      const item = all.order[i]!
      if (item === self) continue
      const dx = xs[item]! - x
      const dy = ys[item]! - y
      const squared = dx * dx + dy * dy
      if (squared >= best[count - 1]!) continue
      let at = count - 1
      for (; at > 0 && best[at - 1]! > squared; at--) best[at] = best[at - 1]!
      best[at] = squared
    }
    return best[count - 1]!
  }
  eachItem(all, progress, (item) => {
    x = xs[item]!
    y = ys[item]!
    self = item
    best.fill(Infinity)
    all.nearest(x, y, Infinity, look)
    let sum = 0
    // From the nearest on: the same sum whatever the order of the points.
    for (const squared of best) sum += Math.sqrt(squared)
    found[item] = sum === Infinity ? NaN : sum / count
  })
  return found
}

/** Of each point how many others lie at most `radius` away. Those of a leaf ask together. */
export function countsWithin({ xs, ys }: Points, all: BoxTree, radius: number, progress: Progress): Float64Array {
  const { order, size } = all
  const found = new Float64Array(xs.length)
  const squared = radius * radius
  let first = 0
  let end = 0
  const whole = (from: number, to: number): void => {
    for (let at = first; at < end; at++) found[order[at]!]! += to - from
  }
  const leaf = (from: number, to: number): void => {
    for (let at = first; at < end; at++) {
      const item = order[at]!
      const x = xs[item]!
      const y = ys[item]!
      let count = 0
      for (let i = from; i < to; i++) {
        const dx = xs[order[i]!]! - x
        const dy = ys[order[i]!]! - y
        if (dx * dx + dy * dy <= squared) count++
      }
      found[item]! += count
    }
  }
  let told = 0
  all.eachLeaf((from, to, box) => {
    if (from >= told) {
      progress(from / size)
      told += toldItems
    }
    first = from
    end = to
    all.around(box, squared, leaf, whole)
    // Each has found itself.
    for (let at = from; at < to; at++) found[order[at]!]! -= 1
  })
  return found
}
