// The objects table as this window shows it: what was asked of the engine, its answer, and how that is looked at. Pure.
import { isSpatialColumn, stainColumnOf } from '../../../app/contract'
import type {
  DensityMapAsk,
  DensityMapInfo,
  RunStatus,
  SpatialMeasures,
  TableBox,
  TableColumn,
  TableRequest,
  TableView,
} from '../../../app/contract'
import { formatMeasured } from '../../arithmetic/format'
import { titled } from '../../words/named'

export type ScatterAxisName = 'x' | 'y'

/** `state`: what of its run it is made of. */
export interface ShownMap extends DensityMapInfo {
  readonly runId: string
  readonly asked: DensityMapAsk
  readonly state: string
}

export interface TableState {
  readonly open: boolean
  readonly filter: string
  readonly brush: TableRequest['brush']
  readonly sort: TableRequest['sort']
  readonly describe: string
  /** The histogram's axis is logarithmic. */
  readonly log: boolean
  /** What stands beside the rows. */
  readonly plot: 'histogram' | 'scatter'
  /** Of the plot of two columns: which, and whose axis is logarithmic. */
  readonly scatter: { readonly x: string; readonly y: string; readonly xLog: boolean; readonly yLog: boolean }
  /** Drawn on that plot. */
  readonly box: TableBox | null
  /** Columns by key, of which a run may lack some. */
  readonly shown: readonly string[]
  /** Of those that are shown where they are measured: which are not. */
  readonly hiddenSpatial: readonly string[]
  /** Their choice is open. */
  readonly choosesSpatial: boolean
  /** What lies in bands along the border of regions is shown. */
  readonly choosesBands: boolean
  /** The choice of the map of density is open. */
  readonly choosesMap: boolean
  /** Over the slide; null: there is none. */
  readonly map: ShownMap | null
  readonly mapBusy: boolean
  /** What the settings asked for when `view` was made; null: there is none. */
  readonly shownSpatial: SpatialMeasures | null
  /** The engine's last answer. */
  readonly view: TableView | null
  readonly busy: boolean
  /** Where objects lie is measured for it: the share that is done; null: it is not. */
  readonly measured: number | null
  /** What is wrong with the filter, or why there is no table. */
  readonly error: string | null
  /** The selected object's row; null: none, or filtered out. */
  readonly row: number | null
  /** Rises with every block of rows that has come. */
  readonly loaded: number
  readonly heightPx: number
  /** Its rows are being saved: the share of them that is there. */
  readonly saving: number | null
}
export const noTable: TableState = {
  open: false,
  filter: '',
  brush: null,
  sort: null,
  describe: 'area',
  log: false,
  plot: 'histogram',
  scatter: { x: 'area', y: 'circularity', xLog: false, yLog: false },
  box: null,
  shown: ['id', 'class', 'score', 'area', 'circularity', 'solidity', 'stain1Mean', 'stain2Mean', 'majorAxis', 'minorAxis'],
  hiddenSpatial: [],
  choosesSpatial: false,
  choosesBands: false,
  choosesMap: false,
  map: null,
  mapBusy: false,
  shownSpatial: null,
  view: null,
  busy: false,
  measured: null,
  error: null,
  row: null,
  loaded: 0,
  heightPx: 300,
  saving: null,
}

export const isShownColumn = ({ shown, hiddenSpatial }: TableState, key: string): boolean =>
  isSpatialColumn(key) ? !hiddenSpatial.includes(key) : shown.includes(key)
export const shownColumns = (table: TableState): readonly TableColumn[] =>
  (table.view?.columns ?? []).filter(({ key }) => isShownColumn(table, key))

/** As in the table and in what is copied. */
export function cellText(view: TableView, key: string, value: number): string {
  if (key === 'class') return titled(view.classes[value]?.label ?? '')
  if (key === 'id') return String(value)
  return key === 'x' || key === 'y' ? value.toFixed(0) : stainColumnOf(key) ? value.toFixed(3) : formatMeasured(key, value)
}

/** A click sorts by a column, another turns it round, a third leaves the order of the slide. */
export function nextSort(sort: TableRequest['sort'], column: string): TableRequest['sort'] {
  if (sort?.column !== column) return { column, descending: true }
  return sort.descending ? { column, descending: false } : null
}

/** What is asked of the engine; null: there is nothing to ask about. */
export const requestOf = ({ filter, brush, box, sort, describe, log }: TableState, run: RunStatus | null): TableRequest | null =>
  run && { runId: run.runId, filter, brush, box, sort, describe, log }
