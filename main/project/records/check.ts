// The check of a record, and how a refusal is said: in its place where it is read, and as what a project cannot hold where it is put.
import type * as z from 'zod'
import { EngineError, isCancelled } from '../../base/errors'

/** One record as JSON, and one run's corrections. */
export const mostRecordBytes = 2 ** 26

/** The record, or an Error that says what is wrong with it. */
export function checked<T>(schema: z.ZodType<T>, value: unknown): T {
  const found = schema.safeParse(value)
  if (found.success) return found.data
  const [issue] = found.error.issues
  throw new Error(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not as it should be'}`)
}

/** The record as JSON. Throws an Error. */
export function textOf<T>(schema: z.ZodType<T>, record: T): string {
  const text = JSON.stringify(checked(schema, record))
  if (Buffer.byteLength(text) > mostRecordBytes) throw new Error('it has too many points')
  return text
}

/** The record of its JSON. Throws an Error. */
export function recordOf<T>(schema: z.ZodType<T>, text: string): T {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new Error(`is no JSON (${error instanceof Error ? error.message : ''})`, { cause: error })
  }
  return checked(schema, value)
}

/** What a project would not be able to read again is not written. Throws INVALID_PARAMETER. */
export function requireKeepable<T>(what: string, make: () => T): T {
  try {
    return make()
  } catch (error) {
    if (error instanceof EngineError || isCancelled(error)) throw error
    const why = error instanceof Error ? error.message : String(error)
    throw new EngineError('INVALID_PARAMETER', `A project cannot hold ${what}: ${why}. Nothing has changed.`, undefined, {
      cause: error,
    })
  }
}
