// Shapes put together and cut, and those that come in made valid, in the document's words.
import type { Shape } from '../../../app/contract'
import { EngineError } from '../../base/errors'
import { TooTangled } from '../../base/planar/noded'
import type { Effort } from '../../base/planar/noded'
import { evenOdd, laidOver, repaired } from '../../base/planar/simple'
import type { Repaired } from '../../base/planar/simple'

function tried<T>(work: () => T): T {
  try {
    return work()
  } catch (cause) {
    if (!(cause instanceof TooTangled)) throw cause
    throw new EngineError(
      'INVALID_PARAMETER',
      'The shape could not be worked out: its lines cross too often, or lie too close upon each other. Draw a simpler one.',
      undefined,
      { cause },
    )
  }
}

/**
 * A shape that comes in, as a valid simple feature: a ring encloses what it winds around; the first of a part is its outside, the others are cut out;
 * parts are put together. A valid one stays as it is, to the point. Throws INVALID_PARAMETER. Cost: n log n of its points and crossings.
 */
export function resolved(shape: Shape, effort?: Effort): Repaired {
  if (valid.has(shape)) return { shape, changed: false }
  const found = tried(() => repaired(shape, effort))
  if (found.shape) valid.add(found.shape)
  return found
}
/** Shapes that are known to be so: of an import of many none is looked at twice. */
const valid = new WeakSet<Shape>()

/** A shape that the document holds, as a valid one, by the rule that says what lies in it: an earlier version kept what crosses itself. */
export function heldAs(shape: Shape): Repaired {
  if (valid.has(shape)) return { shape, changed: false }
  const known = held.get(shape)
  if (known) return known
  const found = tried(() => evenOdd(shape))
  held.set(shape, found)
  return found
}
const held = new WeakMap<Shape, Repaired>()

/** null: nothing is left. Throws INVALID_PARAMETER. */
export function combined(shape: Shape, how: 'add' | 'subtract', other: Shape): Shape | null {
  return tried(() => {
    const [one, second] = [heldAs(shape).shape, resolved(other).shape]
    const found = one && second ? laidOver(one, how, second) : (one ?? (how === 'add' ? second : null))
    if (found) valid.add(found)
    return found
  })
}
