// Asks the engine for views of the objects table and for their rows, and links rows with what is selected on the slide.
import {
  type ObjectDetails,
  asksSpatial,
  columnHeading,
  isOver,
  isSpatialColumn,
  tableBlockRows,
  tilePaths,
  unpackRows,
  type TableGroup,
  type TableRequest,
  type TableView,
} from '../../../app/contract'
import { api } from '../../api'
import { latest } from '../base/latest'
import { words } from '../../words'
import { copyText } from '../base/copyText'
import { tell } from '../base/notify'
import { activeRun } from '../slices/runSlice'
import { selectNumbered } from './selectionActions'
import { getState, patch, useStore } from '../store'
import { cellText, nextSort, requestOf, shownColumns } from '../slices/tableSlice'
import { viewer } from '../base/viewerHandle'

/** Rows of the view that is shown, by the first of their block. */
const blocks = new Map<number, Float64Array[]>()
const wanted = new Map<number, Promise<void>>()
const keptBlocks = 200
const newest = latest()

export const toggleTable = (): void => patch('table', { open: !getState().table.open })

const overRun = () => {
  const run = activeRun(getState().runs)
  return run && isOver(run) ? run : null
}

/** The view again, as it is asked for now. What is shown stays until the answer is there. */
async function ask(): Promise<void> {
  newest.stop()
  const { table } = getState()
  const request = requestOf(table, overRun())
  if (!table.open || !request) return patch('table', { view: null, busy: false, error: null, row: null })
  const signal = newest.begin()
  const spatial = getState().ui.settings?.spatial ?? null
  patch('table', { busy: true, measured: null })
  let answer = await api().call('table:view', request, signal)
  if (signal.aborted) return
  // Another recipe's run may lack what the one before was sorted and described by.
  const lost = !answer.ok && request.filter === '' && (request.sort !== null || !!request.box || request.describe !== 'area')
  if (lost) {
    const plain = { sort: null, describe: 'area', brush: null, box: null }
    patch('table', plain)
    answer = await api().call('table:view', { ...request, ...plain }, signal)
    if (signal.aborted) return
  }
  if (!answer.ok) return patch('table', { busy: false, error: answer.error.message })
  blocks.clear()
  wanted.clear()
  patch('table', { view: answer.value, shownSpatial: spatial, busy: false, error: null, row: null, loaded: 0 })
  void findRow()
}

/** A row's values in the order of the view's columns; undefined while they are on their way. */
export function rowAt(row: number): Float64Array | undefined {
  const first = row - (row % tableBlockRows)
  const block = blocks.get(first)
  if (!block) void load(first)
  return block?.[row - first]
}

async function load(first: number): Promise<void> {
  const { view } = getState().table
  if (!view || blocks.has(first)) return
  const going = wanted.get(first)
  if (going) return going
  const work = fetchBlock(view.runId, view.view, view.columns.length, first)
  wanted.set(first, work)
  await work
  if (wanted.get(first) === work) wanted.delete(first)
}

async function fetchBlock(runId: string, view: number, columns: number, first: number): Promise<void> {
  const answer = await fetch(api().tileUrl(tilePaths.table(runId, view, first))).catch(() => null)
  const isShown = () => getState().table.view?.view === view
  if (!isShown()) return
  // The engine has let go of it, as other pages asked for theirs.
  if (answer?.status === 404) return void ask()
  if (!answer?.ok) return
  const rows = unpackRows(await answer.arrayBuffer(), columns)
  if (!isShown()) return
  blocks.set(first, rows)
  if (blocks.size > keptBlocks) blocks.delete(blocks.keys().next().value!)
  patch('table', { loaded: getState().table.loaded + 1 })
}

export function setFilter(filter: string): void {
  patch('table', { filter })
}
export function setBrush(brush: TableRequest['brush']): void {
  patch('table', { brush })
}
export const sortBy = (column: string): void => patch('table', { sort: nextSort(getState().table.sort, column) })
export const describeColumn = (describe: string): void => patch('table', { describe, brush: null })
export const setLog = (log: boolean): void => patch('table', { log, brush: null })
export function toggleColumn(key: string): void {
  const { shown, hiddenSpatial } = getState().table
  if (isSpatialColumn(key)) {
    const isHidden = hiddenSpatial.includes(key)
    return patch('table', { hiddenSpatial: isHidden ? hiddenSpatial.filter((other) => other !== key) : [...hiddenSpatial, key] })
  }
  const next = shown.includes(key) ? shown.filter((other) => other !== key) : [...shown, key]
  if (next.length > 0) patch('table', { shown: next })
}

/** Selects a row's object and brings it to the middle, at the magnification that there is. */
export async function chooseRow(row: number): Promise<void> {
  const { view } = getState().table
  if (!view || row < 0 || row >= view.rows) return
  patch('table', { row })
  await load(row - (row % tableBlockRows))
  const id = rowAt(row)?.[view.columns.findIndex(({ key }) => key === 'id')]
  if (id === undefined) return
  const object = await selectNumbered(view.runId, id)
  if (object && getState().table.row === row) showObject(object)
}

/** Brings an object to the middle, at the magnification that there is. */
export function showObject(object: ObjectDetails): void {
  const { ui } = getState()
  if (!ui.view) return
  // Nearer where it would be a speck, farther where it would not fit.
  const side = Math.max(object.bounds.width, object.bounds.height)
  const seen = Math.min(ui.view.width, ui.view.height) / ui.view.zoom
  // What fits a region leaves 2 % of its longer side around it: without that, every row would zoom out a little.
  const margin = (0.04 * Math.max(ui.view.width, ui.view.height)) / Math.min(ui.view.width, ui.view.height)
  const times = Math.max(side * 3, Math.min(seen, side * 40)) / seen / (1 + margin)
  const [width, height] = [(times * ui.view.width) / ui.view.zoom, (times * ui.view.height) / ui.view.zoom]
  const { x, y } = object.centroid
  viewer()?.fitRegion({ x: x - width / 2, y: y - height / 2, width, height })
}

/** The row of what is selected on the slide. */
async function findRow(): Promise<void> {
  const { table, selection } = getState()
  const { view } = table
  if (!view || !table.open) return
  if (!selection.object || selection.runId !== view.runId) return patch('table', { row: null })
  const { id } = selection.object
  if (table.row !== null && rowAt(table.row)?.[0] === id) return
  const found = await api().call('table:row', { runId: view.runId, view: view.view, id })
  const now = getState()
  if (found.ok && now.table.view === view && now.selection.object?.id === id) patch('table', { row: found.value })
}

/** null: the view is gone, or nobody waits any more. */
export async function groupsOf(
  { runId, view }: TableView,
  column: string,
  by: 'class' | 'region',
  signal: AbortSignal,
): Promise<TableGroup[] | null> {
  const regionsOf = by === 'region' ? (getState().project.doc?.slide ?? null) : null
  if (by === 'region' && regionsOf === null) return []
  const answer = await api().call('table:groups', { runId, view, column, regionsOf }, signal)
  return answer.ok ? answer.value : null
}

export const mostCopied = 10_000

/** The shown columns of the rows, as a spreadsheet takes them. */
export async function copyRows(): Promise<void> {
  const { table } = getState()
  const { view } = table
  if (!view) return
  const columns = shownColumns(table)
  const places = columns.map(({ key }) => view.columns.findIndex((column) => column.key === key))
  const lines = [columns.map(columnHeading).join('\t')]
  const rows = Math.min(view.rows, mostCopied)
  for (let row = 0; row < rows; row++) {
    if (row % tableBlockRows === 0) await load(row)
    const values = rowAt(row)
    if (!values || getState().table.view !== view) return tell(words.table.changedWhileCopied, words.table.title)
    lines.push(columns.map(({ key }, at) => cellText(view, key, values[places[at]!]!)).join('\t'))
  }
  const done = rows < view.rows ? words.table.copiedFirst(rows, view.rows) : words.counts.copiedRows(rows)
  await copyText(lines.join('\n'), done, words.table.title)
}

/** Asks again when what is asked for changes: by a control, another run, or a run that ends. */
export function watchTable(): () => void {
  let asked = ''
  return useStore.subscribe((state, before) => {
    const { table, runs, selection, ui, project } = state
    const isSame = table === before.table && runs === before.runs && ui.settings === before.ui.settings
    if (!isSame || project.doc !== before.project.doc) {
      const run = activeRun(runs)
      const spatial = ui.settings && asksSpatial(ui.settings.spatial) ? ui.settings.spatial : null
      const regions = spatial?.border ? project.doc?.revision : null
      const now = table.open
        ? JSON.stringify([requestOf(table, run), run?.state, run?.objects, run?.edits, spatial, regions])
        : ''
      if (now !== asked) {
        asked = now
        void ask()
      }
    }
    if (selection.object !== before.selection.object) void findRow()
  })
}
