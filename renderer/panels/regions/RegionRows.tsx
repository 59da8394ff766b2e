// The list of regions: a row each with its figures, of which only those around what is seen are there.
import { useVirtualizer } from '@tanstack/react-virtual'
import { IconLock, IconLockOpen, IconTrash } from '@tabler/icons-react'
import { type CSSProperties, type KeyboardEvent, memo, type Ref, useEffect, useRef } from 'react'
import type { RegionOfInterest } from '../../../app/contract'
import { indexOf } from '../../arithmetic/regionIndex'
import { act, changeRegions, deleteSelected, showRegion } from '../../store/document/projectActions'
import { figuresOfRegion, sourceOfRegion, withCore } from '../../store/document/regionWords'
import { classNameOf, colourOf, isSelected, oneSelected, titleOf, toggled } from '../../store/slices/projectSlice'
import { getState, patch, useStore } from '../../store/store'
import { IconButton } from '../../widgets/IconButton'
import { Swatch } from '../../widgets/Swatch'
import { words } from '../../words'

/** With its figures, CSS px; each row is measured once it is there. */
const rowPx = 42
/** Above and below what is seen: arrows, and a reader of the screen, find the next ones there. */
const beyond = 20

/** Up and down go from row to row; Delete deletes. */
function onKey(event: KeyboardEvent<HTMLButtonElement>, id: string): void {
  const rows = [...(event.currentTarget.closest('ul')?.querySelectorAll<HTMLButtonElement>('.region-main') ?? [])]
  const at = rows.indexOf(event.currentTarget)
  if (event.key === 'Delete' || event.key === 'Backspace') {
    event.preventDefault()
    ;(rows[at + 1] ?? rows[at - 1])?.focus()
    if (getState().project.selected.includes(id)) deleteSelected()
    else void act({ type: 'regions:delete', ids: [id] })
  }
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step === 0) return
  event.preventDefault()
  rows[at + step]?.focus()
}

interface RowProps {
  readonly region: RegionOfInterest
  readonly selected: boolean
  readonly title: string
  readonly colour: string
  readonly className: string
  readonly figures: string
  readonly source: string
  readonly place: number
  readonly count: number
  readonly top: number
  readonly measured: Ref<HTMLLIElement>
}

/** Each asks the store for nothing, which would be asked with every frame, and is drawn again where it is another. */
const Row = memo(function Row({ region, selected, title, colour, className, figures, source, ...where }: RowProps) {
  const choose = (more: boolean) => patch('project', { selected: toggled(getState().project.selected, region.id, more) })
  const style: CSSProperties = { transform: `translateY(${where.top}px)` }
  return (
    <li
      ref={where.measured}
      className={`region-row ${selected ? 'selected' : ''}`}
      style={style}
      aria-posinset={where.place + 1}
      aria-setsize={where.count}
      data-testid="region-row"
      data-region={region.id}
      data-index={where.place}
    >
      <Swatch className="dot" colour={colour} name={className} />
      <button
        type="button"
        className="region-main"
        data-keys="delete"
        aria-pressed={selected}
        title={words.regions.rowTip(source).trim()}
        onClick={(event) => choose(event.shiftKey || event.ctrlKey || event.metaKey)}
        onDoubleClick={() => showRegion(region)}
        onKeyDown={(event) => onKey(event, region.id)}
      >
        <b className="name">{title}</b>
        <span className="figures num" data-testid="region-figures">
          {figures}
        </span>
      </button>
      <RowButtons id={region.id} locked={region.locked} />
    </li>
  )
})

/** Apart: a title that counts otherwise makes no button another. */
const RowButtons = memo(function RowButtons({ id, locked }: Pick<RegionOfInterest, 'id' | 'locked'>) {
  return (
    <>
      <IconButton
        size={22}
        label={locked ? words.regions.unlock : words.regions.lock}
        pressed={locked}
        onClick={() => void changeRegions([{ id, locked: !locked }])}
        testId="region-lock"
      >
        {locked ? <IconLock size={14} /> : <IconLockOpen size={14} />}
      </IconButton>
      <IconButton
        size={22}
        label={words.buttons.delete}
        disabled={locked}
        onClick={() => void act({ type: 'regions:delete', ids: [id] })}
        testId="region-delete"
      >
        <IconTrash size={14} />
      </IconButton>
    </>
  )
})

export function RegionRows({ regions }: { readonly regions: readonly RegionOfInterest[] }) {
  const project = useStore((state) => state.project)
  const runs = useStore((state) => state.runs)
  const one = oneSelected(project)?.id ?? null
  const list = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: regions.length,
    getScrollElement: () => list.current,
    estimateSize: () => rowPx,
    getItemKey: (place) => regions[place]!.id,
    overscan: beyond,
  })
  // One that was selected on the slide is shown in the list.
  useEffect(() => {
    const place = one === null ? undefined : indexOf(regions).placeOf(one)
    if (place !== undefined) virtual.scrollToIndex(place, { align: 'auto' })
    // oxlint-disable-next-line react/exhaustive-deps
  }, [one])
  return (
    <div ref={list} className="region-list">
      <ul style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const region = regions[index]!
          return (
            <Row
              key={region.id}
              region={region}
              selected={isSelected(project, region.id)}
              title={titleOf(project, region)}
              colour={colourOf(project, region)}
              className={classNameOf(project, region) ?? words.names.noClass}
              figures={withCore(region, figuresOfRegion(project.measures.get(region.id), runs))}
              source={sourceOfRegion(project.measures.get(region.id), runs)}
              place={index}
              count={regions.length}
              top={start}
              measured={virtual.measureElement}
            />
          )
        })}
      </ul>
    </div>
  )
}
