// How tiles get their turn: a fixed number of workers, the most urgent job first, and no new tile of a job once it is cancelled.

/** Smaller comes first: what is looked at, then what takes seconds, then what takes an hour. */
export const priorities = { preview: 0, short: 1, run: 2 } as const
export type Priority = (typeof priorities)[keyof typeof priorities]

export interface Job<T> {
  priority: Priority
  /** In the order in which they are started; each is asked for when its turn comes, and one ahead. */
  tiles: Iterable<T>
  /** At most so many of its tiles at once. */
  maxWorkers: number
  /** Nothing of it is started before `resume`. */
  paused?: boolean
  /** Does one tile. Must not throw: what fails is the job's own business. */
  work: (tile: T) => Promise<void>
}
export interface JobHandle {
  /** No further tile is started. Those under way finish: stop them by the job's own token. */
  cancel(): void
  /** From now on at most so many of its tiles at once. */
  limit(maxWorkers: number): void
  /** No further tile is started until `resume`. Resolves when none is under way. */
  pause(): Promise<void>
  resume(): void
  /** Resolves when no tile of the job is left to start and none is under way. Rejects where `work` did. */
  readonly finished: Promise<void>
}

interface Queued {
  readonly priority: Priority
  maxWorkers: number
  active: number
  paused: boolean
  /** Called when none of its tiles is under way. */
  onIdle: (() => void)[]
  /** Does the next tile; null where there is none left. */
  next: (() => Promise<void>) | null
  /** Makes `next` the one after it. */
  advance: () => void
  settle: (error?: unknown) => void
}

export class Scheduler {
  private workers: number
  private active = 0
  private held = 0
  private jobs: Queued[] = []

  constructor(workers: number) {
    this.workers = Math.max(1, workers)
  }

  /** Keeps one worker from full runs, of several, until the given function is called. */
  holdBack(): () => void {
    this.held += 1
    let given = false
    return () => {
      if (given) return
      given = true
      this.held -= 1
      this.fill()
    }
  }

  /** Nothing is under way. */
  get idle(): boolean {
    return this.active === 0
  }

  setWorkers(workers: number): void {
    this.workers = Math.max(1, workers)
    this.fill()
  }

  add<T>(job: Job<T>): JobHandle {
    const { tiles, work } = job
    let resolve: () => void = () => undefined
    let reject: (error: unknown) => void = () => undefined
    const finished = new Promise<void>((onDone, onFailed) => {
      resolve = onDone
      reject = onFailed
    })
    const iterator = tiles[Symbol.iterator]()
    const queued: Queued = {
      priority: job.priority,
      maxWorkers: Math.max(1, job.maxWorkers),
      active: 0,
      paused: job.paused ?? false,
      onIdle: [],
      next: null,
      advance: () => {
        const following = iterator.next()
        queued.next = following.done ? null : () => work(following.value)
      },
      settle: (error) => (error === undefined ? resolve() : reject(error)),
    }
    queued.advance()
    // Jobs of one priority keep the order of their arrival.
    const at = this.jobs.findIndex((other) => other.priority > queued.priority)
    this.jobs.splice(at < 0 ? this.jobs.length : at, 0, queued)
    this.fill()
    if (!queued.next && queued.active === 0) this.remove(queued)
    return {
      finished,
      limit: (maxWorkers) => {
        queued.maxWorkers = Math.max(1, maxWorkers)
        this.fill()
      },
      pause: () => {
        queued.paused = true
        return new Promise((onIdle) => (queued.active === 0 ? onIdle() : queued.onIdle.push(onIdle)))
      },
      resume: () => {
        queued.paused = false
        this.fill()
      },
      cancel: () => {
        queued.next = null
        if (queued.active === 0) this.remove(queued)
      },
    }
  }

  private fill(): void {
    while (this.active < this.workers) {
      const short = this.held > 0 && this.active >= Math.max(1, this.workers - 1)
      const job = this.jobs.find(
        (candidate) =>
          candidate.next &&
          !candidate.paused &&
          candidate.active < candidate.maxWorkers &&
          !(short && candidate.priority !== priorities.preview),
      )
      if (!job) return
      void this.start(job, job.next!)
    }
  }

  private async start(job: Queued, work: () => Promise<void>): Promise<void> {
    this.active += 1
    job.active += 1
    job.advance()
    try {
      await work()
    } catch (error) {
      job.next = null
      job.settle(error)
    }
    this.active -= 1
    job.active -= 1
    if (job.active === 0) for (const tell of job.onIdle.splice(0)) tell()
    if (!job.next && job.active === 0) this.remove(job)
    this.fill()
  }

  private remove(job: Queued): void {
    const at = this.jobs.indexOf(job)
    if (at < 0) return
    this.jobs.splice(at, 1)
    job.settle()
  }
}
