// The shape of what an engine's process sends, as far as its parent acts on it: that process reads hostile bytes.
import { errorCodes } from '../../contract'
import type { AppError, AppEvent, Result } from '../../contract'
import type { TileReply } from '../messages'

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isPlace = (value: unknown): boolean =>
  isObject(value) && typeof value['stage'] === 'string' && ['string', 'undefined'].includes(typeof value['param'])

const isNames = (value: unknown): boolean => Array.isArray(value) && value.every((name) => typeof name === 'string')

export function isError(value: unknown): value is AppError {
  return (
    isObject(value) &&
    (errorCodes as readonly unknown[]).includes(value['code']) &&
    typeof value['message'] === 'string' &&
    (value['detail'] === undefined || typeof value['detail'] === 'string') &&
    (value['where'] === undefined || isPlace(value['where'])) &&
    (value['files'] === undefined || isNames(value['files']))
  )
}

/** Its value is the page's to judge: nothing here acts on it. */
export function isResult(value: unknown): value is Result<unknown> {
  return isObject(value) && (value['ok'] === true ? 'value' in value : value['ok'] === false && isError(value['error']))
}

export function isReply(value: unknown): value is TileReply {
  if (!isObject(value) || !(value['body'] instanceof Uint8Array) || !isObject(value['headers'])) return false
  const { status, headers } = value
  return (
    Number.isInteger(status) &&
    (status as number) >= 200 &&
    (status as number) <= 599 &&
    // A line break would be another header.
    Object.entries(headers).every(
      ([name, text]) => /^[\w-]+$/.test(name) && typeof text === 'string' && /^[\t\x20-\x7e\x80-\xff]*$/.test(text),
    )
  )
}

/** As far as the parent looks at it; the page checks the whole. */
export function isEvent(value: unknown): value is AppEvent {
  if (!isObject(value) || typeof value['type'] !== 'string') return false
  return !/^run:(end|progress)$/.test(value['type']) || isObject(value['status'])
}
