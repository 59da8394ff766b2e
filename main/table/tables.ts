// The objects table of each run: views that were asked for, by number, and the rows that their addresses name.
import {
  densitiesOf,
  isOver,
  isSpatialColumn,
  noun,
  packRows,
  packScatter,
  runAreas,
  tableBlockRows,
  tableTextRows,
} from '../../app/contract'
import type { ObjectDetails, TableBox, TableGroup, TableRequest, TableView } from '../../app/contract'
import type { Encoded } from '../base/encoded'
import { EngineError, invalid } from '../base/errors'
import { objectDetails, placeOf } from '../run/point/objectDetails'
import type { Run } from '../run/run'
import { Columns } from './columns'
import type { ExtraColumn } from './columns'
import { filterRows } from './expression'
import { ascendingOf, histogramOf, rangeOf, statisticsOf } from './figures'
import { byClass, byRegion } from './groups'
import type { NamedArea } from './groups'
import { scatterOf } from './scatter'
import type { PlotAxis } from './scatter'
import { headings, linesOf } from './text'
import { sortRanks } from './sorting'

/** Rows and columns of a view. */
export interface Listed {
  readonly columns: Columns
  /** 0-based ranks of the objects, in the view's order. */
  readonly ranks: Uint32Array
}
interface View extends Listed {
  readonly runId: string
  /** Those that a box left out are in it, too; ascending. */
  readonly plotted: Uint32Array
}

/** Pages that look at once; an older one's rows are refused, and it asks again. 4 bytes an object each. */
const keptViews = 8
/** Runs whose columns are kept. */
const keptRuns = 2
/** 8 bytes an object each: one is described, two are plotted. */
const keptSorted = 4

interface ScatterRequest {
  readonly view: number
  readonly columns: readonly [string, string]
  readonly log: readonly [boolean, boolean]
}

export class Tables {
  private readonly views = new Map<number, View>()
  private readonly columns = new Map<string, Columns>()
  /** All values of a column, ascending: the same for every filter. */
  private readonly sorted = new Map<string, Float64Array>()
  private last = 0
  private readonly extrasOf: (run: Run) => readonly ExtraColumn[]

  /** `extrasOf`: a run's columns that none of its objects holds; where they change, `forget` is to be called. */
  constructor(extrasOf: (run: Run) => readonly ExtraColumn[] = () => []) {
    this.extrasOf = extrasOf
  }

  /** Throws INVALID_PARAMETER where the run goes on, or the filter or a column is wrong. O(objects). */
  view(run: Run, { filter, brush, box = null, sort, describe, log = false }: TableRequest): TableView {
    const status = run.status()
    if (!isOver(status)) throw new EngineError('INVALID_PARAMETER', 'The objects table is there when the run has ended.')
    const columns = this.columnsOf(run)
    for (const key of [describe, ...(sort ? [sort.column] : []), ...(box ? [box.x, box.y] : [])]) {
      if (!columns.find(key)) throw invalid(`one of ${columns.columns.map((each) => each.key).join(', ')}`, 'a column', key)
    }
    const standing = run.objects.standingCount
    const plotted = brushed(ranksOf(filterRows(filter, columns), columns), brush, columns.values(describe))
    const left = box ? boxed(plotted, box, columns.values(box.x), columns.values(box.y)) : plotted
    const ranks = sort ? sortRanks(left, columns.values(sort.column), sort.descending) : left
    const all = this.ascending(run.runId, columns, describe)
    const own = left.length === standing ? all : ascendingOf(left, columns.values(describe))
    const view = ++this.last
    this.views.set(view, { runId: run.runId, columns, ranks, plotted })
    if (this.views.size > keptViews) this.views.delete(this.views.keys().next().value!)
    return {
      view,
      runId: run.runId,
      rows: ranks.length,
      of: standing,
      columns: columns.columns.map(({ key, title, unit }) => ({ key, title, unit })),
      classes: [...columns.classes],
      statistics: statisticsOf(own),
      ...densitiesOf(ranks.length, runAreas(status)),
      histogram: histogramOf(all, own, log),
    }
  }

  /** The rows [first, first + tableBlockRows) of a view. Throws NOT_FOUND where it is kept no more. */
  rows(runId: string, view: number, first: number): Encoded {
    const { columns, ranks } = this.find(runId, view)
    const values = columns.rows(ranks.subarray(first, first + tableBlockRows))
    return { type: 'application/octet-stream', body: packRows(columns.columns.length, first, values) }
  }

  /** A column of a view's objects by class, or by the regions that are given. Throws NOT_FOUND, INVALID_PARAMETER. */
  groups(run: Run, view: number, column: string, areas: readonly NamedArea[] | null): TableGroup[] {
    this.requireColumn(run, column)
    const { columns, ranks } = this.find(run.runId, view)
    return areas ? byRegion(columns, ranks, column, areas) : byClass(columns, ranks, column, runAreas(run.status()))
  }

  /** The rows [first, first + tableTextRows) of a view as CSV, with the columns of these keys; those that it lacks are left out. Throws NOT_FOUND. */
  text(runId: string, view: number, first: number, keys: readonly string[]): Encoded {
    const { columns, ranks } = this.find(runId, view)
    const chosen = columns.columns.filter(({ key }) => keys.includes(key))
    const lines = linesOf(columns, chosen, ranks.subarray(first, first + tableTextRows))
    const text = new TextEncoder().encode(first === 0 ? headings(chosen) + lines : lines)
    return { type: 'application/octet-stream', body: text }
  }

  /** Two columns of a view against each other. Throws NOT_FOUND, INVALID_PARAMETER. O(rows). */
  scatter(run: Run, { view, columns: keys, log }: ScatterRequest): Encoded {
    const { columns, plotted } = this.find(run.runId, view)
    const [x, y] = keys.map((key, at): PlotAxis => {
      this.requireColumn(run, key)
      const ends = rangeOf(this.ascending(run.runId, columns, key), log[at]!)
      return { values: columns.values(key), log: log[at]!, ...ends }
    })
    const classAt = columns.find('class') ? columns.values('class') : null
    const plot = scatterOf(plotted, x!, y!, classAt, columns.classes.length)
    return { type: 'application/octet-stream', body: packScatter(plot) }
  }

  /** Throws INVALID_PARAMETER. */
  requireColumn(run: Run, key: string): void {
    const columns = this.columnsOf(run)
    if (key === 'id' || key === 'class' || !columns.find(key))
      throw invalid(`one of ${columns.columns.map((each) => each.key).join(', ')}`, 'a column', key)
  }

  /** A column of what was measured of the objects themselves, on which classes can stand. Throws INVALID_PARAMETER. */
  requireMeasured(run: Run, key: string): void {
    this.requireColumn(run, key)
    if (isSpatialColumn(key))
      throw invalid('a measurement of the objects themselves', 'a column', this.columnsOf(run).find(key)!.title)
  }

  /** What a view lists, for a file of it. Throws NOT_FOUND. */
  listed(runId: string, view: number): Listed {
    return this.find(runId, view)
  }

  /** The 0-based ranks of a view's objects. Throws NOT_FOUND. */
  ranksOf(runId: string, view: number): Uint32Array {
    return this.find(runId, view).ranks
  }

  /** Which row an object is in; null where the filter left it out. O(rows). */
  rowOf(runId: string, view: number, id: number): number | null {
    const row = this.find(runId, view).ranks.indexOf(id - 1)
    return row < 0 ? null : row
  }

  forget(runId: string): void {
    for (const [view, kept] of this.views) if (kept.runId === runId) this.views.delete(view)
    for (const key of [...this.sorted.keys()]) if (key.startsWith(`${runId}/`)) this.sorted.delete(key)
    this.columns.delete(runId)
  }

  private find(runId: string, view: number): View {
    const found = this.views.get(view)
    if (found?.runId !== runId) throw new EngineError('NOT_FOUND', 'This view of the objects table is not kept any more.')
    return found
  }

  private columnsOf(run: Run): Columns {
    const kept = this.columns.get(run.runId)
    if (kept) return kept
    const columns = new Columns(run.objects.all(), placeOf(run.draft, run.objects.marks), this.extrasOf(run))
    this.columns.set(run.runId, columns)
    if (this.columns.size > keptRuns) this.columns.delete(this.columns.keys().next().value!)
    return columns
  }

  private ascending(runId: string, columns: Columns, key: string): Float64Array {
    const name = `${runId}/${key}`
    const kept = this.sorted.get(name)
    if (kept) return kept
    const values = columns.values(key)
    const sorted = ascendingOf(ranksOf(null, columns), values)
    this.sorted.set(name, sorted)
    if (this.sorted.size > keptSorted) this.sorted.delete(this.sorted.keys().next().value!)
    return sorted
  }
}

/** Of that number, its place in raster order of what is there. Throws NOT_FOUND. */
export async function objectNumbered({ objects, draft }: Run, id: number): Promise<ObjectDetails> {
  const all = objects.all()
  if (id > all.length || objects.marks?.deleted?.[all.ids[id - 1]!] === 1)
    throw new EngineError('NOT_FOUND', `The run has ${all.length} ${noun(all.length, 'object')}, and none is number ${id}.`)
  return objectDetails(all.at(id - 1), id, placeOf(draft, objects.marks))
}

/** Of those that are not deleted. */
function ranksOf(mask: Uint8Array | null, columns: Columns): Uint32Array {
  const ranks = new Uint32Array(columns.length)
  let n = 0
  for (let rank = 0; rank < columns.length; rank++) if ((!mask || mask[rank]) && columns.stands(rank)) ranks[n++] = rank
  return ranks.subarray(0, n)
}

function brushed(ranks: Uint32Array, brush: TableRequest['brush'], values: Float64Array): Uint32Array {
  if (!brush) return ranks
  const low = brush.low ?? -Infinity
  const high = brush.high ?? Infinity
  return ranks.filter((rank) => values[rank]! >= low && values[rank]! <= high)
}

function boxed(ranks: Uint32Array, { xLow, xHigh, yLow, yHigh }: TableBox, xs: Float64Array, ys: Float64Array): Uint32Array {
  const [left, right] = [xLow ?? -Infinity, xHigh ?? Infinity]
  const [low, high] = [yLow ?? -Infinity, yHigh ?? Infinity]
  return ranks.filter((rank) => xs[rank]! >= left && xs[rank]! <= right && ys[rank]! >= low && ys[rank]! <= high)
}
