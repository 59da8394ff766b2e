// Exports a run's files, and remembers where to.
import type { ExportFile } from '../../app/contract'
import { api } from '../api'
import { tellError } from './notify'
import { getState, patch, update } from './store'
import { noExport } from './uiSlice'

export async function startExport(runId: string, directory: string, files: ExportFile[], simplifyPx: number): Promise<void> {
  update('exporting', () => ({ ...noExport, running: true, runId }))
  const result = await api().call('export:start', { runId, directory, files, ...(simplifyPx > 0 ? { simplifyPx } : {}) })
  if (getState().exporting.runId !== runId) return
  patch('exporting', {
    running: false,
    file: null,
    ...(result.ok ? { result: result.value, fraction: 1 } : { error: result.error }),
  })
  if (result.ok) void api().call('settings:set', { exportDirectory: directory })
}

export async function cancelExport(): Promise<void> {
  const { runId } = getState().exporting
  if (runId === null) return
  const result = await api().call('export:cancel', { runId })
  if (!result.ok) tellError(result.error, 'Export')
}

export async function chooseDirectory(): Promise<string | null> {
  const result = await api().call('dialog:directory', { title: 'Export to' })
  if (result.ok) return result.value
  tellError(result.error, 'Export')
  return null
}
