// What this renderer remembers by itself: recipe values between sessions, the slide and how its runs are shown while its tab lives.
import type { State } from './store'
import { useStore } from './store'

const storageKey = 'morphoscope.v1'

interface Stored {
  specId: string
  valuesBySpec: State['recipe']['valuesBySpec']
  livePreview: boolean
}

function isStored(value: unknown): value is Stored {
  return (
    typeof value === 'object' &&
    value !== null &&
    'specId' in value &&
    'valuesBySpec' in value &&
    typeof value.specId === 'string' &&
    typeof value.valuesBySpec === 'object'
  )
}

export function recall(): void {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? 'null')
    // Values are checked against their specs when those arrive.
    if (!isStored(stored)) return
    useStore.setState((state) => ({
      recipe: { ...state.recipe, specId: stored.specId, valuesBySpec: stored.valuesBySpec },
      ui: { ...state.ui, livePreview: stored.livePreview !== false },
    }))
  } catch {
    // Storage can be full, blocked or edited by hand: starting from the defaults is right then.
  }
}

export function remember(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const save = () => {
    const { recipe, ui } = useStore.getState()
    const stored: Stored = { specId: recipe.specId, valuesBySpec: recipe.valuesBySpec, livePreview: ui.livePreview }
    try {
      localStorage.setItem(storageKey, JSON.stringify(stored))
    } catch {
      // See recall.
    }
  }
  return useStore.subscribe((state, before) => {
    if (
      state.recipe.valuesBySpec === before.recipe.valuesBySpec &&
      state.recipe.specId === before.recipe.specId &&
      state.ui.livePreview === before.ui.livePreview
    )
      return
    clearTimeout(timer)
    timer = setTimeout(save, 300)
  })
}

const tabKey = 'morphoscope.tab.v1'

/** The slide that this tab had open before it was loaded again. */
export interface LastSlide {
  readonly path: string
  readonly mpp: number | null
  readonly hidden: readonly string[]
  readonly activeId: string | null
}

export function lastSlide(): LastSlide | null {
  try {
    const stored = JSON.parse(sessionStorage.getItem(tabKey) ?? 'null') as Partial<LastSlide> | null
    if (typeof stored?.path !== 'string') return null
    const { path, mpp, hidden, activeId } = stored
    return {
      path,
      mpp: typeof mpp === 'number' ? mpp : null,
      hidden: Array.isArray(hidden) ? hidden.filter((id) => typeof id === 'string') : [],
      activeId: typeof activeId === 'string' ? activeId : null,
    }
  } catch {
    return null
  }
}

export function rememberSlide(): () => void {
  return useStore.subscribe(({ slide, runs }, before) => {
    const same = slide.info === before.slide.info && slide.mppGiven === before.slide.mppGiven
    if (same && runs.hidden === before.runs.hidden && runs.activeId === before.runs.activeId) return
    try {
      if (!slide.info) return sessionStorage.removeItem(tabKey)
      const stored: LastSlide = {
        path: slide.info.path,
        mpp: slide.mppGiven,
        hidden: runs.hidden,
        activeId: runs.activeId,
      }
      sessionStorage.setItem(tabKey, JSON.stringify(stored))
    } catch {
      // See recall.
    }
  })
}
