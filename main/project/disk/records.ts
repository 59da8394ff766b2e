// What each record of a project can be: asked when it is written and when it is read, so that what is written can be read again.
import * as z from 'zod'
import { KeptId, mostClasses, RegionClass, RegionOfInterest } from '../../../app/contract'
import type { DocumentCommand, DocumentSlide } from '../../../app/contract'
import { EngineError } from '../../base/errors'
import type { Content, Placed } from '../document'

/** A step of history without its commands. */
export interface Step {
  readonly seq: number
  readonly at: number
  readonly name: string
  readonly undone: boolean
  /** The run that it is about. */
  readonly run: string | null
}
export interface NewStep {
  readonly at: number
  readonly name: string
  readonly forward: DocumentCommand
  readonly inverse: DocumentCommand
  /** The run that it is about. */
  readonly run?: string | null
}
export interface Loaded {
  readonly content: Content
  readonly slides: ReadonlyMap<string, DocumentSlide>
  readonly steps: readonly Step[]
  readonly revision: number
}

/** Steps that are kept: the oldest beyond them can no longer be taken back. */
export const keptSteps = 1000
/** Numbers that count up from here stay whole for as long as anybody works. */
const mostCounted = 2 ** 52
export const Revision = z.number().int().min(0).max(mostCounted)
export const Place = z.number().min(-mostCounted).max(mostCounted)
export const Classes = z.array(RegionClass).max(mostClasses)
export const StepRow = z.object({
  seq: z.number().int().min(1).max(mostCounted),
  at: z.number().int().min(0).max(8.64e15),
  name: z.string().min(1).max(600),
  undone: z.union([z.literal(0), z.literal(1)]),
  run: KeptId.nullable(),
})
/** A step's command, deflated, and what it may become. */
export const mostStepBytes = 2 ** 28
/** One region, slide, class or run as JSON. */
export const mostRecordBytes = 2 ** 26
/** Of all of a document's regions; see `weightOf`. */
const mostWeight = 320 * 2 ** 20
/** Bytes of all corrections together: two an object, and what was made by hand. */
const mostEdited = 2 ** 28

/** Throws an Error where a document's regions take more memory than a project can. */
export function requireWeight(weight: number): void {
  if (weight > mostWeight) throw new Error('its regions have too many points together')
}

/** Throws an Error where a document's corrections take more memory than a project can. */
export function requireEdited(weights: readonly number[]): void {
  if (weights.reduce((sum, weight) => sum + weight, 0) > mostEdited)
    throw new Error('its corrected results have too many objects')
}

/** The record, or an Error that says what is wrong with it. */
export function checked<T>(schema: z.ZodType<T>, value: unknown): T {
  const found = schema.safeParse(value)
  if (found.success) return found.data
  const [issue] = found.error.issues
  throw new Error(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not as it should be'}`)
}

/** JSON of a record that a project can be given. Throws INVALID_PARAMETER. */
export function recordText<T>(schema: z.ZodType<T>, value: T, what: string): string {
  return requireKeepable(what, () => {
    const text = JSON.stringify(checked(schema, value))
    if (Buffer.byteLength(text) > mostRecordBytes) throw new Error('it has too many points')
    return text
  })
}

/** What a project would not be able to read again is not written. Throws INVALID_PARAMETER. */
export function requireKeepable<T>(what: string, make: () => T): T {
  try {
    return make()
  } catch (error) {
    if (error instanceof EngineError) throw error
    const why = error instanceof Error ? error.message : String(error)
    throw new EngineError('INVALID_PARAMETER', `A project cannot hold ${what}: ${why}. Nothing has changed.`, undefined, {
      cause: error,
    })
  }
}

export function regionText({ region, place }: Placed): string {
  requireKeepable('the region’s place', () => checked(Place, place))
  return recordText(RegionOfInterest, region, region.name === '' ? 'the region' : `“${region.name}”`)
}
