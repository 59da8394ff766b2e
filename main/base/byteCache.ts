// A cache bounded by bytes that forgets what was used longest ago, and computes each missing entry once however many ask.
import { SharedWork } from './sharedWork'

interface Entry<T> {
  value: T
  bytes: number
}

export class ByteCache<T> {
  // A Map iterates in insertion order: re-inserting on use keeps the oldest first.
  private readonly entries = new Map<string, Entry<T>>()
  private readonly work = new SharedWork<T>()
  private budgetBytes: number
  private readonly sizeOf: (value: T) => number
  private usedBytes = 0

  constructor(budgetBytes: number, sizeOf: (value: T) => number) {
    this.budgetBytes = budgetBytes
    this.sizeOf = sizeOf
  }

  get bytes(): number {
    return this.usedBytes
  }

  get(key: string): T | undefined {
    const entry = this.entries.get(key)
    if (!entry) return undefined
    this.entries.delete(key)
    this.entries.set(key, entry)
    return entry.value
  }

  set(key: string, value: T): void {
    this.delete(key)
    const bytes = this.sizeOf(value)
    // An entry larger than the whole budget would only evict everything else.
    if (bytes > this.budgetBytes) return
    this.entries.set(key, { value, bytes })
    this.usedBytes += bytes
    this.shrink()
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
    for (const key of [...this.entries.keys()]) if (key.startsWith(prefix)) this.delete(key)
    this.work.forget(prefix)
  }

  setBudget(budgetBytes: number): void {
    this.budgetBytes = budgetBytes
    this.shrink()
  }

  private delete(key: string): void {
    const entry = this.entries.get(key)
    if (!entry) return
    this.entries.delete(key)
    this.usedBytes -= entry.bytes
  }

  private shrink(): void {
    for (const [key, entry] of this.entries) {
      if (this.usedBytes <= this.budgetBytes) return
      this.entries.delete(key)
      this.usedBytes -= entry.bytes
    }
  }
}
