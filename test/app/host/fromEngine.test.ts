// What an engine's process sends, which may have read hostile bytes: errors of the contract's shape pass, and nothing else does.
import { describe, expect, it } from 'vitest'
import { isError } from '../../../app/host/parent/fromEngine'

describe('an error', () => {
  const error = { code: 'INVALID_PARAMETER', message: 'no' }
  it.each([
    error,
    { ...error, detail: 'why' },
    { ...error, where: { stage: 'split' } },
    { ...error, where: { stage: 'split', param: 'depth' } },
    { ...error, files: ['objects.csv'] },
  ])('%j passes', (value) => expect(isError(value)).toBe(true))

  it.each([
    null,
    { code: 'NO_CODE', message: 'no' },
    { code: 'INTERNAL' },
    { ...error, detail: 7 },
    { ...error, where: 'split.depth' },
    { ...error, where: {} },
    { ...error, where: { stage: 'split', param: 7 } },
    { ...error, files: 'objects.csv' },
    { ...error, files: [7] },
  ])('%j does not', (value) => expect(isError(value)).toBe(false))
})
