// What the objects table shows as a file: its rows in its order with its columns, as CSV that the engine makes piece by piece, or as Parquet.
import { tableTextRows, tilePaths } from '../../../app/contract'
import { api } from '../../api'
import { words } from '../../words'
import { tell } from '../base/notify'
import { saveParts } from '../base/saveText'
import { getState, patch } from '../store'
import { shownColumns } from '../slices/tableSlice'

let going: AbortController | null = null

/** "sample-objects-table.csv". Pieces go to the browser's own store as they come, so that a million rows are no string of this page. */
export async function saveRows(as: 'csv' | 'parquet' = 'csv'): Promise<void> {
  const { table } = getState()
  const { view } = table
  if (!view || going) return
  const { runId, view: id, rows } = view
  const columns = shownColumns(table).map(({ key }) => key)
  const { signal } = (going = new AbortController())
  const parts: Blob[] = []
  patch('table', { saving: 0 })
  // Parquet says at its end what is where: it comes whole.
  const step = as === 'csv' ? tableTextRows : Math.max(1, rows)
  try {
    for (let first = 0; first === 0 || first < rows; first += step) {
      const path = as === 'csv' ? tilePaths.tableText(runId, id, first, columns) : tilePaths.tableParquet(runId, id, columns)
      const answer = await fetch(api().tileUrl(path), { signal })
      if (answer.status === 404) return tell(words.table.changedWhileSaved, words.table.title)
      if (!answer.ok) return tell(words.table.noRows, words.table.title)
      parts.push(await answer.blob())
      patch('table', { saving: Math.min(1, (first + step) / Math.max(1, rows)) })
    }
    await saveParts(`objects-table.${as}`, as === 'csv' ? 'text/csv' : 'application/vnd.apache.parquet', parts)
  } catch {
    if (!signal.aborted) tell(words.table.noRows, words.table.title)
  } finally {
    going = null
    patch('table', { saving: null })
  }
}

/** No file is left of it. */
export const stopSaving = (): void => going?.abort()
