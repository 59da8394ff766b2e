// What this renderer remembers by itself between sessions: recipe values and the panels' shape.
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
