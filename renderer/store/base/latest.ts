// The latest wins: what is asked for anew makes what was asked for before void, however late its answer comes.

export interface Latest {
  /** Makes void what began before. What it begins asks its signal after each wait, and gives it to calls that may be cancelled. */
  readonly begin: () => AbortSignal
  /** Makes void what goes on, without another in its place. */
  readonly stop: () => void
}

export function latest(): Latest {
  let current: AbortController | null = null
  const stop = (): void => {
    current?.abort()
    current = null
  }
  const begin = (): AbortSignal => {
    stop()
    current = new AbortController()
    return current.signal
  }
  return { begin, stop }
}
