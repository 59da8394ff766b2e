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

/** What a step may give to be waited for. */
export type Waiting = void | Promise<void>

/** What work in steps comes to, at once. */
export function finished<T>(steps: Generator<unknown, T, void>): T {
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value
}

/**
 * The same, with rests: `breathe` is of `breather`, and `each` hears what each step gives. A promise that a step gives is waited for. Who is ended
 * in a rest, or by such a promise, hears it at that step, and may take steps to take back what was begun.
 */
export async function inSteps<S, T>(
  steps: Generator<S, T, void>,
  breathe: () => Promise<void>,
  each: (given: S) => void = () => undefined,
): Promise<T> {
  let failed: { readonly error: unknown } | null = null
  for (let step = steps.next(); ;) {
    if (step.done) {
      if (failed) throw failed.error
      return step.value
    }
    try {
      if (!failed) each(step.value)
      if (step.value instanceof Promise) await step.value
      if (!failed) await breathe()
    } catch (error) {
      failed ??= { error }
      step = steps.throw(error)
      continue
    }
    step = steps.next()
  }
}
