// The plot of two columns: what it shows, fetched under the view's number, its box, and the way from a point to its object.
import { tilePaths, unpackScatter, type Scatter, type TableBox, type TableView } from '../../../app/contract'
import { api } from '../../api'
import { selectNumbered } from './selectionActions'
import { getState, patch } from '../store'
import { showObject } from './tableActions'
import type { ScatterAxisName } from '../slices/tableSlice'

/** null: the view is gone, or nobody waits any more. */
export async function plotOf({ runId, view, columns }: TableView, signal: AbortSignal): Promise<Scatter | null> {
  const { x, y, xLog, yLog } = getState().table.scatter
  const known = (key: string, other: string): string => (columns.some((column) => column.key === key) ? key : other)
  const path = tilePaths.scatter(runId, view, known(x, 'area'), known(y, 'circularity'), xLog, yLog)
  const answer = await fetch(api().tileUrl(path), { signal }).catch(() => null)
  return answer?.ok ? unpackScatter(await answer.arrayBuffer()) : null
}

export const setBox = (box: TableBox | null): void => patch('table', { box })

/** A box is of the axes that it was drawn on. */
export function setAxis(name: ScatterAxisName, to: { readonly key?: string; readonly log?: boolean }): void {
  const { scatter } = getState().table
  const next = {
    ...scatter,
    ...(to.key !== undefined && { [name]: to.key }),
    ...(to.log !== undefined && { [`${name}Log`]: to.log }),
  }
  patch('table', { scatter: next, box: null })
}

export const setPlot = (plot: 'histogram' | 'scatter'): void => patch('table', { plot, box: null })

/** Selects an object of the table's run and brings it to the middle. */
export async function choosePoint(number: number): Promise<void> {
  const { view } = getState().table
  const object = view && (await selectNumbered(view.runId, number))
  if (object) showObject(object)
}
