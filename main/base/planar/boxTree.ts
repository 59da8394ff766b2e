// Boxes in a balanced tree over their middles, in typed arrays: what lies near a place is found without looking at the rest. Pure.

/** Items of a leaf. */
const leafItems = 8
/** Of a node that is built in one step. */
const stepItems = 4096
/** Deeper than any tree of 2^32 items. */
const mostDepth = 64

/** Sides included. */
export interface Span {
  readonly minX: number
  readonly minY: number
  readonly maxX: number
  readonly maxY: number
}

/**
 * Places in typed arrays, split in halves by the longer side of what they span. Clusters, and any number of items in one place, cost no more than
 * others do. The same items in the same order give the same tree. O(n log n); memory: 4 bytes an item and 64 a leaf.
 */
export class BoxTree {
  /** Items by their places in the tree: those of a node are [from, to). */
  readonly order: Uint32Array
  readonly #boxes: Float64Array
  readonly #levels: number
  /** Of the walk: node, from, to and squared distance of each entry. */
  readonly #nodes = new Uint32Array(mostDepth)
  readonly #froms = new Uint32Array(mostDepth)
  readonly #tos = new Uint32Array(mostDepth)
  readonly #farness = new Float64Array(mostDepth);

  /** The same, in small steps. */
  static *building(minX: Float64Array, minY: Float64Array, maxX = minX, maxY = minY): Generator<void, BoxTree, void> {
    const tree = new BoxTree(minX, minY, maxX, maxY, true)
    yield* tree.#building(0, 0, tree.size, tree.#levels)
    return tree
  }

  /** `minX` … `maxY`: by item; of points the same arrays twice. `isLater`: it is built by who asks for it. */
  constructor(
    readonly minX: Float64Array,
    readonly minY: Float64Array,
    readonly maxX: Float64Array = minX,
    readonly maxY: Float64Array = minY,
    isLater = false,
  ) {
    const n = minX.length
    this.order = new Uint32Array(n)
    for (let i = 0; i < n; i++) this.order[i] = i
    let levels = 0
    while (n > leafItems * 2 ** levels) levels++
    this.#levels = levels
    this.#boxes = new Float64Array(4 * (2 ** (levels + 1) - 1))
    if (!isLater) this.#build(0, 0, n, levels)
  }

  get size(): number {
    return this.order.length
  }

  *#building(node: number, from: number, to: number, levels: number): Generator<void, void, void> {
    if (levels === 0 || to - from <= stepItems) {
      this.#build(node, from, to, levels)
      yield
      return
    }
    const middle = this.#halve(node, from, to, false)
    yield
    yield* this.#building(2 * node + 1, from, middle, levels - 1)
    yield* this.#building(2 * node + 2, middle, to, levels - 1)
  }

  #build(node: number, from: number, to: number, levels: number): void {
    const middle = this.#halve(node, from, to, levels === 0)
    if (levels === 0) return
    this.#build(2 * node + 1, from, middle, levels - 1)
    this.#build(2 * node + 2, middle, to, levels - 1)
  }

  /** A node's box; its items parted in halves, where it is no leaf. */
  #halve(node: number, from: number, to: number, isLeaf: boolean): number {
    const { order, minX, minY, maxX, maxY } = this
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
    let [lowX, lowY, highX, highY] = [Infinity, Infinity, -Infinity, -Infinity]
    for (let i = from; i < to; i++) {
      const item = order[i]!
      const x0 = minX[item]!
      const y0 = minY[item]!
      const x1 = maxX[item]!
      const y1 = maxY[item]!
      if (x0 < left) left = x0
      if (y0 < top) top = y0
      if (x1 > right) right = x1
      if (y1 > bottom) bottom = y1
      const x = x0 + x1
      const y = y0 + y1
      if (x < lowX) lowX = x
      if (x > highX) highX = x
      if (y < lowY) lowY = y
      if (y > highY) highY = y
    }
    const box = 4 * node
    this.#boxes[box] = left
    this.#boxes[box + 1] = top
    this.#boxes[box + 2] = right
    this.#boxes[box + 3] = bottom
    const middle = (from + to) >> 1
    if (isLeaf) return middle
    if (highX - lowX >= highY - lowY) selectBy(order, minX, maxX, from, to - 1, middle)
    else selectBy(order, minY, maxY, from, to - 1, middle)
    return middle
  }

  /** Squared: how far a node's box is from a place. By rounding never farther than what lies in it. */
  #farOf(node: number, x: number, y: number): number {
    const boxes = this.#boxes
    const at = 4 * node
    const left = boxes[at]!
    const top = boxes[at + 1]!
    const right = boxes[at + 2]!
    const bottom = boxes[at + 3]!
    const dx = x < left ? left - x : x > right ? x - right : 0
    const dy = y < top ? top - y : y > bottom ? y - bottom : 0
    return dx * dx + dy * dy
  }

  /**
   * Visits leaves, the nearer first, of which something may be nearer than `bound`, squared (as near is not nearer); `visit` is given [from, to) of `order` and gives the
   * bound from there on.
   */
  nearest(x: number, y: number, bound: number, visit: (from: number, to: number, bound: number) => number): void {
    if (this.size === 0) return
    const nodes = this.#nodes
    const froms = this.#froms
    const tos = this.#tos
    const farness = this.#farness
    let depth = 0
    nodes[0] = 0
    froms[0] = 0
    tos[0] = this.size
    farness[0] = this.#farOf(0, x, y)
    const firstLeaf = 2 ** this.#levels - 1
    while (depth >= 0) {
      if (farness[depth]! >= bound) {
        depth--
        continue
      }
      const node = nodes[depth]!
      const from = froms[depth]!
      const to = tos[depth]!
      if (node >= firstLeaf) {
        depth--
        bound = visit(from, to, bound)
        continue
      }
      const middle = (from + to) >> 1
      const left = 2 * node + 1
      const right = left + 1
      const farLeft = this.#farOf(left, x, y)
      const farRight = this.#farOf(right, x, y)
      const isLeft = farLeft <= farRight
      // The farther one stays below the nearer.
      nodes[depth] = isLeft ? right : left
      froms[depth] = isLeft ? middle : from
      tos[depth] = isLeft ? to : middle
      farness[depth] = isLeft ? farRight : farLeft
      depth++
      nodes[depth] = isLeft ? left : right
      froms[depth] = isLeft ? from : middle
      tos[depth] = isLeft ? middle : to
      farness[depth] = isLeft ? farLeft : farRight
    }
  }

  /** Leaf by leaf, so that those side by side lie near each other: [from, to) of `order`, and the box of its items. */
  eachLeaf(visit: (from: number, to: number, box: Span) => void): void {
    const walk = (node: number, from: number, to: number, levels: number): void => {
      if (from === to) return
      if (levels === 0) return visit(from, to, this.#spanOf(node))
      const middle = (from + to) >> 1
      walk(2 * node + 1, from, middle, levels - 1)
      walk(2 * node + 2, middle, to, levels - 1)
    }
    walk(0, 0, this.size, this.#levels)
  }

  #spanOf(node: number): Span {
    const at = 4 * node
    const boxes = this.#boxes
    return { minX: boxes[at]!, minY: boxes[at + 1]!, maxX: boxes[at + 2]!, maxY: boxes[at + 3]! }
  }

  /**
   * Visits what may be at most a distance, its square, from some place of a box: leaves as [from, to) of `order`; to `whole` go nodes of which
   * nothing is farther from any place of it. It ends where either gives false.
   */
  around(
    box: Span,
    squared: number,
    leaf: (from: number, to: number) => unknown,
    whole: (from: number, to: number) => unknown = leaf,
  ): void {
    if (this.size === 0) return
    const { minX, minY, maxX, maxY } = box
    const boxes = this.#boxes
    const nodes = this.#nodes
    const froms = this.#froms
    const tos = this.#tos
    let depth = 0
    nodes[0] = 0
    froms[0] = 0
    tos[0] = this.size
    const firstLeaf = 2 ** this.#levels - 1
    while (depth >= 0) {
      const node = nodes[depth]!
      const from = froms[depth]!
      const to = tos[depth]!
      depth--
      const at = 4 * node
      const left = boxes[at]!
      const top = boxes[at + 1]!
      const right = boxes[at + 2]!
      const bottom = boxes[at + 3]!
      const nearX = left > maxX ? left - maxX : minX > right ? minX - right : 0
      const nearY = top > maxY ? top - maxY : minY > bottom ? minY - bottom : 0
      if (nearX * nearX + nearY * nearY > squared) continue
      const farX = Math.max(right - minX, maxX - left)
      const farY = Math.max(bottom - minY, maxY - top)
      if (farX * farX + farY * farY <= squared) {
        if (whole(from, to) === false) return
        continue
      }
      if (node >= firstLeaf) {
        if (leaf(from, to) === false) return
        continue
      }
      const middle = (from + to) >> 1
      depth++
      nodes[depth] = 2 * node + 1
      froms[depth] = from
      tos[depth] = middle
      depth++
      nodes[depth] = 2 * node + 2
      froms[depth] = middle
      tos[depth] = to
    }
  }
}

/** Moves items so that those before `k` have no larger low + high than those from there on: Hoare's selection, by the median of three. */
function selectBy(order: Uint32Array, low: Float64Array, high: Float64Array, from: number, to: number, k: number): void {
  const at = (i: number): number => low[order[i]!]! + high[order[i]!]!
  while (to > from) {
    const a = at(from)
    const b = at((from + to) >> 1)
    const c = at(to)
    const pivot = a < b ? (b < c ? b : a < c ? c : a) : a < c ? a : b < c ? c : b
    let i = from
    let j = to
    while (i <= j) {
      while (at(i) < pivot) i++
      while (at(j) > pivot) j--
      if (i > j) break
      const item = order[i]!
      order[i] = order[j]!
      order[j] = item
      i++
      j--
    }
    if (k <= j) to = j
    else if (k >= i) from = i
    else return
  }
}
