// What the objects table shows as a file: its rows in its order with its columns, as text that the engine makes piece by piece.
import { tableTextRows, tilePaths } from '../../app/contract'
import { api } from '../api'
import { tell } from './notify'
import { saveParts } from './saveText'
import { getState, patch } from './store'
import { shownColumns } from './tableSlice'

let going: AbortController | null = null

/** "sample-objects-table.csv". Pieces go to the browser's own store as they come, so that a million rows are no string of this page. */
export async function saveRows(): Promise<void> {
  const { table } = getState()
  const { view } = table
  if (!view || going) return
  const columns = shownColumns(table).map(({ key }) => key)
  const { signal } = (going = new AbortController())
  const parts: Blob[] = []
  patch('table', { saving: 0 })
  try {
    for (let first = 0; first === 0 || first < view.rows; first += tableTextRows) {
      const answer = await fetch(api().tileUrl(tilePaths.tableText(view.runId, view.view, first, columns)), { signal })
      if (answer.status === 404) return tell('The table changed while it was saved: save it again.', 'Objects table')
      if (!answer.ok) return tell('The engine did not give the rows.', 'Objects table')
      parts.push(await answer.blob())
      patch('table', { saving: Math.min(1, (first + tableTextRows) / Math.max(1, view.rows)) })
    }
    await saveParts('objects-table.csv', 'text/csv', parts)
  } catch {
    if (!signal.aborted) tell('The engine did not give the rows.', 'Objects table')
  } finally {
    going = null
    patch('table', { saving: null })
  }
}

/** No file is left of it. */
export const stopSaving = (): void => going?.abort()
