// What waits for something in a test waits for it long enough on a busy machine: vitest's own second ends more tests than faults do.
import { vi } from 'vitest'

const patienceMs = 120_000
const { waitFor, waitUntil } = vi

type Options = Parameters<typeof waitFor>[1]

function patient(options: Options): Options {
  const given = typeof options === 'number' ? { timeout: options } : options
  return { interval: 20, ...given, timeout: Math.max(patienceMs, given?.timeout ?? 0) }
}

vi.waitFor = (callback, options) => waitFor(callback, patient(options))
vi.waitUntil = (callback, options) => waitUntil(callback, patient(options))
