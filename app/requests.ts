// Both ends of a request between two processes: who waits for its answer, and who is making one. Browser and Node alike; imports nothing.

interface Waiter<Outcome> {
  settle: (outcome: Outcome) => void
  /** The signal is not listened to any more. */
  off: () => void
}

/** What an asker says of its being taken back: who says so, and whom to tell. */
export interface TakeBack {
  signal: AbortSignal
  /** Once, where the signal aborts before the answer. The request still waits; `settle` it here where nobody should. */
  aborted: (id: number) => void
}

/** The asker's end: every request is settled exactly once, by an answer or by the end of all. */
export class Waiting<Outcome> {
  readonly #waiters = new Map<number, Waiter<Outcome>>()
  #lastId = 0

  get size(): number {
    return this.#waiters.size
  }

  /** Ids are never used again, so that a late answer meets nobody. */
  add(settle: (outcome: Outcome) => void, takeBack?: TakeBack): number {
    const id = ++this.#lastId
    const listener = (): void => takeBack?.aborted(id)
    takeBack?.signal.addEventListener('abort', listener, { once: true })
    this.#waiters.set(id, { settle, off: () => takeBack?.signal.removeEventListener('abort', listener) })
    return id
  }

  has(id: number): boolean {
    return this.#waiters.has(id)
  }

  /** An answer to what nobody waits for is left alone. */
  settle(id: number, outcome: Outcome): void {
    const waiter = this.#waiters.get(id)
    this.#waiters.delete(id)
    waiter?.off()
    waiter?.settle(outcome)
  }

  settleAll(outcome: Outcome): void {
    for (const id of [...this.#waiters.keys()]) this.settle(id, outcome)
  }
}

/** The answerer's end: what is being worked on, each with the signal that says that nobody wants it any more. */
export class Answering {
  readonly #controllers = new Map<number, AbortController>()

  get size(): number {
    return this.#controllers.size
  }

  has(id: number): boolean {
    return this.#controllers.has(id)
  }

  /** `id` must not be under way. It counts as under way until `end`, taken back or not: the work may take its time to stop. */
  begin(id: number): AbortSignal {
    if (this.#controllers.has(id)) throw new Error(`request ${id} is under way already`)
    const controller = new AbortController()
    this.#controllers.set(id, controller)
    return controller.signal
  }

  end(id: number): void {
    this.#controllers.delete(id)
  }

  cancel(id: number): void {
    this.#controllers.get(id)?.abort()
  }

  /** The asker is gone. */
  cancelAll(): void {
    for (const controller of [...this.#controllers.values()]) controller.abort()
  }
}
