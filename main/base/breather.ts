// Long work on the engine's one thread, in steps between which others have it.

/** Others have the thread after so long. */
const breathMs = 20

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

/** What work in steps comes to, at once. */
export function finished<T>(steps: Generator<unknown, T, void>): T {
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value
}

/** The same, with rests: `breathe` is of `breather`, and `each` hears what each step gives. */
export async function inSteps<S, T>(
  steps: Generator<S, T, void>,
  breathe: () => Promise<void>,
  each: (given: S) => void = () => undefined,
): Promise<T> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value
    each(step.value)
    await breathe()
  }
}
