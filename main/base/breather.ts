// Long work on the engine's one thread, in steps between which others have it.

/** Others have the thread after so long. */
const breathMs = 10

/** Between steps of long work: rests now and then, and ends where `signal` says so. */
export function breather(signal?: AbortSignal): () => Promise<void> {
  let rested = performance.now()
  return async () => {
    if (performance.now() - rested < breathMs) return
    await new Promise((resolve) => setImmediate(resolve))
    signal?.throwIfAborted()
    rested = performance.now()
  }
}

/** Who may end work in steps, and hears of each. */
export interface Heard {
  readonly signal?: AbortSignal
  readonly each?: () => void
}

/** What work in steps comes to, at once. */
export function finished<T>(steps: Generator<unknown, T, void>): T {
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value
}

/** The same, with rests: `breathe` is of `breather`, and `each` hears what each step gives. Who is ended in a rest hears it at that step. */
export async function inSteps<S, T>(
  steps: Generator<S, T, void>,
  breathe: () => Promise<void>,
  each: (given: S) => void = () => undefined,
): Promise<T> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value
    try {
      each(step.value)
      await breathe()
    } catch (error) {
      // What was begun is taken back.
      steps.throw(error)
      throw error
    }
  }
}
