// The edges of the side panels: dragged, or moved by arrow keys, they make a panel wider; in a narrow window the recipe gives way to the slide.
import { useEffect, type CSSProperties, type KeyboardEvent, type PointerEvent } from 'react'
import { getState, patch, useStore } from '../store/store'
import { words } from '../words'

type Side = 'left' | 'right'
const least = 240
const most = 640
const stepPx = 16
/** What the slide keeps at least. */
const slidePx = 320

const widthKey = (side: Side) => (side === 'left' ? 'leftWidth' : 'rightWidth')
const panelOf = (side: Side): HTMLElement | null => document.querySelector<HTMLElement>(`.panel.${side}`)

function setWidth(side: Side, width: number | null): void {
  const other = panelOf(side === 'left' ? 'right' : 'left')?.offsetWidth ?? 0
  const room = Math.max(least, Math.min(most, window.innerWidth - other - slidePx))
  patch('ui', { [widthKey(side)]: width === null ? null : Math.round(Math.max(least, Math.min(room, width))) })
}

export function PanelEdge({ side }: { readonly side: Side }) {
  const width = useStore((state) => state.ui[widthKey(side)])
  const sign = side === 'left' ? 1 : -1
  const drag = (event: PointerEvent<HTMLElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
    setWidth(side, side === 'left' ? event.clientX : window.innerWidth - event.clientX)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const direction = event.key === 'ArrowRight' ? sign : event.key === 'ArrowLeft' ? -sign : 0
    if (direction !== 0) setWidth(side, (width ?? panelOf(side)?.offsetWidth ?? least) + direction * stepPx)
    else if (event.key === 'Home') setWidth(side, null)
    else return
    event.preventDefault()
  }
  return (
    <div
      className={`panel-edge ${side}`}
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={side === 'left' ? words.panelEdge.recipe : words.panelEdge.results}
      aria-valuemin={least}
      aria-valuemax={most}
      aria-valuenow={width ?? 300}
      title={words.panelEdge.tip}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onDoubleClick={() => setWidth(side, null)}
      onKeyDown={onKeyDown}
      data-testid={`${side}-edge`}
    />
  )
}

export function usePanelWidths(): CSSProperties {
  const left = useStore((state) => (state.ui.leftOpen ? state.ui.leftWidth : null))
  const right = useStore((state) => (state.ui.rightOpen ? state.ui.rightWidth : null))
  return {
    ...(left === null ? {} : { '--left': `${left}px` }),
    ...(right === null ? {} : { '--right': `${right}px` }),
  } as CSSProperties
}

/** Notices stand over the slide, beside the results: what a click has found is shown at that panel's foot. */
export function useNoticePlace(): void {
  const open = useStore((state) => state.ui.rightOpen)
  const width = useStore((state) => state.ui.rightWidth)
  useEffect(() => {
    const beside = !open ? '0px' : width === null ? 'var(--right)' : `${width}px`
    document.documentElement.style.setProperty('--beside-notices', beside)
  }, [open, width])
}

/** A window that becomes narrower than this shows more of the slide: the recipe is a key ([) or a click away, and comes back with the room. */
export function collapseWhenNarrow(): () => void {
  const narrow = window.matchMedia('(max-width: 1279px)')
  let closed = false
  const look = () => {
    if (narrow.matches && getState().ui.leftOpen) {
      closed = true
      patch('ui', { leftOpen: false })
    } else if (!narrow.matches && closed) {
      closed = false
      patch('ui', { leftOpen: true })
    }
  }
  look()
  narrow.addEventListener('change', look)
  return () => narrow.removeEventListener('change', look)
}
