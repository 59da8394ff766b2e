// Before and after: left of the bar the slide alone, right of it what was computed. Dragged, or moved by arrow keys.
import type { KeyboardEvent, PointerEvent } from 'react'
import { layerChoices } from '../../store/slide/layerChoices'
import { currentSpec } from '../../store/slices/recipeSlice'
import { getState, patch, useStore } from '../../store/store'
import { words } from '../../words'

const stepShare = 0.02
const place = (share: number): void => patch('ui', { split: Math.min(0.98, Math.max(0.02, share)) })

/** What of the computed pictures is seen: of the viewer's width, from there on. */
export const clipOf = (split: number | null) => (split === null ? undefined : { clipPath: `inset(0 0 0 ${split * 100}%)` })

export function SplitBar() {
  const split = useStore((state) => state.ui.split)
  const after = useStore(({ ui, recipe, table }) => {
    const layers = layerChoices(currentSpec(recipe), table.map?.layer ?? null).flatMap(({ items }) => items)
    return ui.layer === 'slide'
      ? words.names.results
      : (layers.find(({ value }) => value === ui.layer)?.label ?? words.names.results)
  })
  if (split === null) return null
  const drag = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.parentElement?.getBoundingClientRect()
    if (box && event.currentTarget.hasPointerCapture(event.pointerId)) place((event.clientX - box.left) / box.width)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const direction = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (direction !== 0) place((getState().ui.split ?? 0.5) + direction * stepShare)
    else if (event.key === 'Home') place(0.5)
    else return
    event.preventDefault()
  }
  return (
    <div
      className="split-bar"
      style={{ left: `${split * 100}%` }}
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={words.splitBar.title(after)}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(split * 100)}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onDoubleClick={() => place(0.5)}
      onKeyDown={onKeyDown}
      data-testid="split-bar"
    >
      <span className="before">{words.names.slide}</span>
      <span className="after">{after}</span>
    </div>
  )
}
