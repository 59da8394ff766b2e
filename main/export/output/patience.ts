// Steps that a dead disk never ends: nobody waits for them longer than is right, and only so many may hang at once.
import { EngineError } from '../../base/errors'
import { asOutputFailure } from './failure'

/** Folders and names: quick anywhere, but for a network's disk that wakes up first. */
const folderLimitMs = 30_000
/** Each holds a thread of the pool that reads slides and files. */
const maxStuck = 2
const settleMs = 2000

interface Stuck {
  readonly path: string
  readonly since: number
  readonly end: Promise<unknown>
}
const stuck = new Set<Stuck>()

/** Throws where a new export would only hang too, or where too many do already. */
export async function refuseWhileStuck(directory: string): Promise<void> {
  // What was cancelled a moment ago is as a rule about to end.
  let timer: ReturnType<typeof setTimeout> | undefined
  const wait = new Promise((resolve) => (timer = setTimeout(resolve, settleMs)))
  await Promise.race([wait, Promise.all([...stuck].map(({ end }) => end))])
  clearTimeout(timer)
  const here = [...stuck].find(({ path }) => path === directory || path.startsWith(`${directory}/`))
  if (here) throw silent(directory, `has not answered for ${Math.round((performance.now() - here.since) / 1000)} s`)
  if (stuck.size >= maxStuck)
    throw silent(
      [...stuck].map(({ path }) => path).join(' and '),
      'still do not answer, and no more exports may wait for such disks',
    )
}

function silent(path: string, what: string): EngineError {
  return new EngineError(
    'OUTPUT_FAILED',
    `Could not write ${path}: its disk ${what}. Check that it is there, or choose another folder.`,
  )
}

/** Rejects with the signal's reason as soon as it is aborted, whatever `work` waits for; `path` then counts as stuck until it ends. */
async function until<T>(path: string, work: () => Promise<T>, signal: AbortSignal | undefined, limitMs: number): Promise<T> {
  signal?.throwIfAborted()
  const going = work()
  let timer: ReturnType<typeof setTimeout> | undefined
  let onAbort = (): void => undefined
  const mark: Stuck = { path, since: performance.now(), end: going.catch(() => undefined) }
  const leave = new Promise<never>((_, reject) => {
    const left = (reason: unknown): void => {
      stuck.add(mark)
      void mark.end.then(() => stuck.delete(mark))
      reject(reason instanceof Error ? reason : new Error(String(reason)))
    }
    onAbort = () => left(signal?.reason)
    signal?.addEventListener('abort', onAbort)
    if (limitMs < Infinity) timer = setTimeout(() => left(silent(path, `has not answered for ${limitMs / 1000} s`)), limitMs)
  })
  try {
    return await Promise.race([going, leave])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}

/** What must not be left half done is waited for; it counts as stuck once it takes longer than is right. */
export async function patiently<T>(path: string, going: Promise<T>): Promise<T> {
  const mark: Stuck = { path, since: performance.now(), end: going.catch(() => undefined) }
  const timer = setTimeout(() => stuck.add(mark), settleMs)
  try {
    return await going
  } finally {
    clearTimeout(timer)
    stuck.delete(mark)
  }
}

/** One step of writing `path`: a failed system call is OUTPUT_FAILED, an abort is heard at once. */
export async function writing<T>(path: string, work: () => Promise<T>, signal?: AbortSignal, limitMs = Infinity): Promise<T> {
  try {
    return await until(path, work, signal, limitMs)
  } catch (error) {
    throw asOutputFailure(path, error)
  }
}

/** A step about folders and names. */
export function quickly<T>(path: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  return writing(path, work, signal, folderLimitMs)
}
