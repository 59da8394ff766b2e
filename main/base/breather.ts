// Long work on the engine's one thread, in steps between which others have it.
import { isCancelled } from './errors'

/** Others have the thread after so long: with a collection of garbage, which may fall into a step, within some 20 ms. */
const breathMs = 5

/** Between steps of long work: rests now and then, and ends where `signal` says so. */
export function breather(signal?: AbortSignal): () => Promise<void> {
  let rested = performance.now()
  return async () => {
    if (performance.now() - rested < breathMs) return
    await new Promise((resolve) => setImmediate(resolve))
    rested = performance.now()
    signal?.throwIfAborted()
  }
}

/** Who may end work in steps, and hears of each. */
export interface Heard {
  readonly signal?: AbortSignal
  readonly each?: () => void
}

/** Given by a step: whoever ends the work from here on comes too late, as when it is being put on the disk. */
export const tooLate = Symbol('too late')

/** Of a loop that does little with each: so many are a step. */
const manyAtOnce = 256

/** Goes over all, a step for some of them. */
export function* goingOver<T>(all: Iterable<T>, visit: (one: T, place: number) => void): Generator<void, void, void> {
  let place = 0
  for (const one of all) {
    visit(one, place++)
    if (place % manyAtOnce === 0) yield
  }
}

/** Of each what is wanted of it, in such steps. */
export function* ofEach<T, V>(all: Iterable<T>, valueOf: (one: T) => V): Generator<void, V[], void> {
  const values: V[] = []
  yield* goingOver(all, (one) => values.push(valueOf(one)))
  return values
}

/** What a step may give to be waited for. */
export type Waiting = void | Promise<void> | typeof tooLate

/** What work in steps comes to, at once. */
export function finished<T>(steps: Generator<unknown, T, void>): T {
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value
}

/**
 * The same, with rests: `breathe` is of `breather`, and `each` hears what each step gives. A promise that a step gives is waited for. Who is ended
 * in a rest, or by such a promise, hears it at that step, and may take steps to take back what was begun. After a step that gave `tooLate` nobody is
 * ended in a rest any more.
 */
export async function inSteps<S, T>(
  steps: Generator<S, T, void>,
  breathe: () => Promise<void>,
  each: (given: S) => void = () => undefined,
): Promise<T> {
  let failed: { readonly error: unknown } | null = null
  let isTooLate = false
  for (let step = steps.next(); ;) {
    if (step.done) {
      if (failed) throw failed.error
      return step.value
    }
    try {
      if (!failed) each(step.value)
      if (step.value instanceof Promise) await step.value
      isTooLate ||= step.value === tooLate
      if (!failed) await (isTooLate ? breathe().catch(unlessEnded) : breathe())
    } catch (error) {
      failed ??= { error }
      step = steps.throw(error)
      continue
    }
    step = steps.next()
  }
}

function unlessEnded(error: unknown): void {
  if (!isCancelled(error)) throw error
}
