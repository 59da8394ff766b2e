// How a run stands, from its turn to its end: all of its states, and what changes each into which.
import { isOver } from '../../../app/contract'
import type { RunStatus } from '../../../app/contract'

type End = 'done' | 'cancelled' | 'failed'
/** Paused are `held`: before its turn; `settling`: what is under way comes to its end; and `still`. */
type State = 'queued' | 'held' | 'running' | 'settling' | 'still' | End
type Change = 'begin' | 'pause' | 'settle' | 'goOn' | End

/** An end comes once. What is not here changes nothing. */
const ends = { done: 'done', cancelled: 'cancelled', failed: 'failed' } as const
const changes: Readonly<Record<State, Readonly<Partial<Record<Change, State>>>>> = {
  queued: { ...ends, begin: 'running', pause: 'held' },
  held: { ...ends, begin: 'still', goOn: 'queued' },
  running: { ...ends, pause: 'settling' },
  settling: { ...ends, settle: 'still', goOn: 'running' },
  still: { ...ends, goOn: 'running' },
  done: {},
  cancelled: {},
  failed: {},
}

/** As it is told. */
const told: Readonly<Record<State, RunStatus['state']>> = {
  ...ends,
  queued: 'queued',
  held: 'paused',
  running: 'running',
  settling: 'paused',
  still: 'paused',
}

export class RunState {
  #now: State = 'queued'

  /** Whether it is another state now. */
  to(change: Change): boolean {
    const next = changes[this.#now][change]
    if (next === undefined) return false
    this.#now = next
    return true
  }

  get told(): RunStatus['state'] {
    return told[this.#now]
  }

  get over(): boolean {
    return isOver({ state: this.told })
  }

  get paused(): boolean {
    return this.told === 'paused'
  }

  /** Paused, and something of it is still under way. */
  get settling(): boolean {
    return this.#now === 'settling'
  }

  /** Its turn has come, and nobody holds it. */
  get runs(): boolean {
    return this.#now === 'running'
  }
}
