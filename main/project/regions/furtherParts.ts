// Long answers in parts: the first at once, and the others where they are asked for, so that no answer keeps a thread for long.
import { isArea } from '../../../app/contract'
import type { FurtherPart, PlacedRegion, RegionMeasure, RegionShape } from '../../../app/contract'
import { EngineError } from '../../base/errors'

/** Of one part: some 5 ms of the engine's thread, and of a page's. */
const mostEntries = 2000
const mostPoints = 20_000
/** Of several windows, and of one that asks anew. An older one is asked for anew. */
const mostHeld = 4

type Held =
  | { readonly kind: 'regions'; readonly all: readonly PlacedRegion[] }
  | { readonly kind: 'measures'; readonly all: readonly RegionMeasure[] }
  | { readonly kind: 'texts'; readonly all: readonly string[] }

export class FurtherParts {
  readonly #held = new Map<number, Held>()
  #last = 0

  regions(all: readonly PlacedRegion[]): { first: readonly PlacedRegion[]; more?: number } {
    const first = regionsFrom(all, 0)
    return { first, ...this.#hold({ kind: 'regions', all }, first.length) }
  }

  measures(all: readonly RegionMeasure[]): { measures: RegionMeasure[]; more?: number } {
    const first = all.slice(0, mostEntries)
    return { measures: first, ...this.#hold({ kind: 'measures', all }, first.length) }
  }

  /** A text that comes in pieces; of such, one is held at a time. */
  texts(all: readonly string[]): { texts: string[]; more?: number } {
    for (const [name, { kind }] of this.#held) if (kind === 'texts') this.#held.delete(name)
    const first = all.slice(0, 1)
    return { texts: first, ...this.#hold({ kind: 'texts', all }, first.length) }
  }

  /** Throws NOT_FOUND. */
  from(more: number, from: number): FurtherPart {
    const held = this.#held.get(more)
    if (!held) throw new EngineError('NOT_FOUND', 'What was left of that answer is held no more. Ask anew.')
    const regions = held.kind === 'regions' ? regionsFrom(held.all, from) : []
    const measures = held.kind === 'measures' ? held.all.slice(from, from + mostEntries) : []
    const texts = held.kind === 'texts' ? held.all.slice(from, from + 1) : []
    const isLast = from + regions.length + measures.length + texts.length >= held.all.length
    if (isLast) this.#held.delete(more)
    return { regions, measures, texts, isLast }
  }

  #hold(held: Held, told: number): { more?: number } {
    if (told >= held.all.length) return {}
    this.#held.set((this.#last += 1), held)
    for (const name of this.#held.keys()) if (name <= this.#last - mostHeld) this.#held.delete(name)
    return { more: this.#last }
  }
}

function regionsFrom(all: readonly PlacedRegion[], from: number): PlacedRegion[] {
  let [to, points] = [from, 0]
  while (to < all.length && to - from < mostEntries && (to === from || points < mostPoints))
    points += pointsOf(all[to++]!.record.shape)
  return all.slice(from, to)
}

export function pointsOf(shape: RegionShape): number {
  if (!isArea(shape)) return shape.points.length
  return shape.kind === 'polygon' ? shape.parts.reduce((sum, part) => part.reduce((all, ring) => all + ring.length, sum), 0) : 4
}
