// The engine's one error: a code of the contract, a message for the user, a detail for the log.
import type { z } from 'zod'
import type { AppError, ErrorCode, RecipePlace } from '../../app/contract'
import { NativeError } from '../../native/index'

export class EngineError extends Error {
  override readonly name = 'EngineError'
  readonly code: ErrorCode
  readonly detail: string | undefined
  /** The recipe's value that it is about, where it is about one. */
  readonly where: RecipePlace | undefined
  /** The names of the files that it is about, where they are an export's. */
  readonly files: readonly string[] | undefined
  constructor(
    code: ErrorCode,
    message: string,
    detail?: string,
    options?: ErrorOptions & { where?: RecipePlace; files?: readonly string[] },
  ) {
    super(message, options)
    this.code = code
    this.detail = detail
    this.where = options?.where
    this.files = options?.files
  }
}

/** Work that was stopped on request: an outcome, so never shown as a failure. */
export class CancelledError extends Error {
  override readonly name = 'CancelledError'
}

export function isCancelled(error: unknown): boolean {
  if (error instanceof CancelledError) return true
  if (error instanceof NativeError) return error.code === 'CANCELLED'
  return error instanceof Error && error.name === 'AbortError'
}

/** A value as a message shows it: short, quoted where it is text. */
export function describe(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 80 ? `${value.slice(0, 77)}...` : value)
  if (value === null || value === undefined || typeof value !== 'object') return String(value)
  return Array.isArray(value) ? 'a list' : 'an object'
}

/** The house's message formula for a bad value. */
export function invalid(expected: string, name: string, received: unknown): EngineError {
  return new EngineError('INVALID_PARAMETER', `expected ${expected} for ${name} but received ${describe(received)}`)
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let value: unknown = root
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined
    value = (value as Record<PropertyKey, unknown>)[key]
  }
  return value
}

function expectation(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `a value of type ${issue.expected}`
    case 'too_small':
      return `${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}${issue.origin === 'string' ? ' characters' : ''}`
    case 'too_big':
      return `${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}${issue.origin === 'string' ? ' characters' : ''}`
    case 'invalid_value':
      return `one of ${issue.values.map(String).join(', ')}`
    case 'unrecognized_keys':
      return `no key ${issue.keys.map((key) => describe(key)).join(', ')}`
    case 'invalid_format':
      return `the form ${issue.pattern ?? issue.format}`
    default:
      return issue.message.startsWith('expected ') ? issue.message.slice('expected '.length) : 'a valid value'
  }
}

/** The same for a value of a recipe, which `where` names. */
export function invalidParam(expected: string, stage: string, param: string, received: unknown): EngineError {
  const message = `expected ${expected} for ${stage}.${param} but received ${describe(received)}`
  return new EngineError('INVALID_PARAMETER', message, undefined, { where: { stage, param } })
}

/** A recipe holds its values as params.<stage>.<parameter>. */
function placeIn(path: readonly PropertyKey[]): RecipePlace | undefined {
  const at = path.indexOf('params')
  const [stage, param] = at < 0 ? [] : path.slice(at + 1)
  if (typeof stage !== 'string') return undefined
  return typeof param === 'string' ? { stage, param } : { stage }
}

/** The first thing wrong with a value that a schema refused, in the house's formula. */
export function schemaError(name: string, value: unknown, error: z.ZodError): EngineError {
  const issue = error.issues[0]
  if (!issue) return invalid('a valid value', name, value)
  const at = [name, ...issue.path.map(String)].join('.')
  const message = `expected ${expectation(issue)} for ${at} but received ${describe(valueAt(value, issue.path))}`
  const where = placeIn(issue.path)
  return new EngineError('INVALID_PARAMETER', message, undefined, where && { where })
}

/** A thread or process that the system does not start now; the native layer says so by itself. */
function cannotStart(error: unknown): boolean {
  const { code, syscall } = (error ?? {}) as { code?: unknown; syscall?: unknown }
  return code === 'ERR_WORKER_INIT_FAILED' || (code === 'EAGAIN' && typeof syscall === 'string' && syscall.startsWith('spawn'))
}

/** What crosses the process for anything that was thrown. INTERNAL carries the stack as its detail. */
export function toAppError(error: unknown): AppError {
  if (error instanceof EngineError) {
    const { code, message, detail, where, files } = error
    return {
      code,
      message,
      ...(detail === undefined ? {} : { detail }),
      ...(where === undefined ? {} : { where }),
      ...(files === undefined ? {} : { files: [...files] }),
    }
  }
  if (error instanceof NativeError && error.code !== 'CANCELLED' && error.code !== 'INTERNAL') {
    const { code, message, detail, where } = error
    return { code, message, ...(detail ? { detail } : {}), ...(where === undefined ? {} : { where }) }
  }
  if (error instanceof RangeError && /allocation failed/i.test(error.message)) {
    return {
      code: 'OUT_OF_MEMORY',
      message: 'There is not enough free memory. Close other programs, or take a smaller region.',
      detail: error.stack ?? error.message,
    }
  }
  if (cannotStart(error)) {
    return {
      code: 'OUT_OF_MEMORY',
      message:
        'The system starts no more threads or processes for this user or container. End other programs, or use fewer threads, and try again.',
      detail: error instanceof Error ? (error.stack ?? error.message) : String(error),
    }
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  const cause = error instanceof Error && error.cause instanceof Error ? `\n${error.cause.stack ?? error.cause.message}` : ''
  return {
    code: 'INTERNAL',
    message: `Something went wrong inside Morphoscope: ${error instanceof Error ? error.message : String(error)}. Please report it with the log.`,
    detail: stack + cause,
  }
}
