// Which segments of many may meet: pairs whose boxes touch, by a tree of boxes over the segments in their order. Pure.

/** Segments side by side: x0, y0, x1, y1 each. */
export type Segments = Float64Array

const branch = 8

interface Level {
  readonly boxes: Float64Array
  /** A 1 where anything in it is asked about. */
  readonly asked: Uint8Array
}

/**
 * Visits each pair once, the lower number first, where either is `asked` about (absent: all are), until `visit` returns false. Of rings whose
 * points follow each other it costs about their segments and the pairs; returns false where it was ended.
 */
export function eachNearPair(segments: Segments, asked: Uint8Array | null, visit: (a: number, b: number) => boolean): boolean {
  const count = segments.length / 4
  if (count < 2) return true
  const levels = levelsOf(segments, asked ?? new Uint8Array(count).fill(1))
  const meet = (boxes: Float64Array, a: number, b: number): boolean =>
    boxes[a * 4]! <= boxes[b * 4 + 2]! &&
    boxes[b * 4]! <= boxes[a * 4 + 2]! &&
    boxes[a * 4 + 1]! <= boxes[b * 4 + 3]! &&
    boxes[b * 4 + 1]! <= boxes[a * 4 + 3]!
  const join = (at: number, a: number, b: number): boolean => {
    const { boxes, asked: isAsked } = levels[at]!
    if ((isAsked[a] === 0 && isAsked[b] === 0) || !meet(boxes, a, b)) return true
    if (at === 0) return a === b || visit(a, b)
    const below = levels[at - 1]!.asked.length
    const endA = Math.min(below, (a + 1) * branch)
    const endB = Math.min(below, (b + 1) * branch)
    for (let i = a * branch; i < endA; i++)
      for (let j = a === b ? i : b * branch; j < endB; j++) if (!join(at - 1, i, j)) return false
    return true
  }
  const top = levels.length - 1
  const tops = levels[top]!.asked.length
  for (let a = 0; a < tops; a++) for (let b = a; b < tops; b++) if (!join(top, a, b)) return false
  return true
}

function levelsOf(segments: Segments, asked: Uint8Array): Level[] {
  const count = segments.length / 4
  const boxes = new Float64Array(count * 4)
  for (let i = 0; i < boxes.length; i += 4) {
    boxes[i] = Math.min(segments[i]!, segments[i + 2]!)
    boxes[i + 1] = Math.min(segments[i + 1]!, segments[i + 3]!)
    boxes[i + 2] = Math.max(segments[i]!, segments[i + 2]!)
    boxes[i + 3] = Math.max(segments[i + 1]!, segments[i + 3]!)
  }
  const levels: Level[] = [{ boxes, asked }]
  while (levels.at(-1)!.asked.length > branch) {
    const below = levels.at(-1)!
    const n = Math.ceil(below.asked.length / branch)
    const level: Level = { boxes: new Float64Array(n * 4), asked: new Uint8Array(n) }
    for (let i = 0; i < n; i++) level.boxes.set([Infinity, Infinity, -Infinity, -Infinity], i * 4)
    for (let i = 0; i < below.asked.length; i++) {
      const up = Math.floor(i / branch)
      const [from, to] = [i * 4, up * 4]
      if (below.boxes[from]! < level.boxes[to]!) level.boxes[to] = below.boxes[from]!
      if (below.boxes[from + 1]! < level.boxes[to + 1]!) level.boxes[to + 1] = below.boxes[from + 1]!
      if (below.boxes[from + 2]! > level.boxes[to + 2]!) level.boxes[to + 2] = below.boxes[from + 2]!
      if (below.boxes[from + 3]! > level.boxes[to + 3]!) level.boxes[to + 3] = below.boxes[from + 3]!
      level.asked[up]! |= below.asked[i]!
    }
    levels.push(level)
  }
  return levels
}
