// Looks at the page again and again: one whose root a script took away, or that answers nothing any more, is told. Without a value of Electron.

/** In seconds, which are looks: a machine that slept has lost none. */
export interface Patience {
  /** For an answer: a page may be busy for some seconds, and a loaded machine is slow. */
  readonly answer: number
  /** For its root to come back. */
  readonly root: number
  /** For its root to come up at all. */
  readonly start: number
}
export const patience: Patience = { answer: 20, root: 3, start: 90 }

export interface Watched {
  /** What the page says of its root: 'shown', 'emptied' since then, or 'coming'. */
  readonly look: () => Promise<unknown>
  /** A person has stopped its scripts. */
  readonly isDebugged: () => boolean
  /** Called once until the page has been loaded again. `hangs`: it does not answer, and will take no other page either. */
  readonly lost: (why: string, hangs: boolean) => void
}

export interface PageWatch {
  /** A second is over. */
  readonly tick: () => void
  /** Another document is there. */
  readonly loaded: () => void
}

export function watchPage({ look, isDebugged, lost }: Watched, most: Patience = patience): PageWatch {
  /** Counts documents, so that an answer of an earlier one is none. */
  let document = 0
  let [isAsked, hasShown, isTold] = [false, false, false]
  let [waited, empty] = [0, 0]
  const loaded = (): void => {
    document += 1
    isAsked = hasShown = isTold = false
    waited = empty = 0
  }
  const tell = (why: string, hangs: boolean): void => {
    isTold = true
    lost(why, hangs)
  }
  const answered = (state: unknown): void => {
    isAsked = false
    waited = 0
    empty = state === 'shown' ? 0 : empty + 1
    // It may have gone between two looks.
    hasShown ||= state === 'shown' || state === 'emptied'
    if (isTold) return
    if (hasShown && empty >= most.root) tell('was emptied', false)
    else if (!hasShown && empty >= most.start) tell('shows nothing', false)
  }
  const tick = (): void => {
    if (isTold) return
    if (isAsked) {
      waited = isDebugged() ? 0 : waited + 1
      if (waited >= most.answer) tell('does not answer', true)
      return
    }
    isAsked = true
    const asked = document
    look().then(
      (state) => asked === document && answered(state),
      // What cannot be asked shows nothing.
      () => asked === document && answered('coming'),
    )
  }
  return { tick, loaded }
}
