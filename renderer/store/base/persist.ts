// What this renderer remembers by itself: recipe values between sessions, the slide and how its runs are shown while its tab lives.
import { objectColumns, type ObjectColumn } from '../../../app/contract'
import { colourScales, inks, type ColourScale, type Ink } from '../../arithmetic/colours'
import type { State } from '../store'
import type { OverlayState } from '../slices/uiSlice'
import { useStore } from '../store'

const storageKey = 'morphoscope.v1'

interface Stored {
  specId: string
  valuesBySpec: State['recipe']['valuesBySpec']
  livePreview: boolean
  /** How objects and layers are drawn. */
  look?: unknown
  panels?: unknown
  /** Columns of the objects table. */
  tableColumns?: unknown
}

/** Of what was stored, what can still be used. */
function lookOf(stored: unknown): Partial<OverlayState> {
  const look = (typeof stored === 'object' && stored !== null ? stored : {}) as Partial<Record<keyof OverlayState, unknown>>
  const scale = (value: unknown): value is ColourScale => (colourScales as readonly unknown[]).includes(value)
  const { widthPx, ink, column } = look
  return {
    ...(typeof widthPx === 'number' && widthPx >= 1 && widthPx <= 4 ? { widthPx } : {}),
    ...(typeof ink === 'string' && Object.hasOwn(inks, ink) ? { ink: ink as Ink } : {}),
    ...((objectColumns as readonly unknown[]).includes(column) ? { column: column as ObjectColumn } : {}),
    ...(scale(look.scale) ? { scale: look.scale } : {}),
    ...(scale(look.layerScale) ? { layerScale: look.layerScale } : {}),
  }
}
function panelsOf(stored: unknown): Pick<State['ui'], 'leftWidth' | 'rightWidth'> {
  const panels = (typeof stored === 'object' && stored !== null ? stored : {}) as { leftWidth?: unknown; rightWidth?: unknown }
  const width = (value: unknown): number | null => (typeof value === 'number' && value >= 200 && value <= 900 ? value : null)
  return { leftWidth: width(panels.leftWidth), rightWidth: width(panels.rightWidth) }
}

function shownOf(stored: unknown): readonly string[] | null {
  return Array.isArray(stored) && stored.length > 0 && stored.every((key) => typeof key === 'string') ? stored : null
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
      ui: { ...state.ui, livePreview: stored.livePreview !== false, ...panelsOf(stored.panels) },
      overlay: { ...state.overlay, ...lookOf(stored.look) },
      table: { ...state.table, shown: shownOf(stored.tableColumns) ?? state.table.shown },
    }))
  } catch {
    // Storage can be full, blocked or edited by hand: starting from the defaults is right then.
  }
}

export function remember(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const save = () => {
    const { recipe, ui, overlay, table } = useStore.getState()
    const { widthPx, ink, column, scale, layerScale } = overlay
    const stored: Stored = {
      specId: recipe.specId,
      valuesBySpec: recipe.valuesBySpec,
      livePreview: ui.livePreview,
      look: { widthPx, ink, column, scale, layerScale },
      panels: { leftWidth: ui.leftWidth, rightWidth: ui.rightWidth },
      tableColumns: table.shown,
    }
    try {
      localStorage.setItem(storageKey, JSON.stringify(stored))
    } catch {
      // See recall.
    }
  }
  // A page that goes within that moment.
  globalThis.addEventListener?.('pagehide', () => timer !== undefined && save())
  return useStore.subscribe((state, before) => {
    if (
      state.recipe.valuesBySpec === before.recipe.valuesBySpec &&
      state.recipe.specId === before.recipe.specId &&
      state.ui.livePreview === before.ui.livePreview &&
      state.ui.leftWidth === before.ui.leftWidth &&
      state.ui.rightWidth === before.ui.rightWidth &&
      state.overlay === before.overlay &&
      state.table.shown === before.table.shown
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
