// Work that several may ask for at once: done once, and stopped when none of those who asked wants it any more.
import { CancelledError } from './errors'

/** What the work itself sees of it. */
export interface Shared {
  /** Aborts when nobody waits any more. */
  readonly signal: AbortSignal
  /** True once its name was forgotten: those who wait get the result, and nobody else may. */
  readonly forgotten: boolean
}
class Going<T> implements Shared {
  readonly abort = new AbortController()
  forgotten = false
  /** Those who wait for it. */
  askers = 0
  promise!: Promise<T>
  get signal(): AbortSignal {
    return this.abort.signal
  }
}

export class SharedWork<T> {
  private readonly going = new Map<string, Going<T>>()

  /** Joins the work of that name, or begins it. An asker whose signal aborts leaves; the last to leave stops it. */
  async get(key: string, begin: (work: Shared) => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted()
    const joined = this.going.get(key) ?? this.begin(key, begin)
    joined.askers += 1
    if (!signal) return joined.promise
    let leave: () => void = () => undefined
    try {
      return await Promise.race([
        joined.promise,
        new Promise<never>((_, reject) => {
          leave = () => reject(new CancelledError('nobody waits for this any more'))
          signal.addEventListener('abort', leave, { once: true })
        }),
      ])
    } finally {
      signal.removeEventListener('abort', leave)
      if (signal.aborted) this.left(key, joined)
    }
  }

  /** What is under way under such a name is joined by nobody any more: who asks again begins it anew. */
  forget(prefix: string): void {
    for (const [key, work] of [...this.going]) {
      if (!key.startsWith(prefix)) continue
      work.forgotten = true
      this.going.delete(key)
    }
  }

  private begin(key: string, begin: (work: Shared) => Promise<T>): Going<T> {
    const work = new Going<T>()
    this.going.set(key, work)
    work.promise = begin(work).finally(() => this.end(key, work))
    // Whoever left does not hear how it ended.
    work.promise.catch(() => undefined)
    return work
  }

  private left(key: string, work: Going<T>): void {
    work.askers -= 1
    if (work.askers > 0) return
    this.end(key, work)
    work.abort.abort()
  }

  private end(key: string, work: Going<T>): void {
    if (this.going.get(key) === work) this.going.delete(key)
  }
}
