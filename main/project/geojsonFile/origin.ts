// Reads where a file's coordinates begin: at the slide's corner, or at that of its bounds, where QuPath has it. Moves shapes. Pure.
import * as z from 'zod'
import { isArea } from '../../../app/contract'
import type { RegionShape } from '../../../app/contract'
import type { Corner } from '../../base/corner'

const Stated = z.union([
  z.strictObject({ origin: z.literal('slide') }).transform(() => ({ x: 0, y: 0 })),
  z
    .strictObject({ origin: z.literal('bounds'), x: z.number().min(-1e9).max(1e9), y: z.number().min(-1e9).max(1e9) })
    .transform(({ x, y }) => ({ x, y })),
])
/** A member of the collection; a quote in a text would have a backslash. */
const statement = /(?<!\\)"morphoscope"\s*:\s*(\{[^{}]*\})/
/** It is the first member of what this program writes; a program that sorts them has it before the last. */
const looked = 4096

/** What a file says itself; null: nothing. */
export function originIn(text: string): Corner | null {
  const found = statement.exec(text.slice(0, looked)) ?? statement.exec(text.slice(-looked))
  if (!found) return null
  try {
    const stated = Stated.safeParse(JSON.parse(found[1]!))
    return stated.success ? stated.data : null
  } catch {
    return null
  }
}

export function movedBy(shape: RegionShape, dx: number, dy: number): RegionShape {
  const moved = (points: readonly (readonly [number, number])[]): [number, number][] => points.map(([x, y]) => [x + dx, y + dy])
  if (!isArea(shape)) return { ...shape, points: moved(shape.points) }
  if (shape.kind !== 'polygon') return { ...shape, x: shape.x + dx, y: shape.y + dy }
  return { ...shape, parts: shape.parts.map((rings) => rings.map(moved)) }
}
