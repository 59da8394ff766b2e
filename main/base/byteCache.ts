// A cache bounded by bytes that forgets what was used longest ago (lru-cache), and computes each missing entry once however many ask.
import { LRUCache } from 'lru-cache'
import { SharedWork } from './sharedWork'

export class ByteCache<T extends NonNullable<unknown>> {
  private entries: LRUCache<string, T>
  private readonly work = new SharedWork<T>()
  private readonly sizeOf: (value: T) => number

  constructor(budgetBytes: number, sizeOf: (value: T) => number) {
    this.entries = new LRUCache({ maxSize: budgetBytes })
    this.sizeOf = sizeOf
  }

  get bytes(): number {
    return this.entries.calculatedSize
  }

  get(key: string): T | undefined {
    return this.entries.get(key)
  }

  set(key: string, value: T): void {
    const size = this.sizeOf(value)
    // An entry larger than the whole budget would only evict everything else, and one that is not to be kept says that it is endless.
    if (size > this.entries.maxSize) this.entries.delete(key)
    else this.entries.set(key, value, { size })
  }

  /**
   * The cached value, or the one that `compute` gives: its signal aborts when none of those who asked wants it any more. A failure is not
   * kept, nor what `isKept` refuses.
   */
  async getOrCompute(
    key: string,
    compute: (signal: AbortSignal) => Promise<T>,
    { signal, isKept = () => true }: { signal?: AbortSignal | undefined; isKept?: (value: T) => boolean } = {},
  ): Promise<T> {
    const cached = this.get(key)
    if (cached !== undefined) return cached
    return this.work.get(
      key,
      async (work) => {
        const value = await compute(work.signal)
        // deletePrefix may have dropped this key meanwhile: then its result must not come back.
        if (!work.forgotten && isKept(value)) this.set(key, value)
        return value
      },
      signal,
    )
  }

  deletePrefix(prefix: string): void {
    for (const key of [...this.entries.keys()]) if (key.startsWith(prefix)) this.entries.delete(key)
    this.work.forget(prefix)
  }

  setBudget(budgetBytes: number): void {
    if (budgetBytes === this.entries.maxSize) return
    const kept = this.entries.dump()
    this.entries = new LRUCache({ maxSize: budgetBytes })
    // From the oldest on: what has no room any more is what was used longest ago.
    this.entries.load(kept)
  }
}
