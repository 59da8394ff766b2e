// Features of a file counted by what is said of them. Pure.

/** Counts features by what is said of them. */
export class Reasons {
  readonly #counts = new Map<string, number>()
  readonly #one: string

  /** `one`: what people call one of them. */
  constructor(one = 'feature') {
    this.#one = one
  }

  add(why: string, count = 1): void {
    // A hostile file has no end of reasons.
    const known = this.#counts.size < 50 || this.#counts.has(why) ? why : 'has another fault'
    this.#counts.set(known, (this.#counts.get(known) ?? 0) + count)
  }
  get any(): boolean {
    return this.#counts.size > 0
  }
  words(): string[] {
    return [...this.#counts].map(([why, n]) =>
      n === 1 ? `1 ${this.#one} ${why}` : `${n.toLocaleString('en')} ${this.#one}s: each ${why}`,
    )
  }
}
