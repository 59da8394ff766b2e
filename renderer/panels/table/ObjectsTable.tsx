// The objects table: all objects of the shown run in rows that are fetched as they are looked at, with a filter, an order and a histogram.
import { ActionIcon, Button, Checkbox, Menu, Popover, TextInput } from '@mantine/core'
import { IconColumns3, IconCopy, IconDownload, IconPlayerStop, IconShape, IconTag, IconTrash, IconX } from '@tabler/icons-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { isOver, isSpatialColumn, type TableColumn } from '../../../app/contract'
import { formatCount } from '../../arithmetic/format'
import { tip } from '../../store/base/commandKeys'
import { changeable, editRows, handClasses } from '../../store/objects/objectActions'
import { rowItems } from '../../store/commands/outlineItems'
import { activeRun } from '../../store/slices/runSlice'
import { getState, useStore } from '../../store/store'
import { chooseRow, copyRows, rowAt, setFilter, sortBy, toggleColumn, toggleTable } from '../../store/selection/tableActions'
import { saveRows, stopSaving } from '../../store/selection/tableFile'
import { cellText, isShownColumn, shownColumns } from '../../store/slices/tableSlice'
import { IconButton } from '../../widgets/IconButton'
import { ClassMenu } from '../../widgets/ClassMenu'
import { OutlineMenu } from '../../widgets/OutlineMenu'
import { words } from '../../words'
import { BandsMenu } from './BandsMenu'
import { MapMenu } from './MapMenu'
import { SpatialMenu } from './SpatialMenu'
import { TableFigures } from './TableFigures'
import { headingOf } from '../../words/named'

const rowPx = 22
/** Whose headings name a measure and a class. */
const widthOf = (key: string): string => (isSpatialColumn(key) ? 'wide' : '')
/** Browsers lay out no element that is much higher than 2^25 px. */
const mostRows = 1_500_000

function Filter() {
  const filter = useStore((state) => state.table.filter)
  const error = useStore((state) => state.table.error)
  const [typed, setTyped] = useState(filter)
  useEffect(() => setTyped(filter), [filter])
  useEffect(() => {
    // What is half typed is no mistake yet.
    const timer = setTimeout(() => setFilter(typed), 400)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <TextInput
      className="table-filter"
      size="xs"
      aria-label={words.table.filter}
      placeholder={words.table.filterExample}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onKeyDown={(event) => event.key === 'Enter' && setFilter(typed)}
      error={error}
      data-testid="table-filter"
    />
  )
}

function ColumnsMenu() {
  const view = useStore((state) => state.table.view)
  const table = useStore((state) => state.table)
  return (
    <Popover position="top-end" shadow="md" trapFocus>
      <Popover.Target>
        <Button variant="default" size="compact-xs" leftSection={<IconColumns3 size={14} />} data-testid="table-columns">
          {words.table.columns}
        </Button>
      </Popover.Target>
      <Popover.Dropdown className="table-columns">
        {view?.columns.map((column) => (
          <Checkbox
            key={column.key}
            size="xs"
            label={headingOf(column)}
            checked={isShownColumn(table, column.key)}
            onChange={() => toggleColumn(column.key)}
          />
        ))}
      </Popover.Dropdown>
    </Popover>
  )
}

/** What can be done to all rows that the filter leaves. */
function RowTools() {
  const view = useStore((state) => state.table.view)
  const busy = useStore((state) => state.table.busy)
  const run = useStore(changeable)
  const doc = useStore((state) => state.project.doc)
  if (!view || run?.runId !== view.runId) return null
  const none = busy || view.rows === 0
  return (
    <>
      <ClassMenu
        classes={doc ? handClasses(getState(), run) : []}
        onChoose={(classId) => editRows({ type: 'classify', classId })}
      >
        <Button variant="default" size="compact-xs" disabled={none} leftSection={<IconTag size={14} />} data-testid="table-class">
          {words.names.class}
        </Button>
      </ClassMenu>
      <OutlineMenu items={rowItems}>
        <Button
          variant="default"
          size="compact-xs"
          disabled={none}
          leftSection={<IconShape size={14} />}
          title={words.table.outlineTip(view.rows)}
          data-testid="table-outline"
        >
          {words.names.outline}
        </Button>
      </OutlineMenu>
      <Button
        variant="default"
        size="compact-xs"
        disabled={none}
        leftSection={<IconTrash size={14} />}
        onClick={() => editRows({ type: 'delete' })}
        title={words.table.deleteTip(view.rows)}
        data-testid="table-delete"
      >
        {words.table.deleteRows(view.rows)}
      </Button>
    </>
  )
}

/** A million rows take some seconds: how far it is, and a way to stop it. */
function SaveRows({ disabled }: { readonly disabled: boolean }) {
  const saving = useStore((state) => state.table.saving)
  if (saving === null)
    return (
      <Menu position="top-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="subtle" size={24} aria-label={words.table.save} disabled={disabled} data-testid="table-save">
            <IconDownload size={14} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => void saveRows('csv')} data-testid="table-save-csv">
            {words.table.asCsv}
          </Menu.Item>
          <Menu.Item onClick={() => void saveRows('parquet')} data-testid="table-save-parquet">
            {words.table.asParquet}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    )
  return (
    <Button
      variant="default"
      size="compact-xs"
      leftSection={<IconPlayerStop size={14} />}
      onClick={stopSaving}
      title={words.table.stopSaving}
      data-testid="table-stop-saving"
    >
      {Math.round(saving * 100)} %
    </Button>
  )
}

function Head({ columns }: { readonly columns: readonly TableColumn[] }) {
  const sort = useStore((state) => state.table.sort)
  return (
    <div className="table-head" role="row" aria-rowindex={1}>
      {columns.map((column) => {
        const order = sort?.column !== column.key ? 'none' : sort.descending ? 'descending' : 'ascending'
        return (
          <div key={column.key} role="columnheader" aria-sort={order} className={`table-cell ${widthOf(column.key)}`}>
            <button type="button" onClick={() => sortBy(column.key)} title={headingOf(column)}>
              {headingOf(column)}
              {order !== 'none' && <span aria-hidden>{order === 'descending' ? ' ▾' : ' ▴'}</span>}
            </button>
          </div>
        )
      })}
    </div>
  )
}

function Rows() {
  const table = useStore((state) => state.table)
  const { view, row: selected } = table
  const scroller = useRef<HTMLDivElement>(null)
  const columns = shownColumns(table)
  const count = Math.min(view?.rows ?? 0, mostRows)
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 8,
    scrollPaddingStart: 26,
  })
  useEffect(() => {
    if (selected !== null && selected < count) virtual.scrollToIndex(selected, { align: 'auto' })
  }, [selected, count, virtual])
  const onKeyDown = (event: KeyboardEvent) => {
    // A header's button has its own keys.
    if (event.target !== event.currentTarget) return
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowPx) - 2)
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page }
    const step = steps[event.key]
    const to =
      step !== undefined
        ? selected === null
          ? 0
          : selected + step
        : event.key === 'Home'
          ? 0
          : event.key === 'End'
            ? count - 1
            : null
    if (to === null || count === 0) return
    event.preventDefault()
    void chooseRow(Math.max(0, Math.min(count - 1, to)))
  }
  const places = columns.map(({ key }) => view!.columns.findIndex((column) => column.key === key))
  return (
    <div
      ref={scroller}
      className="table-rows"
      role="grid"
      tabIndex={0}
      aria-label={words.names.objects}
      aria-rowcount={(view?.rows ?? 0) + 1}
      aria-colcount={columns.length}
      onKeyDown={onKeyDown}
      data-testid="table-grid"
    >
      <Head columns={columns} />
      <div role="rowgroup" className="table-body" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const values = rowAt(index)
          return (
            <div
              key={index}
              className={`table-row ${index === selected ? 'selected' : ''}`}
              role="row"
              aria-rowindex={index + 2}
              aria-selected={index === selected}
              style={{ transform: `translateY(${start}px)` }}
              onClick={() => void chooseRow(index)}
              data-testid="table-row"
              data-row={index}
            >
              {columns.map(({ key }, at) => (
                <div key={key} role="gridcell" className={`table-cell num ${widthOf(key)}`}>
                  {values && view ? cellText(view, key, values[places[at]!]!) : '…'}
                </div>
              ))}
            </div>
          )
        })}
      </div>
    </div>
  )
}

function Said() {
  const view = useStore((state) => state.table.view)
  const run = useStore((state) => activeRun(state.runs))
  if (!run) return <p className="dim">{words.table.nothingYet}</p>
  if (!isOver(run)) return <p className="dim">{words.table.whenEnded(run.name)}</p>
  if (!view) return null
  return (
    <p data-testid="table-count" aria-live="polite">
      <b className="num">{formatCount(view.rows)}</b>
      {words.table.ofObjects(view.of, run.name)}
      {!!run.deleted && <span className="dim">{words.table.deleted(run.deleted)}</span>}
    </p>
  )
}

export function ObjectsTable() {
  const heightPx = useStore((state) => state.table.heightPx)
  const view = useStore((state) => state.table.view)
  const busy = useStore((state) => state.table.busy)
  return (
    <section
      className="objects-table"
      style={{ height: heightPx }}
      aria-label={words.table.title}
      aria-busy={busy}
      data-testid="objects-table"
    >
      <div className="table-main">
        <div className="table-bar">
          <Filter />
          <RowTools />
          <SpatialMenu />
          <BandsMenu />
          <MapMenu />
          <ColumnsMenu />
          <IconButton size={24} label={words.table.copy} disabled={!view} onClick={() => void copyRows()} testId="table-copy">
            <IconCopy size={14} />
          </IconButton>
          <SaveRows disabled={!view} />
          <IconButton size={24} {...tip('table')} label={words.table.close} onClick={toggleTable} testId="table-close">
            <IconX size={14} />
          </IconButton>
        </div>
        <Said />
        {view && <Rows />}
      </div>
      {view && <TableFigures />}
    </section>
  )
}
