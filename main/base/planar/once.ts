// Shapes that overlap, so that each place of theirs counts once: put together, or each without what others before it have. Pure; level-0 px.
import type { Ring, Shape } from '../../../app/contract'
import { areaOfShape, boxOf, partsOf, trueRim } from '../shapes'
import type { Box } from '../shapes'
import { newEffort } from './noded'
import { overlay } from './overlay'
import { evenOdd, oriented } from './simple'

/** Less than this two shapes share by rounding alone, px². */
const leastPx = 1
/** Of an ellipse whose overlap is worked out: its area is exact, its rim a 30,000th of a radius off at most. */
const rimPoints = 512

/** Shapes that share no place and hold the same places: those that overlap as one, the others as they are, to the bit. Throws TooTangled. */
export function together(shapes: readonly Shape[]): Shape[] {
  if (shapes.length < 2) return [...shapes]
  return groupsOf(shapes.map(boxOf)).flatMap((group) => {
    const own = group.map((i) => shapes[i]!)
    if (own.length === 1) return own
    const parts = overlay(own.flatMap(ringsOf), [], (first) => first > 0, newEffort())
    const one: Shape = { kind: 'polygon', parts }
    const shared = own.reduce((sum, shape) => sum + areaOfShape(validOf(shape)), 0) - areaOfShape(one)
    return shared < leastPx ? own : [one]
  })
}

/** Of each shape what none before it has: the shape itself where it shares nothing with them; null: nothing is left of it. Throws TooTangled. */
export function withoutEarlier(shapes: readonly Shape[]): (Shape | null)[] {
  const rest: (Shape | null)[] = [...shapes]
  for (const group of groupsOf(shapes.map(boxOf)))
    group.forEach((at, place) => {
      const shape = shapes[at]!
      const before = group.slice(0, place).map((i) => shapes[i]!).filter((other) => overlap(boxOf(shape), boxOf(other))) // oxfmt-ignore
      if (before.length === 0) return
      const parts = overlay(ringsOf(shape), before.flatMap(ringsOf), (own, others) => own > 0 && others <= 0, newEffort())
      const left: Shape | null = parts.length > 0 ? { kind: 'polygon', parts } : null
      const lost = areaOfShape(validOf(shape)) - (left ? areaOfShape(left) : 0)
      if (lost >= leastPx) rest[at] = left
    })
  return rest
}

const validOf = (shape: Shape): Shape => evenOdd(shape).shape ?? { kind: 'polygon', parts: [] }

function ringsOf(shape: Shape): Ring[] {
  if (shape.kind === 'ellipse') return oriented([[trueRim(shape, rimPoints)]])
  return oriented(partsOf(validOf(shape)))
}

const overlap = (a: Box, b: Box): boolean => a.minX < b.maxX && b.minX < a.maxX && a.minY < b.maxY && b.minY < a.maxY

/** Those whose boxes overlap, one with the next, each group in the order of the shapes. O(n log n + pairs whose boxes share a column). */
function groupsOf(boxes: readonly Box[]): number[][] {
  const parent = boxes.map((_, i) => i)
  const rootOf = (i: number): number => {
    while (parent[i] !== i) i = parent[i] = parent[parent[i]!]!
    return i
  }
  let open: number[] = []
  for (const i of boxes.map((_, n) => n).sort((a, b) => boxes[a]!.minX - boxes[b]!.minX)) {
    open = open.filter((j) => boxes[j]!.maxX > boxes[i]!.minX)
    for (const j of open) if (overlap(boxes[i]!, boxes[j]!)) parent[rootOf(j)] = rootOf(i)
    open.push(i)
  }
  const groups = new Map<number, number[]>()
  boxes.forEach((_, i) => {
    const root = rootOf(i)
    const group = groups.get(root)
    if (group) group.push(i)
    else groups.set(root, [i])
  })
  return [...groups.values()]
}
