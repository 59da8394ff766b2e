// A cache bounded by bytes that forgets what was used longest ago, and computes each missing entry once however many ask.
interface Entry<T> {
  value: T
  bytes: number
}

export class ByteCache<T> {
  // A Map iterates in insertion order: re-inserting on use keeps the oldest first.
  private readonly entries = new Map<string, Entry<T>>()
  private readonly pending = new Map<string, Promise<T>>()
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

  /** The cached value, or the one that `compute` gives; a failure is not cached. */
  async getOrCompute(key: string, compute: () => Promise<T>): Promise<T> {
    const cached = this.get(key)
    if (cached !== undefined) return cached
    const running = this.pending.get(key)
    if (running) return running
    const promise = compute()
      .then((value) => {
        // deletePrefix may have dropped this key meanwhile: then its result must not come back.
        if (this.pending.get(key) === promise) this.set(key, value)
        return value
      })
      .finally(() => {
        if (this.pending.get(key) === promise) this.pending.delete(key)
      })
    this.pending.set(key, promise)
    return promise
  }

  deletePrefix(prefix: string): void {
    for (const key of [...this.entries.keys()]) if (key.startsWith(prefix)) this.delete(key)
    for (const key of [...this.pending.keys()]) if (key.startsWith(prefix)) this.pending.delete(key)
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
