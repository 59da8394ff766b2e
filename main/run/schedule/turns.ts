// Which runs compute now and which wait: one long and one short run at once, the others in the order in which they came; previews never wait.

export const lanes = ['preview', 'short', 'long'] as const
export type Lane = (typeof lanes)[number]

export interface Waiting {
  readonly lane: Lane
  /** Called when its turn has come, which is over when the promise settles. Must not reject. */
  begin(): Promise<void>
}

export class Turns<T extends Waiting> {
  private readonly busy = new Set<Lane>()
  private readonly queue: T[] = []
  private readonly onMoved: () => void

  /** `onMoved`: something that waited has begun. */
  constructor(onMoved: () => void) {
    this.onMoved = onMoved
  }

  get waiting(): number {
    return this.queue.length
  }

  mustWait(lane: Lane): boolean {
    return this.busy.has(lane)
  }

  add(item: T): void {
    if (this.mustWait(item.lane)) this.queue.push(item)
    else this.begin(item)
  }

  /** What does not want its turn any more. */
  drop(item: T): void {
    const at = this.queue.indexOf(item)
    if (at >= 0) this.queue.splice(at, 1)
  }

  private begin(item: T): void {
    const { lane } = item
    if (lane !== 'preview') this.busy.add(lane)
    void item.begin().finally(() => {
      if (lane === 'preview') return
      this.busy.delete(lane)
      const next = this.queue.find((other) => other.lane === lane)
      if (!next) return
      this.drop(next)
      this.begin(next)
      this.onMoved()
    })
  }
}
